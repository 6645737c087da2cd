"""Uvicorn's HTTP protocol with limits on requests that wait, on the size of a request's head and the time it may take."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_HEAD = 32 * 1024
"""Bytes of a request before its body: the request line and the headers."""
PATIENCE = 20.0
"""Seconds that these may take to arrive."""
MOST_UNANSWERED = 16
"""Requests that a client may send on one connection without waiting for responses. Browsers send one."""


class HeadTooLarge(Exception):
    """The head of a request is too large, and arrived at once."""


class TooManyUnanswered(Exception):
    """A client does not wait for responses; uvicorn responds with 400 and closes the connection."""


class SafeTransport:
    """A transport that ignores writes after the client has reset the connection, where uvloop would raise an error."""

    def __init__(self, transport: asyncio.Transport, gone: Callable[[], None]) -> None:
        self._transport, self._gone = transport, gone

    def write(self, data: bytes) -> None:
        """Send, unless the client is gone."""
        try:
            self._transport.write(data)
        except RuntimeError:
            self._gone()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class HttpProtocol(HttpToolsProtocol):
    """One connection; closed if the head of a request is too large or too slow, or if too many requests wait."""

    _head = 0
    _in_head = True
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request."""
        self._unanswered = deque[RequestResponseCycle]()  # several if the client sends requests without waiting
        super().connection_made(SafeTransport(transport, self._is_gone))  # type: ignore[arg-type]
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, and tell all open requests that the client is gone."""
        self._stop_waiting()
        super().connection_lost(exc)
        self._is_gone()  # uvicorn tells only the last request, which may not even have started

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head is too long."""
        in_head = self._in_head
        super().data_received(data)
        if in_head and self._in_head and not self.transport.is_closing():
            self._head += len(data)
            if self._head > MOST_HEAD:
                self._refuse_head()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head has been read."""
        self._in_head = False
        self._stop_waiting()
        self._head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if self._head > MOST_HEAD:
            raise HeadTooLarge
        while self._unanswered and self._unanswered[0].response_complete:
            self._unanswered.popleft()
        if len(self._unanswered) >= MOST_UNANSWERED:
            raise TooManyUnanswered
        super().on_headers_complete()
        if self.cycle is not None:
            self._unanswered.append(self.cycle)

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be read, or whose head is too large."""
        if self._head > MOST_HEAD:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def _is_gone(self) -> None:
        """Tell the application at once that the client is gone."""
        for cycle in self._unanswered:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _wait(self) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(PATIENCE, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self._refuse(b"408 Request Timeout", b"The request did not come in time.")

    def _refuse_head(self) -> None:
        self._refuse(b"431 Request Header Fields Too Large", b"The address or the headers are too long.")

    def _refuse(self, status: bytes, says: bytes) -> None:
        head = b"HTTP/1.1 %b\r\ncontent-type: text/plain\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        self.transport.write(head % (status, len(says)) + says)
        self.transport.close()
