"""Train an agent with PPO against random play, on the CPU, in a few minutes. Needs `pip install 'signoria[env]' torch`.

    python examples/ppo.py il-principe --minutes 5

Prints how often the agent wins after every few updates: in Il Principe more than 99% after two minutes on two cores. Patrician
needs a longer training. The loop is kept plain: change the network, the rewards or the
opponents (`--bots greedy`), and see what happens.
"""

import argparse
import time
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from signoria.env import VectorGame

GAMES, STEPS = 128, 64
"""Games played together, and the agent's decisions in each between two updates."""
EPOCHS, BATCH, CLIP = 3, 1024, 0.2
RATE, LAMBDA, ENTROPY = 1e-3, 0.95, 0.01
SHOWN = 1000
"""Games over which the share of wins is counted."""


class Agent(nn.Module):
    """A small network: what the seat knows in, the preference for each action and the expected result out."""

    def __init__(self, size: int, actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(size, width), nn.LayerNorm(width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the expected result."""
        hidden = self.body(seen.float() / 4)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


class Rollout(NamedTuple):
    """What happened between two updates: decisions by games."""

    seen: torch.Tensor
    mask: torch.Tensor
    action: torch.Tensor
    log_chance: torch.Tensor
    value: torch.Tensor
    reward: torch.Tensor
    ended: torch.Tensor


def play(games: VectorGame, agent: Agent, seen: Any, mask: Any, results: list[float]) -> tuple[Rollout, Any, Any]:
    """Play for one update; the results of games that ended are added to `results`."""
    kept: list[tuple[torch.Tensor, ...]] = []
    for _ in range(STEPS):
        now, legal = torch.from_numpy(seen), torch.from_numpy(mask)
        with torch.no_grad():
            chances, value = agent(now, legal)
            action = chances.sample()
        seen, reward, ended, _, infos = games.step(action.numpy())
        mask = infos["action_mask"]
        results += reward[ended].tolist()
        told = torch.from_numpy(reward.astype(np.float32)), torch.from_numpy(ended)
        kept.append((now, legal, action, chances.log_prob(action), value, *told))
    return Rollout(*(torch.stack(part) for part in zip(*kept, strict=True))), seen, mask


def advantages(rollout: Rollout, last: torch.Tensor) -> torch.Tensor:
    """How much better each decision turned out than expected (GAE, without a discount)."""
    found, following, ahead = torch.zeros_like(rollout.value), last, torch.zeros_like(last)
    for t in reversed(range(STEPS)):
        on = (~rollout.ended[t]).float()
        surprise = rollout.reward[t] + on * following - rollout.value[t]
        ahead = surprise + LAMBDA * on * ahead
        found[t], following = ahead, rollout.value[t]
    return found


def learn(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, gain: torch.Tensor) -> None:
    """Change the network so that actions that turned out well become more likely."""
    flat = [part.flatten(0, 1) for part in rollout]
    seen, mask, action, before, value, *_ = flat
    gain = gain.flatten()
    target = value + gain
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(gain)).split(BATCH):
            chances, expected = agent(seen[some], mask[some])
            ratio = (chances.log_prob(action[some]) - before[some]).exp()
            better = torch.min(ratio * gain[some], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[some]).mean()
            loss = (expected - target[some]).square().mean() / 2 - better - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(game: str, minutes: float, bots: str = "random", seed: int = 1, aim: float = 2.0, **options: Any) -> float:
    """Train until the time is over or the agent wins the share `aim` of its last games; returns that share."""
    torch.manual_seed(seed)
    games = VectorGame(game, GAMES, bots=bots, players=2, **options)
    agent = Agent(games.single_observation_space.shape[0], int(games.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), RATE)
    (seen, infos), results, began, update = games.reset(seed=seed), [], time.monotonic(), 0
    mask = infos["action_mask"]
    while (passed := time.monotonic() - began) < 60 * minutes and (len(results) < SHOWN or _wins(results) < aim):
        rollout, seen, mask = play(games, agent, seen, mask, results)
        with torch.no_grad():
            last = agent(torch.from_numpy(seen), torch.from_numpy(mask))[1]
        learn(agent, optimizer, rollout, advantages(rollout, last))
        update += 1
        if update % 5 == 0 and results:
            print(f"{passed:5.0f} s  {update:4} updates  {len(results):6} games  {_wins(results):6.1%} won", flush=True)
    return _wins(results)


def _wins(results: list[float]) -> float:
    """The share of the last games that were won; a shared win counts half."""
    return float(np.mean(results[-SHOWN:]) + 1) / 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--bots", default="random")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(asked.game, asked.minutes, asked.bots, asked.seed)
