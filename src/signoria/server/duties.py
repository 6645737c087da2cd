"""What the house does by itself: bots' turns, clocks that run out, tables that nobody came to.

What is due stands in the store, so a crash loses no turn; whoever claims it first does it, in whatever process.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import SystemRandom
from threading import Event
from typing import Any

from signoria.bots import Adviser, Budget, Explanation, Seated, find_bot
from signoria.kernel.errors import SignoriaError
from signoria.server import absence, bidding, seating
from signoria.server.errors import OtherRules, StaleVersion
from signoria.server.hints import STRONGEST
from signoria.server.house import House
from signoria.server.room import Room
from signoria.store import people, tables

LEASE = 6_000
"""Milliseconds after which a claimed duty is free for others: its process must have died."""
RENEW = 2.0
"""Seconds between two renewals of the claims of whoever still thinks."""
PATIENCE = 20.0
"""Seconds that a bot may think before a simpler one answers in its place."""
POLL = 1.0
"""Seconds between two looks into the store when nothing is known to be due: other processes leave work too."""
GRACE = 2.0
"""Seconds in which running steps are finished when the house closes."""
CHORES = 60.0
"""Seconds between two rounds of tidying up."""
HOUR = 3600_000
SIMPLE = "muratore"

log = logging.getLogger("signoria.duties")


class Duties:
    """The part of a house that acts unasked."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._threads = ThreadPoolExecutor(house.settings.bot_threads, thread_name_prefix="bot")
        self._stop = Event()
        self.acting: set[asyncio.Task[None]] = set()
        self._claimed: dict[str, tuple[int, int]] = {}
        """By table: at which step its duty was claimed, and until when."""
        self._next_guest: tuple[int, str] | None = None
        """Where looking for guests who never came back goes on."""

    async def run(self) -> None:
        """Act until the house closes."""
        beside = [asyncio.create_task(self._chores()), asyncio.create_task(self._keep_claims())]
        try:
            while not self.house.closing.is_set():
                try:
                    wait = await self.look()
                except Exception:
                    log.exception("looking for duties failed; trying again")
                    wait = POLL
                await self._wait(wait)
        finally:
            for task in beside:
                task.cancel()

    async def stop(self) -> None:
        """Tell bots that think to answer at once, let running steps finish, and leave the rest to others."""
        self._stop.set()
        if self.acting:
            await asyncio.wait(self.acting, timeout=GRACE)
        for task in self.acting:
            task.cancel()
        await asyncio.gather(*self.acting, return_exceptions=True)
        with suppress(Exception):  # then it is free when the claim has run out
            await self._renew(self.house.now())
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.house.due.wait(), seconds)
        self.house.due.clear()

    async def look(self) -> float:
        """Begin whatever is due; seconds until the next look."""
        house, now = self.house, self.house.now()
        free = 4 * house.settings.bot_threads - len(self.acting)
        async with house.database.read() as db:
            due = await tables.next_due(db)
        if due is None:
            return POLL
        if due > now:
            return min(POLL, (due - now) / 1000)
        if free <= 0:
            return 0.05
        async with house.database.write() as w:
            claimed = await tables.claim_due(w.db, now, now + LEASE, free)
        for table_id, n in claimed:
            self._claimed[table_id] = n, now + LEASE
            task = asyncio.create_task(self._act(table_id, n))
            self.acting.add(task)
            task.add_done_callback(self.acting.discard)
        return 0.0

    async def _act(self, table_id: str, n: int) -> None:
        """Do what is due at a table that has come to `n` steps."""
        try:
            room = await self.house.room(table_id)
            if room.n != n or room.row.due_at is None:
                await self.house.refresh(room)
            row = room.row
            if row.state != "playing" or room.n != n or row.turn is None:
                return
            bot = room.played_by_bot(row.turn)
            if bot is None:
                if row.game == bidding.GAME and await self.house.follow(room, row.turn, n):
                    self.house.due.set()
                elif await absence.clock_out(self.house, room, n):
                    self.house.metrics.clocks.inc()
            else:
                await self._let_bot_act(room, row.turn, n, bot)
        except StaleVersion:
            pass  # somebody came back, or another process was faster
        except OtherRules as error:
            log.warning("a game waits: %s", error, extra={"fields": {"table": table_id}})
            async with self.house.database.write() as w:
                await tables.change(w.db, table_id, due_at=self.house.now() + 24 * HOUR)
        except Exception:
            log.exception(
                "a duty failed; it is due again in %d s", LEASE // 1000, extra={"fields": {"table": table_id}}
            )
        if self._claimed.get(table_id, (n, 0))[0] == n:
            self._claimed.pop(table_id, None)

    async def _keep_claims(self) -> None:
        """Keep what is claimed for as long as it is being done."""
        while True:
            await asyncio.sleep(RENEW)
            try:
                await self._renew(self.house.now() + LEASE)
            except Exception:
                log.exception("claims could not be renewed; others may take them over")

    async def _renew(self, until: int) -> None:
        if not self._claimed:
            return
        held = sorted(self._claimed.items())
        async with self.house.database.write() as w:
            lost = [table_id for table_id, (n, was) in held if not await tables.renew(w.db, table_id, n, was, until)]
        for table_id, (n, was) in held:
            if self._claimed.get(table_id) == (n, was):
                if table_id in lost:
                    del self._claimed[table_id]
                else:
                    self._claimed[table_id] = n, until

    async def _let_bot_act(self, room: Room, seat: int, n: int, bot: str) -> None:
        assert room.position is not None
        view = room.position.table.view(seat)
        if len(view.legal) == 1:
            step = view.legal[0]
        else:
            with self.house.metrics.bot_seconds.labels(bot).time():
                step = await self._think(room, view, seat, bot)
        await self.house.make_step(room, seat, n, step, by="bot")
        self.house.metrics.bot_turns.labels(bot).inc()
        self.house.due.set()

    async def _think(self, room: Room, view: object, seat: int, bot: str) -> object:
        for level in (bot, SIMPLE):
            try:
                seated = Seated(level, find_bot(level), SystemRandom(), Budget(seconds=PATIENCE, stop=self._stop))
            except SignoriaError as error:
                log.warning("no bot %s: %s", level, error)
                continue
            loop = asyncio.get_running_loop()
            try:
                step = await asyncio.wait_for(loop.run_in_executor(self._threads, seated.decide, view), PATIENCE + 2)
            except TimeoutError:
                log.warning("a bot took too long: %s", level, extra={"fields": {"table": room.row.id}})
                continue
            if seated.forfeit:
                log.warning("%s", seated.forfeit, extra={"fields": {"table": room.row.id}})
                continue
            return step
        return SystemRandom().choice(view.legal)  # type: ignore[attr-defined]

    async def consider(self, view: Any) -> Explanation:
        """What the strongest bot thinks of a position, where the bots think."""
        adviser = find_bot(STRONGEST.id)
        assert isinstance(adviser, Adviser)
        budget = Budget(seconds=PATIENCE, stop=self._stop)
        return await asyncio.get_running_loop().run_in_executor(self._threads, adviser.explain, view, None, budget)

    async def _chores(self) -> None:
        while True:
            await asyncio.sleep(CHORES)
            try:
                self.house.rest()
                await self.tidy()
            except Exception:
                log.exception("tidying up failed; trying again later")

    async def tidy(self) -> None:
        """Close tables that nobody came to; forget guests who never came back. A batch of each, the next one later."""
        house, now = self.house, self.house.now()
        before = now - house.settings.close_open_after * HOUR
        async with house.database.read() as db:
            stale = await tables.stale_tables(db, before)
        for table_id in stale:
            await seating.close_stale(house, await house.room(table_id), before)
        async with house.database.write() as w:
            unseen_since = now - house.settings.guest_days * 24 * HOUR
            _, self._next_guest = await people.delete_stale_guests(w.db, unseen_since, self._next_guest or (0, ""))
            await people.delete_expired_sessions(w.db, now)
