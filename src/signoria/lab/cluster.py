"""Plays experiments on a Ray cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import msgspec

from signoria.batch.cluster import Cluster
from signoria.batch.statistics import Statistics
from signoria.lab.experiment import Experiment, play
from signoria.lab.playing import Player, chunk_of


@contextmanager
def on_cluster(address: str) -> Iterator[Player]:
    """Plays on a Ray cluster at an address, or on one that this program has already joined; raises `BadOption`."""
    with Cluster(address) as cluster:
        yield _player(cluster)


def _player(cluster: Cluster) -> Player:
    def play_on_cluster(experiment: Experiment, games: int) -> Iterator[Statistics]:
        chunk, told = chunk_of(experiment), cluster.share(msgspec.json.encode(experiment))
        starts = iter(range(0, games, chunk))
        try:
            while True:
                for start in islice(starts, cluster.room):
                    end = min(start + chunk, games)
                    cluster.start(f"Games {start} to {end - 1}", play_there, told, start, end - start)
                finished = cluster.finished(wait=True)
                if not finished:
                    return
                for statistics in finished:
                    yield Statistics(*statistics)
        finally:
            cluster.cancel()

    return play_on_cluster


def play_there(experiment: bytes, start: int, count: int) -> tuple[Any, ...]:
    """Play games on a machine of the cluster."""
    return tuple(play(msgspec.json.decode(experiment, type=Experiment), start, count))
