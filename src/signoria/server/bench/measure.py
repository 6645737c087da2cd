"""Everything that is measured, one thing after the other."""

import asyncio
import gc
import os
import platform
import re
import resource
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from statistics import median

import uvloop

from signoria.games import GAMES
from signoria.server.bench.client import House
from signoria.server.bench.figures import Figures, Load, Memory
from signoria.server.bench.load import Crowd, Tick
from signoria.server.bench.pages import first_load, largest_table
from signoria.server.bench.process import Server
from signoria.server.bench.rebuild import rebuilt

STARTS = 3
SETTLE = 2.0
"""Seconds after which memory is looked at."""
REST = 150.0
"""Seconds in which tables that nobody looks at must have left memory."""
ROOMS = re.compile(r"^signoria_rooms ([\d.]+)", re.M)
Work = Callable[[str, float | None], AbstractContextManager[Tick]]
"""Shows that something is being done, and how much of it."""


def measure(work: Work, *, tables: int, rate: float, at_once: int, seconds: float) -> Figures:
    """Measure a server of its own, with its database in a temporary folder."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file, here and in the server
    rng = Random(1)
    with work("Rebuilding games", len(GAMES)) as tick:
        games = {}
        for game in GAMES:
            games[game] = rebuilt(game, rng)
            tick()
    with tempfile.TemporaryDirectory(prefix="signoria-bench-") as folder:
        with work("Starting", STARTS) as tick:
            starts = []
            for number in range(STARTS + 1):
                server = Server(Path(folder), number)
                if number:  # the first may have compiled
                    starts.append(server.seconds_to_first_page)
                    tick()
                if number < STARTS:
                    server.stop()
        try:
            under_load = uvloop.run(_play(server, work, rng, tables, rate, at_once, seconds))
        finally:
            server.stop()
    lobby, table, steady, most_load, memory = under_load
    return Figures(
        machine=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        tables=tables,
        first_page_seconds=median(starts),
        lobby_bytes=lobby,
        table_bytes=table,
        steady=steady,
        most=most_load,
        memory=memory,
        rebuilt=games,
    )


async def _play(
    server: Server, work: Work, rng: Random, tables: int, rate: float, at_once: int, seconds: float
) -> tuple[int, int, Load, Load, Memory]:
    house, memory = House(server.port), {}

    async def note(moment: str) -> None:
        house.hang_up()
        await asyncio.sleep(SETTLE)
        memory[moment] = server.resident

    lobby, table = await first_load(house, "/"), await largest_table(house, tuple(GAMES), rng)
    await note("empty")
    crowd = Crowd(server, house, tables, rng)
    with work("Opening tables", tables) as tick:
        await crowd.open(tick)
    await note("opened")
    with work("Opening live pages", tables) as tick:
        await crowd.look(tick)
    await note("watched")
    gc.collect()
    gc.freeze()  # what measures shall not pause
    with work(f"Playing, {at_once} steps on their way", None) as tick:
        most = await crowd.at_once(at_once, seconds, tick)
    with work(f"Playing, {rate:.0f} steps a second", rate * seconds) as tick:
        steady = await crowd.at_rate(rate, seconds, tick)
    await note("played")
    crowd.leave()
    await note("left")
    with work("Letting tables rest", None):
        await _rested(house)
    await note("rested")
    return lobby, table, steady, most, Memory(**memory)


async def _rested(house: House) -> None:
    async with asyncio.timeout(REST):
        while True:
            found = ROOMS.search((await house.get("/metrics")).text)
            if found and float(found[1]) == 0:
                return
            await asyncio.sleep(1)
