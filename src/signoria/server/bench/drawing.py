"""How large the HTML of a table becomes over whole games, and how long rendering takes."""

import gzip
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from signoria.games import find_game
from signoria.server.bench.figures import Drawing
from signoria.server.bench.rooms import rooms, seen
from signoria.web import pages

LEVEL = 5
"""Compression level."""


def largest(game: str) -> dict[str, Any]:
    """The largest setting: the most players and all options."""
    found = find_game(game)
    return {"players": found.seats[-1]} | {label.name: True for label in found.option_labels if not label.choices}


def drawing(game: str, rng: Random, games: int = 2) -> Drawing:
    """Render every position of some random games."""
    sizes, ends = list[int](), list[int]()
    packed, taken = [], []
    for number in range(games):
        for room in rooms(game, largest(game), f"{number:064x}", lambda table: rng.choice(table.legal)):
            began = perf_counter()
            fragment = pages.table_fragment(seen(room)).encode()
            taken.append(1000 * (perf_counter() - began))
            (ends if room.row.state == "over" else sizes).append(len(fragment))
            packed.append(len(gzip.compress(fragment, LEVEL)))
    return Drawing(max(sizes), max(ends), max(packed), median(taken))
