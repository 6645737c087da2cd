"""`signoria train`: teaches a value network a game by self-play. Needs PyTorch (`pip install 'signoria[train]'`)."""

import shlex
import sys
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import msgspec
import typer

from signoria.bots.weights import NetworkCard
from signoria.cli.options import NOTHING, GameName, Given, Json, Seed, with_game_options
from signoria.cli.output import INTERRUPTED, compiling, console, print_json, signs
from signoria.games import AnyGame, find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.position import Position

BETWEEN = 1.5
"""Seconds that end one network and begin the next."""


@with_game_options
@to_say_docstring
def train(
    game: GameName,
    players: Annotated[
        list[int] | None,
        typer.Option(
            "--players",
            "-p",
            help=to_say(
                "Number of players; several times for several networks. Without it, a network for each number."
            ),
        ),
    ] = None,
    given: Given = NOTHING,
    minutes: Annotated[
        float, typer.Option(min=0.05, help=to_say("Time for each network, self-play and fitting."))
    ] = 10.0,
    within: Annotated[
        float | None,
        typer.Option(
            min=0.05, metavar="MINUTES", help=to_say("Time for all networks and for compiling, instead of --minutes.")
        ),
    ] = None,
    seed: Seed = 1,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help=to_say("Where networks are saved: GAME/NAME.npz."))
    ] = Path("weights"),
    together: Annotated[
        bool, typer.Option("--together", help=to_say("One network for all these numbers of players."))
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help=to_say("Go on from the networks that are already in the folder."))
    ] = False,
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="CARD.json", help=to_say("Begin with the weights of another network.")),
    ] = None,
    iterations: Annotated[
        int, typer.Option(min=3, help=to_say("Iterations of the search per decision in self-play."))
    ] = 160,
    deals: Annotated[
        int,
        typer.Option(
            min=0,
            help=to_say(
                "Look only one step ahead in self-play, in this many deals, instead of searching: far more games. 0 to search."
            ),
        ),
    ] = 1,
    layers: Annotated[str, typer.Option(metavar="N,N", help=to_say("Units of the two hidden layers."))] = "64,32",
    explore: Annotated[
        float, typer.Option(min=0.01, help=to_say("How much the search tries moves other than the best so far."))
    ] = 0.4,
    mix: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help=to_say(
                "How much the result of a playout counts in the value of a position; the network counts the rest."
            ),
        ),
    ] = 0.0,
    window: Annotated[int, typer.Option(min=1000, help=to_say("Number of states to learn from."))] = 3_000_000,
    threads: Annotated[
        int | None, typer.Option(min=1, help=to_say("Threads of self-play; default: one per core."))
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help=to_say("Play on a Ray cluster instead of on these cores."))
    ] = None,
    device: Annotated[
        str | None, typer.Option(metavar="cpu|cuda", help=to_say("Where to fit; default: a GPU."))
    ] = None,
    json: Json = False,
) -> int:
    """Train value networks for the bot `net`, and save each with a card that says how it was made.

    Without options of the game, a network learns all its options; with some, only the game that is played with them.
    """
    began = monotonic()
    from signoria.train.fitting import device_of
    from signoria.train.playing import compile_rules
    from signoria.train.training import TrainingPlan, train

    found = find_game(game)
    if found.features is None:
        raise BadOption(f"game: {found.title} has no features for a network (`FEATURES` in its bot).")
    counts = tuple(dict.fromkeys(players or found.seats))
    tables = {number: tables_of(found, number, given) for number in counts}
    device = device_of(device)
    groups = [counts] if together else [(number,) for number in counts]
    folder = out / found.name
    folder.mkdir(parents=True, exist_ok=True)  # fail before the training, not after it
    cards: list[NetworkCard] = []
    try:
        with compiling():
            compile_rules(found, tables[counts[0]], sizes_of(layers), deals=deals)
        for group in groups:
            seconds = 60 * minutes
            if within is not None:
                seconds = (60 * within - (monotonic() - began)) / (len(groups) - len(cards)) - BETWEEN
            name = "players-" + "-".join(map(str, group))
            options = tuple(one for number in group for one in tables[number])
            signs.print(f"{found.title}, {name}: {len(options)} settings", soft_wrap=True)
            plan = TrainingPlan(
                options=options,
                seconds=max(3.0, seconds),
                seed=seed,
                threads=threads,
                ray=ray,
                sizes=sizes_of(layers),
                iterations=iterations,
                deals=deals,
                explore=explore,
                mix=mix,
                window=window,
                command=shlex.join(["signoria", *sys.argv[1:]]),
                date=datetime.now(UTC).strftime("%Y-%m-%d"),
            )
            card = folder / f"{name}.json"
            cards.append(
                train(
                    found,
                    plan,
                    folder,
                    name,
                    device,
                    lambda sentence: signs.print(sentence, soft_wrap=True),
                    card if resume and card.exists() else start,
                )
            )
    except KeyboardInterrupt:
        signs.print(f"Networks are in {folder}. To continue, use --resume.", soft_wrap=True)
        return INTERRUPTED
    show(cards, json)
    return 0


def show(cards: list[NetworkCard], json: bool) -> None:
    """Print what was trained."""
    if json:
        print_json(cards)
        return
    for card in cards:
        last: dict[str, Any] = card.curve[-1] if card.curve else {}
        console.print(
            f"{card.game}: {card.games:,} games, {card.positions:,} states, error {last.get('error', 0.0)}",
            soft_wrap=True,
        )


def tables_of(game: AnyGame, players: int, given: Given) -> list[dict[str, Any]]:
    """The options of all tables that a network learns: the given ones, or all that change what bots know."""
    if given:
        return [msgspec.to_builtins(game.options({"players": players, **given}))]  # type: ignore[dict-item]
    fields = msgspec.structs.fields(game.options_type)
    switches = [field.name for field in fields if field.type is bool]
    return [
        msgspec.to_builtins(game.options({"players": players, **dict(zip(switches, values, strict=True))}))
        for values in product((False, True), repeat=len(switches))
    ]


def position_of(game: AnyGame, table: dict[str, Any]) -> Position:
    """A position of a table with these options."""
    options = game.options(table)
    return Position(game, game.box(options, game.components(options)))


def sizes_of(layers: str) -> tuple[int, int]:
    """`64,32` as two sizes; raises `BadOption`."""
    try:
        first, second = map(int, layers.split(","))
    except ValueError as error:
        raise BadOption(f"layers: {layers!r}; give two numbers such as 64,32.") from error
    if not (1 <= first <= 1024 and 1 <= second <= 1024):
        raise BadOption(f"layers: {layers}; give two numbers from 1 to 1024.")
    return first, second
