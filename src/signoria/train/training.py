"""The course of a training: self-play all the time, fits in between, and a last fit of everything at the end."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from signoria.bots.network import Network, empty_network
from signoria.bots.weights import NetworkCard, layout_digest, load, read_card, save
from signoria.games import AnyGame
from signoria.kernel.errors import BadOption
from signoria.train.fitting import FitQuality, Fitter, ReplayBuffer, prepare
from signoria.train.playing import Manner, SelfPlay, boxes_of, trained

Tell = Callable[[str], None]

OPENING = 0.25
"""The share of the time in which games are played with play-outs, before there is a network."""
MIXED = 0.15
"""The share of the time after that in which a play-out is mixed in, because the network is still weak."""
EARLY_MIX = 0.3
ENDING = 0.12
"""The share of the time that is kept for the last fit."""
LONGEST_ENDING = 30.0
ENDING_MARGIN = 1.4
"""The last fit may take this much longer than it would at the speed of the one before."""
ROUND = 0.08
"""The share of the time between two fits."""
SHORTEST_ROUND, LONGEST_ROUND = 4.0, 60.0
EPOCHS, LAST_EPOCHS = 4.0, 12.0
RATE, LAST_RATE = 2e-3, 2e-3


class TrainingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained, and for how long."""

    options: tuple[dict[str, Any], ...]
    """Options of the tables; the first of them get half of the games."""
    seconds: float
    seed: int = 1
    threads: int | None = None
    sizes: tuple[int, int] = (64, 32)
    iterations: int = 160
    """Of the search, for each decision in self-play."""
    explore: float = 0.4
    mix: float = 0.0
    """The share of a play-out in the results of a leaf when the network plays."""
    window: int = 1_500_000
    """States that are kept to learn from."""
    command: str = ""
    date: str = ""


def train(
    game: AnyGame,
    plan: TrainingPlan,
    folder: Path,
    name: str,
    device: str,
    tell: Tell,
    start: Path | None = None,
    rival: Manner | None = None,
) -> NetworkCard:
    """Train a network and save it in a folder after every round; returns its card.

    `start` is a card to go on from: its network plays from the first game on, and games, states, seconds and the curve
    are continued. With a `rival`, the network learns only to beat it: the rival plays all other seats and never changes.
    """
    features = game.features
    assert features is not None
    before = None if start is None else read_card(start)
    fitter = Fitter(features, plan.sizes, plan.seed, device)
    network: Network | None = None
    if start is not None and before is not None:
        network = load(start.with_suffix(".npz"), before, features)
        if network.sizes != plan.sizes:
            raise BadOption(f"from: {start.name} has layers of {network.sizes}, not of {plan.sizes}.")
        fitter.model.load(network)
    boxes = boxes_of(game, plan.options)
    opening = Manner(empty_network(features, *plan.sizes), game.heuristic.explore, 1.0, plan.iterations)
    playing = SelfPlay(
        game,
        boxes,
        opening if network is None else Manner(network, plan.explore, plan.mix, plan.iterations),
        plan.seed,
        0 if before is None else before.games,
        plan.threads,
        rival,
    )
    playing.start()
    training = _Training(game, plan, folder, name, fitter, playing, tell, before, network)
    try:
        prepare(device)
        return training.run(network is not None)
    finally:
        playing.stop()


