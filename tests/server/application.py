"""A server for tests: the whole application in this process, and people who use it over HTTP."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.types import Send

from signoria.server.app import create_app
from signoria.server.live.streams import EventStream
from signoria.server.play.service import TableService
from signoria.server.settings import Rates, Settings, rate
from signoria.store.people import User

BASE = "http://house.test"
QUIET = 0.01
"""Seconds without an event after which a waiting stream counts as idle."""
STREAM_WAITS: ContextVar[Callable[[bool], None]] = ContextVar("STREAM_WAITS", default=lambda _: None)
"""Called when a stream has sent everything new, and when it continues."""
wait_for_news = EventStream._wait


async def tell_and_wait(stream: EventStream, send: Send) -> None:
    tell = STREAM_WAITS.get()
    tell(True)
    await wait_for_news(stream, send)
    tell(False)


EventStream._wait = tell_and_wait  # type: ignore[method-assign,assignment]
UNLIMITED = Rates(**dict.fromkeys(Rates.__struct_fields__, rate("off")))


class Person:
    """A person with their own browser."""

    def __init__(self, app: Starlette, user: User | None, cookie: str | None) -> None:
        self.app, self.user = app, user
        self.headers = {"origin": BASE} | ({"cookie": cookie.partition(";")[0]} if cookie else {})
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE, headers=self.headers)

    async def look(self, path: str) -> httpx.Response:
        """A page."""
        return await self.client.get(path)

    async def send(self, path: str, script: Any = False, **fields: Any) -> httpx.Response:
        """Send a form, with or without JavaScript; a list is a repeated field."""
        headers = {"hx-request": "true"} if script else {}
        data = {name: value if isinstance(value, list) else str(value) for name, value in fields.items()}
        answer = await self.client.post(path, data=data, headers=headers)
        if "cookie" in self.headers and "set-cookie" in answer.headers:  # as browsers do
            self.headers["cookie"] = self.client.headers["cookie"] = answer.headers["set-cookie"].partition(";")[0]
        return answer

    async def call(self, path: str, **fields: Any) -> httpx.Response:
        """Send JSON to the API."""
        return await self.client.post(path, json=fields)

    async def first_event(
        self, path: str, last: str = "", until_ended: bool = False, sent: bytearray | None = None
    ) -> bytes:
        """What a stream sends until it is idle or ends.

        Events are also added to `sent` as they arrive.
        """
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        headers += [(b"host", b"house.test"), (b"last-event-id", last.encode())]
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": headers, "client": ("127.0.0.1", 1), "server": ("house.test", 80), "state": {},
        }  # fmt: skip
        sent, quiet = bytearray() if sent is None else sent, asyncio.Event()
        loop, soon = asyncio.get_running_loop(), list[asyncio.TimerHandle]()

        async def receive() -> dict[str, Any]:
            await quiet.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.extend(str(message.get("status", "")).encode() + message.get("body", b""))

        def waits(it_does: bool) -> None:
            while soon:
                soon.pop().cancel()
            if it_does and not until_ended:
                soon.append(loop.call_later(QUIET, quiet.set))

        before = STREAM_WAITS.set(waits)
        try:
            await self.app(scope, receive, send)
        finally:
            STREAM_WAITS.reset(before)
        return bytes(sent)


@asynccontextmanager
async def open_app(database: str, **settings: Any) -> AsyncIterator[tuple[Starlette, TableService]]:
    """The application, started; bots move in it."""
    usual: dict[str, Any] = {"pace": 0, "undo_wait": 0, "rates": UNLIMITED, "hosts": ("house.test", "127.0.0.1")}
    app = create_app(Settings(database=database, **(usual | settings)))
    async with app.router.lifespan_context(app):
        yield app, app.state.service


async def arrive(app: Starlette, name: str | None = None) -> Person:
    """A guest."""
    arrived = await app.state.accounts.create_guest("127.0.0.1", name)
    return Person(app, arrived.identity.user, arrived.cookie)
