"""Compares our own parts with those of libraries in one run: the cost of a step's rows and of a stream's events.

    python tests/bench/compare_libraries.py

Measures CPU time of all threads in milliseconds, in alternating rounds, and prints medians.
"""

import asyncio
import os
import sqlite3
import statistics
import tempfile
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any, NamedTuple

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from signoria.server.bench.rooms import rooms, seen
from signoria.server.live.compression import GzipStream, Payload
from signoria.store import steps, tables
from signoria.store.database import Database, opened
from signoria.store.sqlite import PRAGMAS
from signoria.store.steps import StepRow
from signoria.web import pages
from tests.store.rows import a_table

ROUNDS = 7
STEPS = 400
TABLES = 32
VIEWERS = 2
STREAMS = 200
Transaction = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


class Cost(NamedTuple):
    """Milliseconds per item: CPU time and wall-clock time."""

    core: float
    clock: float


async def measured(many: int, work: Callable[[], Awaitable[None]]) -> Cost:
    """The cost of one item of some work."""
    clock, core = perf_counter(), process_time()
    await work()
    return Cost(1000 * (process_time() - core) / many, 1000 * (perf_counter() - clock) / many)


# A step's rows


async def write_steps(transaction: Transaction, first: int) -> None:
    """Steps at several tables at the same time: each inserts a row and changes one, and is saved when its block ends."""

    async def play(table: str) -> None:
        for n in range(first, first + STEPS // TABLES):
            async with transaction() as db:
                await steps.add_steps(db, table, [StepRow(n, 0, '{"do":"pass"}', "person", n)])
                await tables.advance(db, table, n, n + 1, 0, n, None, n, 0)

    await asyncio.gather(*(play(f"t{number}") for number in range(TABLES)))


async def read_tables(transaction: Transaction) -> None:
    """Look up a table, one after another."""
    for number in range(STEPS):
        async with transaction() as db:
            assert await tables.find_table(db, f"t{number % TABLES}") is not None


async def library(path: str) -> tuple[Any, Transaction, Transaction]:
    """SQLAlchemy with standard aiosqlite: a thread for each connection, and a lock, since SQLite has one writer."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", pool_size=8)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        for pragma, value in PRAGMAS.items():
            connection.execute(f"PRAGMA {pragma} = {value}")

    lock = asyncio.Lock()

    @asynccontextmanager
    async def write() -> Any:
        async with lock, engine.begin() as db:
            yield db

    return engine, write, engine.connect


async def compare_drivers(folder: Path) -> None:
    """Our driver, and aiosqlite's."""
    path = str(folder / "x.db")
    async with opened(path) as database:
        async with database.write() as w:
            for number in range(TABLES):
                await a_table(w.db, f"t{number}")
        engine, write, read = await library(path)
        costs: dict[str, list[Cost]] = {
            "writes, ours": [],
            "writes, library": [],
            "reads, ours": [],
            "reads, library": [],
        }
        for number in range(2 * ROUNDS):
            ours = number % 2 == 0
            transaction = _written(database) if ours else write
            first = number * (STEPS // TABLES)
            made = TABLES * (STEPS // TABLES)
            name = "ours" if ours else "library"
            costs[f"writes, {name}"].append(await measured(made, lambda t=transaction, f=first: write_steps(t, f)))  # type: ignore[misc]
            reading = database.read if ours else read
            costs[f"reads, {name}"].append(await measured(STEPS, lambda r=reading: read_tables(r)))  # type: ignore[misc]
        await engine.dispose()
    for what in ("writes", "reads"):
        show(f"a step's {what}", costs[f"{what}, ours"], costs[f"{what}, library"])


def _written(database: Database) -> Transaction:
    @asynccontextmanager
    async def write() -> Any:
        async with database.write() as w:
            yield w.db

    return write


# A stream's events


def drawings() -> list[str]:
    """A table's page, step by step."""
    rng = Random(1)
    game = rooms("il-principe", {"players": 4}, "1" * 64, lambda table: rng.choice(table.legal))
    return [pages.table_fragment(seen(room)) for room in game][20:60]


async def compare_framing() -> None:
    """Shared compressed pieces, compared with one compressor per stream."""
    drawn = drawings()
    ours, theirs = list[Cost](), list[Cost]()

    async def shared() -> None:
        streams = [GzipStream() for _ in range(VIEWERS)]
        for drawing in drawn:
            pack = Payload(drawing)
            for stream in streams:
                stream.add(b"id: 1\ndata: ", pack, b"\n\n")

    async def apart() -> None:
        streams = [zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS) for _ in range(VIEWERS)]
        for drawing in drawn:
            plain = drawing.encode().replace(b"\n", b" ")
            for stream in streams:
                stream.compress(b"id: 1\ndata: " + plain + b"\n\n") + stream.flush(zlib.Z_SYNC_FLUSH)

    for _ in range(ROUNDS):
        ours.append(await measured(len(drawn), shared))
        theirs.append(await measured(len(drawn), apart))
    show(f"a drawing for {VIEWERS} viewers", ours, theirs)
    before = resident()
    kept = [GzipStream() for _ in range(STREAMS)]
    mine, before = resident() - before, resident()
    held = [zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS) for _ in range(STREAMS)]
    for packer in held:
        packer.compress(drawn[0].encode()), packer.flush(zlib.Z_SYNC_FLUSH)
    other = resident() - before
    print(f"memory of an open stream: ours {mine / len(kept) / 1024:.0f} kB, library {other / len(held) / 1024:.0f} kB")


def resident() -> int:
    """Bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def show(what: str, ours: list[Cost], theirs: list[Cost]) -> None:
    """Both medians, and how many times longer the library takes."""
    cores = [statistics.median(cost.core for cost in costs) for costs in (ours, theirs)]
    clocks = [statistics.median(cost.clock for cost in costs) for costs in (ours, theirs)]
    print(
        f"{what}: ours {cores[0]:.3f} ms of a core, {clocks[0]:.2f} ms on the clock; "
        f"library {cores[1]:.3f} and {clocks[1]:.2f}: {cores[1] / cores[0]:.2f} times as much"
    )


async def main() -> None:
    """Print everything."""
    print(f"SQLite {sqlite3.sqlite_version}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="signoria-bench-") as folder:
        await compare_drivers(Path(folder))
    await compare_framing()


if __name__ == "__main__":
    asyncio.run(main())
