"""Fits networks to games of self-play, with PyTorch on the CPU or a GPU. Only training needs this module."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from signoria.kernel.errors import BadOption
from signoria.kernel.language import say

try:
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
except ImportError as missing:
    raise BadOption("train: PyTorch is not installed; install signoria with the extra [train].") from missing

from signoria.bots import network as net
from signoria.bots.leaves import POINTS, REWARD, WINS
from signoria.bots.network import Network
from signoria.kernel.features import Features
from signoria.kernel.game import MOST_SEATS
from signoria.train.playing import SelfPlayed

RESULT = 0.25
"""The weight of the result of the game in the reward that a network learns; the rest is what the search expected."""
FOLLOWED = 0.1
"""The same in games that look one step ahead, where what was expected already contains some of the result."""
CHANCES, FINAL_POINTS = 0.3, 0.05
"""The weights of the chances to win and of the final points in the loss."""
DECAY = 1e-3
WARM_UP = 100
"""Steps in which the learning rate grows to its full size."""
AVERAGED = 0.998
"""Weights are averaged over about the last 500 steps."""
FIRST_DEVIATION = 0.06
BATCH = {"cuda": 8192, "cpu": 2048}
MOST_TESTED = 60_000
"""The most states of held-out games that are looked at after a fit."""


class FitQuality(NamedTuple):
    """How well a network does on games that it has not learned from."""

    states: int
    error: float
    """Mean square error of the reward against what the search expected."""
    result_error: float
    """The same against the result."""
    spread: float
    """Variance of what the search expected: the error of a network that knows nothing."""
    calibration: float
    """By how much stated chances to win differ from the share of wins, in ten groups."""


class TorchNetwork(nn.Module):
    """The network as PyTorch fits it."""

    def __init__(self, features: Features, first: int, second: int) -> None:
        super().__init__()
        self.size = features.size
        self.features = nn.EmbeddingBag(features.size + 1, first, mode="sum", padding_idx=features.size)
        self.numbers = nn.Linear(features.numbers_size, first)
        self.second = nn.Linear(first, second)
        self.last = nn.Linear(second, net.OUTPUTS)
        with torch.no_grad():
            self.features.weight.normal_(0.0, FIRST_DEVIATION)
            self.features.weight[features.size] = 0.0
            self.numbers.bias.zero_()

    def forward(self, on: Any, numbers: Any) -> Any:
        """All outputs."""
        first = torch.relu(self.features(on) + self.numbers(numbers))
        return self.last(torch.relu(self.second(first)))

    def load(self, network: Network) -> None:
        """Go on from these weights."""
        with torch.no_grad():
            self.features.weight[: self.size] = torch.from_numpy(network.features)
            self.numbers.weight[:] = torch.from_numpy(network.numbers.T)
            self.numbers.bias[:] = torch.from_numpy(network.bias)
            self.second.weight[:] = torch.from_numpy(network.second.T)
            self.second.bias[:] = torch.from_numpy(network.second_bias)
            self.last.weight[:] = torch.from_numpy(network.last.T)
            self.last.bias[:] = torch.from_numpy(network.last_bias)

    def export(self, seen: Any = None) -> Network:
        """The weights; rows of features that were never seen are zero."""
        rows = self.features.weight[: self.size]
        if seen is not None:
            rows = rows * seen[: self.size, None]
        return Network(
            *(
                np.array(one.detach().float().cpu().numpy(), order="C")  # a copy: fitting goes on
                for one in (
                    rows,
                    self.numbers.weight.t(),
                    self.numbers.bias,
                    self.second.weight.t(),
                    self.second.bias,
                    self.last.weight.t(),
                    self.last.bias,
                )
            )
        )


class ReplayBuffer:
    """States of self-play, on the device that fits the network. States that were added together stay together."""

    def __init__(self, features: Features, window: int, device: str) -> None:
        self._features, self._window, self.device = features, window, device
        self._parts: deque[_Part] = deque()
        self.total = 0
        """States so far, forgotten ones included."""
        self.seen = torch.zeros(features.size + 1, dtype=torch.bool, device=device)
        """Which features have been on."""

    def __len__(self) -> int:
        return sum(len(part.states.on) for part in self._parts)

    def add(self, games: Sequence[SelfPlayed]) -> None:
        """Add games; forget the oldest states beyond the window."""
        games = [game for game in games if len(game.samples.counts)]
        if not games:
            return
        count = np.concatenate([game.samples.counts for game in games])
        on = np.full((len(count), int(count.max())), self._features.size, np.int16)
        first = 0
        for game in games:
            states, width = game.samples.on.shape
            on[first : first + states, :width] = game.samples.on
            first += states
        on[np.arange(on.shape[1]) >= count[:, None]] = self._features.size
        rows = [len(game.samples.counts) for game in games]
        arrays = (
            on,
            np.concatenate([game.samples.numbers for game in games]),
            np.concatenate([game.samples.expected for game in games]),
            np.concatenate([game.samples.results for game in games]),
            np.repeat([game.players for game in games], rows),
        )
        held_out = torch.from_numpy(np.repeat([game.held_out for game in games], rows)).to(self.device)
        together = States(*(torch.from_numpy(one).to(self.device) for one in arrays))
        self._parts.append(_Part(together, (~held_out).nonzero()[:, 0], held_out.nonzero()[:, 0]))
        self.total += len(count)
        self.seen |= torch.from_numpy(np.bincount(on.ravel(), minlength=len(self.seen)) > 0).to(self.device)
        while len(self._parts) > 1 and len(self) - len(self._parts[0].states.on) >= self._window:
            self._parts.popleft()

    def recall(self, network: Network) -> None:
        """Count the features that a network knows as seen."""
        known = torch.from_numpy((network.features != 0).any(axis=1)).to(self.device)
        self.seen[: self._features.size] |= known

    def batch(self, size: int) -> "States | None":
        """Random states to learn from, all of them added together; None if there are none."""
        parts = [part for part in self._parts if len(part.learned)]
        if not parts:
            return None
        sizes = torch.tensor([float(len(part.learned)) for part in parts])
        part = parts[int(sizes.multinomial(1))]
        some = part.learned[torch.randint(len(part.learned), (size,), device=self.device)]
        return States(*(one[some] for one in part.states))

    def held_out(self, most: int) -> "Iterator[States]":
        """The newest states that are not learned from, in batches."""
        for part in reversed(self._parts):
            for rows in part.held_out[:most].split(8192):
                if len(rows):
                    yield States(*(one[rows] for one in part.states))
            most -= len(part.held_out)
            if most <= 0:
                return


class States(NamedTuple):
    """Some states of self-play as tensors, one in a row."""

    on: Any
    numbers: Any
    expected: Any
    results: Any
    players: Any


class _Part(NamedTuple):
    """States that were added together: the rows to learn from, and those held out for the test."""

    states: States
    learned: Any
    held_out: Any


def device_of(asked: str | None = None) -> str:
    """The device that fits: the one that was asked for, or a GPU if there is one; raises `BadOption`."""
    possible = ["cuda", "cpu"] if torch.cuda.is_available() else ["cpu"]
    if asked is None:
        return possible[0]
    if asked not in possible:
        raise BadOption(
            say(
                "device: PyTorch cannot use {asked!r} here; use {possible}.", asked=asked, possible=" / ".join(possible)
            )
        )
    return asked


def prepare(device: str) -> None:
    """Start the device, and leave the cores to self-play."""
    torch.set_num_threads(1)
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.zeros(1, device=device)


class Fitter:
    """Fits one network, step by step. Its averaged weights are better than those of any single step."""

    def __init__(self, features: Features, sizes: tuple[int, int], seed: int, device: str, result: float) -> None:
        """`result` is the weight of the real result beside what was expected."""
        torch.manual_seed(seed)
        self.device, self._result = device, result
        self.model = TorchNetwork(features, *sizes).to(device)
        self._optimizer = torch.optim.AdamW(self.model.parameters(), weight_decay=DECAY, fused=True)
        self._averaged = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED))
        self.batch = BATCH[device]
        self.steps = 0

    def start_from(self, network: Network) -> None:
        """Go on from the weights of a network."""
        self.model.load(network)
        self._averaged.module.load(network)

    def fit(self, buffer: ReplayBuffer, steps: int, rate: float) -> int:
        """Make this many steps; returns how many were made, which is none without states."""
        for done in range(steps):
            states = buffer.batch(self.batch)
            if states is None:
                return done
            for group in self._optimizer.param_groups:
                group["lr"] = rate * min(1.0, (self.steps + 1) / WARM_UP)
            self._optimizer.zero_grad(set_to_none=True)
            self._loss(states).backward()
            self._optimizer.step()
            self.steps += 1
            self._averaged.update_parameters(self.model)
        return steps

    def _loss(self, states: States) -> Any:
        out, players, results = self.model(states.on.int(), states.numbers), states.players, states.results
        places = torch.arange(MOST_SEATS, device=self.device)
        there = places < players[:, None]
        aimed = there & ((places == 0) | (players[:, None] > 2))  # for two players one reward says both
        reward = self._result * results[:, :, REWARD] + (1.0 - self._result) * states.expected
        losses = functional.binary_cross_entropy_with_logits(
            out[:, net.REWARDS : net.REWARDS + MOST_SEATS], reward, reduction="none"
        )
        loss = (losses * aimed).sum() / aimed.sum()
        chances = out[:, net.WINS : net.WINS + MOST_SEATS].masked_fill(~there, -1e9)
        loss = loss - CHANCES * (functional.log_softmax(chances, 1) * results[:, :, WINS]).sum(1).mean()
        points = out[:, net.POINTS : net.POINTS + MOST_SEATS] - results[:, :, POINTS] / net.POINTS_UNIT
        return loss + FINAL_POINTS * ((points**2) * there).sum() / there.sum()

    def test(self, buffer: ReplayBuffer) -> FitQuality:
        """What the averaged network expects in the newest games that were held out."""
        parts = []
        for states in buffer.held_out(MOST_TESTED):
            with torch.no_grad():
                out = self._averaged.module(states.on.int(), states.numbers)
            there = torch.arange(MOST_SEATS, device=self.device) < states.players[:, None]
            chances = torch.softmax(out[:, net.WINS : net.WINS + MOST_SEATS].masked_fill(~there, -1e9), 1)[:, 0]
            columns = (
                torch.sigmoid(out[:, net.REWARDS]),
                chances,
                states.expected[:, 0],
                states.results[:, 0, REWARD],
                states.results[:, 0, WINS],
            )
            parts.append(torch.stack(columns, 1))
        if not parts:
            return FitQuality(0, 0.0, 0.0, 0.0, 0.0)
        reward, chances, expected, result, won = torch.cat(parts).unbind(1)
        group = (chances * 10).long().clamp(max=9)
        sums = torch.zeros(2, 10, device=self.device)
        sums[0].index_add_(0, group, chances)
        sums[1].index_add_(0, group, won)
        return FitQuality(
            states=len(reward),
            error=float(((reward - expected) ** 2).mean()),
            result_error=float(((reward - result) ** 2).mean()),
            spread=float(((expected - expected.mean()) ** 2).mean()),
            calibration=float((sums[0] - sums[1]).abs().sum() / len(reward)),
        )

    def network(self, buffer: ReplayBuffer) -> Network:
        """The averaged weights as they are now."""
        network: Network = self._averaged.module.export(buffer.seen)
        return network
