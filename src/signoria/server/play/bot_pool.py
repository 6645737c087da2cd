"""The threads in which bots think, and the queue for them. Time counts from when thinking begins.

To let a bot think, get a ticket (`ask`), wait for its turn (`async with`), and then think (`run`). A thread that does
not answer in time is replaced, so that one hung bot blocks nobody. Stuck threads are counted, and beyond a limit they
are no longer replaced.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread, get_native_id
from types import TracebackType
from typing import Any, Self, TypeVar

from signoria.server.play.fair_queue import FairQueue, Limit, Owner
from signoria.server.run.metrics import Metrics

WATCHED, UNWATCHED, HINTS = "watched", "unwatched", "hints"
GRACE = 1.0
"""Seconds within which an abandoned bot has to answer."""
NICENESS = 10
"""Niceness of these threads: while many bots think, pages are still answered at once."""
SPARE = 8
"""How many stuck threads are replaced, beyond the number that think at the same time."""

Answer = TypeVar("Answer")
log = logging.getLogger("signoria.bot_pool")


class QueueFull(Exception):
    """The queue is full, or the place went to a ticket that waits for less."""


class NoThread(Exception):
    """Too many threads are stuck, so none is free."""


def queue_limits(threads: int) -> dict[str, Limit]:
    """How many of each kind may wait for this many threads, and how they share them."""
    return {
        WATCHED: Limit(waiting=64 * threads, weight=8.0),
        UNWATCHED: Limit(waiting=4 * threads, weight=1.0),  # few, so that other processes get their share
        HINTS: Limit(waiting=8 * threads, weight=4.0),
    }


class _BotThread:
    """One thread. It never keeps the process from ending."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[asyncio.Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        Thread(target=self._work, name="bot", daemon=True).start()

    def begin(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        """The future of the answer."""
        future = asyncio.get_running_loop().create_future()
        self._jobs.put((future, work))
        return future

    def end(self) -> None:
        """End the thread when it has nothing left to do."""
        self._jobs.put(None)

    def _work(self) -> None:
        if sys.platform == "linux":  # elsewhere it would apply to the whole process
            os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)
        while job := self._jobs.get():
            future, work = job
            answer: Any = None
            error: Exception | None = None
            try:
                answer = work()
            except Exception as raised:
                error = RuntimeError("StopIteration") if isinstance(raised, StopIteration) else raised
            except BaseException as raised:  # an error that would end the process only ends this thought
                error = RuntimeError(f"{type(raised).__name__} was raised")
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                future.get_loop().call_soon_threadsafe(_settle, future, answer, error)
            del job, future, work, answer, error


