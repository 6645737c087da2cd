"""Parts of our own beside what libraries offer, in one run: what a step costs with each, as a whole and part by part.

    python -m tests.bench.compare_libraries

Everything is measured in milliseconds of a core (all threads together), round by round in turn; printed are medians.
A whole step is a request to the application: the form is read, the step checked, written and committed, drawn for both
players, and sent on their streams. Only the reading and writing of sockets is left out.
"""

import asyncio
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

from jinja2.compiler import CodeGenerator
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from signoria.server.bench.rooms import rooms, seen
from signoria.server.live import streams
from signoria.server.live.compression import GzipStream, Payload
from signoria.server.play.room import Room, encode_step
from signoria.server.run.process import tune_garbage_collector
from signoria.store import steps, tables
from signoria.store.database import Database, opened
from signoria.store.people import User
from signoria.store.sqlite import PRAGMAS
from signoria.store.steps import StepRow
from signoria.web import environment, pages
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_table
from tests.store.rows import a_table as a_row

ROUNDS = 7
STEPS = 400
TABLES = 32
STEPS_A_ROUND = 3
GAMES = ("patrician", "il-principe")
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
                await a_row(w.db, f"t{number}")
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


# A whole step


class LibraryWriter:
    """Writes through aiosqlite, one caller after another."""

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction


class LibraryStream:
    """A compressor for each stream."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)

    def add(self, *parts: bytes | Payload) -> bytes:
        """More of the stream."""
        plain = b"".join(part.plain if isinstance(part, Payload) else part for part in parts)
        return self._packer.compress(plain) + self._packer.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        """The end of the stream."""
        return self._packer.flush()


class Client:
    """A player: the cookie of a session, and a live page."""

    def __init__(self, person: Person) -> None:
        self.app, self.user = person.app, person.user
        self._headers = [(name.encode(), value.encode()) for name, value in person.headers.items()]
        self._headers += [(b"host", b"house.test"), (b"accept-encoding", b"gzip"), (b"hx-request", b"true")]
        self._left, self.news, self._live = asyncio.Event(), asyncio.Event(), list[asyncio.Task[None]]()

    async def _ask(self, method: str, path: str, body: bytes, receive: Any, send: Any) -> None:
        headers = [*self._headers, (b"content-type", b"application/x-www-form-urlencoded")]
        headers.append((b"content-length", str(len(body)).encode()))
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
            "client": ("127.0.0.1", 1), "server": ("house.test", 80), "state": {},
        }  # fmt: skip
        await self.app(scope, receive, send)

    def open_page(self, table: str) -> None:
        """Follow a table."""

        async def receive() -> dict[str, Any]:
            await self._left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message.get("body"):
                self.news.set()

        self._left.clear()
        self._live.append(asyncio.create_task(self._ask("GET", f"/tables/{table}/stream", b"", receive, send)))

    async def close_pages(self) -> None:
        """Leave."""
        self._left.set()
        await asyncio.gather(*self._live)
        self._live.clear()

    async def step(self, room: Room, step: Any) -> None:
        """Send a step as the page's script does."""
        fields = {"seat": room.row.turn, "n": room.n, "step": encode_step(step)}
        body, statuses = urlencode(fields).encode(), list[int | None]()
        sent: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return sent.pop() if sent else await asyncio.Event().wait()  # type: ignore[return-value]

        async def send(message: Any) -> None:
            statuses.append(message.get("status"))

        await self._ask("POST", f"/tables/{room.row.id}/steps", body, receive, send)
        assert statuses[0] == 200, statuses


async def play_steps(rooms: list[Room], clients: list[list[Client]], rng: Random) -> None:
    """A few steps at every table, each seen by both players before the next."""

    async def play(room: Room, players: list[Client]) -> None:
        for _ in range(STEPS_A_ROUND):
            assert room.position is not None and room.row.turn is not None
            for client in players:
                client.news.clear()
            await players[room.row.turn].step(room, rng.choice(room.position.table.legal))
            for client in players:
                await client.news.wait()

    await asyncio.gather(*(play(room, players) for room, players in zip(rooms, clients, strict=True)))


