"""The heartbeat: records that the server is alive, detects when it was not, and gives players the lost time back.

A restart, a crash, a restored backup, a suspended machine, an unreachable database and a jump of the system clock all
look alike: the last heartbeat is too old, or in the future. The first process to notice extends every clock, once,
however many processes there are. A heartbeat also shows whether the database can be written.
"""

import asyncio
import logging
from contextlib import suppress

from sqlalchemy.exc import DBAPIError

from signoria.server.play.clocks import WITHOUT_CLOCK
from signoria.server.play.service import TableService
from signoria.store import duties
from signoria.store.heartbeat import Beat, check_space, give_back, last_touched, read_beat, write_beat
from signoria.store.trouble import is_deadlock, is_trouble

OFTEN = 5_000
"""Milliseconds between two checks of the last heartbeat; and between two heartbeats while a clock is about to run out."""
SELDOM = 300_000
"""Milliseconds between two heartbeats while nothing is due for long, so that an idle machine can rest."""
SHARE = 12
"""Heartbeats before the next due time."""
SLACK = 15_000
"""Milliseconds by which a heartbeat may be late, or another machine's clock ahead, without anything being wrong."""
LEAST = 1_000
"""The least lost time, in milliseconds, that is given back."""
GRACE = 60_000
"""Milliseconds that everyone has left when the server is back, at most the table's own clock."""
PROVED = 30.0
"""Seconds for which the database counts as writable after a write."""
ATTEMPTS = 3
"""How often a check is retried while other transactions are in its way."""
AGAIN = 2.0
"""Seconds for which it counts as not writable."""

log = logging.getLogger("signoria.heartbeat")