def _settle(future: asyncio.Future[Any], answer: Any, error: Exception | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(answer)
    else:
        future.set_exception(error)
        future.exception()  # mark as seen, even if nobody waits any more


class Ticket:
    """A place in the queue, and then a turn to think. Leave it by leaving its `async with`, or with `leave`."""

    def __init__(self, bot_pool: "BotPool", owner: Owner) -> None:
        self.owner = owner
        self.stop = Event()
        """Set when the answer is wanted at once."""
        self.called = asyncio.get_running_loop().create_future()
        """Done when it is this ticket's turn."""
        self._bot_pool = bot_pool
        self._asked = asyncio.get_running_loop().time()
        self._began: float | None = None
        self._left = False

    async def __aenter__(self) -> Self:
        try:
            await asyncio.shield(self.called)
        except BaseException:
            self.leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def begin(self) -> None:
        """It is this ticket's turn."""
        self._began = asyncio.get_running_loop().time()
        self._bot_pool.metrics.bot_wait.labels(self.owner.kind).observe(self._began - self._asked)
        self.called.set_result(None)

    def displace(self) -> None:
        """It loses its place to a ticket that waits for less."""
        self._left = True
        self.called.set_exception(QueueFull())
        self.called.exception()

    def leave(self) -> None:
        """Give up the place or the turn; a second call does nothing."""
        if self._left:
            return
        self._left = True
        seconds = None if self._began is None else asyncio.get_running_loop().time() - self._began
        self._bot_pool.left(self, seconds)

    async def run(
        self, work: Callable[[], Answer], seconds: float, answered_late: Callable[[], None] | None = None
    ) -> Answer:
        """Think for at most this long; raises `TimeoutError` or `NoThread`, and any error of the work.

        A late answer is dropped, but `answered_late` is called, because the thread is free again.
        """
        return await self._bot_pool.run(self, work, seconds, answered_late)


class BotPool:
    """The threads of a process in which bots think, and their queue."""

    def __init__(self, threads: int, metrics: Metrics, limits: Mapping[str, Limit] | None = None) -> None:
        self.metrics = metrics
        self._size = threads
        self._most_hints = max(1, threads // 2)
        self._limits = limits or queue_limits(threads)
        self._queue = FairQueue(self._limits, most_at_once=max(1, threads - 1))
        self._tickets: set[Ticket] = set()
        """Tickets that have a turn."""
        self._resting: list[_BotThread] = []
        self._stuck: set[_BotThread] = set()
        self._threads = 0
        self._hurried = False
        self._closed = False

    @property
    def free(self) -> int:
        """Idle threads."""
        return 0 if len(self._queue) else max(0, self._capacity - len(self._tickets))

    @property
    def tickets_left(self) -> int:
        """How many more tables without viewers may be taken on: to run at once, and to wait."""
        return self.free + self._limits[UNWATCHED].waiting - self._queue.waiting(UNWATCHED)

    @property
    def stuck(self) -> int:
        """Threads that did not answer in time and still do not."""
        return len(self._stuck)

    @property
    def _capacity(self) -> int:
        return self._size - max(0, len(self._stuck) - self._size - SPARE)

    def waiting(self, kind: str, address: str | None = None, person: str | None = None) -> int:
        """How many wait: of a kind, of an address, of a person there."""
        return self._queue.waiting(kind, address, person)

    def ask(self, kind: str, address: str, person: str) -> Ticket:
        """A ticket in the queue of a kind; raises `QueueFull`."""
        if self._closed:
            raise QueueFull
        ticket = Ticket(self, Owner(kind, address, person))
        displaced: Ticket | None = self._queue.put(ticket.owner, ticket)
        if displaced is ticket:
            raise QueueFull
        if displaced is not None:
            displaced.displace()
        self._call_next()
        return ticket

    def change_kind(self, ticket: Ticket, kind: str) -> None:
        """Move a waiting ticket to another kind, if there is room."""
        if ticket.owner.kind == kind or not self._queue.remove(ticket.owner, ticket):
            return
        ticket.owner = ticket.owner._replace(kind=kind)
        displaced: Ticket | None = self._queue.put(ticket.owner, ticket)
        if displaced is not None:
            displaced.displace()
        self._call_next()

    def left(self, ticket: Ticket, seconds: float | None) -> None:
        """A ticket gave up its place, or its turn after this many seconds."""
        if seconds is None:
            self._queue.remove(ticket.owner, ticket)
        else:
            self._tickets.discard(ticket)
            self._queue.done(ticket.owner, seconds)
        self._call_next()

    async def run(
        self, ticket: Ticket, work: Callable[[], Answer], seconds: float, answered_late: Callable[[], None] | None
    ) -> Answer:
        """Give free turns to waiting tickets."""
        worker = self._worker()
        answer = worker.begin(work)
        try:
            await asyncio.wait([answer], timeout=seconds)
        except BaseException:
            if not ticket.stop.is_set():  # earlier tickets have had time to start
                ticket.stop.set()
                await asyncio.wait([answer], timeout=GRACE)
            raise
        finally:
            if answer.done():
                self._rest(worker)
            else:
                ticket.stop.set()
                self._lose(worker, answer, answered_late)
        if not answer.done():
            raise TimeoutError
        result: Answer = answer.result()
        return result

    def hurry(self) -> None:
        """Tell all bots that think, or start to, to answer at once."""
        self._hurried = True
        for ticket in self._tickets:
            ticket.stop.set()

    def close(self) -> None:
        """Stop thinking here; stuck threads end with the process."""
        self._closed = True
        self.hurry()
        for worker in self._resting:
            worker.end()
        self._resting.clear()

    def _call_next(self) -> None:
        while len(self._tickets) < self._capacity:
            hints = sum(ticket.owner.kind == HINTS for ticket in self._tickets)
            found = self._queue.next(without=(HINTS,) if hints >= self._most_hints else ())
            if found is None:
                break
            self._tickets.add(found[1])
            if self._hurried:
                found[1].stop.set()
            found[1].begin()
        for kind in (WATCHED, UNWATCHED, HINTS):
            self.metrics.bots_waiting.labels(kind).set(self._queue.waiting(kind))

    def _worker(self) -> _BotThread:
        if self._resting:
            return self._resting.pop()
        if self._threads >= 2 * self._size + SPARE:
            raise NoThread(f"Stuck threads of bots: {len(self._stuck)}.")
        self._threads += 1
        return _BotThread()

    def _rest(self, worker: _BotThread) -> None:
        if self._closed or len(self._resting) >= self._size:
            self._threads -= 1
            worker.end()
        else:
            self._resting.append(worker)

    def _lose(self, worker: _BotThread, answer: asyncio.Future[Any], answered_late: Callable[[], None] | None) -> None:
        """A thread did not answer in time: another replaces it until it does."""

        def found(_: object) -> None:
            self._stuck.discard(worker)
            self.metrics.bot_threads_stuck.set(len(self._stuck))
            self._rest(worker)
            if answered_late:
                answered_late()
            self._call_next()

        self._stuck.add(worker)
        self.metrics.bot_threads_stuck.set(len(self._stuck))
        log.error(
            "a bot does not answer and blocks a thread; stuck threads: %d%s",
            len(self._stuck),
            "" if len(self._stuck) <= self._size + SPARE else "; they will not be replaced: restart the server",
        )
        answer.add_done_callback(found)
