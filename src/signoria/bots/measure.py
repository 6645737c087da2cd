"""Measures how fast the search runs, for `signoria bench`."""

import statistics
from random import Random
from time import perf_counter
from typing import Any

from signoria.bots.tree import Tree
from signoria.kernel.table import Table

ROUNDS = 5
ITERATIONS = 10_000


def iterations_a_second(table: Table[Any, Any, Any]) -> float:
    """Iterations per second of the search on one core from this position: the median of a few rounds."""
    known, rng = table.view(table.turn).known, Random(1)
    rounds = []
    for _ in range(ROUNDS):
        tree = Tree(known, rng.getrandbits(63))
        started = perf_counter()
        tree.think(ITERATIONS)
        rounds.append(perf_counter() - started)
    return ITERATIONS / statistics.median(rounds)
