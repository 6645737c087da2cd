"""A house for tests: the whole application in this process, and people who ask it things over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.applications import Starlette

from signoria.server.app import create_app
from signoria.server.house import House
from signoria.server.settings import Rates, Settings, rate
from signoria.store.people import User

BASE = "http://house.test"
UNLIMITED = Rates(**dict.fromkeys(Rates.__struct_fields__, rate("off")))


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, app: Starlette, user: User | None, cookie: str | None) -> None:
        self.app, self.user = app, user
        self.headers = {"origin": BASE} | ({"cookie": cookie.partition(";")[0]} if cookie else {})
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE, headers=self.headers)

    async def look(self, path: str) -> httpx.Response:
        """A page."""
        return await self.client.get(path)

    async def send(self, path: str, script: Any = False, **fields: Any) -> httpx.Response:
        """A form, with or without the page's script; a list is a field that is sent several times."""
        headers = {"hx-request": "true"} if script else {}
        data = {name: value if isinstance(value, list) else str(value) for name, value in fields.items()}
        answer = await self.client.post(path, data=data, headers=headers)
        if "cookie" in self.headers and "set-cookie" in answer.headers:  # as browsers do
            self.headers["cookie"] = self.client.headers["cookie"] = answer.headers["set-cookie"].partition(";")[0]
        return answer

    async def first_event(self, path: str, last: str = "", until_ended: bool = False) -> bytes:
        """What a stream sends until it has nothing more to say for the moment, or until it ends by itself."""
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        headers += [(b"host", b"house.test"), (b"last-event-id", last.encode())]
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": headers, "client": ("127.0.0.1", 1), "server": ("house.test", 80), "state": {},
        }  # fmt: skip
        sent, quiet = bytearray(), asyncio.Event()

        async def receive() -> dict[str, Any]:
            await quiet.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.extend(str(message.get("status", "")).encode() + message.get("body", b""))
            if not until_ended:
                loop.call_later(0.01, quiet.set)

        loop = asyncio.get_running_loop()
        await self.app(scope, receive, send)
        return bytes(sent)


@asynccontextmanager
async def open_house(database: str, **settings: Any) -> AsyncIterator[tuple[Starlette, House]]:
    """The application, started; bots move in it."""
    app = create_app(
        Settings(database=database, **{"pace": 0, "rates": UNLIMITED, "hosts": ("house.test", "127.0.0.1"), **settings})
    )
    async with app.router.lifespan_context(app):
        yield app, app.state.house


async def arrive(app: Starlette, name: str | None = None) -> Person:
    """A guest."""
    arrived = await app.state.accounts.welcome("127.0.0.1", name)
    return Person(app, arrived.who.user, arrived.cookie)
