"""Turns for work that only one task may do at a time, shared fairly between addresses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from signoria.server.play.fair_queue import FairQueue, Limit, Owner

WORK = "work"
"""The only kind of work in the queue."""


class TooManyWait(Exception):
    """So many wait that the newest of the address with the most waiting was refused."""


class FairTurns:
    """Gives turns one at a time: next to the address that has used least."""

    def __init__(self, most_waiting: int) -> None:
        self._queue = FairQueue({WORK: Limit(most_waiting)})
        self._taken = False

    def __len__(self) -> int:
        """How many wait."""
        return len(self._queue)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context; raises `TooManyWait`."""
        loop, owner = asyncio.get_running_loop(), Owner(WORK, address, "")
        called: asyncio.Future[None] = loop.create_future()
        displaced: asyncio.Future[None] | None = self._queue.put(owner, called)
        if displaced is called:
            raise TooManyWait
        if displaced is not None and not displaced.done():
            displaced.set_exception(TooManyWait())
        self._call_next()
        try:
            await called
        except asyncio.CancelledError:
            waits = self._queue.remove(owner, called)
            if not waits and called.done() and not called.cancelled() and called.exception() is None:
                self._end(owner, 0.0)  # it was called in the same moment
            raise
        began = loop.time()
        try:
            yield
        finally:
            self._end(owner, loop.time() - began)

    def _call_next(self) -> None:
        while not self._taken and (found := self._queue.next()):
            owner, called = found
            if called.done():  # its task was cancelled, and has not run since
                self._queue.done(owner, 0.0)
            else:
                self._taken = True
                called.set_result(None)

    def _end(self, owner: Owner, seconds: float) -> None:
        self._queue.done(owner, seconds)
        self._taken = False
        self._call_next()
