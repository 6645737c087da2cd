"""Plays the same games on a Ray cluster. Ray is an optional dependency, imported only when a cluster is used."""

from collections.abc import Generator, Iterable
from functools import cache
from itertools import islice
from types import TracebackType
from typing import Any

import msgspec

from signoria.arena.matches import Fixture
from signoria.arena.playing import Played
from signoria.arena.setting import Setting
from signoria.arena.workers import Tell, WorkerLost, Workers
from signoria.kernel.errors import BadOption

AHEAD = 2
"""Games queued for each core of the cluster, so that no core waits for its next game."""
RETRIES = 3
"""How often Ray replays a game whose machine was lost."""


class Cluster:
    """Plays games of one setting on a cluster. Ray handles lost machines; the results are the same as locally."""

    def __init__(self, setting: Setting, address: str, tell: Tell = print) -> None:
        self._ray, self._setting, self._tell = _ray(), setting, tell
        self._began = not self._ray.is_initialized()
        if self._began:
            try:
                self._ray.init(address=address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise BadOption(f"ray: no cluster found at {address!r}: {error}") from error
        self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Played, None, None]:
        """Play games, submitted in order; yield each one as soon as it is over."""
        play = self._ray.remote(num_cpus=1, max_retries=RETRIES)(_play_there)
        setting = self._ray.put(msgspec.json.encode(self._setting))
        waiting = iter(fixtures)
        running: dict[Any, Fixture] = {}
        try:
            while True:
                for fixture in islice(waiting, AHEAD * self._cores - len(running)):
                    running[play.remote(setting, fixture)] = fixture
                if not running:
                    return
                for done in self._ray.wait(list(running), num_returns=1)[0]:
                    fixture = running.pop(done)
                    try:
                        played, sentences = self._ray.get(done)
                    except self._ray.exceptions.RayTaskError as error:
                        raise WorkerLost(f"{fixture}: {error.cause}") from error
                    except self._ray.exceptions.RayError as error:
                        raise WorkerLost(
                            f"{fixture}: the cluster lost this game {RETRIES + 1} times ({type(error).__name__})."
                        ) from error
                    for sentence in sentences:
                        self._tell(sentence)
                    yield played
        finally:
            for left in running:
                self._ray.cancel(left, force=True)

    def close(self) -> None:
        """Disconnect from the cluster."""
        if self._began:
            self._ray.shutdown()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise BadOption("ray: not installed; install signoria with the extra [cluster].") from error
    return ray


def _play_there(setting: bytes, fixture: Fixture) -> tuple[Played, list[str]]:
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
