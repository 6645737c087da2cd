"""Live pages show the newest version at once and nothing twice, despite lost connections and restarts."""

import asyncio
import gzip
import socket
import struct
import sys
import zlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
import uvicorn
from starlette.applications import Starlette

from signoria.server.live import streams
from signoria.server.live.compression import Payload
from signoria.server.live.streams import EventStream, ServerSentEvent
from signoria.server.run import sockets
from signoria.server.run.http_protocol import HttpProtocol
from signoria.store import steps
from tests.databases import in_loop, opened
from tests.server.application import QUIET, arrive, open_app
from tests.server.application import Person as Looking
from tests.server.processes import PATIENCE, Person, until
from tests.server.processes import start_server as open_process
from tests.server.services import make_step

BOT = "muratore"
HEAD_PATIENCE = 10.0
PLAIN: dict[str, Any] = {"headers": []}


def ids(sent: bytes) -> list[str]:
    """The ids of the events in what a stream sent."""
    return [line.removeprefix("id: ") for line in sent.decode().splitlines() if line.startswith("id: ")]


# What is sent


@in_loop
async def test_stream_sends_the_newest_version_at_once_and_nothing_if_unchanged(database_url: str) -> None:
    rng = Random(1)
    async with open_app(database_url) as (app, service):
        anna = await arrive(app, "Anna")
        opening = await anna.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "device"})
        table = opening.headers["location"].removeprefix("/tables/").partition("?")[0]
        for path in (f"/tables/{table}/stream", "/lobby/stream"):
            first = await anna.first_event(path)
            assert first.startswith(b"200retry: 1000\n\n")
            [known] = ids(first)
            assert ids(await anna.first_event(path, known)) == []
            room = await service.room(table)
            for _ in range(3):  # however much happened meanwhile
                assert room.position is not None
                await make_step(
                    service, room, room.position.table.turn or 0, room.n, rng.choice(room.position.table.legal)
                )
            if path == "/lobby/stream":
                continue  # it says whose turn it is, which may be the same as before
            [newest] = ids(await anna.first_event(path, known))
            assert newest != known
            assert ids(await anna.first_event(path, newest)) == []
            assert ids(await anna.first_event(path, "nonsense")) == [newest]
        await anna.client.aclose()


@in_loop
async def test_test_client_waits_for_all_events() -> None:
    changed = asyncio.Event()

    async def fetch(last: str) -> list[ServerSentEvent]:
        await asyncio.sleep(5 * QUIET)
        if last == "3":
            return []
        changed.set()  # there is more
        return [ServerSentEvent(str(int(last or 0) + 1), Payload("one"))]

    looking = Looking(EventStream(fetch, changed, asyncio.Event(), ""), None, None)  # type: ignore[arg-type]
    assert ids(await looking.first_event("/")) == ["1", "2", "3"]


