"""Fits networks to games of self-play, with PyTorch on the CPU or a GPU. Only training needs this module."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as missing:
    from signoria.kernel.errors import BadOption

    raise BadOption("train: PyTorch is not installed; install signoria with the extra [train].") from missing

from signoria.bots import network as net
from signoria.bots.leaves import POINTS, REWARD, WINS
from signoria.bots.network import Network
from signoria.kernel.features import Features
from signoria.kernel.game import MOST_SEATS
from signoria.train.playing import SelfPlayed

RESULT = 0.25
"""The weight of the real result in what a network learns to expect; the rest is what the search expected."""
CHANCES, FINAL_POINTS = 0.3, 0.05
"""The weights of the chances to win and of the final points in the loss."""
DECAY = 1e-3
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
            rows = rows * (seen[: self.size, None] > 0)
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
    """All states of self-play that are kept, on the device that fits."""

    def __init__(self, features: Features, window: int, device: str) -> None:
        self._features, self._window, self.device = features, window, device
        self._parts: list[tuple[Any, ...]] = []
        self.total = 0
        """States so far, forgotten ones included."""
        self.seen = torch.zeros(features.size + 1, device=device)

    def __len__(self) -> int:
        return sum(len(part[0]) for part in self._parts)

    def add(self, games: Sequence[SelfPlayed]) -> None:
        """Add games; forget the oldest states beyond the window."""
        games = [game for game in games if len(game.samples.counts)]
        if not games:
            return
        count = np.concatenate([game.samples.counts for game in games])
        on = np.concatenate([game.samples.on for game in games])[:, : int(count.max())]
        on[np.arange(on.shape[1]) >= count[:, None]] = self._features.size
        rows = [len(game.samples.counts) for game in games]
        arrays = (
            on,
            np.concatenate([game.samples.numbers for game in games]),
            np.concatenate([game.samples.expected for game in games]),
            np.concatenate([game.samples.results for game in games]),
            np.repeat([game.players for game in games], rows),
            np.repeat([game.held_out for game in games], rows),
        )
        self._parts.append(tuple(torch.from_numpy(one).to(self.device) for one in arrays))
        self.total += len(count)
        self.seen += torch.bincount(self._parts[-1][0].flatten().long(), minlength=self._features.size + 1)
        while len(self._parts) > 1 and len(self) - len(self._parts[0][0]) >= self._window:
            del self._parts[0]

    def recall(self, network: Network) -> None:
        """Count the features that a network knows as seen."""
        known = torch.from_numpy((network.features != 0).any(axis=1)).to(self.device)
        self.seen[: self._features.size] += known

    def tensors(self) -> tuple[Any, ...]:
        """All parts as one."""
        width = max(part[0].shape[1] for part in self._parts)
        if len(self._parts) > 1 or self._parts[0][0].shape[1] < width:
            padded = [
                functional.pad(part[0], (0, width - part[0].shape[1]), value=self._features.size)
                for part in self._parts
            ]
            columns = list(zip(*self._parts, strict=True))
            kept = (torch.cat(padded), *(torch.cat(column) for column in columns[1:]))
            if len(self) < self._window:  # while the window fills, keep one part: joining them costs time
                self._parts = [kept]
            return kept
        return self._parts[0]


def device_of() -> str:
    """The device that fits: a GPU if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def prepare(device: str) -> None:
    """Start the device, and leave the cores to self-play."""
    torch.set_num_threads(1)
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.zeros(1, device=device)


