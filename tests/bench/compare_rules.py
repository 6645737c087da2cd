"""Compares the speed of our rules with another implementation in alternating rounds; the ratio varies less than the times.

    python tests/bench/compare_rules.py FILE.py [PLAYERS]

FILE.py has `STATE`, `tables()` and `play_many(states, tables, players, seed)`, which plays a game in each state at random and
returns the number of decisions.
"""

import importlib.util
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from signoria.batch.cpu import play_random
from signoria.games.patrician import PATRICIAN

GAMES = 50_000
ROUNDS = 9


def main() -> None:
    """Print both rates of each round and the median ratio."""
    path, players = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    spec = importlib.util.spec_from_file_location("other", path)
    assert spec is not None
    assert spec.loader is not None
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    tables, states = other.tables(), np.zeros(GAMES, other.STATE)
    options = PATRICIAN.options({"players": players})
    boxes = PATRICIAN.box(options, PATRICIAN.components(options))
    play_random(PATRICIAN, boxes, 1, 0, 1)
    other.play_many(states[:1], tables, players, 1)
    ratios = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        ours = play_random(PATRICIAN, boxes, 1, 0, GAMES).decisions / (time.perf_counter() - started)
        started = time.perf_counter()
        theirs = other.play_many(states, tables, players, 1) / (time.perf_counter() - started)
        ratios.append(ours / theirs)
        print(f"ours {ours / 1e6:6.1f}   other {theirs / 1e6:6.1f} million decisions/s   ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
