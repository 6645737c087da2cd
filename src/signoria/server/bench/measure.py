"""All measurements, one after the other."""

import asyncio
import gc
import os
import platform
import resource
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import uvloop

from signoria.games import GAMES
from signoria.server.bench.client import BenchClient
from signoria.server.bench.drawing import drawing
from signoria.server.bench.figures import Figures, Load, Memory
from signoria.server.bench.load import LoadGenerator, Tick
from signoria.server.bench.pages import first_load, largest_table
from signoria.server.bench.process import BenchServer
from signoria.server.bench.rebuild import rebuilt

STARTS = 3
SETTLE = 2.0
"""Seconds after which memory is measured."""
Work = Callable[[str, float | None], AbstractContextManager[Tick]]
"""Reports progress."""


def measure(work: Work, *, tables: int, rate: float, at_once: int, seconds: float) -> Figures:
    """Measure a new server with a database in a temporary folder."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file, here and in the server
    rng = Random(1)
    with work("Rebuilding and drawing games", len(GAMES)) as tick:
        games, drawings = {}, {}
        for game in GAMES:
            games[game], drawings[game] = rebuilt(game, rng), drawing(game, rng)
            tick()
    with tempfile.TemporaryDirectory(prefix="signoria-bench-") as folder:
        with work("Starting", STARTS) as tick:
            starts = []
            for number in range(STARTS + 1):
                server = BenchServer(Path(folder), number)
                if number:  # the first may have compiled
                    starts.append(server.seconds_to_first_page)
                    tick()
                if number < STARTS:
                    server.stop()
        crowd = LoadGenerator(tables, rng)
        with server:
            played = uvloop.run(_play(server, crowd, work, rng, rate, at_once, seconds))
        with BenchServer(Path(folder), STARTS) as server:
            memory = uvloop.run(_look(server, crowd, work, rng, played))
    return Figures(
        machine=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        tables=tables,
        first_page_seconds=median(starts),
        lobby_bytes=played.lobby_bytes,
        table_bytes=played.table_bytes,
        steady=played.steady,
        most=played.most,
        memory=memory,
        rebuilt=games,
        drawings=drawings,
    )


class PlayResult(NamedTuple):
    """Measurements while people play."""

    lobby_bytes: int
    table_bytes: int
    most: Load
    steady: Load
    empty: int
    played: int


async def _play(
    server: BenchServer, crowd: LoadGenerator, work: Work, rng: Random, rate: float, at_once: int, seconds: float
) -> PlayResult:
    client = BenchClient(server.port)
    lobby, table = await first_load(client, "/"), await largest_table(client, tuple(GAMES), rng)
    empty = await _resident(server, client)
    crowd.go_to(server, client)
    with work("Opening tables", len(crowd.pairs)) as tick:
        await crowd.open(tick)
    with work("Opening live pages", len(crowd.pairs)) as tick:
        await crowd.look(tick)
    gc.collect()
    gc.freeze()  # the measuring process must not pause
    with work(f"Playing, {at_once} steps on their way", None) as tick:
        most = await crowd.at_once(at_once, seconds, tick)
    with work(f"Playing, {rate:.0f} steps a second", rate * seconds) as tick:
        steady = await crowd.at_rate(rate, seconds, tick)
    played = await _resident(server, client)
    await crowd.leave()
    return PlayResult(lobby, table, most, steady, empty, played)


async def _look(server: BenchServer, crowd: LoadGenerator, work: Work, rng: Random, played: PlayResult) -> Memory:
    """What tables cost a restarted server: in the database, in memory, and with viewers."""
    client = BenchClient(server.port)
    await first_load(client, "/")
    await largest_table(client, tuple(GAMES), rng)
    stored = await _resident(server, client)
    crowd.go_to(server, client)
    with work("Looking at every table once", len(crowd.pairs)) as tick:
        await crowd.glance(tick)
    resting = await _resident(server, client)
    with work("Opening live pages", len(crowd.pairs)) as tick:
        await crowd.look(tick)
    watched = await _resident(server, client)
    await crowd.leave()
    return Memory(empty=played.empty, played=played.played, stored=stored, resting=resting, watched=watched)


async def _resident(server: BenchServer, client: BenchClient) -> int:
    client.hang_up()
    await asyncio.sleep(SETTLE)
    return server.resident
