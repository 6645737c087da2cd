"""The scheduler: starts what is due at tables, such as bots' turns and clocks that run out.

What is due is stored in the database, so a crash loses no turn. The first process that claims it does it.
"""

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from random import SystemRandom
from typing import Any

from signoria.server.errors import OtherRules, StaleVersion
from signoria.server.lobby import absence
from signoria.server.play import bot_failures, ordered_steps
from signoria.server.play.bot_failures import FALLBACK_BOT, BotFailed, count_failure
from signoria.server.play.bot_pool import UNWATCHED, WATCHED, BotPool, QueueFull, Ticket
from signoria.server.play.bot_turns import BotTurns
from signoria.server.play.claims import Claims
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.server.run.heartbeat import Heartbeat
from signoria.store import duties, tables
from signoria.store.duties import Claim, Due

POLL = 1.0
"""Seconds between two polls when nothing is known to be due: other processes leave work too."""
SOON = 0.05
"""Seconds until the next poll when there is more work than can be started."""
GRACE = 1.0
"""Seconds for running steps to finish when the server stops."""
RELEASE = 0.5
"""Seconds that the database may then take to release claims."""
CLAIMS = 32
"""Tables claimed per poll."""
NAMED = 4 * CLAIMS
"""Viewed tables that are requested by id, before others that have been due for longer."""
MOST_AT_ONCE = 64
"""Duties without thinking, such as clocks, that run at the same time."""
PUT_BACK = 2_000
"""Milliseconds until a table comes up again if the queue was full."""
HEAD_START = 1_500
"""Milliseconds for which a busy process leaves tables to others, which may be idle or have viewers. It is longer than
they take to notice. Only with PostgreSQL."""
RECENT = 60_000
"""Milliseconds for which a request of one of its people counts as viewing a table."""
BACKOFF, MOST_BACKOFF = 5_000, 600_000
"""Milliseconds until a failed duty is tried again: the first time, doubling, and at most."""
HOUR = 3600_000

log = logging.getLogger("signoria.scheduler")


