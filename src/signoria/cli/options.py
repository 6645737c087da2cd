"""Options that several commands share: the game with its own options, which come from the installed games; seeds."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import typer

from signoria.games import GAMES, AnyGame, find_game, split_own
from signoria.kernel.game import Options
from signoria.kernel.language import labelled, to_say
from signoria.kernel.options import Option
from signoria.kernel.shuffle import SEED_BYTES
from signoria.kernel.table import seed_bytes

Result = TypeVar("Result")

Given = Mapping[str, Option | Path]
"""The options that were typed, by name, including the file with the player's own components."""
NOTHING: Given = MappingProxyType({})
PARAMETER = "given"
"""The parameter of a command that receives these options."""

FIRST_GAME = next(iter(GAMES))
"""The default game."""
_seats = [number for game in GAMES.values() for number in game.seats]
IN_HELP = MappingProxyType({"games": ", ".join(GAMES), "fewest": min(_seats), "most": max(_seats)})
"""The values in the help of these options."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help=to_say("The game: {games}."))]
GameOrFirst = Annotated[str, typer.Argument(metavar="[GAME]", help=to_say("The game: {games}."))]
Players = Annotated[
    int | None,
    typer.Option(
        "--players", "-p", help=to_say("Number of players, {fewest} to {most}; the default depends on the game.")
    ),
]

Dealt = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="NUMBER|HEX", help=to_say("The same seed deals the same cards: a number, or 64 hex digits.")
    ),
]
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help=to_say("The same seed plays the same games."))]
Json = Annotated[bool, typer.Option("--json", help=to_say("Print one JSON object for programs."))]
Cores = Annotated[
    int | None, typer.Option(min=1, help=to_say("Number of cores for games without records; default: all."))
]
LONGEST_PAUSE = 60
"""The longest pause between two steps, in seconds."""


class Wanted(NamedTuple):
    """The game and options that were chosen."""

    game: AnyGame
    options: Options
    own: Path | None
    """A file with the player's own components."""


def wanted(game: str, players: int | None, given: Given) -> Wanted:
    """The game with these options and this number of players, or the usual number; raises `BadOption`."""
    found = find_game(game)
    options, own = split_own(found, {"players": found.usual_players if players is None else players, **given})
    return Wanted(found, found.options(options), own)


def with_game_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Add the options of all games to a command. It receives those that were typed as `given`.

    An option with the same name as another parameter of the command is left out.
    """
    signature = inspect.signature(command)
    added = [one for one in option_parameters() if one.name not in signature.parameters]
    parameters = []
    for parameter in signature.parameters.values():
        parameters += added if parameter.name == PARAMETER else [parameter]

    @wraps(command)
    def run(**values: Any) -> Result:
        typed = {one.name: values.pop(one.name) for one in added}
        return command(**values, given={name: value for name, value in typed.items() if value is not None})

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def option_parameters() -> list[inspect.Parameter]:
    """The options of all games as parameters of a command. Games with the same option share its parameter."""
    kinds: dict[str, tuple[Any, str | None]] = {}
    for game in GAMES.values():
        types = {field.name: field.type for field in msgspec.structs.fields(game.options_type)}
        for label in game.option_labels:
            values = "|".join(value for value, _ in label.choices) or None
            kind = types[label.name] if types[label.name] in (bool, int) else str
            kinds.setdefault(label.name, (kind, values))
    for game in GAMES.values():
        if own := game.own_components:
            kinds.setdefault(own.option, (Path, "FILE"))
    return [_parameter(name, kind, metavar) for name, (kind, metavar) in kinds.items()]


def help_of_game_options() -> dict[str, str]:
    """What each option of the games means, by its name, in the language that is spoken now."""
    helps: dict[str, list[str]] = {}
    for game in GAMES.values():
        for label in (label.told(game.texts) for label in game.option_labels):
            helps.setdefault(label.name, []).append(labelled(game.title, label.help or label.says or label.title))
        if own := game.own_components:
            helps.setdefault(own.option, []).append(labelled(game.title, game.texts.say(own.help)))
    return {name: " ".join(said) for name, said in helps.items()}


def _parameter(name: str, kind: Any, metavar: str | None) -> inspect.Parameter:
    flag = f"--{name.replace('_', '-')}"  # a single flag, without a --no- flag
    annotation = Annotated[kind | None, typer.Option(flag, metavar=metavar, help=f"{{{name}}}")]
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)


def read_seed(typed: str | None) -> bytes:
    """Read a seed as typed: a whole number, or the 64 hex digits that a game prints. Raises `BadOption`."""
    if typed and typed.isascii() and typed.isdigit() and len(typed) < 2 * SEED_BYTES:
        return seed_bytes(int(typed))
    return seed_bytes(typed)
