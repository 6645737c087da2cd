"""Self-play on a Ray cluster: the same games as here, also when a worker is lost."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.train import cluster
from signoria.train.cluster import LONG_CHUNK, ClusterPlay
from signoria.train.playing import Manner, Player, SelfPlayed, boxes_of
from tests.bots.judgements import random_network

GAME = find_game("patrician")
OPTIONS = [{"players": 2}, {"players": 3}]
QUIET = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}


@pytest.fixture
def ray() -> Iterator[Any]:
    ray: Any = import_module("ray")
    # not in pytest's folder, whose name is too long for sockets
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        ray.init(address="local", num_cpus=2, _temp_dir=folder, **QUIET)
        try:
            yield ray
        finally:
            ray.shutdown()


@pytest.mark.slow
def test_games_are_the_same_on_a_cluster_that_loses_a_worker(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed, play_there = tmp_path / "killed", cluster.play_there

    def die_once(told: bytes, manner: tuple[Any, ...], seed: int, first: int, count: int) -> list[SelfPlayed]:
        if first == LONG_CHUNK and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), 9)
        return play_there(told, manner, seed, first, count)

    monkeypatch.setattr(cluster, "play_there", die_once)
    manner = Manner(random_network(GAME), 0.4, 0.0, 4, deals=1)
    playing, games = ClusterPlay(GAME, OPTIONS, manner, 1, 0, "auto"), dict[int, SelfPlayed]()
    playing.start()
    while not set(range(2 * LONG_CHUNK)) <= games.keys():
        playing.wait(0.1)
        games |= {game.number: game for game in playing.collect()}
    playing.stop()
    assert killed.exists()
    here = Player(GAME, boxes_of(GAME, OPTIONS))
    for number in (0, 1, LONG_CHUNK, 2 * LONG_CHUNK - 1):
        expected, found = here.play(manner, 1, number), games[number]
        assert (found.number, found.players) == (expected.number, expected.players)
        assert (found.samples.counts == expected.samples.counts).all()
        rows = zip(found.samples.on, expected.samples.on, found.samples.counts, strict=True)
        assert all((row[:count] == other[:count]).all() for row, other, count in rows)
        assert (found.samples.expected == expected.samples.expected).all()


def test_missing_ray_gives_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadOption, match=r"extra \[cluster\]"):
        ClusterPlay(GAME, OPTIONS, Manner(random_network(GAME), 0.4, 0.0, 4, 1), 1, 0, "auto")
