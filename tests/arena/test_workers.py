"""Games in worker processes: the same games as elsewhere, and every crash is noticed.

A new process needs two seconds for imports. Here processes are forked from one that has imported everything;
`test_command.py` starts them the real way.
"""

import multiprocessing
import os
import sys
from pathlib import Path

import pytest

from signoria.arena import Fixture, Setting, WorkerLost, pairings, play_game, run_arena, schedule, workers
from signoria.arena.workers import Workers
from tests.arena.games import timeless

pytestmark = pytest.mark.slow
LONGEST = 120.0
"""Seconds, long enough for a busy machine."""


@pytest.fixture(autouse=True)
def quick_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["signoria.arena.workers"])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))  # imports as in this process
    monkeypatch.setattr(workers, "_spawn", forking)


def test_the_same_games_in_one_process_in_two_and_without_workers(tmp_path: Path) -> None:
    setting = Setting.of("patrician", ["random", "first"], players=3, seed=5)
    fixtures = list(schedule(pairings(setting.bots, 3), 3))
    here = {fixture.key: timeless(play_game(setting, fixture)) for fixture in fixtures}
    kept = tmp_path / "games.jsonl"
    summaries = [run_arena(setting, 3, cores=1, results=kept), run_arena(setting, 3, cores=2)]
    assert [summary.games for summary in summaries] == [6, 6]
    first, second = ([(row.bot, row.rating, row.share, row.margin) for row in summary.ranking] for summary in summaries)
    assert first == second
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:4]) + lines[4][:-9])  # stopped in the middle of a line
    told: list[int] = []
    summary = run_arena(setting, 3, cores=2, results=kept, progress=lambda there, _of: told.append(there))
    assert told == [3, 4, 5, 6]
    assert summary.games == 6
    with workers_of(setting, []) as players:
        assert {played.key: timeless(played) for played in players.play(fixtures)} == here


def workers_of(setting: Setting, told: list[str]) -> Workers:
    return Workers(setting, 2, told.append)


def test_bot_that_crashes_twice_or_hangs_in_compiled_code_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "GRACE", 0.5)
    unlucky = f"unlucky:{tmp_path / 'died'}"
    setting = Setting.of("patrician", ["random", "exiting", "killed", "stubborn", unlucky], players=2, patience=1)
    told: list[str] = []
    fixtures = [Fixture("test", deal, 0, ("random", bot)) for deal, bot in enumerate(setting.bots[1:])]
    with workers_of(setting, told) as players:
        played = sorted(players.play(fixtures), key=lambda game: game.deal)
    exiting, killed, stubborn, lucky = (game.forfeits[1] for game in played)
    assert exiting == "exiting forfeits: the process died twice while it was asked."
    assert killed == "killed forfeits: the process died twice while it was asked."
    assert stubborn is not None and stubborn.startswith("stubborn forfeits: no step within 1 seconds")
    assert lucky is None
    assert [game.shares for game in played[:3]] == [(1.0, 0.0)] * 3
    assert (
        "test, deal 0, rotation 0: the process died (status 7) while exiting (seat 1) was asked; " in told[0] + told[1]
    )
    assert sum("is played again" in sentence for sentence in told) == 3
    assert sum("forfeits" in sentence for sentence in told) == 3


def test_bot_that_crashes_the_process_when_created_forfeits(tmp_path: Path) -> None:
    setting = Setting.of("patrician", ["random", f"stillborn:{tmp_path / 'made'}"], players=2)
    with workers_of(setting, []) as players:
        (played,) = players.play([Fixture("test", 0, 0, setting.bots)])
    assert played.shares == (1.0, 0.0)
    assert "the process died twice" in (played.forfeits[1] or "")


def test_processes_that_cannot_play_are_an_error_and_not_a_forfeit() -> None:
    setting = Setting.of("patrician", ["random", "first"], players=2)
    setting.versions["signoria"] = "0"
    with workers_of(setting, []) as players, pytest.raises(WorkerLost, match="another version of signoria"):
        list(players.play([Fixture("test", 0, 0, ("random", "first"))]))


def test_worker_ends_when_nobody_reads_its_answer() -> None:
    """As after Ctrl-C in the middle of a game."""
    setting = Setting.of("patrician", ["random", "first"], players=2)
    processes = multiprocessing.get_context("forkserver")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=workers._serve, args=(theirs, processes.RawArray("d", 2), setting))
    process.start()
    theirs.close()
    ours.send((Fixture("test", 0, 0, ("random", "first")), {}))
    assert ours.poll(LONGEST)
    ours.close()
    process.join(LONGEST)
    assert process.exitcode == 0
