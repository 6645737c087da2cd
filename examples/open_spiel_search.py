"""A search of OpenSpiel plays our games through an adapter of ten lines. Needs `pip install 'signoria[env]' open_spiel`.

    python examples/open_spiel_search.py patrician --games 3 --simulations 50

Information set Monte Carlo tree search (`open_spiel.python.algorithms.ismcts`) plays one seat, random play the other. All of it
runs in Python, so it is slow; `search` in Signoria's own bots does the same compiled.
"""

import argparse
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any

from signoria.env.open_spiel import SpielGame


class Adapter(SpielGame):
    """What OpenSpiel's algorithms ask a game besides."""

    def get_type(self) -> Any:
        """Turns, hidden cards, and a result at the end."""
        kinds = import_module("pyspiel").GameType
        return SimpleNamespace(
            dynamics=kinds.Dynamics.SEQUENTIAL,
            information=kinds.Information.IMPERFECT_INFORMATION,
            reward_model=kinds.RewardModel.TERMINAL,
        )


def run(name: str, games: int, simulations: int) -> float:
    """Play some games with two players; the share that the search wins."""
    algorithms, np = "open_spiel.python.algorithms", import_module("numpy")
    game, rng, luck, won = Adapter(name, players=2), Random(1), np.random.RandomState(1), 0
    evaluator = import_module(f"{algorithms}.mcts").RandomRolloutEvaluator(1, luck)
    bot = import_module(f"{algorithms}.ismcts").ISMCTSBot(game, evaluator, 1.0, simulations, random_state=luck)
    for seed in range(games):
        state, mine = game.new_initial_state(seed), seed % 2
        while not state.is_terminal():
            searches = state.current_player() == mine
            state.apply_action(int(bot.step(state)) if searches else rng.choice(state.legal_actions()))
        won += state.returns()[mine] > 0
    return won / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--simulations", type=int, default=50)
    told = parser.parse_args()
    print(f"It wins {run(told.game, told.games, told.simulations):.0%} of {told.games} games.")
