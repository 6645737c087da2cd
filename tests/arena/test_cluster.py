"""Games on a Ray cluster: the same ones as on this machine, also when a worker is lost."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import signoria.lab.cluster
import signoria.train.cluster
from signoria.arena import Setting, pairings, play_game, run_arena, schedule, summarise
from signoria.batch.cluster import Cluster, ClusterFailed
from signoria.batch.statistics import Statistics
from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.lab.cluster import on_cluster
from signoria.lab.experiment import experiment_of
from signoria.lab.playing import on_cores, run
from signoria.train.cluster import ClusterPlay
from signoria.train.playing import Manner, Player, SelfPlayed, boxes_of
from tests.bots.judgements import random_network

pytestmark = pytest.mark.xdist_group("ray")
GAME = find_game("patrician")
QUIET = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}


@pytest.fixture(scope="module")
def ray(bots_folder: Path) -> Iterator[None]:
    ray: Any = import_module("ray")
    # not in pytest's folder, whose name is too long for sockets
    with (
        TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as environment,
    ):
        environment.setenv("PYTHONPATH", str(bots_folder))
        ray.init(address="local", num_cpus=2, _temp_dir=folder, **QUIET)
        try:
            yield
        finally:
            ray.shutdown()


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A file that is there after a worker was killed."""
    return tmp_path / "killed"


def die_once(killed: Path) -> None:
    """End the process without a word the first time that this is called."""
    if not killed.exists():
        killed.touch()
        os.kill(os.getpid(), 9)


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_experiment_is_the_same_on_a_cluster_that_loses_a_worker(killed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = experiment_of(GAME, GAME.options({"players": 2}), None, ("random", "random"), 3)
    here = run(on_cores(1), experiment, 300, lambda _: None)
    lab, die = signoria.lab.cluster, die_once
    play_there = lab.play_there

    def play_or_die(told: bytes, start: int, count: int) -> tuple[Any, ...]:
        if start == 100:
            die(killed)
        return play_there(told, start, count)

    monkeypatch.setattr(lab, "play_there", play_or_die)
    monkeypatch.setattr(lab, "chunk_of", lambda _: 50)
    with on_cluster("local") as player:
        there = run(player, experiment, 300, lambda _: None)
    assert killed.exists()
    assert all((a == b).all() for a, b in zip(Statistics(*here), Statistics(*there), strict=True))


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_self_play_is_the_same_on_a_cluster_that_loses_a_worker(killed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options, train, die, chunk = [{"players": 2}, {"players": 3}], signoria.train.cluster, die_once, 2
    play_there = train.play_there

    def play_or_die(told: bytes, manner: tuple[Any, ...], seed: int, first: int, count: int) -> list[SelfPlayed]:
        if first == chunk:
            die(killed)
        return play_there(told, manner, seed, first, count)

    monkeypatch.setattr(train, "play_there", play_or_die)
    monkeypatch.setattr(train, "LONG_CHUNK", chunk)
    manner = Manner(random_network(GAME), 0.4, 0.0, 4, deals=1)
    playing, games = ClusterPlay(GAME, options, manner, 1, 0, "auto"), dict[int, SelfPlayed]()
    playing.start()
    while not set(range(2 * chunk)) <= games.keys():
        playing.wait(0.1)
        games |= {game.number: game for game in playing.collect()}
    playing.stop()
    assert playing.collect() == []
    assert killed.exists()
    here = Player(GAME, boxes_of(GAME, options))
    for number in range(2 * chunk):
        expected, found = here.play(manner, 1, number), games[number]
        assert (found.number, found.players) == (expected.number, expected.players)
        assert (found.samples.counts == expected.samples.counts).all()
        rows = zip(found.samples.on, expected.samples.on, found.samples.counts, strict=True)
        assert all((row[:count] == other[:count]).all() for row, other, count in rows)
        assert (found.samples.expected == expected.samples.expected).all()


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_arena_is_the_same_on_a_cluster() -> None:
    setting, told = Setting.of("patrician", ["random", "raising"], players=2, seed=5), list[str]()
    there = run_arena(setting, 4, ray="local", tell=told.append)
    assert sum("raising forfeits: it failed" in sentence for sentence in told) == 4
    fixtures = schedule(pairings(setting.bots, 2), 4)
    here = summarise(setting, pairings(setting.bots, 2), [play_game(setting, fixture) for fixture in fixtures])
    assert [row.rating for row in there.ranking] == [row.rating for row in here.ranking]
    assert there.forfeits == here.forfeits


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_task_that_fails_is_named() -> None:
    def fail() -> None:
        raise ValueError("no such card")

    with Cluster("auto") as cluster:
        cluster.start("Games 0 to 9", fail)
        with pytest.raises(ClusterFailed, match=r"^Games 0 to 9: a machine of the cluster failed: .*no such card"):
            cluster.finished(wait=True)


def test_missing_ray_gives_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadOption, match=r"extra \[cluster\]"):
        Cluster("auto")
