"""The benchmark of the server, with a few tables for a short time."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from signoria.games import GAMES
from signoria.server.bench.client import BenchClient
from signoria.server.bench.drawing import drawing
from signoria.server.bench.figures import Drawing, Figures, Load, Memory, Rebuilt, as_table
from signoria.server.bench.load import LoadGenerator
from signoria.server.bench.pages import first_load, largest_table
from signoria.server.bench.process import BenchServer
from signoria.server.bench.rebuild import rebuilt


def nothing() -> None:
    pass


@pytest.mark.slow
def test_steps_reach_the_other_viewer(tmp_path: Path) -> None:
    async def play(server: BenchServer) -> tuple[Load, Load]:
        client = BenchClient(server.port)
        assert 5_000 < await first_load(client, "/") < 150_000
        assert 50_000 < await largest_table(client, tuple(GAMES), Random(1)) < 190_000
        crowd = LoadGenerator(4, Random(1))
        crowd.go_to(server, client)
        await crowd.open(nothing)
        await crowd.look(nothing)
        most, steady = await crowd.at_once(2, 1, nothing), await crowd.at_rate(10, 1, nothing)
        await crowd.leave()
        await crowd.glance(nothing)
        await crowd.leave()
        return most, steady

    with BenchServer(tmp_path, 0) as server:
        most, steady = asyncio.run(play(server))
    assert most.steps > 0
    assert steady.steps > 0
    assert 0 < steady.p50_ms <= steady.p99_ms <= steady.most_ms
    assert server.seconds_to_first_page > 0


def test_rebuilt_game_has_all_its_steps() -> None:
    assert rebuilt("patrician", Random(1), games=1).steps > 100


@pytest.mark.parametrize("game", GAMES)
def test_drawing_stays_small_over_whole_games(game: str) -> None:
    drawn = drawing(game, Random(1))
    assert 20_000 < drawn.bytes <= 100_000
    assert drawn.end <= 100_000
    assert drawn.packed <= 12_000


def test_table_has_one_line_per_figure() -> None:
    load = Load(
        asked_per_second=300, at_once=None, seconds=1, steps=300, steps_per_second=300, p50_ms=1, p99_ms=2, most_ms=3,
        games_finished=0, server_core=0.5, generator_core=0.1, server_ms_per_step=2,
    )  # fmt: skip
    memory = Memory(empty=10**8, stored=10**8, resting=10**8 + 10**6, watched=2 * 10**8, played=2 * 10**8)
    table = as_table(
        Figures(
            machine="a machine", tables=10, first_page_seconds=2, lobby_bytes=30_000, table_bytes=40_000, steady=load,
            most=load, memory=memory, rebuilt={"patrician": Rebuilt(4, 150, 10, 20)}, drawings={"patrician": Drawing(48_000, 60_000, 7_000, 0.5)},
        )
    )  # fmt: skip
    assert "| 100 kB " in table
    assert len({len(line) for line in table.splitlines()}) == 1
