"""Trains a network: plays games and fits the network to them at the same time, until the time is over."""

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
from signoria.train.cluster import ClusterPlay
from signoria.train.fitting import FOLLOWED, RESULT, FitQuality, Fitter, ReplayBuffer, prepare
from signoria.train.playing import Manner, SelfPlay, boxes_of, trained

Tell = Callable[[str], None]

OPENING, QUICK_OPENING = 0.25, 0.05
"""The share of the time in which games are played without the network, because it knows nothing yet: with `OPENING` the search
plays them, with `QUICK_OPENING` every seat makes the most promising step."""
ROUND = 0.08
"""The share of the time between two lines of progress."""
LONGEST_ROUND = 60.0
NEWER = 0.02
"""The share of the time after which self-play gets the newest weights again."""
LONGEST_NEWER = 15.0
TOGETHER = 20
"""Steps of fitting before new games are collected."""
PASSES = 6.0
"""How often a state is learned from at the most; a fast fit waits for games."""
RATE, LAST_RATE = 2e-3, 2e-5
"""The learning rate falls evenly from the first to the last."""


class TrainingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained, and for how long."""

    options: tuple[dict[str, Any], ...]
    """The options of each table; half of the games are played at the first one."""
    seconds: float
    seed: int = 1
    threads: int | None = None
    ray: str | None = None
    """The address of a Ray cluster that plays instead of the threads."""
    sizes: tuple[int, int] = (64, 32)
    iterations: int = 160
    """Of the search, for each decision in self-play."""
    explore: float = 0.4
    deals: int = 0
    """Self-play looks one step ahead and tries each step in this many deals; 0 to play with the search."""
    mix: float = 0.0
    """The share of a playout in the results of a leaf when the network plays."""
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
    fitter = Fitter(features, plan.sizes, plan.seed, device, FOLLOWED if plan.deals else RESULT)
    network: Network | None = None
    if start is not None and before is not None:
        network = load(start.with_suffix(".npz"), before, features)
        if network.sizes != plan.sizes:
            raise BadOption(f"from: {start.name} has layers of {network.sizes}, not of {plan.sizes}.")
        fitter.start_from(network)
    opening = Manner(empty_network(features, *plan.sizes), game.heuristic.explore, 1.0, plan.iterations, plan.deals)
    manner = opening if network is None else Manner(network, plan.explore, plan.mix, plan.iterations, plan.deals)
    first = 0 if before is None else before.games
    playing: SelfPlay | ClusterPlay
    if plan.ray is None:
        playing = SelfPlay(game, boxes_of(game, plan.options), manner, plan.seed, first, plan.threads, rival)
    else:
        playing = ClusterPlay(game, plan.options, manner, plan.seed, first, plan.ray)
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
        playing: SelfPlay | ClusterPlay,
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
        whole, plan = self._plan.seconds, self._plan
        opening = 0.0 if has_network else (QUICK_OPENING if plan.deals else OPENING) * whole
        newer, told = opening, opening
        while self._elapsed < whole:
            self._collect()
            if self._fitter.steps * self._fitter.batch > PASSES * self._buffer.total or not self._fit():
                self._playing.wait(0.05)
                continue
            if self._elapsed >= newer:
                newer = self._elapsed + min(LONGEST_NEWER, NEWER * whole)
                self._playing.manner = self._playing.manner._replace(
                    network=self._fitter.network(self._buffer), explore=plan.explore, mix=plan.mix
                )
            if self._elapsed >= told:
                told = self._elapsed + min(LONGEST_ROUND, ROUND * whole)
                self._tell_and_save()
        self._playing.stop()
        self._collect()
        if not self._fit():
            raise BadOption("minutes: too short; no game was finished.")
        return self._tell_and_save()

    def _fit(self) -> int:
        progress = min(1.0, self._elapsed / self._plan.seconds)
        return self._fitter.fit(self._buffer, TOGETHER, RATE + progress * (LAST_RATE - RATE))

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

    def _collect(self) -> None:
        games = self._playing.collect()
        self._games += len(games)
        self._buffer.add(games)

    def _tell_and_save(self) -> NetworkCard:
        """Tell how good the network is, and save it with what was found so far."""
        found, steps = self._fitter.test(self._buffer), self._fitter.steps
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
        return self._save(self._fitter.network(self._buffer))

    def _told(self, steps: int, found: FitQuality) -> str:
        known = 1.0 - found.error / found.spread if found.spread > 0 else 0.0
        return (
            f"{self._all_seconds:6.1f} s  {self._all_games:,} games  {self._all_states:,} states  {steps:,} steps"
            f"  error {found.error:.5f} (explains {known:.1%})  against results {found.result_error:.4f}"
            f"  calibration {found.calibration:.3f}"
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
