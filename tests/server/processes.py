"""Houses in processes of their own, as `signoria serve` opens them, and people who reach them over HTTP."""

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
"""Seconds that anything may take on a busy machine; nothing that is tested depends on it."""
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
        """What a power cut does."""
        self.process.kill()
        self.end()

    def stop(self) -> int:
        """Ask it to stop: the exit status, which is 1 if it could not within five seconds."""
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
    """Opens a server, on a port that the system chooses unless one is given; it takes requests when this returns."""
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
    """Wait for something that can be seen by asking; what was seen."""
    async with asyncio.timeout(PATIENCE):
        while not (seen := await holds()):
            await asyncio.sleep(every)
        return seen


class Legal(NamedTuple):
    """What somebody may do in a position; nothing where another is asked."""

    n: int
    over: bool
    steps: list[dict[str, Any]]


class Person:
    """Somebody with a browser. The address may change: several processes keep the same server."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        self.http = httpx.AsyncClient(timeout=PATIENCE)

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
        """A form, sent by the page's script."""
        data = {name.replace("_", "-") if name[:5] == "seat_" else name: str(value) for name, value in fields.items()}
        headers = {"Origin": self.address, "HX-Request": "true"}
        return await self.http.post(self.address + path, data=data, headers=headers)

    async def open_table(self, game: str, *chairs: str, clock: int = 0) -> str:
        """A table; it begins at once when no chair is open."""
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
        """What this seat may do now."""
        found = (await self.look(f"/api/v1/tables/{table}/legal?seat={seat}")).raise_for_status().json()
        return Legal(found["n"], found["turn"] is None, found["legal"])

    async def step(self, table: str, seat: int, n: int, step: dict[str, Any]) -> httpx.Response:
        """Make a step, as a page does."""
        return await self.send(f"/tables/{table}/steps", seat=seat, n=n, step=msgspec.json.encode(step).decode())

    async def asked(self, table: str, seat: int) -> Legal:
        """What this seat may do, as soon as it is asked."""

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
    """Something that a stream sent."""

    id: str
    data: str


class Events:
    """What a stream sends."""

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
        """The first event that is as wanted; those before it are passed over."""
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
