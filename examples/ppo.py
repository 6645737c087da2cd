"""Train an agent with PPO against random play, on the CPU, in a few minutes. Needs `pip install 'signoria[env]' torch`.

    python examples/ppo.py patrician --minutes 5

Prints how often the agent wins after every few updates. Minutes are CPU time on one core. Change the network, the rewards or the
opponents (`--bots greedy`), and see what happens.
"""

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from signoria.env import VectorGame
from signoria.kernel.observation import starts

GAMES, STEPS = 128, 64
"""Games played together, and the agent's decisions in each game between two updates."""
EPOCHS, BATCH, CLIP = 2, 1024, 0.2
RATE, DISCOUNT, LAMBDA, ENTROPY = 5e-4, 0.97, 0.9, 0.005
JUDGES_RATE = 3e-3
"""The learning rate of the judges. They are small and learn from every action of their kind."""
POINTS, FACT = 10, 4
"""A lead of 10 points counts 1, and so does a fact of size 4."""


class Agent(nn.Module):
    """A small network. It reads what a seat knows, and returns a preference for each action and the expected lead.

    Some games say beside each action what it would lead to, such as the floors and portraits of each card. A judge is a
    smaller network that rates all actions of one kind by these facts. What it learns about one card helps with all others.
    """

    def __init__(self, games: VectorGame, shown: Tensor, width: int = 128) -> None:
        """`shown` has observations from some games; numbers that are the same in all of them are left out."""
        super().__init__()
        self.varied = torch.nonzero(shown.amax(0) != shown.amin(0)).squeeze(-1)
        usual = shown[:, self.varied].float()
        self.mean, self.spread = usual.mean(0), usual.std(0) + 0.1
        self.body = nn.Sequential(nn.Linear(len(self.varied), width), nn.LayerNorm(width), nn.ReLU())
        self.body.extend([nn.Linear(width, width), nn.ReLU()])
        self.policy, self.value = nn.Linear(width, int(games.single_action_space.n)), nn.Linear(width, 1)
        begins = starts(games.features)
        self.facts = [(begins[one.name], one.shape, one.actions) for one in games.features if one.actions is not None]
        self.judges = nn.ModuleList(
            nn.Sequential(nn.Linear(shape[1], 32), nn.Tanh(), nn.Linear(32, 1)) for _, shape, _ in self.facts
        )
        for layer in (self.policy, self.value, *(judge[-1] for judge in self.judges)):
            nn.init.zeros_(layer.weight)  # at first all actions are equally likely

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """The distribution over legal actions, and the expected lead."""
        hidden = self.body(((seen[:, self.varied] - self.mean) / self.spread).clamp(-5, 5))
        logits = self.policy(hidden)
        for (at, (rows, columns), first), judge in zip(self.facts, self.judges, strict=True):
            facts = seen[:, at : at + rows * columns].reshape(-1, rows, columns) / FACT
            logits[:, first : first + rows] += judge(facts).squeeze(-1)
        logits = logits.masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


class Player:
    """Plays many games with the agent, and keeps the results."""

    def __init__(self, games: VectorGame, seed: int) -> None:
        self.games, self.results = games, list[float]()
        self.seen, self.infos = games.reset(seed=seed)

    def step(self, actions: Tensor) -> tuple[Tensor, Tensor]:
        """Act in all games. The reward is how much the agent's lead grows until its next turn, or the result at the end."""
        before = self.lead()
        self.seen, result, ended, _, self.infos = self.games.step(actions.numpy())
        self.results += result[ended].tolist()
        reward = np.where(ended, result, (self.lead() - before) / POINTS)
        return torch.from_numpy(reward).float(), torch.from_numpy(ended)

    def lead(self) -> Any:
        """The agent's points less those of the best opponent, if everything were scored now where the game tells it."""
        known = self.games.game.observation.split(self.seen)
        points = known.get("standing", known["points"])[:, : self.games.players].astype(np.float32)
        return points[:, 0] - points[:, 1:].max(axis=1)  # an observation has the agent's own points first

    def now(self) -> tuple[Tensor, Tensor]:
        """Observations and legal actions."""
        return torch.from_numpy(self.seen), torch.from_numpy(self.infos["action_mask"])

    def wins(self) -> float:
        """The share of the last 1000 games that the agent won; a shared win counts half."""
        return float(np.mean(self.results[-1000:]) + 1) / 2


@torch.no_grad()
def play(player: Player, agent: Agent) -> list[Tensor]:
    """Play for one update. Returns observations, masks, actions, their log probabilities, targets and advantages (GAE)."""
    kept = []
    for _ in range(STEPS):
        seen, mask = player.now()
        chances, value = agent(seen, mask)
        action = chances.sample()
        kept.append((seen, mask, action, chances.log_prob(action), value, *player.step(action)))
    *decisions, value, reward, ended = (torch.stack(part) for part in zip(*kept, strict=True))
    advantage, following, ahead = torch.zeros_like(value), agent(*player.now())[1], torch.zeros(GAMES)
    for t in reversed(range(STEPS)):
        on = DISCOUNT * (~ended[t]).float()
        ahead = reward[t] + on * following - value[t] + LAMBDA * on * ahead
        advantage[t], following = ahead, value[t]
    return [part.flatten(0, 1) for part in (*decisions, value + advantage, advantage)]


def learn(agent: Agent, optimizer: torch.optim.Optimizer, played: list[Tensor]) -> None:
    """Change the network so that actions that turned out well become more likely."""
    for _ in range(EPOCHS):
        for some in torch.randperm(GAMES * STEPS).split(BATCH):
            seen, mask, action, before, target, gain = (part[some] for part in played)
            gain = (gain - gain.mean()) / (gain.std() + 1e-6)
            chances, expected = agent(seen, mask)
            ratio = (chances.log_prob(action) - before).exp()
            better = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = (expected - target).square().mean() / 2 - better - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(game: str, minutes: float, bots: str = "random", seed: int = 1) -> tuple[Agent, float]:
    """Train for some minutes. Returns the agent and the share of its last games that it won."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    player, shown = Player(VectorGame(game, GAMES, bots=bots, players=2), seed), []
    for _ in range(STEPS):
        seen, mask = player.now()
        shown.append(seen)
        player.step(torch.multinomial(mask.float(), 1).squeeze(-1))  # at random
    agent = Agent(player.games, torch.cat(shown))
    judges = {"params": agent.judges.parameters(), "lr": JUDGES_RATE}
    others = {"params": [weights for name, weights in agent.named_parameters() if not name.startswith("judges")]}
    optimizer, began, update = torch.optim.Adam([judges, others], RATE), time.process_time(), 0
    while (passed := time.process_time() - began) < 60 * minutes:
        learn(agent, optimizer, play(player, agent))
        update += 1
        if update % 5 == 0:
            print(
                f"{passed:5.0f} s  {update:4} updates  {len(player.results):6} games  {player.wins():6.1%} won",
                flush=True,
            )
    return agent, player.wins()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--bots", default="random")
    asked = parser.parse_args()
    train(asked.game, asked.minutes, asked.bots)
