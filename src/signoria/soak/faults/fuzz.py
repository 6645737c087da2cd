"""`fuzz`: hundreds of thousands of requests that are almost valid."""

import asyncio
import importlib.util
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from signoria.server.bench.client import HEAD_END, LENGTH
from signoria.soak.client import HOME, Client, NoAnswer
from signoria.soak.context import Context, Tick
from signoria.soak.faults.greedy import ENDS, FIELDS, KNOWN, all_routes
from signoria.soak.games import FIRST, NAMES, words_of
from signoria.soak.mutations import Mutated, Sample, mutated
from signoria.soak.players import BOT, Person, Refused, Witness, again, play_seat
from signoria.soak.report import FaultRow
from signoria.soak.server import FUZZED, Server

REQUESTS = 500_000
"""On each database."""
EXAMPLES = 500
"""Requests that schemathesis makes for each operation of the API."""
CONNECTIONS = 8
RENEW = 3_000
"""Requests after which there are new people and tables, because fuzzed ones leave, resign and delete themselves."""
MOST_STALL = 0.1
SELDOM = 0.03
"""How often a chosen request that removes people or seats is really sent, so that something is left to test."""
PATIENCE = 30.0
MUST_HOLD = "no 5xx, no request makes others wait > 100 ms each time it is sent"


async def run(context: Context, database: str) -> None:
    """Our own mutations, and the requests that schemathesis generates from the API's description."""
    server = await context.server(database, FUZZED)
    with server:
        for case in context.each((_mutations, _schemathesis)):
            await case(context, database, server)


async def _mutations(context: Context, database: str, server: Server) -> None:
    row = context.row("fuzz", database, MUST_HOLD, REQUESTS, "requests", "mutations")
    began, total = time.monotonic(), context.times(REQUESTS, 300)
    with context.progress(f"fuzz, {database}", total) as tick:
        fuzzing = Fuzzing(context, server, row, tick)
        while row.done < total and not context.out_of_time:
            await fuzzing.send(min(RENEW, total - row.done))
    row.seconds = time.monotonic() - began
    for sentence in server.logged_errors():
        row.fail(sentence)
    row.figures = {
        "answers": ", ".join(f"{count:,} {status or 'hung up'}" for status, count in sorted(fuzzing.statuses.items())),
        "slowest answer": f"{1000 * fuzzing.longest:.0f} ms",
        "slow requests sent again": f"{fuzzing.repeated:,}",
        "others then waited": f"at most {1000 * fuzzing.beside:.0f} ms",
    }


class Fuzzing:
    """Sends mutated requests over several connections, and records the responses."""

    def __init__(self, context: Context, server: Server, row: FaultRow, tick: Tick) -> None:
        self._context, self._server, self._row, self._tick = context, server, row, tick
        self._rng = context.rng(f"fuzz {row.database}")
        self._scenes = 0
        self._quiet = asyncio.Lock()
        self._in_flight = 0
        self.statuses: Counter[int] = Counter()
        self.longest = 0.0
        """Seconds until the slowest answer, while `CONNECTIONS` requests are sent at once."""
        self.repeated = 0
        """Requests that were slow, and were sent again alone."""
        self.beside = 0.0
        """The longest that such a request made another client wait: the shortest wait of its repetitions."""

    async def send(self, many: int) -> None:
        """Send this many requests about new people and tables."""
        people, samples = await _scene(self._server, self._rng, self._scenes)
        self._scenes += 1
        left = iter(range(many))
        rngs = [Random(self._rng.random()) for _ in range(CONNECTIONS)]
        await asyncio.gather(*(self._work(left, people, samples, rng) for rng in rngs))

    async def _work(self, left: Iterator[int], people: list[Person], samples: list[Sample], rng: Random) -> None:
        asker = Asker(self._server.port, rng)
        for _ in left:
            sample, person = rng.choice(samples), rng.choice(people)
            if sample.path.endswith(ENDS) and rng.random() > SELDOM:
                continue
            request = mutated(sample, rng, self._server.port)
            async with self._quiet:
                self._in_flight += 1  # nothing starts while a stall is investigated
            try:
                status, seconds = await asker.ask(request, person)
            finally:
                self._in_flight -= 1
            self._row.done += 1
            self._tick()
            self._note(request, status)
            self.longest = max(self.longest, seconds)
            if seconds > MOST_STALL * self._context.slack:
                async with self._quiet:
                    while self._in_flight:
                        await asyncio.sleep(0.005)
                    if await self._stalls(asker, request, person):
                        self._row.fail(f"other clients wait for more than 100 ms: {_shown(request)}")
            if not self._server.alive:
                raise RuntimeError(f"The server is gone after {_shown(request)}")
        asker.close()

    def _note(self, request: Mutated, status: int) -> None:
        self.statuses[status] += 1
        if status >= 500:
            self._row.fail(f"answered with {status}: {_shown(request)}")

    async def _stalls(self, asker: "Asker", request: Mutated, person: Person) -> bool:
        """Whether a slow request makes others wait: three times out of three, and only with this request."""
        prober = Client(self._server.port, "127.0.8.8")
        self.repeated += 1
        shortest = inf

        async def probe() -> float:
            began = perf_counter()
            await prober.get("/healthz")
            return perf_counter() - began

        try:
            for _ in range(3):
                alone = max([await probe() for _ in range(3)])
                asking = asyncio.create_task(asker.ask(request, person))
                await asyncio.sleep(0.002)
                beside = await probe()
                shortest = min(shortest, beside)
                self._note(request, (await asking)[0])
                if beside < MOST_STALL or beside < 3 * alone:
                    return False
        finally:
            self.beside = max(self.beside, shortest if shortest < inf else 0.0)
            prober.hang_up()
        return True


