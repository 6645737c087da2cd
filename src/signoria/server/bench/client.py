"""A lean HTTP client, so that measuring leaves the cores to the server."""

import asyncio
import gzip
import re
import zlib
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import quote_plus

HEAD_END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.I)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: chunked", re.I)
LAST_CHUNK = b"\r\n0\r\n\r\n"
EVENT_END = b"\n\n\r\n"
"""The end of an event that the server wrote as one chunk; its last two bytes are not compressed."""
EVENT_ID = re.compile(rb"(?:^|\n)id: (\d+)\.[^\n]*\ndata: ")


class Answer(NamedTuple):
    """A response."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        """A header; empty if there is none."""
        found = re.search(rb"\r\n" + name.encode() + rb": ([^\r]*)", self.head, re.I)
        return found[1].decode() if found else ""

    @property
    def text(self) -> str:
        """The decoded body."""
        packed = self.header("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()

    @property
    def wire(self) -> int:
        """Total bytes."""
        return len(self.head) + len(HEAD_END) + len(self.body)


class Caller(asyncio.Protocol):
    """A connection for one request after another."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._buffer = b""
        self._waiting: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: Any) -> None:
        """The connection is open."""
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._transport = None
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(ConnectionResetError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        """Part of a response."""
        self._buffer += data
        head, end, body = self._buffer.partition(HEAD_END)
        if not end or self._waiting is None or self._waiting.done():  # done: the caller gave up
            return
        length = LENGTH.search(head)
        if length is None and CHUNKED.search(head):
            if body.endswith(LAST_CHUNK):
                self._answer(head, _chunks(body))
        elif length is None:
            self._waiting.set_exception(ValueError(f"an answer without its length: {head!r}"))
        elif len(body) >= int(length[1]):
            self._answer(head, body)

    def _answer(self, head: bytes, body: bytes) -> None:
        assert self._waiting is not None
        self._buffer = b""
        self._waiting.set_result(Answer(int(head[9:12]), head, body))

    @property
    def open(self) -> bool:
        """Whether it can be reused."""
        return self._transport is not None

    def ask(self, request: bytes) -> "asyncio.Future[Answer]":
        """Send a request; returns the response."""
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._waiting

    def close(self) -> None:
        """Close the connection."""
        if self._transport:
            self._transport.close()


class Watcher(asyncio.Protocol):
    """A live page: calls back with the version and content of every event, when its last byte has arrived."""

    def __init__(self, request: bytes, seen: Callable[[int, bytes, float], None]) -> None:
        self._request, self._seen = request, seen
        self._transport: Any = None
        self._parts: list[bytes] = []
        self._unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.bytes = 0

    def connection_made(self, transport: Any) -> None:
        """Request the stream."""
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Part of an event."""
        self.bytes += len(data)
        self._parts.append(data)
        if not data.endswith(EVENT_END):
            return
        at, came = perf_counter(), b"".join(self._parts)
        self._parts.clear()
        if came.startswith(b"HTTP/1.1 "):
            head, _, came = came.partition(HEAD_END)
            if not head.startswith(b"HTTP/1.1 200"):
                raise ValueError(f"no stream: {head!r}")
        said = self._unpack.decompress(_chunks(came))
        if events := list(EVENT_ID.finditer(said)):
            self._seen(int(events[-1][1]), said[events[-1].start() :], at)

    def close(self) -> None:
        """Close the live page."""
        self._transport.close()


def _chunks(came: bytes) -> bytes:
    """The content of a chunked response."""
    parts, place = [], 0
    while place < len(came):
        size, end, _ = came[place : place + 10].partition(b"\r\n")
        place += len(size) + len(end)
        parts.append(came[place : place + int(size, 16)])
        place += int(size, 16) + 2
    return b"".join(parts)


class BenchClient:
    """The connections to a server on this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self._free: list[Caller] = []

    def _head(self, method: str, path: str, cookie: str, more: str = "") -> bytes:
        cookie = f"Cookie: {cookie}\r\n" if cookie else ""
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Encoding: gzip\r\n{cookie}{more}\r\n"
        ).encode()

    async def get(self, path: str, cookie: str = "") -> Answer:
        """A page."""
        return await self._ask(self._head("GET", path, cookie))

    async def post(self, path: str, cookie: str, fields: Mapping[str, object]) -> Answer:
        """A form of a page, as its script sends it."""
        body = "&".join(f"{name}={quote_plus(str(value))}" for name, value in fields.items()).encode()
        more = (
            f"Origin: {self.origin}\r\nHX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n"
        )
        return await self._ask(self._head("POST", path, cookie, more) + body)

    async def _ask(self, request: bytes) -> Answer:
        caller = await self._caller()
        answer = await caller.ask(request)
        self._free.append(caller)
        return answer

    async def _caller(self) -> Caller:
        """An idle connection."""
        while self._free:
            caller = self._free.pop()
            if caller.open:
                return caller
        _, caller = await asyncio.get_running_loop().create_connection(Caller, "127.0.0.1", self.port)
        return caller

    async def watch(self, path: str, cookie: str, seen: Callable[[int, bytes, float], None]) -> Watcher:
        """A live page."""
        request = self._head("GET", path, cookie)
        _, watcher = await asyncio.get_running_loop().create_connection(
            lambda: Watcher(request, seen), "127.0.0.1", self.port
        )
        return watcher

    def hang_up(self) -> None:
        """Close the idle connections."""
        for caller in self._free:
            caller.close()
        self._free.clear()
