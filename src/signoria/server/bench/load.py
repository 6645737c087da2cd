"""Steps at many tables: at a fixed rate, or as many as the server can take."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from random import Random
from time import perf_counter, process_time
from typing import Any

from signoria.games import GAMES
from signoria.server.bench.client import BenchClient
from signoria.server.bench.figures import Load
from signoria.server.bench.pairs import Pair
from signoria.server.bench.process import BenchServer

OPENING = 16
"""Tables opened at the same time."""
PATIENCE = 60.0
"""Seconds after which a missing step is an error."""
Tick = Callable[[], None]


class LoadGenerator:
    """All tables and their steps."""

    def __init__(self, tables: int, rng: Random) -> None:
        self._rng = rng
        games = tuple(GAMES)
        self.pairs = [Pair(games[i % len(games)], rng) for i in range(tables)]
        self._server: BenchServer
        self._ready: list[Pair] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None
        self._taken: list[float] = []
        self._finished = 0

    def go_to(self, server: BenchServer, client: BenchClient) -> None:
        """Connect to a server, which may already know the tables."""
        self._server = server
        for pair in self.pairs:
            pair.client = client

    async def glance(self, tick: Tick) -> None:
        """View every table's page once."""
        await self._each(Pair.glance, tick)

    async def open(self, tick: Tick) -> None:
        """Open all tables."""
        await self._each(Pair.open, tick)

    async def look(self, tick: Tick) -> None:
        """Open all live pages."""
        await self._each(Pair.look, tick)
        self._ready = list(self.pairs)

    async def leave(self) -> None:
        """Close all live pages and connections."""
        for pair in self.pairs:
            pair.leave()
            pair.client.hang_up()
        await asyncio.sleep(0.1)

    async def _each(self, what: Callable[[Pair], Awaitable[None]], tick: Tick) -> None:
        left = iter(self.pairs)

        async def work() -> None:
            for pair in left:
                await what(pair)
                tick()

        await asyncio.gather(*(work() for _ in range(OPENING)))

    async def at_rate(self, rate: float, seconds: float, tick: Tick) -> Load:
        """Send steps at random times at a fixed rate; measured from when each was due."""
        began = perf_counter()
        watch = self._begin()
        due = began
        while True:
            due += self._rng.expovariate(rate)
            if max(due, perf_counter()) >= began + seconds:
                break
            if (wait := due - perf_counter()) > 0:
                await asyncio.sleep(wait)
            self._start(self._step(await self._take(), due))
            tick()
        await asyncio.sleep(max(0.0, began + seconds - perf_counter()))
        return await self._end(watch, rate, None)

    async def at_once(self, many: int, seconds: float, tick: Tick) -> Load:
        """Keep this many steps in flight."""
        watch = self._begin()
        ends = perf_counter() + seconds

        async def work() -> None:
            while (now := perf_counter()) < ends:
                await self._step(await self._take(), now)
                tick()

        await asyncio.gather(*(work() for _ in range(many)))
        return await self._end(watch, None, many)

    async def _take(self) -> Pair:
        """A table where a step is possible."""
        while not self._ready and not self._failed:
            await asyncio.sleep(0.001)
        if self._failed:
            raise self._failed
        place = self._rng.randrange(len(self._ready))
        self._ready[place], self._ready[-1] = self._ready[-1], self._ready[place]
        return self._ready.pop()

    async def _step(self, pair: Pair, due: float) -> None:
        self._taken.append(await pair.step(due))
        if pair.over:
            self._finished += 1
            self._start(self._renew(pair))
        else:
            self._ready.append(pair)

    async def _renew(self, pair: Pair) -> None:
        """Replace a finished game with a new one."""
        pair.leave()
        await pair.open()
        await pair.look()
        self._ready.append(pair)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._failed = self._failed or task.exception()

    def _begin(self) -> tuple[float, float, float]:
        self._taken, self._finished = [], 0
        return perf_counter(), self._server.core_seconds, process_time()

    async def _end(self, began: tuple[float, float, float], rate: float | None, many: int | None) -> Load:
        seconds, cores, own = perf_counter() - began[0], self._server.core_seconds - began[1], process_time() - began[2]
        finished, accepted = self._finished, len(self._taken)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        if self._tasks or self._failed:
            raise self._failed or TimeoutError(f"{len(self._tasks)} steps did not come through in {PATIENCE} s")
        taken = sorted(self._taken)
        return Load(
            asked_per_second=rate,
            at_once=many,
            seconds=seconds,
            steps=accepted,
            steps_per_second=accepted / seconds,
            p50_ms=1000 * taken[len(taken) // 2],
            p99_ms=1000 * taken[int(len(taken) * 0.99)],
            most_ms=1000 * taken[-1],
            games_finished=finished,
            server_core=cores / seconds,
            generator_core=own / seconds,
            server_ms_per_step=1000 * cores / accepted,
        )
