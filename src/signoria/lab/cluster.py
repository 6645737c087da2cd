"""Plays experiments on a Ray cluster. Ray is an optional dependency, imported only when a cluster is used.

Ray plays the games of a machine that was lost again elsewhere; the sums are the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

import msgspec

from signoria.batch.statistics import Statistics
from signoria.kernel.errors import BadOption, SignoriaError
from signoria.lab.experiment import Experiment, play
from signoria.lab.playing import Player, chunk_of

AHEAD = 2
"""Chunks of games queued for each core of the cluster, so that no core waits."""
RETRIES = 5
"""How often Ray plays games again whose machine was lost."""


class ClusterFailed(SignoriaError):
    """The cluster cannot play the games."""


@contextmanager
def on_cluster(address: str) -> Iterator[Player]:
    """Plays on a Ray cluster at an address, or on one that this program has already joined; raises `BadOption`."""
    try:
        ray: Any = import_module("ray")
    except ImportError as error:
        raise BadOption("ray: not installed; install signoria with the extra [cluster].") from error
    joined = ray.is_initialized()
    if not joined:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise BadOption(f"ray: no cluster found at {address!r}: {error}") from error
    try:
        yield _player(ray)
    finally:
        if not joined:
            ray.shutdown()


def _player(ray: Any) -> Player:
    there = ray.remote(num_cpus=1, max_retries=RETRIES)(_play_there)
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def play_on_cluster(experiment: Experiment, games: int) -> Iterator[Statistics]:
        chunk, told = chunk_of(experiment), ray.put(msgspec.json.encode(experiment))
        starts, running = iter(range(0, games, chunk)), set[Any]()
        try:
            while True:
                for start in islice(starts, AHEAD * cores - len(running)):
                    running.add(there.remote(told, start, min(chunk, games - start)))
                if not running:
                    return
                for done in ray.wait(list(running), num_returns=1)[0]:
                    running.remove(done)
                    try:
                        yield Statistics(*ray.get(done))
                    except ray.exceptions.RayTaskError as error:
                        raise ClusterFailed(f"A machine of the cluster failed: {error.cause}") from error
                    except ray.exceptions.RayError as error:
                        raise ClusterFailed(
                            f"The cluster lost the same games {RETRIES + 1} times ({type(error).__name__})."
                        ) from error
        finally:
            for left in running:
                ray.cancel(left, force=True)

    return play_on_cluster


def _play_there(experiment: bytes, start: int, count: int) -> tuple[Any, ...]:
    """Play games on a machine of the cluster."""
    return tuple(play(msgspec.json.decode(experiment, type=Experiment), start, count))
