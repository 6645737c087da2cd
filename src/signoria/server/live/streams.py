"""Event streams (SSE) that always send the newest state, and end with a hint when to reconnect.

Every event contains the whole content, with its version as the id. So a browser that reconnects with `Last-Event-ID`
has missed nothing: if the version differs, the newest is sent.

Streams are compressed for clients that accept gzip, which reduces a table to a seventh of its size.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from signoria.server.live.compression import GzipStream, Payload, PlainStream, accepts_gzip
from signoria.server.people.notifications.open_pages import OpenPage
from signoria.store.errors import UNAVAILABLE

RETRY = 1000
"""Milliseconds after which a page reconnects when its stream has ended."""
KEEP_ALIVE_SECONDS = 15.0
"""Seconds after which a keep-alive is sent, so that a dead connection is noticed."""
AGAIN = 2.0
"""Seconds after which the database is asked again if it did not answer."""
KEEP_ALIVE_COMMENT = b": still here\n\n"
KEEP_ALIVE_EVENT = b"event: beat\ndata: still here\n\n"
"""The same for a page's script, which cannot see comments."""

log = logging.getLogger("signoria.streams")


class ServerSentEvent(NamedTuple):
    """An event to send: its id, its name and its data."""

    id: str
    data: Payload | tuple[Payload, ...]
    """One line, whole or in parts that others also get."""
    name: str = ""

    @property
    def parts(self) -> tuple[bytes | Payload, ...]:
        """The event as bytes of the stream."""
        name = f"event: {self.name}\n" if self.name else ""
        data = self.data if isinstance(self.data, tuple) else (self.data,)
        return f"id: {self.id}\n{name}data: ".encode(), *data, b"\n\n"


def note_events(version: str, page: OpenPage) -> list[ServerSentEvent]:
    """Notifications for a page that shows this version; its script may show them."""
    return [ServerSentEvent(version, Payload(msgspec.json.encode(note).decode()), "note") for note in page.take()]


class EventStream:
    """A response that lasts until the client disconnects or the server stops; HEAD gets only the headers.

    `fetch(last)` returns new events since the id `last`. It is called when `changed` is set, at most every
    `min_interval` seconds. If the content also changes with time (`timed`), it is called at every keep-alive too.
    Otherwise a keep-alive is just a few bytes. If the database does not answer, the stream goes on and tries again.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[list[ServerSentEvent]]],
        changed: asyncio.Event,
        closing: asyncio.Event,
        last: str,
        *,
        min_interval: float = 0.0,
        keep_alive: bytes = KEEP_ALIVE_COMMENT,
        timed: bool = True,
    ) -> None:
        self._fetch, self._changed, self._closing, self._last = fetch, changed, closing, last
        self._min_interval, self._keep_alive, self._timed = min_interval, keep_alive, timed
        self._gone = asyncio.Event()
        self._encoder: GzipStream | PlainStream
        self._again: asyncio.TimerHandle | None = None
        self._failed = False
        self._wrote = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the stream ends."""
        packed = accepts_gzip(Headers(scope=scope))
        self._encoder = GzipStream() if packed else PlainStream()
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        headers += [(b"vary", b"accept-encoding"), *([(b"content-encoding", b"gzip")] if packed else [])]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope.get("method") == "HEAD":  # has no body, so its end would never be seen
            await send({"type": "http.response.body", "body": b""})
            return
        loop, leaving = asyncio.get_running_loop(), asyncio.create_task(self._wait_for_leaving(receive))
        try:
            await self._write(send, b"retry: %d\n\n" % RETRY)
            while not self._gone.is_set() and not self._closing.is_set():
                self._changed.clear()
                rested = loop.time() + self._min_interval
                for event in await self._fetched():
                    self._last = event.id
                    await self._write(send, *event.parts)
                await self._wait(send)
                if not self._gone.is_set() and loop.time() < rested:
                    await asyncio.sleep(rested - loop.time())
            if not self._gone.is_set():
                await self._write(send, b"retry: %d\n: closing\n\n" % RETRY)
                await send({"type": "http.response.body", "body": self._encoder.end()})
        except OSError:
            pass  # the client has disconnected
        finally:
            leaving.cancel()
            if self._again:
                self._again.cancel()

    async def _fetched(self) -> list[ServerSentEvent]:
        """New events; none for now if the database does not answer."""
        try:
            fetched = await self._fetch(self._last)
        except UNAVAILABLE as error:
            if not self._failed:
                log.warning("a live page could not be read (%s); trying again", type(error).__name__)
            self._failed = True
            self._again = asyncio.get_running_loop().call_later(AGAIN, self._changed.set)
            return []
        self._failed = False
        return fetched

    async def _wait(self, send: Send) -> None:
        """Wait for something new, and keep the connection alive in the meantime."""
        while not self._changed.is_set():
            try:
                async with asyncio.timeout_at(self._wrote + KEEP_ALIVE_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                await self._write(send, self._keep_alive)
                if self._timed:
                    return

    async def _write(self, send: Send, *parts: bytes | Payload) -> None:
        self._wrote = asyncio.get_running_loop().time()
        await send({"type": "http.response.body", "body": self._encoder.add(*parts), "more_body": True})

    async def _wait_for_leaving(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._gone.set()
        self._changed.set()
