"""Requests of one address wait for each other but not for other addresses."""

import asyncio
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from signoria.server.guard.concurrency import ConcurrencyLimitMiddleware, give_back_turn
from tests.databases import in_loop

MOST = 2


class App:
    """Answers requests when the test says so, and records their order."""

    def __init__(self) -> None:
        self.arrived: list[str] = []
        self.may_answer: dict[str, asyncio.Event] = {}
        self.may_end = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        self.arrived.append(path)
        if "hint" in path:
            give_back_turn(scope)
        await self.may_answer.setdefault(path, asyncio.Event()).wait()
        if "broken" in path:
            raise RuntimeError("broken")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await self.may_end.wait()
        await send({"type": "http.response.body", "body": b""})


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class Visits:
    """Send requests to the application behind the middleware."""

    def __init__(self) -> None:
        self.app = App()
        self.turns = ConcurrencyLimitMiddleware(self.app, most=MOST)
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, path: str, host: str = "192.0.2.1") -> None:
        async def receive() -> Message:
            raise AssertionError("nothing is received")

        async def send(message: Message) -> None: ...

        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "client": (host, 1)}
        self.tasks[path] = asyncio.create_task(self.turns(scope, receive, send))
        await settle()

    async def answer(self, path: str) -> None:
        self.app.may_answer[path].set()
        await settle()

    async def cancel(self, path: str) -> None:
        self.tasks[path].cancel()
        await settle()


@in_loop
async def test_concurrent_requests_are_limited_and_others_wait_in_order() -> None:
    visits = Visits()
    for path in ("/1", "/2", "/3", "/4"):
        await visits.ask(path)
    assert visits.app.arrived == ["/1", "/2"]
    await visits.ask("/other", "192.0.2.2")
    assert visits.app.arrived == ["/1", "/2", "/other"]
    await visits.answer("/2")
    assert visits.app.arrived[3:] == ["/3"]
    await visits.answer("/1")
    assert visits.app.arrived[4:] == ["/4"]


@in_loop
async def test_live_page_releases_its_slot_once_its_response_begins() -> None:
    visits = Visits()
    for path in ("/1", "/2", "/3"):
        await visits.ask(path)
        await visits.answer(path)
    assert visits.app.arrived == ["/1", "/2", "/3"]
    assert not any(task.done() for task in visits.tasks.values())
    assert len(visits.turns) == 0


@in_loop
async def test_failed_and_cancelled_requests_release_their_slot() -> None:
    visits = Visits()
    for path in ("/broken", "/2", "/3", "/4", "/5"):
        await visits.ask(path)
    await visits.cancel("/3")
    await visits.answer("/broken")
    assert visits.app.arrived == ["/broken", "/2", "/4"]
    assert isinstance(visits.tasks["/broken"].exception(), RuntimeError)
    await visits.cancel("/2")
    assert visits.app.arrived[3:] == ["/5"]
    for path in ("/4", "/5"):
        await visits.answer(path)
    assert len(visits.turns) == 0


@in_loop
async def test_request_cancelled_when_its_turn_comes_passes_the_slot_on() -> None:
    visits = Visits()
    for path in ("/1", "/2", "/3", "/4"):
        await visits.ask(path)
    visits.app.may_answer["/1"].set()
    while visits.turns._waiting and len(visits.turns._waiting["192.0.2.1"]) == 2:
        await asyncio.sleep(0)
    await visits.cancel("/3")
    await visits.answer("/2")
    assert "/4" in visits.app.arrived


@in_loop
async def test_requests_cancelled_in_the_same_moment_keep_no_slot() -> None:
    visits = Visits()
    for path in ("/1", "/2", "/3", "/4", "/5"):
        await visits.ask(path)
    for path in ("/1", "/3", "/4"):
        visits.tasks[path].cancel()
    await settle()
    assert visits.tasks["/1"].cancelled() and visits.app.arrived == ["/1", "/2", "/5"]
    for path in ("/2", "/5"):  # as when the server stops
        visits.tasks[path].cancel()
    await settle()
    assert all(task.cancelled() for task in visits.tasks.values())
    assert len(visits.turns) == 0


@in_loop
async def test_health_check_does_not_wait_for_a_slot() -> None:
    visits = Visits()
    for path in ("/1", "/2", "/healthz", "/metrics"):
        await visits.ask(path)
    assert visits.app.arrived == ["/1", "/2", "/healthz", "/metrics"]


@in_loop
async def test_slowly_arriving_request_holds_no_slot() -> None:
    visits = Visits()
    arrives = asyncio.Event()

    async def receive() -> Message:
        await arrives.wait()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None: ...

    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/slow", "client": ("192.0.2.1", 1)}
    slow = [asyncio.create_task(visits.turns(scope, receive, send)) for _ in range(MOST)]
    await visits.ask("/1")
    assert visits.app.arrived == ["/1"]
    arrives.set()
    await settle()
    assert visits.app.arrived == ["/1", "/slow"]
    visits.app.may_end.set()
    await visits.answer("/1")
    await visits.answer("/slow")
    await asyncio.gather(*slow)


@in_loop
async def test_a_request_that_waits_for_a_bot_keeps_no_turn() -> None:
    visits = Visits()
    for path in ("/hint/1", "/hint/2", "/hint/3", "/1", "/2", "/3"):
        await visits.ask(path)
    assert visits.app.arrived == ["/hint/1", "/hint/2", "/hint/3", "/1", "/2"]
    await visits.answer("/hint/1")  # its turn is given back once
    assert "/3" not in visits.app.arrived
    await visits.answer("/1")
    assert visits.app.arrived[-1] == "/3"
    for task in visits.tasks.values():
        task.cancel()
    await settle()
    assert len(visits.turns) == 0
