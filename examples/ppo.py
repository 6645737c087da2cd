"""Train an agent with PPO against random play, on the CPU, in a few minutes. Needs `pip install 'signoria[env]' torch`.

    python examples/ppo.py patrician --minutes 5

Prints how often the agent wins after every few updates. Minutes are those of the processor, on one core. The loop is kept
plain: change the network, the rewards or the opponents (`--bots greedy`), and see what happens.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from signoria.env import VectorGame
from signoria.kernel.observation import Feature, starts

GAMES, STEPS = 128, 64
"""Games played together, and the agent's decisions in each between two updates."""
EPOCHS, BATCH, CLIP = 2, 1024, 0.2
RATE, DISCOUNT, LAMBDA, ENTROPY = 5e-4, 0.97, 0.9, 0.005
JUDGING = 3e-3
"""The rate of the networks that judge actions by their facts; they are small, and learn from every action of their kind."""
POINTS, FACT = 10, 4
"""A lead of so many points counts 1, and so does a fact of this size."""
SHOWN = 1000
"""Games over which the share of wins is counted."""


class Agent(nn.Module):
    """A small network: what the seat knows in, the preference for each action and the expected lead out.

    Some games say beside each action what it would lead to, such as the floors and portraits of each card. One small
    network judges all actions of a kind by these facts, so that what it learns about one card helps with all others. In
    other games preferences also come straight from what the seat knows.
    """

    def __init__(self, shown: torch.Tensor, features: Sequence[Feature], actions: int, width: int = 128) -> None:
        """`shown` has what seats knew in some positions; numbers that are the same in all of them are left out."""
        super().__init__()
        varied, self.beside = shown.amax(0) != shown.amin(0), []
        for feature, at in zip(features, starts(features).values(), strict=True):
            if feature.actions is not None:
                varied[at : at + feature.size] = True
                self.beside.append((int(varied[:at].sum()), feature.shape, feature.actions))
        self.varied = torch.nonzero(varied).squeeze(-1)
        size = len(self.varied)
        self.body = nn.Sequential(
            nn.Linear(size, width), nn.LayerNorm(width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        self.direct = None if self.beside else nn.Linear(size, actions)
        self.judges = nn.ModuleList(
            nn.Sequential(nn.Linear(shape[1], 32), nn.Tanh(), nn.Linear(32, 1)) for _, shape, _ in self.beside
        )
        for layer in filter(None, (self.policy, self.value, self.direct, *(judge[-1] for judge in self.judges))):
            nn.init.zeros_(layer.weight)
        self.mean, self.square, self.looked = torch.zeros(size), torch.ones(size), 0
        self.look(shown[:, self.varied])

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the expected lead; `seen` has the varied numbers only."""
        spread = (self.square - self.mean.square()).clamp(min=0).sqrt()
        known = ((seen.float() - self.mean) / (spread + 0.1)).clamp(-5, 5)
        hidden = self.body(known)
        logits = self.policy(hidden)
        if self.direct is not None:
            logits = logits + self.direct(known)
        for (at, shape, first), judge in zip(self.beside, self.judges, strict=True):
            facts = seen[:, at : at + shape[0] * shape[1]].reshape(-1, *shape).float() / FACT
            logits[:, first : first + shape[0]] += judge(facts).squeeze(-1)
        logits = logits.masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)

    def look(self, seen: torch.Tensor) -> None:
        """Learn how large the numbers usually are."""
        self.looked = min(self.looked + 1, 20)
        self.mean = self.mean + (seen.float().mean(0) - self.mean) / self.looked
        self.square = self.square + (seen.float().square().mean(0) - self.square) / self.looked


class Rollout(NamedTuple):
    """What happened between two updates: decisions by games."""

    seen: torch.Tensor
    mask: torch.Tensor
    action: torch.Tensor
    log_chance: torch.Tensor
    value: torch.Tensor
    reward: torch.Tensor
    ended: torch.Tensor


def leads(games: VectorGame, seen: Any) -> Any:
    """The agent's points less those of the best opponent, as the game stands; an observation has its own points first.

    Some games tell what every seat would get if everything were scored now. That shows earlier what an action was good for.
    """
    known = games.game.observation.split(seen)
    points = known.get("standing", known["points"])[:, : games.players].astype(np.float32)
    return points[:, 0] - points[:, 1:].max(axis=1)


def final_leads(games: VectorGame, infos: Any, seats: Any) -> Any:
    """The same for the final points of games that ended, where the agent sat in these seats."""
    from_agent = (seats[:, None] + np.arange(games.players)) % games.players
    points = np.take_along_axis(infos["points"], from_agent, axis=1).astype(np.float32)
    return points[:, 0] - points[:, 1:].max(axis=1)


def play(games: VectorGame, agent: Agent, seen: Any, infos: Any, results: list[float]) -> tuple[Rollout, Any, Any]:
    """Play for one update; the results of games that ended are added to `results`.

    An action is rewarded with what the agent's lead grows until its next one.
    """
    kept: list[tuple[torch.Tensor, ...]] = []
    for _ in range(STEPS):
        now, legal = torch.from_numpy(seen)[:, agent.varied], torch.from_numpy(infos["action_mask"])
        with torch.no_grad():
            chances, value = agent(now, legal)
            action = chances.sample()
        before, seats = leads(games, seen), infos["seat"]
        seen, result, ended, _, infos = games.step(action.numpy())
        results += result[ended].tolist()
        after = leads(games, seen)
        if ended.any():
            after = np.where(ended, final_leads(games, infos, seats), after)
        told = torch.from_numpy((after - before) / POINTS), torch.from_numpy(ended)
        kept.append((now, legal, action, chances.log_prob(action), value, *told))
    return Rollout(*(torch.stack(part) for part in zip(*kept, strict=True))), seen, infos


def advantages(rollout: Rollout, last: torch.Tensor) -> torch.Tensor:
    """How much better each decision turned out than expected (GAE)."""
    found, following, ahead = torch.zeros_like(rollout.value), last, torch.zeros_like(last)
    for t in reversed(range(STEPS)):
        on = DISCOUNT * (~rollout.ended[t]).float()
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
    agent.look(seen)


def train(game: str, minutes: float, bots: str = "random", seed: int = 1, aim: float = 2.0, **options: Any) -> float:
    """Train until the time is over or the agent wins the share `aim` of its last games; returns that share."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    games = VectorGame(game, GAMES, bots=bots, players=2, **options)
    (seen, infos), results, update = games.reset(seed=seed), [], 0
    shown = [seen]
    for _ in range(STEPS):
        at_random = torch.multinomial(torch.from_numpy(infos["action_mask"]).float(), 1).squeeze(-1)
        seen, *_, infos = games.step(at_random.numpy())
        shown.append(seen)
    agent = Agent(torch.from_numpy(np.concatenate(shown)), games.features, int(games.single_action_space.n))
    judging = set(agent.judges.parameters())
    others = [weights for weights in agent.parameters() if weights not in judging]
    optimizer = torch.optim.Adam([{"params": others}, {"params": [*judging], "lr": JUDGING}], RATE)
    began = time.process_time()
    while (passed := time.process_time() - began) < 60 * minutes and (len(results) < SHOWN or _wins(results) < aim):
        rollout, seen, infos = play(games, agent, seen, infos, results)
        with torch.no_grad():
            last = agent(torch.from_numpy(seen)[:, agent.varied], torch.from_numpy(infos["action_mask"]))[1]
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
