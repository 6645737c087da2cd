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
    print_json,
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
        with signs.status("Counting ..."):
            counts = table.perft(depth)
    if json:
        print_json({"game": game, "options": options, "seed": seed, "counts": counts})
        return
    for steps, count in enumerate(counts):
        console.print(f"{steps:>3} {count:>16,}")
    signs.print(f"{perf_counter() - started:.1f} s")