async def _scene(server: Server, rng: Random, number: int) -> tuple[list[Person], list[Sample]]:
    """People (one with a token, one signed out), and valid requests about tables in every state."""
    people = [
        Person(f"fuzz-{number}-{place}", server.port, f"127.2.{number % 250}.{place + 1}", by_api=place == 2)
        for place in range(4)
    ]
    for person in people[:3]:
        await again(person.arrive, server.port)
    tables = []
    for place, game in enumerate(NAMES[:2]):
        host = people[place]
        tables += [
            await host.open_table(game, "me", "open", BOT),
            await host.open_table(game, "me", "me"),
            await host.open_table(game, "me", BOT),
        ]
        await play_seat(host, Witness(), tables[-1], 0, rng)
    samples = []
    for method, path in all_routes():
        for table in tables:
            samples.append(await _sample(people, method, path, table, rng))
            if "{id}" not in path:
                break
    return people, samples


async def _sample(people: list[Person], method: str, path: str, table: str, rng: Random) -> Sample:
    filled = path.replace("{id}", table).replace("{n:int}", "3").replace("{n}", "3")
    for name, value in (words_of(FIRST) | {"{secret}": "x" * 22, "{part:path}": "x", "{token}": "x"}).items():
        filled = filled.replace(name, value)
    if method == "GET":
        return Sample(method, filled + rng.choice(["", "?seat=0", "?seat=1"]))
    fields: dict[str, Any] = (
        dict(KNOWN.get(filled.rpartition("/")[2], {})) if path.startswith("/api/") else dict(FIELDS)
    )
    if path.endswith(("/steps", "/why-not")):
        for person in people[:2]:
            try:
                legal = await person.legal(table, 0)
            except (NoAnswer, Refused):
                continue
            if legal.steps:
                fields |= {"seat": 0, "step": rng.choice(legal.steps)} | (
                    {"n": legal.n} if path.endswith("/steps") else {}
                )
    return Sample(method, filled, fields)


class Asker(asyncio.Protocol):
    """A connection that sends anything, and only reads the status of the response."""

    def __init__(self, port: int, rng: Random) -> None:
        self._port, self._rng = port, rng
        self._transport: Any = None
        self._buffer = b""
        self._head_only = False
        self._waiting: asyncio.Future[int] | None = None

    def connection_made(self, transport: Any) -> None:
        """The connection is open."""
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed; a waiting request gets what has arrived."""
        self._transport = None
        self._finish(int(self._buffer[9:12]) if self._buffer[9:12].isdigit() else 0)

    def data_received(self, data: bytes) -> None:
        """Part of a response arrived."""
        self._buffer += data
        head, end, body = self._buffer.partition(HEAD_END)
        if not end:
            return
        status = int(head[9:12])
        length = LENGTH.search(head)
        if self._head_only or status in (204, 304):
            self._finish(status)
        elif length is None:  # a stream: no need to read more
            self.close()
            self._finish(status)
        elif len(body) >= int(length[1]):
            self._finish(status)

    def _finish(self, status: int) -> None:
        self._buffer = b""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(status)

    async def ask(self, request: Mutated, person: Person) -> tuple[int, float]:
        """Send a request as this person; return the status (0: hung up) and the seconds it took."""
        if self._transport is None or self._transport.is_closing():
            address = f"127.3.{self._rng.randrange(250)}.{self._rng.randrange(1, 250)}"
            await asyncio.get_running_loop().create_connection(lambda: self, HOME, self._port, local_addr=(address, 0))
        client = person.client
        said = (
            f"Authorization: Bearer {client.token}\r\n"
            if client.token
            else f"Cookie: {client.cookie}\r\n"
            if client.cookie
            else ""
        )
        if "Cookie: " in request.head or "Authorization: " in request.head:
            said = ""
        self._head_only, self._buffer = request.method == "HEAD", b""
        self._waiting = asyncio.get_running_loop().create_future()
        began = perf_counter()
        self._transport.write(f"{request.head}{said}\r\n".encode("utf-8", "replace") + request.body)
        try:
            status = await asyncio.wait_for(self._waiting, PATIENCE)
        except TimeoutError:
            status = 599
            self.close()
        return status, perf_counter() - began

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None


def _shown(request: Mutated) -> str:
    """A request in one line."""
    said = re.sub(r"\r\n", " | ", request.head[:300])
    return f"{said} {request.body[:300]!r}"


async def _schemathesis(context: Context, database: str, server: Server) -> None:
    row = context.row("fuzz", database, "no 5xx", EXAMPLES, "examples an operation", "schemathesis")
    if importlib.util.find_spec("schemathesis") is None:
        row.note = "schemathesis is not installed"
        return
    examples = context.times(EXAMPLES, 0)
    if context.out_of_time or not examples:
        row.note = "left out"
        return
    began, person = time.monotonic(), Person("fuzz-schema", server.port, "127.2.255.1", by_api=True)
    await person.arrive()
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"http://{HOME}:{server.port}/api/v1/openapi.json",
        "--header", f"Authorization: Bearer {person.client.token}", "--checks", "not_a_server_error",
        "--exclude-path-regex", "/events$", "--phases", "fuzzing", "--max-examples", str(examples),
        "--seed", str(context.seed), "--generation-database", "none",
    ]  # fmt: skip
    with context.progress(f"fuzz, schemathesis, {database}", None):
        done = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, text=True, check=False, cwd=context.folder
        )
    row.done, row.seconds = examples, time.monotonic() - began
    if done.returncode:
        row.fail(f"schemathesis: {' '.join(done.stdout[-900:].split())} {done.stderr[-300:]}")
