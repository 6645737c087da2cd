"""Compiles the rules before the tests run: python -m tests.compile_rules

Otherwise each worker would compile them itself. Does nothing if the rules are already compiled.
"""

from multiprocessing import get_context
from random import Random

import numpy as np

from signoria.bots import FREE, find_bot
from signoria.bots.levels import LADDER
from signoria.bots.simulation import Simulation
from signoria.games import GAMES
from signoria.lab.experiment import experiment_of, play
from signoria.server.run import warm_up
from signoria.train import playing as training
from tests.bots.judgements import SIZES


def compile_game(game: str) -> None:
    """Compile the rules of a game, all bots for it, and the simulations, experiments and training that tests run."""
    table = warm_up._played(game)
    warm_up._think(table, LADDER[:2])
    warm_up._think_ahead(game)
    find_bot("search:1").decide(table.view(table.turn), Random(0), FREE)
    observation = GAMES[game].observation
    table.position.call(observation.write, 0, np.zeros(observation.size, np.int8))
    options = GAMES[game].options({"players": 2})
    for bots in (("random", "random"), ("greedy", "greedy"), ("greedy", "random")):
        simulation = Simulation(GAMES[game], options, GAMES[game].components(options), bots, seed=1)
        if simulation.series is not None:
            simulation.series.play(0, 1)
    for bot in ("random", "greedy"):
        play(experiment_of(GAMES[game], options, None, (bot, bot), seed=1), 0, 1)
    for deals in (0, 2):
        training.compile_rules(GAMES[game], [{"players": 2}], SIZES, deals=deals)


def main() -> None:
    """Both games side by side."""
    if warm_up.all_compiled():
        return
    print("Compiling the rules (once, about a minute) ...", flush=True)
    with get_context("spawn").Pool(len(GAMES)) as pool:
        pool.map(compile_game, GAMES)
    if mark := warm_up._mark():
        mark.touch()


if __name__ == "__main__":
    main()
