"""`failover`: one of three processes dies, connections to PostgreSQL are cut, notifications are lost."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

from signoria.soak.client import NoAnswer, is_up
from signoria.soak.context import Context
from signoria.soak.faults.kill import Crowd
from signoria.soak.games import FIRST
from signoria.soak.players import Person, Witness
from signoria.soak.postgres import command
from signoria.soak.server import Server
from signoria.soak.verify import wrong_tables
from signoria.soak.watching import LivePage, watch
from signoria.store.database import opened

FAULTS = 100
"""Of each kind."""
SETTLED = 10.0
"""Seconds within which steps must be acknowledged again at every table after a fault."""
SHOWN = 20.0
"""Seconds within which a live page must show a step for which it got no notification."""
REPLACED = 60.0
"""Seconds within which a dead process must be replaced, even on a busy machine."""
DROPPED = 300
"""How many of 1,000 notifications are lost."""
CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = :name AND application_name LIKE 'signoria%' ORDER BY random() LIMIT :most"""


class Unreplaced(RuntimeError):
    """A process that died was not replaced."""


async def run(context: Context, database: str) -> None:
    """Try each kind of fault in turn, on one server with people playing."""
    with await context.server(database) as server:
        for case in context.each((_processes, _connections, _notifications)):
            await case(context, server)


async def _processes(context: Context, server: Server) -> None:
    await _faults(context, server, "process", "play continues; the other processes take over", _kill_one)


async def _connections(context: Context, server: Server) -> None:
    await _faults(context, server, "connections", "play continues; every step is saved or put off", _cut)


async def _kill_one(server: Server, rng: Random) -> None:
    """Kill the oldest process; it must be replaced at once."""
    latest = time.monotonic() + REPLACED
    while len(pids := server.worker_pids()) < server.workers:
        if time.monotonic() > latest:
            raise Unreplaced(f"{len(pids)} of {server.workers} processes are left after {REPLACED:.0f} s.")
        await asyncio.sleep(0.1)
    os.kill(pids[0], signal.SIGKILL)


async def _cut(server: Server, rng: Random) -> None:
    """Cut one or more, up to all, of the connections to the database."""
    name = server.database.rpartition("/")[2].partition("?")[0]
    await command(server.database, CUT, name=name, most=rng.choice([1, 1, 2, 4, 30]))


async def _faults(
    context: Context, server: Server, case: str, must_hold: str, strike: Callable[[Server, Random], Awaitable[None]]
) -> None:
    row = context.row("failover", "postgresql", must_hold, FAULTS, "faults", case)
    began, rng, witness = time.monotonic(), context.rng(f"failover {case}"), Witness()
    crowd, faults = Crowd(rng), context.times(FAULTS)
    longest = 0.0
    with context.progress(f"failover, {case}", faults) as tick:
        async with opened(server.database) as store:
            playing = asyncio.create_task(crowd.play(server, witness))
            try:
                await _moved(witness, crowd, SETTLED * 3 * context.slack)
                for _ in range(faults):
                    if context.out_of_time:
                        break
                    await asyncio.sleep(0.5 * rng.random())
                    try:
                        await strike(server, rng)
                    except Unreplaced as error:
                        row.fail(str(error))
                        break
                    waited = await _moved(witness, crowd, SETTLED * context.slack)
                    if waited is None:
                        row.fail(f"Not every table continued within {SETTLED:.0f} s after fault {row.done + 1}.")
                    longest = max(longest, waited or SETTLED)
                    row.done += 1
                    if playing.done():
                        await playing
                    tick()
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            for sentence in await wrong_tables(store, witness, crowd.tables):
                row.fail(sentence)
        if not await is_up(server.port):
            row.fail("The server does not answer at the end.")
    row.seconds = time.monotonic() - began
    row.figures = {
        "acknowledged steps": f"{len(witness.acknowledged):,}",
        "sent again": f"{witness.again:,}",
        "every table moved again after at most": f"{longest:.1f} s",
        "longest wait for a step": f"{max(witness.waits, default=0):.1f} s",
    }


async def _moved(witness: Witness, crowd: Crowd, patience: float) -> float | None:
    """Seconds until every table in play has another step or is finished; None if that took too long."""
    began, before, live = time.monotonic(), len(witness.acknowledged), set(crowd.live)
    waiting = live
    while time.monotonic() < began + patience:
        await asyncio.sleep(0.05)
        new = {table for table, _ in list(witness.acknowledged)[before:]}
        waiting = (live & crowd.live) - new
        if not waiting and new:
            return time.monotonic() - began
    return None


async def _notifications(context: Context, server: Server) -> None:
    """Two people at different processes, whose live pages miss some notifications."""
    row = context.row(
        "failover",
        "postgresql",
        f"live pages show each step within {SHOWN:.0f} s",
        FAULTS,
        "lost notifications",
        "notify",
    )
    began, rng, faults = time.monotonic(), context.rng("failover notify"), context.times(FAULTS)
    late, longest, steps = 0, 0.0, 0
    with context.progress("failover, notify", faults) as tick:
        people = [Person(f"soak-notify-{seat}", server.port, f"127.0.9.{seat + 1}") for seat in range(2)]
        for person in people:
            await person.arrive()
        pages: list[LivePage] = []
        table = ""
        while row.done < faults and not context.out_of_time:
            if not table:
                table = await _open(people)
                pages = [await watch(people[seat % 2].client, f"/tables/{table}/stream") for seat in range(9)]
                await asyncio.sleep(0.5)
            server.control["drop_notify"] = DROPPED
            made = await _step(people, table, rng)
            server.control["drop_notify"] = 0
            if made is None:
                table = ""
                for page in pages:
                    page.close()
                continue
            steps += 1
            waited = await _shown(pages, made, 1.0)
            if waited is None:
                row.done += 1
                tick()
                waited = await _shown(pages, made, SHOWN)
                if waited is None:
                    late += 1
                    waited = SHOWN
                    row.fail(f"A live page did not show step {made} of {table} within {SHOWN:.0f} s.")
                longest = max(longest, waited)
            if steps > 50 * faults:
                row.note = "hardly a notification was lost"
                break
        for page in pages:
            page.close()
    row.seconds = time.monotonic() - began
    row.figures = {"steps": f"{steps:,}", "shown after at most": f"{longest:.1f} s"}


async def _open(people: list[Person]) -> str:
    table = await people[0].open_table(FIRST, "me", "open")
    await people[1].sit(table, 1)
    await people[0].start(table)
    return table


async def _step(people: list[Person], table: str, rng: Random) -> int | None:
    """Make one step for the seat whose turn it is; return the number of steps, None if the game is over."""
    for seat, person in enumerate(people):
        with suppress(NoAnswer):
            legal = await person.legal(table, seat)
            if legal.steps:
                await person.do(table, "steps", seat=seat, n=legal.n, step=rng.choice(legal.steps))
                return legal.n + 1
            if legal.over:
                return None
    return None


async def _shown(pages: list[LivePage], n: int, patience: float) -> float | None:
    """Seconds until every page shows step `n`; None if one does not."""
    began = time.monotonic()
    while time.monotonic() < began + patience:
        if all(page.n >= n for page in pages):
            return time.monotonic() - began
        await asyncio.sleep(0.02)
    return None
