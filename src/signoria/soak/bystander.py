"""Normal users who view pages and play while faults happen, and record how long they wait."""

import asyncio
from math import inf
from random import Random
from time import perf_counter

from signoria.soak.client import HOME, NoAnswer
from signoria.soak.games import FIRST
from signoria.soak.players import BOT, Person, Refused

PAUSE = 0.05
"""Seconds between requests: far fewer requests than one address may send, even on a fast machine."""
LONGER = 20
"""Extra seconds to play until a bot has moved."""


class Bystander:
    """A user who plays against a bot and views pages in between."""

    def __init__(self, name: str, port: int, address: str = HOME, rng: Random | None = None) -> None:
        self.person = Person(name, port, address, pause=PAUSE)
        self.rng = rng or Random(name)
        self.waits: list[float] = []
        """Seconds until each response."""
        self.bot_waits: list[float] = []
        """Seconds from the end of the user's turn until their next turn."""
        self.errors: list[str] = []
        self._table = ""

    async def arrive(self) -> None:
        """Open a first table."""
        await self.person.arrive()
        await self._open()

    async def _open(self) -> None:
        self._table = await self.person.open_table(FIRST, "me", BOT)

    async def live(self) -> None:
        """View pages and play until cancelled."""
        while True:
            try:
                await self._turn()
            except (NoAnswer, Refused) as error:
                self.errors.append(str(error))
            await asyncio.sleep(PAUSE)

    async def for_a_while(self, seconds: float, *, for_a_bot: bool = False) -> None:
        """View pages and play for this long, or longer until a bot has moved, if that is wanted."""
        living = asyncio.create_task(self.live())
        await asyncio.sleep(seconds)
        for _ in range(LONGER):
            if not for_a_bot or self.bot_waits or living.done():
                break
            await asyncio.sleep(1.0)
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)

    async def _turn(self) -> None:
        for path in ("/", f"/tables/{self._table}"):
            await self._timed_get(path)
            await asyncio.sleep(PAUSE)
        legal = await self.person.asked(self._table, 0)
        if legal.over:
            await self._open()
            return
        began = perf_counter()
        answer = await self.person.do(self._table, "steps", seat=0, n=legal.n, step=self.rng.choice(legal.steps))
        self.waits.append(perf_counter() - began)
        if answer.status >= 500:
            self.errors.append(f"a move was answered with {answer.status}")
        after = await self.person.legal(self._table, 0)
        if not after.steps and not after.over:
            came = perf_counter()
            await self.person.asked(self._table, 0)
            self.bot_waits.append(perf_counter() - came)

    async def _timed_get(self, path: str) -> None:
        began = perf_counter()
        answer = await self.person.client.get(path)
        self.waits.append(perf_counter() - began)
        if answer.status != 200:
            self.errors.append(f"{path} was answered with {answer.status}")


def percentile(values: list[float], share: float) -> float:
    """The quantile of the values; infinite if there are none, because nothing was answered."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else inf
