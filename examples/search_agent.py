"""An agent that looks ahead: it imagines the hidden cards, tries each action, and plays on at random.

    python examples/search_agent.py patrician --games 5 --thoughts 300

It plays against random agents in the PettingZoo environment and prints how often it wins. It sees only what its seat may
see. Needs `pip install 'signoria[env]'`.
"""

import argparse
import math
from random import Random
from typing import Any

import numpy as np

from signoria.batch.playing import play_out
from signoria.env import AECGame
from signoria.kernel.position import Position


class SearchAgent:
    """Tries every action in many imagined games; actions that went well are tried more often (UCB1)."""

    def __init__(self, thoughts: int, seed: int = 0) -> None:
        self.thoughts, self._luck = thoughts, np.array([seed + 1], np.uint64)

    def act(self, known: Position) -> int:
        """The best action of the seat in turn in a position as that seat knows it."""
        actions, seat = known.legal, known.seat
        if len(actions) == 1:
            return int(actions[0])
        tries, wins = np.zeros(len(actions)), np.zeros(len(actions))
        for thought in range(self.thoughts):
            if thought < len(actions):
                i = thought
            else:
                i = int(np.argmax(wins / tries + np.sqrt(math.log(thought) / tries / 2)))
            imagined = known.redealt(self._luck)
            imagined.apply(actions[i])
            wins[i] += self._play_on(imagined, seat)
            tries[i] += 1
        return int(actions[int(np.argmax(tries))])

    def _play_on(self, position: Position, seat: int) -> float:
        """The share of the win of a seat after random play to the end."""
        position.call(play_out(position.game, position.game.rules.any_step), self._luck)
        won = position.sheet()[:, position.game.columns.index("won")]
        return float(won[seat] / won.sum())


def play(env: AECGame, agent: SearchAgent, seed: int, rng: Random) -> float:
    """Play one game against random agents in a random seat; the agent's reward."""
    env.reset(seed=seed)
    mine = rng.choice(env.possible_agents)
    while not env.terminations[mine]:
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(agent.act(env.known()) if env.agent_selection == mine else int(rng.choice(legal)))
    return float(env.rewards[mine])


def run(game: str, games: int, thoughts: int, **options: Any) -> float:
    """Play some games; the share that the agent wins."""
    env, agent, rng = AECGame(game, **options), SearchAgent(thoughts), Random(1)
    return sum(play(env, agent, seed, rng) > 0 for seed in range(games)) / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--thoughts", type=int, default=300)
    told = parser.parse_args()
    print(f"It wins {run(told.game, told.games, told.thoughts, players=2):.0%} of {told.games} games.")
