"""Self-play on a Ray cluster. Ray is an optional dependency, imported only when a cluster is used.

Ray plays the games of a machine that was lost again elsewhere. The network is fitted on the machine that began the training.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from time import sleep
from typing import Any

import msgspec

from signoria.bots.selfplay import Samples
from signoria.games import AnyGame, find_game
from signoria.kernel.errors import BadOption, SignoriaError
from signoria.train.playing import Manner, Player, SelfPlayed, boxes_of

AHEAD = 2
"""Chunks of games queued for each core of the cluster, so that no core waits."""
RETRIES = 5
"""How often Ray plays games again whose machine was lost."""
CHUNK, LONG_CHUNK = 2, 64
"""Games that a core plays before it sends them: of the search, and of those that look only one step ahead."""


class ClusterFailed(SignoriaError):
    """The cluster cannot play the games."""


class ClusterPlay:
    """Games of self-play on a cluster, played until they are stopped. Set `manner` to change how the next games are played."""

    def __init__(
        self, game: AnyGame, options: Sequence[dict[str, Any]], manner: Manner, seed: int, first: int, address: str
    ) -> None:
        """Join the cluster at an address, or use one that this program has already joined; raises `BadOption`."""
        try:
            self._ray: Any = import_module("ray")
        except ImportError as error:
            raise BadOption("ray: not installed; install signoria with the extra [cluster].") from error
        self._joined = self._ray.is_initialized()
        if not self._joined:
            try:
                self._ray.init(address=address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise BadOption(f"ray: no cluster found at {address!r}: {error}") from error
        self._there = self._ray.remote(num_cpus=1, max_retries=RETRIES)(play_there)
        self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._told, self._seed, self._next = msgspec.json.encode((game.name, tuple(options))), seed, first
        self._running: set[Any] = set()
        self.manner = manner

    @property
    def manner(self) -> Manner:
        """How the next games are played."""
        return self._manner

    @manner.setter
    def manner(self, manner: Manner) -> None:
        self._manner, self._sent = manner, self._ray.put(tuple(manner))

    def start(self) -> None:
        """Give every core something to play."""
        count = LONG_CHUNK if self._manner.deals > 0 else CHUNK
        while len(self._running) < AHEAD * self._cores:
            self._running.add(self._there.remote(self._told, self._sent, self._seed, self._next, count))
            self._next += count

    def collect(self) -> list[SelfPlayed]:
        """The games that were finished since the last call; raises `ClusterFailed`."""
        found: list[SelfPlayed] = []
        done = self._ray.wait(list(self._running), num_returns=len(self._running), timeout=0)[0]
        for one in done:
            self._running.remove(one)
            try:
                found += self._ray.get(one)
            except self._ray.exceptions.RayTaskError as error:
                raise ClusterFailed(f"A machine of the cluster failed: {error.cause}") from error
            except self._ray.exceptions.RayError as error:
                raise ClusterFailed(
                    f"The cluster lost the same games {RETRIES + 1} times ({type(error).__name__})."
                ) from error
        if done:
            self.start()
        return found

    def wait(self, seconds: float) -> None:
        """Wait while games are played."""
        sleep(seconds)

    def stop(self) -> None:
        """Stop all games and leave the cluster."""
        for left in self._running:
            self._ray.cancel(left, force=True)
        self._running.clear()
        if not self._joined:
            self._ray.shutdown()


def play_there(told: bytes, manner: tuple[Any, ...], seed: int, first: int, count: int) -> list[SelfPlayed]:
    """Play games on a machine of the cluster."""
    player, played = _player(told), []
    for number in range(first, first + count):
        game = player.play(Manner(*manner), seed, number)
        width = int(game.samples.counts.max(initial=0))
        played.append(game._replace(samples=Samples(game.samples.on[:, :width].copy(), *game.samples[1:])))
    return played


@cache
def _player(told: bytes) -> Player:
    name, options = msgspec.json.decode(told)
    game = find_game(name)
    return Player(game, boxes_of(game, options))
