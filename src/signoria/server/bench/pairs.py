"""Two players at a table, each with a live page, who press random buttons."""

import asyncio
import html
import re
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from signoria.server.bench.client import Answer, BenchClient, Watcher

BUTTON = re.compile(rb'<button\b[^>]*\bname="step"[^>]*>')
VALUE = re.compile(rb"""value=(?:'([^']*)'|"([^"]*)")""")
_numbers = count(1)


class Pair:
    """A table for two."""

    def __init__(self, game: str, rng: Random, client: BenchClient | None = None) -> None:
        self.game, self._rng = game, rng
        self.client = client or BenchClient(0)
        self.id = ""
        self.over = False
        self._cookies = ["", ""]
        self._viewers: list[Watcher] = []
        self._shown = [-1, -1]
        self._awaited: list[tuple[int, asyncio.Future[float]] | None] = [None, None]
        self._asked, self._page = 0, b""

    @property
    def cookie(self) -> str:
        """The session of the player in the first seat."""
        return self._cookies[0]

    async def open(self) -> None:
        """Open the table, sit down and start."""
        form = {"game": self.game, "seats": 2, "seat-0": "me", "seat-1": "open", "clock": 0, "access": "open"}
        answer = await self._post("/tables", 0, {**form, "name": f"bench-{next(_numbers)}"}, 303)
        self.id, self.over = answer.header("location").rpartition("/")[2], False
        await self._post(f"/tables/{self.id}/sit", 1, {"seat": 1, "name": f"bench-{next(_numbers)}"}, 200)
        await self._post(f"/tables/{self.id}/start", 0, {}, 200)

    async def look(self) -> None:
        """Open both live pages, and wait until they show the table."""
        self._shown = [-1, -1]
        shown = [self._until(seat, 0) for seat in range(2)]
        for seat, cookie in enumerate(self._cookies):
            path = f"/tables/{self.id}/stream?seat={seat}"
            self._viewers.append(await self.client.watch(path, cookie, self._seen_by(seat)))
        for one in shown:
            await one

    async def glance(self) -> None:
        """View the table's page once, as a visitor."""
        answer = await self.client.get(f"/tables/{self.id}")
        if answer.status != 200:
            raise RuntimeError(f"/tables/{self.id}: {answer.status}")

    def leave(self) -> None:
        """Close both live pages."""
        for viewer in self._viewers:
            viewer.close()
        self._viewers = []

    async def step(self, began: float) -> float:
        """Make a random step; returns the seconds from `began` until the other page had received all of it."""
        mover, n, step = self._asked, self._shown[self._asked], self._rng.choice(_pressable(self._page))
        own, other = self._until(mover, n + 1), self._until(1 - mover, n + 1)
        await self._post(f"/tables/{self.id}/steps", mover, {"seat": mover, "n": n, "step": step}, 200)
        await own
        return await other - began

    def _until(self, seat: int, n: int) -> "asyncio.Future[float]":
        """When the page of a seat received version `n`."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._awaited[seat] = n, future
        return future

    def _seen_by(self, seat: int) -> Callable[[int, bytes, float], None]:
        def seen(n: int, page: bytes, at: float) -> None:
            self._shown[seat] = n
            head = page[:400]
            if b" my-turn" in head:
                self._asked, self._page = seat, page
            self.over = self.over or b" is-over" in head
            awaited = self._awaited[seat]
            if awaited and n >= awaited[0]:
                self._awaited[seat] = None
                awaited[1].set_result(at)

        return seen

    async def _post(self, path: str, seat: int, fields: dict[str, Any], status: int) -> Answer:
        answer = await self.client.post(path, self._cookies[seat], fields)
        if answer.status != status:
            raise RuntimeError(f"{path} with {fields}: {answer.status}, not {status}")
        if not self._cookies[seat]:
            self._cookies[seat] = answer.header("set-cookie").partition(";")[0]
        return answer


def _pressable(page: bytes) -> list[str]:
    """The steps of all enabled buttons of a page."""
    values = (VALUE.search(button) for button in BUTTON.findall(page) if b"aria-disabled" not in button)
    return [html.unescape((value[1] or value[2]).decode()) for value in values if value]
