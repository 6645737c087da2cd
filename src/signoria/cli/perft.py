"""`signoria perft`: counts lines of play."""

from time import perf_counter
from typing import Annotated

import msgspec
import typer

from signoria.cli.common import (
    Ambassadors,
    Cities,
    Deck,
    GameName,
    Json,
    Messengers,
    Players,
    Seed,
    Tokens,
    Variant,
    compiling,
    console,
    game_options,
    interruptible,
    print_json,
    progress,
    signs,
)
from signoria.games import own_components
from signoria.kernel.table import open_game


def perft(
    game: GameName,
    players: Players = 3,
    messengers: Messengers = None,
    ambassadors: Ambassadors = None,
    tokens: Tokens = None,
    variant: Variant = None,
    deck: Deck = None,
    cities: Cities = None,
    seed: Seed = 1,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=40, help="Steps to look ahead.")] = 8,
    json: Json = False,
) -> None:
    """Count every way a fresh game can go on, step by step: a fingerprint of the rules."""
    found, options = game_options(
        game, players=players, messengers=messengers, ambassadors=ambassadors, tokens=tokens, variant=variant
    )
    table = open_game(found, msgspec.to_builtins(options), seed=seed, own=own_components(found, deck, cities))
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