class Client:
    """A listener of a stream without a network."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.left = asyncio.Event()
        self.got = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message.get("body", b""))
        self.got.set()

    async def until_got(self, wanted: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            while not any(wanted in body for body in self.sent):
                self.got.clear()
                await self.got.wait()


@in_loop
async def test_idle_stream_sends_keepalives_and_ends_when_the_client_leaves() -> None:
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.01)
    client, asked = Client(), 0

    async def fetch(last: str) -> list[ServerSentEvent]:
        nonlocal asked
        asked += 1
        return [] if last else [ServerSentEvent("1", Payload("one\ntwo"))]

    stream = EventStream(fetch, asyncio.Event(), asyncio.Event(), "", keep_alive=b": alive\n\n")
    running = asyncio.create_task(stream(PLAIN, client.receive, client.send))
    await client.until_got(b": alive\n\n")
    assert client.sent[1:3] == [b"retry: 1000\n\n", b"id: 1\ndata: one two\n\n"]
    client.left.set()
    await asyncio.wait_for(running, PATIENCE)
    assert not any(b"closing" in body for body in client.sent)
    monkeypatch.undo()


@in_loop
async def test_stream_ends_with_retry_when_the_server_stops() -> None:
    client, changed, closing = Client(), asyncio.Event(), asyncio.Event()

    async def fetch(last: str) -> list[ServerSentEvent]:
        return [] if last else [ServerSentEvent("1", Payload("one"))]

    running = asyncio.create_task(EventStream(fetch, changed, closing, "")(PLAIN, client.receive, client.send))
    await client.until_got(b"one")
    closing.set()
    changed.set()
    await asyncio.wait_for(running, PATIENCE)
    assert client.sent[-2:] == [b"retry: 1000\n: closing\n\n", b""]


@in_loop
async def test_compressed_stream_has_the_same_events_and_is_readable_after_each() -> None:
    client, changed, closing, page = Client(), asyncio.Event(), asyncio.Event(), Payload("<p>towers</p>" * 500)

    async def fetch(last: str) -> list[ServerSentEvent]:
        return [ServerSentEvent(str(n), page) for n in range(int(last or 0) + 1, 3)]

    scope = {"headers": [(b"accept-encoding", b"br, gzip")]}
    running = asyncio.create_task(EventStream(fetch, changed, closing, "")(scope, client.receive, client.send))
    await client.until_got(page.piece)
    unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
    until_now = unpack.decompress(b"".join(client.sent))
    assert until_now == b"retry: 1000\n\n" + b"".join(b"id: %d\ndata: %b\n\n" % (n, page.plain) for n in (1, 2))
    assert len(b"".join(client.sent)) < len(until_now) / 20
    closing.set()
    changed.set()
    await asyncio.wait_for(running, PATIENCE)
    assert gzip.decompress(b"".join(client.sent)) == until_now + b"retry: 1000\n: closing\n\n"
    assert gzip.decompress(page.whole) == page.plain


@in_loop
async def test_head_request_gets_only_the_headers_of_a_stream(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, _):
        anna = await arrive(app, "Anna")
        table = (await anna.send("/play-now", game="patrician")).headers["location"]
        for path in ("/lobby/stream", f"{table}/stream", f"/api/v1{table}/events"):
            async with asyncio.timeout(HEAD_PATIENCE):
                answer = await anna.client.head(path)
            assert (answer.status_code, answer.content) == (200, b"")
            assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert len(app.state.stream_limiter) == 0
        await anna.client.aclose()


# Clients that are gone


@asynccontextmanager
async def listening_server(database: str, **settings: Any) -> AsyncIterator[tuple[Starlette, str, int]]:
    """A server in this process that listens at a real port, and the id of a table in it."""
    with sockets.listen("127.0.0.1", 0, strict=True) as taking:
        async with open_app(database, **settings) as (app, _):
            config = uvicorn.Config(app, http=HttpProtocol, lifespan="off", log_config=None)
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server._serve([taking]))
            anna = await arrive(app, "Anna")
            made = await anna.send("/play-now", game="patrician")
            await anna.client.aclose()
            while not server.started:
                await asyncio.sleep(0.01)
            try:
                yield app, made.headers["location"].removeprefix("/tables/"), sockets.port_of(taking)
            finally:
                server.should_exit = True
                app.state.service.close()
                await serving


def connected(port: int, table: str) -> socket.socket:
    """A client that requests a stream and hardly reads it."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET /tables/{table}/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return client