class _Training:
    """A training in progress."""

    def __init__(
        self,
        game: AnyGame,
        plan: TrainingPlan,
        folder: Path,
        name: str,
        fitter: Fitter,
        playing: SelfPlay,
        tell: Tell,
        before: NetworkCard | None,
        network: Network | None,
    ) -> None:
        assert game.features is not None
        self._game, self._plan, self._folder, self._name = game, plan, folder, name
        self._fitter, self._playing, self._tell = fitter, playing, tell
        self._buffer = ReplayBuffer(game.features, plan.window, fitter.device)
        if network is not None:
            self._buffer.recall(network)
        self._before = before
        self._games = 0
        self._curve: list[dict[str, Any]] = [] if before is None else list(before.curve)
        self._began = perf_counter()

    def run(self, has_network: bool) -> NetworkCard:
        """Play and fit until the time is over."""
        whole = self._plan.seconds
        opening = 0.0 if has_network else OPENING * whole
        mixed = opening + (0.0 if has_network else MIXED * whole)
        interval = min(LONGEST_ROUND, max(SHORTEST_ROUND, ROUND * whole))
        until = opening or interval
        first = not has_network
        while until < whole - self._ending:
            self._play_until(until)
            rest = whole - self._ending - self._elapsed
            seconds = min(interval, max(0.5, 0.5 * rest))
            if len(self._buffer):
                self._fit(2 * EPOCHS if first else EPOCHS, RATE, seconds)
                first = False
                network = self._fitter.network(self._buffer)
                mix = max(self._plan.mix, EARLY_MIX) if self._elapsed < mixed else self._plan.mix
                self._playing.manner = Manner(network, self._plan.explore, mix, self._plan.iterations)
                self._save(network)
            until = max(self._elapsed, until) + interval
        self._play_until(whole - self._ending)
        self._playing.stop()
        self._collect()
        if not len(self._buffer):
            raise BadOption("minutes: too short; no game was finished.")
        return self._finish(max(1.0, whole - self._elapsed), has_network or first)

    def _finish(self, seconds: float, keep: bool) -> NetworkCard:
        """Fit once more: from the start, if there is time for it and nothing to keep. The better network is saved."""
        before = self._fitter.network(self._buffer)
        error = self._fitter.test(self._buffer).error
        if not keep and seconds * self._fitter.speed >= LAST_EPOCHS * len(self._buffer):
            self._fitter.restart()
        found = self._fit(LAST_EPOCHS, LAST_RATE, seconds)
        if self._curve[:-1] and found.error > error:
            self._fitter.model.load(before)
            del self._curve[-1]
            self._tell("The last fit made it worse; the network before it is kept.")
        return self._save(self._fitter.network(self._buffer))

    @property
    def _ending(self) -> float:
        """Seconds that the last fit will take: as long as it needs, but no more than its share."""
        share = min(LONGEST_ENDING, ENDING * self._plan.seconds)
        if self._fitter.speed == 0.0:
            return share
        return min(share, ENDING_MARGIN * LAST_EPOCHS * len(self._buffer) / self._fitter.speed + 1.0)

    @property
    def _elapsed(self) -> float:
        return perf_counter() - self._began

    @property
    def _all_games(self) -> int:
        return self._games + (0 if self._before is None else self._before.games)

    @property
    def _all_states(self) -> int:
        return self._buffer.total + (0 if self._before is None else self._before.positions)

    @property
    def _all_seconds(self) -> float:
        return round(self._elapsed + (0.0 if self._before is None else self._before.seconds), 1)

    def _play_until(self, seconds: float) -> None:
        """Wait for games; collect them now and then."""
        while (left := seconds - self._elapsed) > 0:
            self._playing.wait(min(2.0, left))
            self._collect()

    def _collect(self) -> None:
        games = self._playing.collect()
        self._games += len(games)
        self._buffer.add(games)

    def _fit(self, epochs: float, rate: float, seconds: float) -> FitQuality:
        """Fit, and add what was found to the curve."""
        steps, found = self._fitter.fit(self._buffer, epochs, rate, seconds)
        self._curve.append(
            {
                "seconds": self._all_seconds,
                "games": self._all_games,
                "states": self._all_states,
                "steps": steps,
                **{name: round(value, 5) for name, value in found._asdict().items() if name != "states"},
            }
        )
        self._tell(self._told(steps, found))
        return found

    def _told(self, steps: int, found: FitQuality) -> str:
        known = 1.0 - found.error / found.spread if found.spread > 0 else 0.0
        return (
            f"{self._all_seconds:6.1f} s  {self._all_games:,} games  {self._all_states:,} states  {steps:,} steps"
            f"  error {found.error:.5f} (explains {known:.1%})  against results {found.result_error:.4f}"
            f"  calibration {found.calibration:.3f}  {self._fitter.speed:,.0f} states/s"
        )

    def _save(self, network: Network) -> NetworkCard:
        features, plan = self._game.features, self._plan
        assert features is not None
        if not all(np.isfinite(one).all() for one in network):
            raise BadOption("train: the fit diverged; some weights are no finite numbers.")
        card = NetworkCard(
            game=self._game.name,
            sha256="",
            layout=layout_digest(features),
            settings=trained(self._game, plan.options),
            explore=plan.explore,
            mix=plan.mix,
            sizes=plan.sizes,
            command=plan.command,
            date=plan.date,
            games=self._all_games,
            positions=self._all_states,
            seconds=self._all_seconds,
            curve=tuple(self._curve),
        )
        return save(self._folder, self._name, network, card)
