"""Plays games of the arena on a Ray cluster: the same games as on one machine."""

from collections.abc import Generator, Iterable
from functools import cache
from itertools import islice
from types import TracebackType
from typing import Self

import msgspec

from signoria.arena.matches import Fixture
from signoria.arena.playing import Played
from signoria.arena.setting import Setting
from signoria.arena.workers import Tell, Workers
from signoria.batch.cluster import Cluster


class ClusterWorkers:
    """Plays games of one setting on a cluster."""

    def __init__(self, setting: Setting, address: str, tell: Tell = print) -> None:
        self._setting, self._tell, self._cluster = setting, tell, Cluster(address)

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Played, None, None]:
        """Play games, submitted in order; yield each one as soon as it is over. Raises `ClusterFailed`."""
        setting, waiting = self._cluster.share(msgspec.json.encode(self._setting)), iter(fixtures)
        try:
            while True:
                for fixture in islice(waiting, self._cluster.room):
                    self._cluster.start(str(fixture), play_there, setting, fixture)
                finished = self._cluster.finished(wait=True)
                if not finished:
                    return
                for played, sentences in finished:
                    for sentence in sentences:
                        self._tell(sentence)
                    yield played
        finally:
            self._cluster.cancel()

    def close(self) -> None:
        """Disconnect from the cluster."""
        self._cluster.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def play_there(setting: bytes, fixture: Fixture) -> tuple[Played, list[str]]:
    """Play a game on a machine of the cluster, in a supervised process of its own, as on one machine."""
    workers, told = _workers_there(setting)
    told.clear()
    (played,) = workers.play([fixture])
    return played, list(told)


@cache
def _workers_there(setting: bytes) -> tuple[Workers, list[str]]:
    """One process that is kept from game to game."""
    told: list[str] = []
    return Workers(msgspec.json.decode(setting, type=Setting), 1, told.append), told