class Scheduler:
    """Starts what is due at tables and sees to it that it gets done."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self.heartbeat = Heartbeat(service)
        self.claims = Claims(service)
        self.bot_pool = BotPool(service.settings.bot_threads, service.metrics)
        self.bot_turns = BotTurns(service, self.bot_pool)
        self.tasks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[Any] | None = None
        """The task that polls for due tables."""
        self._tickets: dict[Due, Ticket] = {}
        """Places in the queue of tables that wait for a bot to think."""
        self._alone = asyncio.Lock()
        """Held while something runs that may have crashed a process: one at a time, so that it can be identified."""
        self._failed: OrderedDict[str, int] = OrderedDict()
        """By table: how often a duty failed since the last success."""

    async def run(self) -> None:
        """Run until the server stops."""
        self._running = asyncio.current_task()
        keeping = asyncio.create_task(self.claims.keep())
        try:
            while not self.service.closing.is_set():
                try:
                    wait = await self.start_due() if await self.heartbeat.keep() else POLL
                except Exception:
                    log.exception("could not look for due tables; trying again")
                    wait = POLL
                await self._wait(wait)
            await keeping  # an interrupted renewal might be saved without our knowing
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    async def stop(self) -> None:
        """Tell thinking bots to answer at once, let running steps finish, and leave the rest to other processes.

        Call `TableService.close` first, so that nothing else is started.
        """
        for due, ticket in list(self._tickets.items()):
            if not self.claims.has_begun(due):
                ticket.leave()
        self.bot_pool.hurry()
        if running := [task for task in (self._running, *self.claims.running) if task]:
            await asyncio.wait(running, timeout=GRACE)
        cut_short = [task for task in (self._running, *self.tasks) if task]
        for task in cut_short:
            task.cancel()
        try:
            async with asyncio.timeout(RELEASE):
                await self.claims.release(self.service.now())
        except Exception:
            log.warning("could not release claims; other processes take them over when they expire", exc_info=True)
        if cut_short:
            await asyncio.wait(cut_short, timeout=RELEASE)
        with suppress(TimeoutError):  # the last heartbeat then says nearly the same
            async with asyncio.timeout(RELEASE):
                await self.heartbeat.stop()
        self.bot_pool.close()

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.service.due.wait(), seconds)
        self.service.due.clear()

    async def start_due(self) -> float:
        """Start everything that is due; returns the seconds until the next poll."""
        service, now = self.service, self.service.now()
        self._look_who_watches()
        await self.claims.end_late()
        async with service.database.read() as db:
            due = await duties.next_due(db)
        if due is None:
            return POLL
        if due > now:
            return min(POLL, (due - now) / 1000)
        if len(self.tasks) - len(self._tickets) >= MOST_AT_ONCE:
            return SOON
        claimed = await self._claim(now)
        refused = [claim for claim in claimed if service.closing.is_set() or not self._begin(claim)]
        if refused:
            await self.claims.put_back(refused, now if service.closing.is_set() else now + PUT_BACK)
            for claim in refused:
                self.claims.forget(claim)
        return 0.0 if len(refused) < len(claimed) else SOON

    async def _claim(self, now: int) -> list[Claim]:
        """Claim due tables; those that start at once come first and count as attempts.

        Tables with viewers are handled by the process that shows them, even if others have been due for longer.
        """
        free = self.bot_pool.free
        busy = not free
        shown = self._due_and_watched(now) if busy else []
        most = CLAIMS if busy else min(CLAIMS, self.bot_pool.tickets_left)
        others_before = now - (HEAD_START if busy and self.service.database.is_postgres else 0)
        claimed = await self.claims.take(shown, now, others_before, most, free)
        return [claim for claim in claimed if claim.due not in self._tickets]

    def _due_and_watched(self, now: int) -> list[str]:
        """Tables with viewers in this process where something is due."""
        due = [  # as the tables were read: some may have been put back, or claimed elsewhere
            table_id
            for table_id, room in self.service.rooms.items()
            if (due_at := room.row.due_at) is not None
            and due_at <= now
            and room.row.state == "playing"
            and table_id not in self.claims
            and self._watched(room)
        ]
        return due if len(due) <= NAMED else SystemRandom().sample(due, NAMED)

    def _watched(self, room: Room | None) -> bool:
        """Whether a table has viewers, or one of its people has just sent a request."""
        return room is not None and (bool(room.viewers) or self.service.now() - room.last_activity_at < RECENT)

    def _look_who_watches(self) -> None:
        """Move waiting tables between those with viewers and those without."""
        for due, ticket in list(self._tickets.items()):
            kind = WATCHED if self._watched(self.service.rooms.get(due.table_id)) else UNWATCHED
            self.bot_pool.change_kind(ticket, kind)

    def _ask(self, claim: Claim) -> Ticket:
        """A place in the queue for a table's bot, in the name of the person who waits for it; raises `QueueFull`."""
        room = self.service.rooms.get(claim.table_id)
        person = self._waits_for_bot(room) or claim.host_id or ""
        kind = WATCHED if self._watched(room) else UNWATCHED
        ticket = self.bot_pool.ask(kind, self.service.addresses.of(person) or person, person)
        self._tickets[claim.due] = ticket
        return ticket

    def _waits_for_bot(self, room: Room | None) -> str | None:
        """The next person to move after a bot; None if only bots play on."""
        if room is None or room.row.turn is None:
            return None
        seats, turn = room.row.seats, room.row.turn
        after = (seats[(turn + more) % len(seats)] for more in range(1, len(seats)))
        return next((seat.user_id for seat in after if room.played_by_bot(seat.seat) is None), None)

    def _begin(self, claim: Claim) -> bool:
        """Start what was claimed; False if there is no room for it."""
        ticket = None
        if claim.bot and not claim.attempts:
            try:
                ticket = self._ask(claim)
            except QueueFull:
                return False
        task = asyncio.create_task(self._act(claim, ticket))
        self.claims.note_task(claim, task)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        if ticket:
            task.add_done_callback(lambda _: ticket.leave())
        return True

    async def _act(self, claim: Claim, ticket: Ticket | None) -> None:
        """Do what is due at a table, and forget the claim in any case."""
        ended = True
        try:
            await self._act_or_put_back(claim, ticket)
        except Exception:
            ended = False
            fields = {"fields": {"table": claim.table_id}}
            log.exception("the database does not answer; trying again later", extra=fields)
        self.claims.forget(claim, ended=ended)  # not if this was interrupted: then `stop` releases the claim
        self._tickets.pop(claim.due, None)

    async def _act_or_put_back(self, claim: Claim, ticket: Ticket | None) -> None:
        table_id, fields = claim.table_id, {"fields": {"table": claim.table_id}}
        try:
            if claim.attempts >= bot_failures.MOST_ATTEMPTS:
                await self._pause(claim)
            elif claim.attempts:
                async with self._alone:
                    await self._act_in_turn(claim, self._ask(claim) if claim.bot else None)
            else:
                await self._act_in_turn(claim, ticket)
            self._failed.pop(table_id, None)
        except QueueFull:
            await self.claims.put_back([claim], self.service.now() + PUT_BACK)
        except StaleVersion:  # a player came back, or another process was faster
            await self.claims.end_attempts(table_id)
        except OtherRules as error:
            log.warning("a game is waiting: %s", error, extra=fields)
            async with self.service.database.write() as w:
                await tables.change(w.db, table_id, due_at=self.service.now() + 24 * HOUR, attempts=0)
        except BotFailed as error:
            log.error("%s; the game is waiting", error, extra=fields)  # noqa: TRY400
            await self._back_off(claim)
        except Exception:
            log.exception("handling a due table failed; trying again later", extra=fields)
            await self._back_off(claim)

    async def _act_in_turn(self, claim: Claim, ticket: Ticket | None) -> None:
        if ticket is None:
            kept = await self._act_now(claim, None)
        else:
            async with ticket:
                kept = await self._act_now(claim, ticket)
        if not kept:
            await self.claims.end_attempts(claim.table_id)

    async def _act_now(self, claim: Claim, ticket: Ticket | None) -> bool:
        """Do it; returns whether a step was saved."""
        table_id, n = claim.table_id, claim.n
        if not self.claims.has_begun(claim.due):
            if self.service.closing.is_set():
                raise QueueFull
            await self.claims.begin(claim)
        room = await self.service.room(table_id)
        if room.n != n or room.row.due_at is None:
            await self.service.refresh(room)
        row = room.row
        if row.state != "playing" or room.n != n or row.turn is None:
            return False
        bot = room.played_by_bot(row.turn)
        if bot is not None:
            if claim.attempts >= bot_failures.OWN_ATTEMPTS and bot != FALLBACK_BOT:
                bot = await bot_failures.hand_over(
                    self.service, room, row.turn, n, bot_failures.crashed_often_message(bot)
                )
            if ticket is None:  # a player left just now
                async with self._ask(claim) as ticket:
                    await self.bot_turns.act(room, row.turn, n, bot, ticket)
            else:
                await self.bot_turns.act(room, row.turn, n, bot, ticket)
            return True
        if ordered_steps.has_orders(row.game) and await self.service.make_ordered_steps(room, row.turn, n):
            self.service.due.set()
            return True
        if await absence.clock_out(self.service, room, n):
            self.service.metrics.clocks.inc()
        return False

    async def _pause(self, claim: Claim) -> None:
        """Cancel what is due at a table that crashes the server."""
        if not await bot_failures.pause(self.service, claim.table_id, claim.n, claim.attempts):
            return
        log.error(
            "a game is paused: the server crashed %d times while handling this table; "
            "`signoria admin resume %s` resumes it",
            claim.attempts,
            claim.table_id,
            extra={"fields": {"table": claim.table_id}},
        )
        self.service.metrics.tables_paused.inc()

    async def _back_off(self, claim: Claim) -> None:
        """Retry what failed, after a growing delay."""
        wait = min(MOST_BACKOFF, BACKOFF << min(count_failure(self._failed, claim.table_id) - 1, 16))
        await self.claims.put_back([claim], self.service.now() + wait)