class Heartbeat:
    """The heartbeat of one process."""

    def __init__(self, service: TableService) -> None:
        self.service, self.database = service, service.database
        self._started = False
        self._looked: int | None = None
        """When the last heartbeat was checked; None if it must be checked at once."""
        self._given: Beat | None = None
        """The last heartbeat that this process wrote."""
        self._seen: tuple[Beat | None, int] = (None, 0)
        """The last heartbeat that it has seen, and since when."""
        self._well = True
        self._proved = self._failed = float("-inf")
        """When the database was last written, and when that last failed, in the event loop's time."""
        self._proving: asyncio.Task[bool] | None = None
        self.database.listen_to_others(self._on_notification)

    def _on_notification(self, topic: str) -> None:
        if topic == "*":  # a backup may have been restored
            self._looked = None

    async def keep(self) -> bool:
        """Check, and write a heartbeat if it is time; returns whether the database is available.

        Call it before handling anything that is due, so that lost time is given back first.
        """
        now = self.service.now()
        if self._looked is None or not self._looked <= now < self._looked + OFTEN:
            self._looked = now
            return await self._beat()
        return self._well

    async def can_write(self) -> bool:
        """Whether the database can be written, tested now unless it was tested a moment ago."""
        now = asyncio.get_running_loop().time()
        if self.database.trouble is None and now - self._proved < PROVED:
            return True
        if self._proving is None and now - self._failed < AGAIN:
            return False
        if self._proving is None:
            self._proving = asyncio.create_task(self._beat(in_any_case=True))
            self._proving.add_done_callback(self._proved_now)
        return await asyncio.shield(self._proving)

    def _proved_now(self, task: "asyncio.Task[bool]") -> None:
        self._proving = None
        if not task.cancelled():
            task.exception()  # the caller may be gone

    async def stop(self) -> None:
        """Record that the server stops now: the time until it starts again is given back."""
        if self._proving is not None:
            self._proving.cancel()
            await asyncio.gather(self._proving, return_exceptions=True)
        if not self._started:
            return
        with suppress(Exception):  # the last heartbeat then says nearly the same
            async with self.database.write() as w:
                seen = await read_beat(w.db)
                if seen is not None:
                    await write_beat(w.db, seen, Beat(max(seen.at, self.service.now()), None))

    async def _beat(self, in_any_case: bool = False) -> bool:
        """Check the last heartbeat and write another if it is time; False if the database fails."""
        loop, trouble = asyncio.get_running_loop(), self.database.trouble
        try:
            await self._look_again(in_any_case=in_any_case or trouble is not None)
        except Exception as error:
            if is_deadlock(error):  # the database is fine, but clocks must be moved before anything due is handled
                log.warning("Other processes changed the same games %d times; the heartbeat waits for them.", ATTEMPTS)
                self._looked = None
                return False
            self._failed = loop.time()
            if not is_trouble(error):
                raise
            if self._well:
                log.exception("The database is not available; nobody can play until it is back.")
            self._well = False
            return False
        if self.database.trouble is trouble:
            self.database.trouble = None
        if not self._well:
            log.warning("The database is available again.")
        self._well = self.database.trouble is None
        return self._well

    async def _look_again(self, in_any_case: bool) -> None:
        """Check, and retry after a deadlock with another transaction."""
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._look(in_any_case)
            except DBAPIError as error:
                if not is_deadlock(error):
                    raise
        return await self._look(in_any_case)

    async def _look(self, in_any_case: bool) -> None:
        now = self.service.now()
        async with self.database.read() as db:
            seen, due = await read_beat(db), await duties.next_due(db)
            alive_at = seen.at if seen else await last_touched(db) if due is not None else None
        lost = alive_at is not None and (self._was_away(seen, alive_at, now) or self._is_back(alive_at, now))
        if lost or in_any_case or _is_time(seen, due, now):
            beat = Beat(now if lost or seen is None else max(now, seen.at), _until(due, now))
            await self._write(seen, beat, alive_at if lost else None)
        self._started = True

    def _was_away(self, seen: Beat | None, alive_at: int, now: int) -> bool:
        """Whether no process was alive between the last heartbeat and now, or the clock was set back since."""
        alone = not self.database.is_postgres  # only one process at a time uses a file
        if abs(alive_at - now) < LEAST:
            return False
        if alive_at - now > SLACK:
            return alone or seen == self._given or self._stays(seen, now)
        if seen is None or (not self._started and (alone or seen.until is None)):
            return not self._started and alive_at < now
        return seen.until is not None and now > seen.until

    def _is_back(self, alive_at: int, now: int) -> bool:
        """Whether the database is available again after an outage: nobody could play since the last heartbeat."""
        return not self._well and now - alive_at >= LEAST

    def _stays(self, seen: Beat | None, now: int) -> bool:
        """Whether a heartbeat in the future is the last one. If another machine's clock were ahead, it would have written
        another one by now.
        """
        if self._seen[0] != seen or now < self._seen[1]:
            self._seen = seen, now
            log.warning("The last heartbeat is in the future: are the clocks of all machines right?")
        promised = SLACK if seen is None or seen.until is None else seen.until - seen.at
        return now - self._seen[1] > promised

    async def _write(self, seen: Beat | None, beat: Beat, alive_at: int | None) -> None:
        """Write a heartbeat and give back the time lost since `alive_at`, unless another process did."""
        moved = 0
        async with self.database.write() as w:
            first = await write_beat(w.db, seen, beat)
            if self.database.trouble is not None:
                await check_space(w.db)
            if first and alive_at is not None:
                moved = await give_back(
                    w.db, alive_at, beat.at, grace=GRACE, recent=SLACK, without_clock=1000 * WITHOUT_CLOCK
                )
                w.tell("*")
        self._proved = asyncio.get_running_loop().time()
        self._given = beat if first else None
        if moved and alive_at is not None:
            seconds = (beat.at - alive_at) // 1000
            log.info(
                "The clocks of %d games were extended by %d s, because nobody could play in that time.", moved, seconds
            )
            self.service.reload("*")


def _is_time(seen: Beat | None, due: int | None, now: int) -> bool:
    """Whether a heartbeat is needed: often while a clock is about to run out, and never without a game in play."""
    if due is None:
        return seen is not None and seen.until is not None
    if seen is None or seen.until is None:
        return True
    promised = seen.until - SLACK  # without a heartbeat by then, other processes consider the server dead
    return now >= min(seen.at + _pause(due, now), promised)


def _until(due: int | None, now: int) -> int | None:
    return None if due is None else now + _pause(due, now) + SLACK


def _pause(due: int, now: int) -> int:
    return min(max((due - now) // SHARE, OFTEN), SELDOM)
