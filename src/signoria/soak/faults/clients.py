"""`clients`: clients that hang up, send slowly, never read, or send garbage."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

from signoria.soak.bystander import Bystander, percentile
from signoria.soak.client import HOME, is_up
from signoria.soak.context import Context
from signoria.soak.games import FIRST
from signoria.soak.server import LIMITED, Server

CONNECTIONS = 50_000
"""On each database."""
AT_ONCE = 200
SLOW_AT_ONCE = 60
"""Number of these that may be slow."""
MOST_WAIT = 0.25
"""Limit for the p99 of other clients, in seconds."""
MOST_GROWTH = 40_000_000
"""Limit for the growth in memory of a process on average, in bytes, over the second half of the connections."""
LONGEST = 25.0
"""Seconds after which a slow client leaves; more than the server's timeout of 20 seconds."""
MUST_HOLD = "server alive, memory flat, no errors in the log, others p99 < 250 ms"


async def run(context: Context, database: str) -> None:
    """Bad clients of every kind from many addresses, while a normal user plays."""
    row = context.row("clients", database, MUST_HOLD, CONNECTIONS, "connections")
    rng, total = context.rng(f"clients {database}"), context.times(CONNECTIONS, 40)
    server = await context.server(database, LIMITED)
    with context.progress(f"clients, {database}", total) as tick, server:
        pid, bystander = server.pid, Bystander("soak-bystander", server.port)
        await bystander.arrive()
        await bystander.for_a_while(2.0)
        normal = percentile(bystander.waits, 0.99)
        bystander.waits.clear()
        living = asyncio.create_task(bystander.live())
        crowd = BadClients(server, await _paths(bystander), rng, tick)
        memory = []
        for half in range(2):
            await crowd.come(total // 2 + (half and total % 2), context)
            await asyncio.sleep(1.0)
            memory.append(server.resident)
        processes = len({server.pid, *server.worker_pids()})
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        row.done = crowd.made
        worst = percentile(bystander.waits, 0.99)
        if not (server.alive and server.pid == pid and await is_up(server.port)):
            row.fail(f"The server is gone: {server.said()[-300:]}")
        if worst >= MOST_WAIT * context.slack:
            row.fail(f"The p99 of a normal user is {1000 * worst:.0f} ms.")
        if memory[1] - memory[0] > processes * MOST_GROWTH * context.slack:
            row.fail(f"Memory grew by {(memory[1] - memory[0]) / 1e6:.0f} MB over the second half of the connections.")
        for sentence in bystander.errors:
            row.fail(f"For a normal user, {sentence}.")
        for sentence in server.logged_errors():
            row.fail(sentence)
    row.figures = {
        "others p99": f"{1000 * worst:.0f} ms ({1000 * normal:.0f} ms before)",
        "memory": f"{memory[0] / 1e6:.0f} MB after half, {memory[1] / 1e6:.0f} MB after all; {processes} processes together",
    }


async def _paths(bystander: Bystander) -> list[str]:
    table = bystander._table
    return [
        "/",
        "/tables",
        "/ratings",
        f"/tables/{table}",
        f"/tables/{table}/stream",
        "/lobby/stream",
        f"/rules/{FIRST}",
    ]


class BadClients:
    """Makes connections, up to `AT_ONCE` at a time."""

    def __init__(self, server: Server, paths: list[str], rng: Random, tick: Callable[[], None]) -> None:
        self._server, self._paths, self._rng, self._tick = server, paths, rng, tick
        self._slow = asyncio.Semaphore(SLOW_AT_ONCE)
        self.made = 0

    async def come(self, many: int, context: Context) -> None:
        """Make this many connections, one after another in each of `AT_ONCE` tasks."""
        left = iter(range(many))

        async def place() -> None:
            for _ in left:
                if context.out_of_time:
                    return
                await self._one()

        await asyncio.gather(*(place() for _ in range(min(AT_ONCE, many))))

    async def _one(self) -> None:
        rng = self._rng
        kinds: list[Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]]
        kinds = [self._hang_up, self._hang_up, self._half, self._garbage, self._large_head, self._read_a_bit]
        slow = rng.random() < 0.02 and not self._slow.locked()
        if slow:
            kinds = [self._dribble, self._never_read, self._silent, self._slow_body]
        address = f"127.{rng.randrange(1, 200)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            if slow:
                async with self._slow:
                    await self._connect(address, rng.choice(kinds))
            else:
                await self._connect(address, rng.choice(kinds))
        self.made += 1
        self._tick()

    async def _connect(
        self, address: str, act: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
    ) -> None:
        async with asyncio.timeout(LONGEST):
            reader, writer = await asyncio.open_connection(HOME, self._server.port, local_addr=(address, 0), limit=2048)
            try:
                await act(reader, writer)
            except RuntimeError:  # how uvloop refuses to write once the server has closed the connection
                if not writer.is_closing():
                    raise
            finally:
                if self._rng.random() < 0.5:
                    writer.transport.abort()  # reset the connection instead of closing it
                else:
                    writer.close()

    def _request(self, method: str = "GET", more: str = "") -> bytes:
        path = self._rng.choice(self._paths)
        return f"{method} {path} HTTP/1.1\r\nHost: {HOME}:{self._server.port}\r\n{more}\r\n".encode()

    async def _hang_up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send a request and hang up before the response."""
        writer.write(self._request() * self._rng.choice([1, 1, 3]))
        await writer.drain()
        await asyncio.sleep(0.02 * self._rng.random())

    async def _half(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send half a request, or a body shorter than its declared length."""
        request = self._request("POST", "Content-Length: 500\r\nContent-Type: application/json\r\n") + b"{"
        writer.write(request[: self._rng.randrange(1, len(request) + 1)])
        await writer.drain()

    async def _garbage(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send bytes that are not HTTP."""
        rng = self._rng
        start = rng.choice(
            [b"", b"GET ", b"\x16\x03\x01\x02\x00\x01", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/9\r\n"]
        )
        writer.write(start + rng.randbytes(rng.randrange(1, 3000)))
        await writer.drain()
        await reader.read(1000)

    async def _large_head(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send far too many headers."""
        many = self._rng.randrange(10, 3000)
        writer.write(self._request(more="".join(f"X-{i}: {'a' * 40}\r\n" for i in range(many))))
        await writer.drain()
        await reader.read(1000)

    async def _read_a_bit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send a valid request, read the beginning of the response, and leave."""
        writer.write(self._request())
        await writer.drain()
        await reader.read(self._rng.randrange(1, 4000))

    async def _dribble(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send a request byte by byte."""
        for letter in self._request(more="X-Slow: yes\r\n" * 20):
            writer.write(bytes([letter]))
            await writer.drain()
            await asyncio.sleep(0.2)

    async def _never_read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Request a lot, and read nothing of it."""
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(200):
            writer.write(self._request())
        await asyncio.sleep(self._rng.choice([1.0, 5.0, LONGEST]))

    async def _silent(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect, and send nothing until the server closes the connection."""
        await reader.read(1000)

    async def _slow_body(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send a body that never ends."""
        writer.write(self._request("POST", f"Content-Length: 5000\r\nOrigin: http://{HOME}:{self._server.port}\r\n"))
        began = time.monotonic()
        while time.monotonic() < began + LONGEST and not reader.at_eof():
            writer.write(b"a=1&")
            await writer.drain()
            await asyncio.sleep(0.5)
