"""Self-play on a Ray cluster. The network is fitted on the machine that began the training."""

from collections.abc import Sequence
from functools import cache
from time import sleep
from typing import Any

import msgspec

from signoria.batch.cluster import Cluster
from signoria.games import AnyGame, find_game
from signoria.train.playing import Manner, Player, SelfPlayed, boxes_of

CHUNK, LONG_CHUNK = 2, 64
"""Games that a core plays before it sends them: of the search, and of those that look only one step ahead."""


class ClusterPlay:
    """Games of self-play on a cluster, played until they are stopped. Set `manner` to change how the next games are played."""

    def __init__(
        self, game: AnyGame, options: Sequence[dict[str, Any]], manner: Manner, seed: int, first: int, address: str
    ) -> None:
        """Join the cluster at an address, or use one that this program has already joined; raises `BadOption`."""
        self._cluster = Cluster(address)
        self._told, self._seed, self._next = msgspec.json.encode((game.name, tuple(options))), seed, first
        self.manner = manner

    @property
    def manner(self) -> Manner:
        """How the next games are played."""
        return self._manner

    @manner.setter
    def manner(self, manner: Manner) -> None:
        self._manner, self._sent = manner, self._cluster.share(tuple(manner))

    def start(self) -> None:
        """Give every core something to play."""
        count = LONG_CHUNK if self._manner.deals > 0 else CHUNK
        while self._cluster.room > 0:
            name = f"Games {self._next} to {self._next + count - 1}"
            self._cluster.start(name, play_there, self._told, self._sent, self._seed, self._next, count)
            self._next += count

    def collect(self) -> list[SelfPlayed]:
        """The games that were finished since the last call; raises `ClusterFailed`."""
        found = self._cluster.finished(wait=False)
        if found:
            self.start()
        return [game for games in found for game in games]

    def wait(self, seconds: float) -> None:
        """Wait while games are played."""
        sleep(seconds)

    def stop(self) -> None:
        """Stop all games and leave the cluster."""
        self._cluster.close()


def play_there(told: bytes, manner: tuple[Any, ...], seed: int, first: int, count: int) -> list[SelfPlayed]:
    """Play games on a machine of the cluster."""
    player = _player(told)
    return [player.play(Manner(*manner), seed, number) for number in range(first, first + count)]


@cache
def _player(told: bytes) -> Player:
    name, options = msgspec.json.decode(told)
    game = find_game(name)
    return Player(game, boxes_of(game, options))
