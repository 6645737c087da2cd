"""`signoria serve` in its own processes, and people who use it over HTTP."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from signoria.server.settings import Rates

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""Timeout in seconds for a busy machine; no tested behaviour depends on it."""
SETTINGS = {
    "SIGNORIA_PACE": "0",
    "SIGNORIA_LOG_LEVEL": "warning",
    **{f"SIGNORIA_RATE_{kind.upper()}": "off" for kind in Rates.__struct_fields__},
}


class ServerProcess:
    """A process that serves."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        self.process, self.log = process, log
        assert process.stdout is not None
        self.said = process.stdout.readline()
        found = re.search(r"http://\S+(?=/)", self.said)
        assert found, self.said + log.read_text()
        self.address = found[0]
        self.port = int(found[0].rpartition(":")[2])

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.kill()
        self.end()

    def stop(self) -> int:
        """Stop it and return the exit status, which is 1 if it took more than five seconds."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self.end()
        return status

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def start_server(database: str, folder: Path, port: int = 0) -> ServerProcess:
    """Start a server on the given or a free port, and wait until it accepts requests."""
    log = folder / f"house-{port}-{time.monotonic_ns()}.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "signoria", "serve", "--port", str(port), "--database", database],
            cwd=ROOT,
            env=os.environ | SETTINGS,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    return ServerProcess(process, log)


async def started_servers(database: str, folder: Path, count: int) -> list[ServerProcess]:
    """Several, started at the same time."""
    return await asyncio.gather(*(asyncio.to_thread(start_server, database, folder) for _ in range(count)))


async def until(holds: Callable[[], Coroutine[Any, Any, Any]], every: float = 0.05) -> Any:
    """Poll until a condition holds; return the value."""
    async with asyncio.timeout(PATIENCE):
        while not (seen := await holds()):
            await asyncio.sleep(every)
        return seen


class Legal(NamedTuple):
    """The legal steps of a person in a position; empty out of turn."""

    n: int
    over: bool
    steps: list[dict[str, Any]]


class Person:
    """A person with a browser, who may switch between processes of the same server."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        self.http = httpx.AsyncClient(timeout=PATIENCE, verify=False)  # no TLS here

    async def __aenter__(self) -> "Person":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    def at(self, address: str) -> "Person":
        """The same person, at another process."""
        twin = Person(self.name, address)
        twin.http = self.http
        return twin

    async def look(self, path: str) -> httpx.Response:
        return await self.http.get(self.address + path)

    async def send(self, path: str, **fields: object) -> httpx.Response:
        """Send a form as the page's script does."""
        data = {name.replace("_", "-") if name[:5] == "seat_" else name: str(value) for name, value in fields.items()}
        headers = {"Origin": self.address, "HX-Request": "true"}
        return await self.http.post(self.address + path, data=data, headers=headers)

    async def open_table(self, game: str, *chairs: str, clock: int = 0) -> str:
        """Open a table; it starts at once if no seat is open."""
        seats = {f"seat_{place}": chair for place, chair in enumerate(chairs)}
        answer = await self.send("/tables", game=game, seats=len(chairs), clock=clock, name=self.name, **seats)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/tables/").partition("?")[0]

    async def sit(self, table: str, seat: int) -> None:
        answer = await self.send(f"/tables/{table}/sit", seat=seat, name=self.name)
        assert answer.status_code == 200, answer.text

    async def facts(self, table: str) -> dict[str, Any]:
        return (await self.look(f"/api/v1/tables/{table}")).raise_for_status().json()  # type: ignore[no-any-return]

    async def legal(self, table: str, seat: int) -> Legal:
        """The legal steps of this seat."""
        found = (await self.look(f"/api/v1/tables/{table}/legal?seat={seat}")).raise_for_status().json()
        return Legal(found["n"], found["turn"] is None, found["legal"])

    async def step(self, table: str, seat: int, n: int, step: dict[str, Any]) -> httpx.Response:
        """Make a step, as a page does."""
        return await self.send(f"/tables/{table}/steps", seat=seat, n=n, step=msgspec.json.encode(step).decode())

    async def asked(self, table: str, seat: int) -> Legal:
        """Wait for this seat's turn; return its legal steps."""

        async def may_act() -> Legal | None:
            legal = await self.legal(table, seat)
            return legal if legal.steps else None

        return await until(may_act, every=0.01)  # type: ignore[no-any-return]

    @asynccontextmanager
    async def watching(self, path: str, last: str = "") -> AsyncIterator["Events"]:
        """A live page."""
        headers = {"Last-Event-ID": last} if last else {}
        async with self.http.stream("GET", self.address + path, headers=headers) as response:
            assert response.status_code == 200
            yield Events(response)


class Event(NamedTuple):
    """An event of a stream."""

    id: str
    data: str


class Events:
    """The events of a stream."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()
        self.comments: list[str] = []
        self.retry: list[str] = []

    async def next(self) -> Event:
        """The next event; raises `StopAsyncIteration` where the stream ends."""
        async with asyncio.timeout(PATIENCE):
            name = ""
            data: list[str] = []
            while True:
                line = await anext(self._lines)
                field, _, value = line.partition(":")
                value = value.removeprefix(" ")
                match field:
                    case "":
                        if line:
                            self.comments.append(value)
                        elif data:
                            return Event(name, "\n".join(data))
                    case "id":
                        name = value
                    case "data":
                        data.append(value)
                    case "retry":
                        self.retry.append(value)

    async def until(self, wanted: Callable[[Event], bool]) -> Event:
        """The first event that matches; earlier ones are skipped."""
        async with asyncio.timeout(PATIENCE):
            while not wanted(event := await self.next()):
                pass
        return event

    async def to_end(self) -> list[Event]:
        """Everything until the stream ends."""
        found: list[Event] = []
        while True:
            try:
                found.append(await self.next())
            except StopAsyncIteration:
                return found
