"""Compares our speed with that of other libraries in one run: `make bench-peers`.

    python -m tests.bench.peers PEERS_PYTHON [--save FILE] [--seconds 3] [--rounds 3] [--gpu | --only-gpu]

PEERS_PYTHON is the Python of an environment with `tests/bench/peers.txt` installed. All subjects take turns, so that a busy
machine slows down each of them alike. Figures are medians over the rounds. With `--gpu` also on a GPU; `--only-gpu` measures nothing
else, and leaves the other figures in FILE as they are.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

RATES = Path(__file__).with_name("peer_rates.py")


class Subject(NamedTuple):
    """What is measured, and what it is called."""

    id: str
    title: str
    how: str


GAMES = (
    Subject("signoria:patrician", "**Signoria, Patrician**", "whole games"),
    Subject("signoria:il-principe", "**Signoria, Il Principe**", "whole games"),
    Subject("signoria-steps:patrician", "**Signoria, Patrician**", "batch, policy outside"),
    Subject("signoria-steps:il-principe", "**Signoria, Il Principe**", "batch, policy outside"),
    Subject("open_spiel:backgammon", "OpenSpiel, backgammon", "whole games, C++"),
    Subject("open_spiel:gin_rummy", "OpenSpiel, gin rummy", "whole games, C++"),
    Subject("pgx:backgammon", "Pgx, backgammon", "batch, JAX"),
    Subject("pgx:sparrow_mahjong", "Pgx, sparrow mahjong", "batch, JAX"),
    Subject("catanatron:catan", "Catanatron, Catan", "whole games, Python"),
)
ENVIRONMENTS = (
    Subject("signoria-zoo:patrician", "**Signoria, Patrician**", ""),
    Subject("signoria-zoo:il-principe", "**Signoria, Il Principe**", ""),
    Subject("pettingzoo:leduc_holdem_v4", "PettingZoo, Leduc hold'em", ""),
    Subject("pettingzoo:texas_holdem_v4", "PettingZoo, Texas hold'em", ""),
    Subject("pettingzoo:texas_holdem_no_limit_v6", "PettingZoo, Texas hold'em no limit", ""),
    Subject("pettingzoo:connect_four_v3", "PettingZoo, connect four", ""),
    Subject("pettingzoo:tictactoe_v3", "PettingZoo, tic-tac-toe", ""),
)


def rate(subject: Subject, peers: str, seconds: float, cores: list[int]) -> float | None:
    """Decisions per second of so many processes at once, one on each core; None if it cannot be measured."""
    python = sys.executable if subject.id.startswith("signoria") else peers
    command = [python, str(RATES), subject.id, str(seconds)]
    running = [
        subprocess.Popen([*command, str(core)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for core in cores
    ]
    rates = []
    for process in running:
        out, err = process.communicate()
        if process.returncode != 0:
            print(f"{subject.id}: {(err.strip().splitlines() or ['failed'])[-1]}", file=sys.stderr)
            return None
        rates.append(float(json.loads(out.splitlines()[-1])["decisions_per_second"]))
    return sum(rates)


def subjects(cores: list[int]) -> tuple[Subject, ...]:
    """What is measured: environments only on one core, and on a GPU what can use one."""
    if cores == [-1]:
        return tuple(subject for subject in GAMES if subject.id.startswith(("signoria:", "signoria-steps:", "pgx:")))
    return (*GAMES, *ENVIRONMENTS) if len(cores) == 1 else GAMES


def rounds(peers: str, seconds: float, times: int, cores: list[int]) -> dict[str, float]:
    """The median rate of every subject, by its id."""
    found: dict[str, list[float]] = {}
    for number in range(times):
        for subject in subjects(cores):
            measured = rate(subject, peers, seconds, cores)
            print(f"round {number + 1}, {len(cores)} cores, {subject.id}: {measured}", file=sys.stderr, flush=True)
            if measured is not None:
                found.setdefault(subject.id, []).append(measured)
    return {subject: statistics.median(rates) for subject, rates in found.items()}


def tables(measured: dict[str, Any], only: frozenset[str] | None = None) -> Iterator[str]:
    """The results as two tables; with `only`, some lines of the first one."""
    one, all_cores, gpu = (measured.get(name) or {} for name in ("one_core", "all_cores", "gpu"))
    least = one.get("open_spiel:backgammon")
    yield f"| decisions/s | how | one core | {measured.get('cores', 'all')} cores |{' GPU |' if gpu else ''} times OpenSpiel's backgammon |"
    yield f"| --- | --- | --- | --- |{' --- |' if gpu else ''} --- |"
    for subject in GAMES:
        if (subject.id in one or subject.id in gpu) and (only is None or subject.id in only):
            here = one.get(subject.id)
            cells = [subject.title, subject.how, shown(here), shown(all_cores.get(subject.id))]
            cells += [shown(gpu.get(subject.id))] if gpu else []
            cells.append(f"{here / least:,.{0 if here > 10 * least else 2}f}" if here and least else "")
            yield f"| {' | '.join(cells)} |"
    if only is not None:
        return
    yield ""
    yield "| PettingZoo environments | steps/s, one core |"
    yield "| --- | --- |"
    for subject in sorted(ENVIRONMENTS, key=lambda subject: -one.get(subject.id, 0)):
        if subject.id in one:
            yield f"| {subject.title} | {shown(one[subject.id])} |"


def shown(value: float | None) -> str:
    """A rate for people."""
    if value is None:
        return ""
    if value >= 1e9:
        return f"{value / 1e9:,.1f} billion"
    if value >= 1e6:
        return f"{value / 1e6:,.1f} million"
    return f"{float(f'{value:.2g}'):,.0f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--only-gpu", action="store_true")
    told = parser.parse_args()
    measured: dict[str, Any] = {}
    if told.only_gpu:
        measured = json.loads(told.save.read_text("utf-8")) if told.save and told.save.exists() else {}
    else:
        measured = on_cores(told.peers, told.seconds, told.rounds)
    if told.gpu or told.only_gpu:
        measured["gpu"] = rounds(told.peers, told.seconds, 1, [-1])
    if told.save:
        told.save.write_text(json.dumps(measured, indent=1) + "\n", "utf-8")
    print("\n".join(tables(measured)))


def on_cores(peers: str, seconds: float, times: int) -> dict[str, Any]:
    """What is measured on one core and on all of them."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    return {
        "machine": f"{platform.machine()}, {len(cores)} cores, Python {platform.python_version()}",
        "cores": len(cores),
        "load": round(os.getloadavg()[0], 1),
        "one_core": rounds(peers, seconds, times, cores[:1]),
        "all_cores": rounds(peers, seconds, 1, cores),
    }


if __name__ == "__main__":
    main()
