"""An API client and stream listeners for a server in this process, without a network."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
from starlette.applications import Starlette

from signoria.server.app import create_app
from signoria.server.play.service import TableService
from signoria.server.settings import Rates, Settings, rate

UNLIMITED = Rates(**dict.fromkeys(Rates.__struct_fields__, rate("off")))
ROOT = "/api/v1"
BOT = {"kind": "bot", "bot": "muratore"}
ME = {"kind": "me"}


def settings(database: str, **more: Any) -> Settings:
    usual: dict[str, Any] = {"rates": UNLIMITED, "hosts": ("house.test", "127.0.0.1")}
    return Settings(database=database, pace=0, undo_wait=0, **(usual | more))


class Program(NamedTuple):
    """A client with a token, or an anonymous one."""

    http: httpx.AsyncClient
    app: Starlette
    token: str = ""
    user_id: str = ""

    async def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        return await self.http.request(method, ROOT + path, **request)

    async def get(self, path: str, **query: Any) -> Any:
        return told(await self.ask("GET", path, params=query))

    async def post(self, path: str, body: Any = None) -> Any:
        return told(await self.ask("POST", path, json=body))

    async def refused(self, method: str, path: str, status: int, **request: Any) -> dict[str, Any]:
        """The error response to a request."""
        answer = await self.ask(method, path, **request)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        problem: dict[str, Any] = answer.json()
        assert problem["status"] == status
        return problem

    async def open(self, game: str = "patrician", seats: tuple[Any, ...] = (ME, BOT), **more: Any) -> str:
        table = await self.post("/tables", {"game": game, "seats": list(seats), **more})
        return str(table["id"])


def told(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@asynccontextmanager
async def served(app: Starlette) -> AsyncIterator[Callable[..., Awaitable[Program]]]:
    """A running server; the result creates clients with their own token, or anonymous ones without a name."""
    async with app.router.lifespan_context(app), asyncio.timeout(120):
        clients: list[httpx.AsyncClient] = []

        async def program(name: str = "") -> Program:
            made = await program_at(app, name)
            clients.append(made.http)
            return made

        app.state.listeners = []
        yield program
        service_of(app).close()
        for listener in app.state.listeners:
            await listener.told_all
        for client in clients:
            await client.aclose()


async def program_at(app: Starlette, name: str = "") -> Program:
    """A client of a running server."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url="http://house.test")
    if not name:
        return Program(client, app)
    arrived = await app.state.accounts.create_guest("1.2.3.4", name)
    _, token = await app.state.accounts.make_token(arrived.identity, "a program")
    client.headers["Authorization"] = f"Bearer {token}"
    return Program(client, app, token, arrived.identity.user.id)


def new_app(database: str, **more: Any) -> Starlette:
    return create_app(settings(database, **more))


def service_of(app: Starlette) -> TableService:
    found: TableService = app.state.service
    return found


async def play(program: Program, table: str, seat: int, rng: random.Random, steps: int = 10_000) -> dict[str, Any]:
    """Play a seat at random to the end or for a number of steps; return the last response."""
    room = await service_of(program.app).room(table)
    made: dict[str, Any] = {}
    while steps:
        legal = await program.get(f"/tables/{table}/legal", seat=seat)
        if legal["legal"]:
            step = rng.choice(legal["legal"])
            made = await program.post(f"/tables/{table}/steps", {"seat": seat, "n": legal["n"], "step": step})
            steps -= 1
        elif room.row.state != "playing":
            break
        else:
            await room.next_change()
    return made


class Heard(NamedTuple):
    """An event of a stream."""

    id: str
    name: str
    data: Any


class Listener:
    """A listener of a stream that can disconnect."""

    def __init__(self, program: Program, path: str, last: str = "", query: str = "") -> None:
        headers = [(b"host", b"house.test")]
        if program.token:
            headers.append((b"authorization", f"Bearer {program.token}".encode()))
        if last:
            headers.append((b"last-event-id", last.encode()))
        self.scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": ROOT + path,
            "raw_path": (ROOT + path).encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("1.2.3.4", 5),
            "server": ("house.test", 80),
        }
        self.heard: list[Heard] = []
        self.status = 0
        self.ended = False
        self._text = ""
        self._hung_up = asyncio.Event()
        self._news = asyncio.Event()
        program.app.state.listeners.append(self)
        self.told_all = asyncio.ensure_future(program.app(self.scope, self._receive, self._send))

    async def until(self, enough: Callable[[list[Heard]], bool], patience: float = 20) -> list[Heard]:
        """The events, once enough have arrived."""
        async with asyncio.timeout(patience):
            while not enough(self.heard):
                self._news.clear()
                await self._news.wait()
        return self.heard

    async def hang_up(self) -> list[Heard]:
        self._hung_up.set()
        await self.told_all
        return self.heard

    async def _receive(self) -> dict[str, Any]:
        await self._hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif not self._hung_up.is_set():
            self._text += message.get("body", b"").decode()
            self.ended = not message.get("more_body", False)
            *whole, self._text = self._text.split("\n\n")
            self.heard += [heard for block in whole if (heard := _read(block))]
        self._news.set()


def _read(block: str) -> Heard | None:
    fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
    return Heard(fields["id"], fields["event"], json.loads(fields["data"])) if "data" in fields else None
