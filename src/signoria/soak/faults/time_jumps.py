"""`time`: the clock jumps, the machine is suspended, or the server is down, for a minute to a day."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

from signoria.soak.client import NoAnswer, until_up
from signoria.soak.context import Context
from signoria.soak.games import FIRST, NAMES
from signoria.soak.players import BOT, Person, Refused, expect, open_pair
from signoria.soak.report import FaultRow
from signoria.soak.server import FREE, Server
from signoria.store import tables
from signoria.store.database import Database, opened
from signoria.store.tables import TableRow

TIMES = 5
"""Of each of the four kinds: 20 in total on each database."""
CLOCKS = (60, 180, 600)
LENGTHS = (60, 90, 300, 3600, 24 * 3600)
"""Length of the jumps in seconds."""
NOTICED = 3.0
"""Seconds in which the server checks several times for clocks that ran out."""
BOT_PATIENCE = 15.0
PACE = "1000"
"""Milliseconds before a bot's move, so that the clock jumps before the bot moves."""
Jump = Callable[[Server, int], Awaitable[None]]
MUST_HOLD = "nobody loses a seat with time left; bots continue"
CONTROL = 0.05
"""From this scale on, a clock is also allowed to run out, which takes more than a minute; its seat must be lost."""


async def run(context: Context, database: str) -> None:
    """Try each kind of jump in turn, on one server."""
    server = await context.server(database, FREE | {"SIGNORIA_PACE": PACE})
    with server:
        async with opened(server.database) as store:
            people = [Person(f"soak-time-{seat}", server.port, f"127.0.3.{seat + 1}") for seat in range(2)]
            for person in people:
                await person.arrive()
            for kind, jump in context.each(tuple(KINDS.items())):
                await _jumps(context, database, kind, jump, server, store, people)
    if context.scale >= CONTROL:
        await _control(context, database)


async def _down(server: Server, seconds: int) -> None:
    await asyncio.to_thread(server.stop if seconds % 120 else server.kill)
    server.control["offset_ms"] += 1000 * seconds
    await asyncio.to_thread(server.start)


async def _suspended(server: Server, seconds: int) -> None:
    server.suspend()
    server.control["offset_ms"] += 1000 * seconds
    await asyncio.sleep(0.5)
    server.resume()


async def _ahead(server: Server, seconds: int) -> None:
    server.control["offset_ms"] += 1000 * seconds


async def _back(server: Server, seconds: int) -> None:
    server.control["offset_ms"] -= 1000 * seconds


KINDS: dict[str, Jump] = {"downtime": _down, "suspend": _suspended, "jump ahead": _ahead, "jump back": _back}


async def _jumps(
    context: Context, database: str, kind: str, jump: Jump, server: Server, store: Database, people: list[Person]
) -> None:
    row = context.row("time", database, MUST_HOLD, TIMES, "times", kind)
    began, rng, times = time.monotonic(), context.rng(f"time {kind}"), context.times(TIMES)
    lengths = rng.sample(LENGTHS, len(LENGTHS))
    with context.progress(f"time, {kind}, {database}", times) as tick:
        for number in range(times):
            if context.out_of_time:
                break
            await _one(row, server, store, people, jump, lengths[number % len(lengths)], rng)
            row.done += 1
            tick()
    row.seconds = time.monotonic() - began
    row.figures = {"seconds lost or gained": ", ".join(str(length) for length in sorted(lengths[: row.done]))}


async def _one(
    row: FaultRow,
    server: Server,
    store: Database,
    people: list[Person],
    jump: Jump,
    seconds: int,
    rng: Random,
) -> None:
    """One jump while it is the turn of two people at tables with clocks, and a third plays against a bot."""
    clocked = [
        await open_pair(people[0], people[1], NAMES[place % len(NAMES)], clock=clock)
        for place, clock in enumerate(CLOCKS)
    ]
    against_bot = await people[0].open_table(FIRST, "me", BOT)
    before = [await _row(store, table) for table in clocked]
    await _until_bot_is_asked(people[0], against_bot, rng)
    await jump(server, seconds)
    await until_up(server.port)
    await asyncio.sleep(NOTICED)
    for table, was in zip(clocked, before, strict=True):
        now = await _row(store, table)
        lost = [seat.name for seat in now.seats if seat.away]
        if lost:
            row.fail(
                f"{', '.join(map(str, lost))} lost the seat at a table with {now.clock} s per move, after {seconds} s."
            )
        elif was.turn is not None:
            seat = was.turn
            legal = await people[seat].legal(table, seat)
            if not legal.steps:
                row.fail(f"Seat {seat} at a table with {now.clock} s per move lost its turn, after {seconds} s.")
                continue
            expect(await people[seat].do(table, "steps", seat=seat, n=legal.n, step=rng.choice(legal.steps)), 200)
    await _bot_goes_on(row, people[0], against_bot, seconds, rng)


async def _until_bot_is_asked(person: Person, table: str, rng: Random) -> None:
    """Play until it is the bot's turn; the bot moves only after its delay."""
    while (legal := await person.legal(table, 0)).steps:
        expect(await person.do(table, "steps", seat=0, n=legal.n, step=rng.choice(legal.steps)), 200)


async def _bot_goes_on(row: FaultRow, person: Person, table: str, seconds: int, rng: Random) -> None:
    """Play against the bot until it has moved twice."""
    turns = 0
    try:
        while turns < 2:
            legal = await person.asked(table, 0, BOT_PATIENCE)
            if legal.over:
                return
            expect(await person.do(table, "steps", seat=0, n=legal.n, step=rng.choice(legal.steps)), 200)
            turns += not (await person.legal(table, 0)).steps
        await person.asked(table, 0, BOT_PATIENCE)
    except (NoAnswer, Refused) as error:
        row.fail(f"Against a bot, after {seconds} s: {error}.")


async def _control(context: Context, database: str) -> None:
    """A clock that really runs out; without this the checks above could never fail."""
    row = context.row("time", database, "a player without time left loses the seat", 1, "clocks", "clock runs out")
    began = time.monotonic()
    if context.deadline < began + CLOCKS[0] + 2 * NOTICED:
        row.note = "takes more than a minute"
        return
    server = await context.server(database)
    with context.progress(f"time, a clock runs out, {database}", 1) as tick, server:
        async with opened(server.database) as store:
            people = [Person(f"soak-late-{seat}", server.port, f"127.0.3.{seat + 1}") for seat in range(2)]
            for person in people:
                await person.arrive()
            table = await open_pair(people[0], people[1], FIRST, clock=CLOCKS[0])
            await asyncio.sleep(CLOCKS[0] + 2 * NOTICED)
            row.done = 1
            tick()
            if not any(seat.away for seat in (await _row(store, table)).seats):
                row.fail(f"Nobody lost the seat after {CLOCKS[0]} s without a move.")
    row.seconds = time.monotonic() - began


async def _row(store: Database, table: str) -> TableRow:
    async with store.read() as db:
        row = await tables.find_table(db, table)
    if row is None:
        raise LookupError(f"Table {table} is gone.")
    return row
