"""Finding games: every installed package can bring some, through the entry point group `signoria.games`.

An entry point has the name of its game and leads to its `Game` object. A game is imported when it is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from signoria.kernel.errors import BadOption, BadRecord
from signoria.kernel.game import MOST_SEATS, Game
from signoria.kernel.language import any_of, say
from signoria.kernel.options import Option
from signoria.kernel.record import Record, read_record
from signoria.kernel.table import Seed, Table, open_game
from signoria.kernel.verify import replay

GROUP = "signoria.games"

AnyGame = Game[Any, Any, Any]
AnyTable = Table[Any, Any, Any]


@cache
def installed() -> dict[str, EntryPoint]:
    """The entry points of games, by name; raises `BadOption` where there is none at all."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if not found:
        raise BadOption(say("game: no game is installed. Install Signoria again, for example with `pip install -e .`"))
    return found


@cache
def _load(name: str) -> AnyGame:
    entry = installed()[name]
    try:
        game = entry.load()
    except Exception as error:
        raise BadOption(
            say(
                "game: {name} ({value}) cannot be imported: {name2}: {error}.",
                name=name,
                value=entry.value,
                name2=type(error).__name__,
                error=error,
            )
        ) from error
    if not isinstance(game, Game) or game.name != name:
        raise BadOption(say("game: {name} ({value}) is not a `Game` with that name.", name=name, value=entry.value))
    if game.seats[-1] > MOST_SEATS:
        raise BadOption(
            say(
                "game: {name} has {most} seats; at most {most_seats} are possible.",
                name=name,
                most=game.seats[-1],
                most_seats=MOST_SEATS,
            )
        )
    return game


@cache
def _in_order() -> tuple[str, ...]:
    return tuple(sorted(installed(), key=lambda name: (_load(name).order, name)))


class _Games(Mapping[str, AnyGame]):
    """The installed games by name. Asking for one imports that one; going through all imports all."""

    def __getitem__(self, name: str) -> AnyGame:
        if name not in installed():
            raise KeyError(name)
        return _load(name)

    def __contains__(self, name: object) -> bool:
        return name in installed()

    def __iter__(self) -> Iterator[str]:
        return iter(_in_order())

    def __len__(self) -> int:
        return len(installed())


GAMES: Mapping[str, AnyGame] = _Games()
"""Every game there is, by name."""


def find_game(name: str) -> AnyGame:
    """A game by its name; raises `BadOption` with those there are."""
    try:
        return GAMES[name]
    except KeyError:
        raise BadOption(
            say("game: there is no {name!r}; choose from {games}.", name=name, games=", ".join(GAMES))
        ) from None


def some_clauses() -> str:
    """What clauses are called, by examples."""
    return any_of([game.clauses[-1].id for game in GAMES.values()])


def open_table(
    game: str,
    *,
    seed: Seed = None,
    salts: Sequence[str] | None = None,
    memory_aid: bool = True,
    **options: Option | Path | None,
) -> AnyTable:
    """Set up a game by its name: `open_table(game, players=3, seed=7)`.

    `seed` fixes the deal (32 bytes, 64 hex digits, or a number that is easy to type); without one it is fresh.
    `salts` is what each seat adds to the shuffle. With `memory_aid` off, views show only what lies open. The rest are
    the game's options, and the option that names a file of components of your own (`Game.own_components`). Raises
    `BadOption` or `BadDeck`.
    """
    found = find_game(game)
    given, own = split_own(found, options)
    return open_game(found, given, seed=seed, salts=salts, own=own, memory_aid=memory_aid)


def split_own(game: AnyGame, given: Mapping[str, Option | Path | None]) -> tuple[dict[str, Option], Path | None]:
    """A game's options, and the file of components that was given with them; None for no file.

    Raises `BadOption` for the file of another game.
    """
    own_option = game.own_components.option if game.own_components else None
    options: dict[str, Any] = {}
    own: Path | None = None
    for name, value in given.items():
        if name == own_option:
            own = None if value is None else Path(str(value))
        elif name in game.options_type.__struct_fields__ or (owner := _owner_of(name)) is None:
            options[name] = value
        elif value is not None:
            raise BadOption(
                say("{name}: that is for {other}, not for {game}.", name=name, other=owner.title, game=game.title)
            )
    return options, own


def _owner_of(option: str) -> AnyGame | None:
    """A game that takes a file of components by an option of this name."""
    games = (game for game in GAMES.values() if game.own_components and game.own_components.option == option)
    return next(games, None)


def from_record(record: Record | bytes | str) -> AnyTable:
    """The table at the end of a recorded game, every claim of the record checked; raises `BadRecord`."""
    if not isinstance(record, Record | bytes | str):
        raise BadRecord(
            say("Not a record: {name}; give a Record, or its JSON as bytes or text.", name=type(record).__name__)
        )
    read = record if isinstance(record, Record) else read_record(record)
    if read.game not in GAMES:
        raise BadRecord(
            say("game: {game!r} is not known; choose from {games}.", game=read.game, games=", ".join(GAMES))
        )
    return replay(GAMES[read.game], read)