async def until_held(app: Starlette, count: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(app.state.stream_limiter) != count:
            await asyncio.sleep(0.01)


@in_loop
async def test_disconnected_client_is_noticed_at_once(sqlite_url: str) -> None:
    async with listening_server(sqlite_url) as (app, table, port):
        for broken in (False, True):
            with await asyncio.to_thread(connected, port, table) as client:
                await until_held(app, 1)
                if broken:  # the connection is reset, not closed
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await until_held(app, 0)
            room = await app.state.service.room(table)
            assert not room.viewers


@in_loop
async def test_a_client_that_breaks_off_with_a_second_request_waiting_is_noticed(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.05)
    async with listening_server(sqlite_url) as (app, table, port):
        with await asyncio.to_thread(connected, port, table) as client:
            await until_held(app, 1)
            client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() * 2)
            await asyncio.sleep(0.1)  # the server reads no further than that
        await until_held(app, 0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there a system can be told when to give up")
@in_loop
async def test_client_that_stops_reading_is_disconnected(sqlite_url: str) -> None:
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(sockets, "GONE_AFTER", 500)
    async with listening_server(sqlite_url) as (app, table, port):
        with await asyncio.to_thread(connected, port, table) as stuck:
            await until_held(app, 1)  # it has got a page that is larger than it takes
            await until_held(app, 0)
            assert stuck.fileno() != -1
        room = await app.state.service.room(table)
        assert not room.viewers
    monkeypatch.undo()


@in_loop
async def test_live_pages_are_counted_and_limited(sqlite_url: str) -> None:
    async with (
        listening_server(sqlite_url, most_streams=2) as (app, table, port),
        httpx.AsyncClient(timeout=PATIENCE) as http,
        AsyncExitStack() as stack,
    ):
        address = f"http://127.0.0.1:{port}/tables/{table}/stream"
        for _ in range(2):
            await stack.enter_async_context(http.stream("GET", address))
        assert (await http.get(address)).status_code == 429
        await stack.aclose()
        await until_held(app, 0)
        async with http.stream("GET", address) as again:
            assert again.status_code == 200


# A server that closes and opens


@pytest.mark.slow
@in_loop
async def test_live_pages_catch_up_after_a_restart(database_url: str, tmp_path: Path) -> None:
    """While bots think, steps are in flight and live pages are open."""
    rng = Random(2)
    service = await asyncio.to_thread(open_process, database_url, tmp_path)
    try:
        async with Person("Anna", service.address) as anna, Person("Bruno", service.address) as bruno:
            table = await anna.open_table("patrician", "me", "device", BOT)
            thinking = await bruno.open_table("il-principe", "me", "architetto", "architetto")
            await bruno.send(f"/tables/{thinking}/resign")
            acknowledged: dict[int, str] = {}

            async def play() -> None:
                while True:
                    for seat in (0, 1):
                        legal = await anna.legal(table, seat)
                        if legal.steps:
                            step = msgspec.json.encode(rng.choice(legal.steps)).decode()
                            answer = await anna.send(f"/tables/{table}/steps", seat=seat, n=legal.n, step=step)
                            if answer.status_code == 200:
                                acknowledged[legal.n] = step

            async with (
                anna.watching(f"/tables/{table}/stream") as live,
                bruno.watching(f"/tables/{thinking}/stream") as other,
                bruno.watching("/lobby/stream") as lobby,
            ):
                shown = await live.next()
                playing = asyncio.create_task(play())
                await live.until(lambda event: len(acknowledged) > 3)
                await other.next()
                assert await asyncio.to_thread(service.stop) == 0
                for stream in (live, other, lobby):
                    await stream.to_end()
                    assert stream.retry == ["1000", "1000"]
                    assert stream.comments[-1] == "closing"
            [ended] = await asyncio.gather(playing, return_exceptions=True)
            assert isinstance(ended, httpx.TransportError)
            async with opened(database_url) as store, store.read() as db:
                kept = {step.n: step.step for step in await steps.steps_of(db, table) if step.by == "person"}
            assert kept.items() >= acknowledged.items()
            assert len(kept) <= len(acknowledged) + 1  # one may have been kept whose answer was lost
            service = await asyncio.to_thread(open_process, database_url, tmp_path, service.port)
            async with anna.watching(f"/tables/{table}/stream", shown.id) as live:
                now = await live.next()
                assert now.id != shown.id
            async with anna.watching(f"/tables/{table}/stream", now.id) as live:
                [seat] = await until(lambda: asked(anna, table))
                legal = await anna.asked(table, seat)
                assert (await anna.step(table, seat, legal.n, rng.choice(legal.steps))).status_code == 200
                following = [await live.next()]
                while int(following[-1].id.partition(".")[0]) <= legal.n:  # a bot may have moved before
                    following.append(await live.next())
                assert now.id not in [event.id for event in following]
    finally:
        service.end()


async def asked(person: Person, table: str) -> list[int]:
    return [seat for seat in (0, 1) if (await person.legal(table, seat)).steps]
