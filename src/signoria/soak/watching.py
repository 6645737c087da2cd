"""Live pages: reads streams to find out how soon they show what happened, and whether they break."""

import asyncio
import re
import zlib
from typing import Any

from signoria.server.bench.client import HEAD_END
from signoria.soak.client import HOME, Client

EVENT_ID = re.compile(rb"(?:^|\n)id: ([^\n]*)\n")
KEPT = 200
"""Bytes of a stream that are kept to find an id that arrived in two parts."""


class LivePage(asyncio.Protocol):
    """A live page; counts its events and knows the id of the last one."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._transport: Any = None
        self._head: bytes | None = b""
        self._chunks = b""
        self._text = b""
        self._unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.status = 0
        self.events = 0
        self.last = ""
        self.broken = False
        """Whether it ended although we did not close it."""
        self.news = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        """Request the stream."""
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection was closed."""
        self.broken = self._transport is not None
        self.news.set()

    def data_received(self, data: bytes) -> None:
        """Part of the stream arrived."""
        if self._head is not None:
            self._head += data
            if HEAD_END not in self._head:
                return
            head, _, data = self._head.partition(HEAD_END)
            self.status, self._head = int(head[9:12]), None
        if self.status != 200:
            self.news.set()
            return
        self._chunks += data
        while (end := self._chunks.find(b"\r\n")) >= 0:
            size = int(self._chunks[:end] or b"0", 16)
            if not size or len(self._chunks) < end + 2 + size + 2:
                break
            self._read(self._unpack.decompress(self._chunks[end + 2 : end + 2 + size]))
            self._chunks = self._chunks[end + 2 + size + 2 :]

    def _read(self, plain: bytes) -> None:
        self._text += plain
        for found in EVENT_ID.finditer(self._text):
            self.events += 1
            self.last = found[1].decode()
            self.news.set()
        self._text = self._text.rpartition(b"\n")[2][-KEPT:] if self._text.endswith(b"\n") else self._text[-KEPT:]

    def close(self) -> None:
        """Leave."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.close()

    @property
    def n(self) -> int:
        """The number of steps in the position that this page shows; -1 if it shows nothing yet."""
        number = self.last.partition(".")[0]
        return int(number) if number.isdigit() else -1


async def watch(client: Client, path: str) -> LivePage:
    """Open a live page."""
    request = client.head("GET", path, {"Accept": "text/event-stream"})
    _, page = await asyncio.get_running_loop().create_connection(
        lambda: LivePage(request), HOME, client.port, local_addr=(client.address, 0)
    )
    return page
