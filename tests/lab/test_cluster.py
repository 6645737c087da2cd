"""The laboratory on a Ray cluster: the same sums as here, also when a worker is lost."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from signoria.batch.statistics import Statistics
from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.lab import cluster
from signoria.lab.cluster import on_cluster
from signoria.lab.experiment import Experiment, experiment_of
from signoria.lab.playing import on_cores, run

GAMES = 300
QUIET = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}


@pytest.fixture
def experiment() -> Experiment:
    game = find_game("patrician")
    return experiment_of(game, game.options({"players": 2}), None, ("random", "random"), 3)


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


def same(one: Statistics, two: Statistics) -> bool:
    return all((a == b).all() for a, b in zip(one, two, strict=True))


@pytest.mark.slow
def test_sums_are_the_same_on_a_cluster_that_loses_a_worker(
    ray: Any, experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = run(on_cores(1), experiment, GAMES, lambda _: None)
    killed, play_there = tmp_path / "killed", cluster._play_there

    def die_once(told: bytes, start: int, count: int) -> tuple[Any, ...]:
        if start == 100 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), 9)
        return play_there(told, start, count)

    monkeypatch.setattr(cluster, "_play_there", die_once)
    monkeypatch.setattr(cluster, "chunk_of", lambda _: 50)
    with on_cluster("local") as player:
        there = run(player, experiment, GAMES, lambda _: None)
    assert killed.exists()
    assert same(here, there)


def test_missing_ray_gives_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadOption, match=r"extra \[cluster\]"), on_cluster("auto"):
        pass
