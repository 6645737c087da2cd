"""Measures games that are stepped together, by their number and by the number of cores: `make bench-scaling`.

    python -m tests.bench.scaling [--save FILE]

The random policy outside is included. Figures are per second of CPU time; with two cores, two processes have half of
the games each.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from tests.bench.peers import Subject, rate

GAMES = ("patrician", "il-principe")
POWERS = range(10, 23, 2)


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--seconds", type=float, default=1)
    told = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    found: dict[str, dict[str, list[float]]] = {}
    for game in GAMES:
        for number in (1, 2):
            rates = []
            for power in POWERS:
                subject = Subject(f"signoria-steps:{game}/{(1 << power) // number}", game, "")
                rates.append(rate(subject, sys.executable, told.seconds, cores[:number]) or 0.0)
                print(game, number, power, rates[-1], file=sys.stderr, flush=True)
            found.setdefault(game, {})[str(number)] = rates
    measured = {"powers": list(POWERS), "decisions_per_second": found}
    if told.save:
        told.save.write_text(json.dumps(measured, indent=1) + "\n", "utf-8")
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