async def compare_steps(folder: Path) -> None:
    """Whole steps with our driver and with aiosqlite; then with our framing and with a compressor for each stream."""
    path, rng = str(folder / "steps.db"), Random(2)
    async with open_app(path) as (app, service):
        clients, rooms_ = [], []
        for number in range(TABLES):
            pair = [await arrive(app, f"{name} {number}") for name in ("Anna", "Bruno")]
            game = GAMES[number % len(GAMES)]
            rooms_.append(await a_table(service, *(cast(User, person.user) for person in pair), game=game))
            clients.append([Client(person) for person in pair])
        engine, write, _ = await library(path)
        tune_garbage_collector()
        drivers: list[tuple[Any, Any]] = [
            (service.database._writer, service.database._reading),
            (LibraryWriter(write), engine),
        ]
        costs: list[list[Cost]] = [[], []]

        async def round_of(kind: int) -> None:
            made = len(rooms_) * STEPS_A_ROUND
            costs[kind].append(await measured(made, lambda: play_steps(rooms_, clients, rng)))

        await open_pages(rooms_, clients)
        await play_steps(rooms_, clients, rng)
        for number in range(2 * ROUNDS):
            service.database._writer, service.database._reading = drivers[number % 2]
            await round_of(number % 2)
        service.database._writer, service.database._reading = drivers[0]
        await engine.dispose()
        show("a whole step, by driver", *costs)
        costs = [[], []]
        for number in range(2 * ROUNDS):
            await asyncio.gather(*(client.close_pages() for players in clients for client in players))
            setattr(streams, "GzipStream", (GzipStream, LibraryStream)[number % 2])  # noqa: B010
            await open_pages(rooms_, clients)
            await round_of(number % 2)
        setattr(streams, "GzipStream", GzipStream)  # noqa: B010
        show("a whole step, by framing", *costs)
        await asyncio.gather(*(client.close_pages() for players in clients for client in players))


async def open_pages(rooms: list[Room], clients: list[list[Client]]) -> None:
    """Have both players of every table look at it."""
    for room, players in zip(rooms, clients, strict=True):
        for client in players:
            client.open_page(room.row.id)
    await asyncio.sleep(1)


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


# Templates


def draw_rounds(kind: str) -> None:
    """Print what a drawing costs in milliseconds of a core, with our code generator or with Jinja's."""
    if kind == "library":
        setattr(environment, "TemplateCode", CodeGenerator)  # noqa: B010
    found, rng = [], Random(1)
    for game in GAMES:
        for deal in "12":  # templates are compiled in the first game
            steps = rooms(game, {"players": 2}, deal * 64, lambda table: rng.choice(table.legal))
            played = [seen(room) for room in steps]
            began = process_time()
            for room in played:
                pages.table_fragment(room)
        found.append(1000 * (process_time() - began) / len(played))
    print(json.dumps(found))


def compare_templates() -> None:
    """Drawings by templates that our code generator compiled, and by templates as Jinja compiles them: one process each."""
    costs: dict[str, list[list[float]]] = {"ours": [], "library": []}
    for _ in range(ROUNDS):
        for kind, found in costs.items():
            drawn = subprocess.run(
                [sys.executable, "-m", "tests.bench.compare_libraries", "--draw", kind], check=True, capture_output=True
            )
            found.append(json.loads(drawn.stdout))
    for place, game in enumerate(GAMES):
        show(
            f"a drawing of {game}",
            *([Cost(row[place], row[place]) for row in costs[kind]] for kind in ("ours", "library")),
        )


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
        await compare_steps(Path(folder))
        await compare_drivers(Path(folder))
    await compare_framing()
    compare_templates()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--draw"]:
        draw_rounds(sys.argv[2])
    else:
        asyncio.run(main())
