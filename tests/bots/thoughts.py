"""Prints what a short search thinks of the openings of both games; the same in every process.

NUMBA_DISABLE_JIT=1 python -m tests.bots.thoughts
"""

import json
from random import Random

from signoria.bots.search import SearchBot
from signoria.games import GAMES, open_table

ITERATIONS = "12"


def thoughts() -> dict[str, dict[str, float]]:
    """For each game, how often each first step was tried, and how much was won after it."""
    told = {}
    for game in GAMES:
        for players in (2, 4):
            table = open_table(game, players=players, seed=3)
            view = table.view(table.turn)
            thought = SearchBot(ITERATIONS).think(view, Random(1))
            tried = thought.visits.nonzero()[0]
            told[f"{game} {players}"] = {
                str(table.game.step_of(int(step))): float(thought.visits[step])
                + float(thought.sums[step, :, 0] @ thought.sums[step, :, 1])
                for step in tried
            }
    return told


if __name__ == "__main__":
    print(json.dumps(thoughts()))