class Fitter:
    """Fits one network, round by round."""

    def __init__(self, features: Features, sizes: tuple[int, int], seed: int, device: str) -> None:
        torch.manual_seed(seed)
        self._features, self._sizes, self.device = features, sizes, device
        self.model = TorchNetwork(features, *sizes).to(device)
        self.speed = 0.0
        """States a second that were fitted last."""

    def restart(self) -> None:
        """Forget everything."""
        self.model = TorchNetwork(self._features, *self._sizes).to(self.device)

    def fit(self, buffer: ReplayBuffer, epochs: float, rate: float, seconds: float) -> tuple[int, FitQuality]:
        """Fit for this many passes, but no more steps than fit into these seconds at the last speed."""
        on, numbers, expected, results, players, held_out = buffer.tensors()
        learned = (~held_out).nonzero()[:, 0]
        batch = min(BATCH[self.device], max(64, len(learned) // 8))
        steps = max(1, int(epochs * len(learned) / batch))
        if self.speed > 0.0:
            steps = max(1, min(steps, int(seconds * self.speed / batch)))
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=rate, weight_decay=DECAY, fused=True)
        warm_up = max(1, min(50, steps // 10))
        began = perf_counter()
        for step in range(steps):
            progress = step / steps
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / warm_up) * (0.5 + 0.5 * float(np.cos(np.pi * progress)))
            some = learned[torch.randint(len(learned), (batch,), device=self.device)]
            loss = self._loss(on[some], numbers[some], expected[some], results[some], players[some])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            if step % 100 == 99 and perf_counter() - began > 3 * seconds + 5:  # a safety net, never the schedule
                break
        if self.device == "cuda":
            torch.cuda.synchronize()
        self.speed = (step + 1) * batch / max(perf_counter() - began, 1e-6)
        return step + 1, self.test(buffer)

    def _loss(self, on: Any, numbers: Any, expected: Any, results: Any, players: Any) -> Any:
        out = self.model(on.int(), numbers)
        places = torch.arange(MOST_SEATS, device=self.device)
        there = places < players[:, None]
        aimed = there & ((places == 0) | (players[:, None] > 2))  # for two players one reward says both
        reward = RESULT * results[:, :, REWARD] + (1.0 - RESULT) * expected
        losses = functional.binary_cross_entropy_with_logits(
            out[:, net.REWARDS : net.REWARDS + MOST_SEATS], reward, reduction="none"
        )
        loss = (losses * aimed).sum() / aimed.sum()
        chances = out[:, net.WINS : net.WINS + MOST_SEATS].masked_fill(~there, -1e9)
        loss = loss - CHANCES * (functional.log_softmax(chances, 1) * results[:, :, WINS]).sum(1).mean()
        points = out[:, net.POINTS : net.POINTS + MOST_SEATS] - results[:, :, POINTS] / net.POINTS_UNIT
        return loss + FINAL_POINTS * ((points**2) * there).sum() / there.sum()

    def test(self, buffer: ReplayBuffer) -> FitQuality:
        """What the network expects in the newest games that were held out."""
        on, numbers, expected, results, players, held_out = buffer.tensors()
        rows = held_out.nonzero()[:, 0][-MOST_TESTED:]
        if not len(rows):
            return FitQuality(0, 0.0, 0.0, 0.0, 0.0)
        with torch.no_grad():
            out = torch.cat([self.model(on[some].int(), numbers[some]) for some in rows.split(8192)])
        reward = torch.sigmoid(out[:, net.REWARDS])
        there = torch.arange(MOST_SEATS, device=self.device) < players[rows][:, None]
        chances = torch.softmax(out[:, net.WINS : net.WINS + MOST_SEATS].masked_fill(~there, -1e9), 1)[:, 0]
        won = results[rows][:, 0, WINS]
        group = (chances * 10).long().clamp(max=9)
        sums = torch.zeros(2, 10, device=self.device)
        sums[0].index_add_(0, group, chances)
        sums[1].index_add_(0, group, won)
        return FitQuality(
            states=len(rows),
            error=float(((reward - expected[rows][:, 0]) ** 2).mean()),
            result_error=float(((reward - results[rows][:, 0, REWARD]) ** 2).mean()),
            spread=float(expected[rows][:, 0].var()),
            calibration=float((sums[0] - sums[1]).abs().sum() / len(rows)),
        )

    def network(self, buffer: ReplayBuffer) -> Network:
        """The weights as they are now."""
        network: Network = self.model.export(buffer.seen)
        return network
