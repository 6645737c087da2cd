"""`signoria perft`: counts sequences of moves."""

from time import perf_counter
from typing import Annotated

import msgspec
import typer

from signoria.cli.options import NOTHING, GameName, Given, Json, Players, Seed, wanted, with_game_options
from signoria.cli.output import compiling, console, interruptible, print_json, progress, signs
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.table import open_game


@with_game_options
@to_say_docstring
def perft(
    game: GameName,
    players: Players = None,
    given: Given = NOTHING,
    seed: Seed = 1,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=1, max=40, help=to_say("Number of moves to look ahead."))
    ] = 8,
    json: Json = False,
) -> None:
    """Count all sequences of moves from a new game, by length. The counts are a fingerprint of the rules."""
    found, options, own = wanted(game, players, given)
    table = open_game(found, msgspec.to_builtins(options), seed=seed, own=own)
    counts: list[int] = []
    started = perf_counter()
    with compiling():
        table.perft(1)
        with progress("Counting", None) as bar:

            def tell(done: int, of: int) -> None:
                bar.update(bar.task_ids[0], completed=done, total=of)

            counts = interruptible(lambda: table.perft(depth, tell))
    if json:
        print_json({"game": game, "options": options, "seed": seed, "counts": counts})
        return
    for steps, count in enumerate(counts):
        console.print(f"{steps:>3} {count:>16,}")
    signs.print(f"{perf_counter() - started:.1f} s")
