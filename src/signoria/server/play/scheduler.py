"""The scheduler: bots' turns, clocks that run out, and clean-up.

What is due is stored in the database, so a crash loses no turn. The first process that claims it does it.
"""

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from random import SystemRandom
from typing import Any

from signoria.bots import Adviser, Budget, Explanation, Seated, find_bot
from signoria.kernel.errors import SignoriaError
from signoria.server.errors import OtherRules, StaleVersion, TooMany, Unavailable
from signoria.server.lobby import absence, seating
from signoria.server.play import auto_bidding, bot_failures
from signoria.server.play.bot_failures import FALLBACK_BOT, BotFailed
from signoria.server.play.bot_pool import HINTS, UNWATCHED, WATCHED, BotPool, NoThread, QueueFull, Ticket
from signoria.server.play.hints import STRONGEST, HintRequester
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.server.run.heartbeat import Heartbeat
from signoria.store import people, tables
from signoria.store.tables import Claim, Due
from signoria.store.trouble import is_trouble

LEASE = 6_000
"""Milliseconds after which a claim expires, because its process must have died."""
RENEW = 2.0
"""Seconds between two renewals of the claims of running bots."""
PATIENCE = 20.0
"""Seconds that a bot may think before the fallback bot moves for it."""
LATE = 2.0
"""Seconds that it may take longer than that."""
POLL = 1.0
"""Seconds between two polls when nothing is known to be due: other processes leave work too."""
SOON = 0.05
"""Seconds until the next poll when there is more work than can be started."""
GRACE = 1.0
"""Seconds for running steps to finish when the server stops."""
RELEASE = 0.5
"""Seconds that the database may then take to release claims."""
CHORES = 60.0
"""Seconds between two clean-ups."""
MOST_BATCHES = 40
"""Batches of each kind per clean-up."""
BETWEEN_BATCHES = 0.05
"""Seconds between two batches."""
CLOSED_AT_ONCE, DELETED_AT_ONCE = 50, 50
"""Tables closed, and expired sessions deleted, per batch."""
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
MOST_FAILURES = 10_000
"""Tables whose failures are remembered."""
HINTS_EACH = 2
"""Hints that one person may wait for."""
HOUR = 3600_000

log = logging.getLogger("signoria.scheduler")


class Scheduler:
    """Handles due tables: bots' turns, clocks, clean-up."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self.heartbeat = Heartbeat(service)
        self.bot_pool = BotPool(service.settings.bot_threads, service.metrics)
        self.tasks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[Any] | None = None
        """The task that polls for due tables."""
        self._claimed: dict[str, tuple[int, int]] = {}
        """By table: the step at which its duty was claimed, and until when."""
        self._begun: dict[Due, asyncio.Task[None] | None] = {}
        """Running duties that count as attempts, with their tasks."""
        self._not_ended: set[str] = set()
        """Tables whose attempt ended while the database was unreachable, so it is still counted there."""
        self._tickets: dict[Due, Ticket] = {}
        """Places in the queue of tables that wait for a bot to think."""
        self._alone = asyncio.Lock()
        """Held while something runs that may have crashed a process: one at a time, so that it can be identified."""
        self._failed: OrderedDict[str, int] = OrderedDict()
        """By table: how often a duty failed since the last success."""
        self._bots_failed: OrderedDict[str, int] = OrderedDict()
        """By table: how often its bot failed since its last decision."""
        self._stuck: set[str] = set()
        """Tables whose bot still thinks, long after another bot decided for it."""
        self._next_table: tables.Place | None = None
        """Where the search for abandoned tables continues."""
        self._next_guest: tuple[int, str] | None = None
        """Where the search for inactive guests continues."""

    async def run(self) -> None:
        """Run until the server stops."""
        self._running = asyncio.current_task()
        chores, claims = asyncio.create_task(self._chores()), asyncio.create_task(self._keep_claims())
        try:
            while not self.service.closing.is_set():
                try:
                    wait = await self.start_due() if await self.heartbeat.keep() else POLL
                except Exception:
                    log.exception("could not look for due tables; trying again")
                    wait = POLL
                await self._wait(wait)
            await claims  # an interrupted renewal might be saved without our knowing
        finally:
            chores.cancel()
            claims.cancel()
            await asyncio.gather(chores, claims, return_exceptions=True)

    async def stop(self) -> None:
        """Tell thinking bots to answer at once, let running steps finish, and leave the rest to other processes.

        Call `TableService.close` first, so that nothing else is started.
        """
        for due, ticket in list(self._tickets.items()):
            if due not in self._begun:
                ticket.leave()
        self.bot_pool.hurry()
        if running := [task for task in (self._running, *self._begun.values()) if task]:
            await asyncio.wait(running, timeout=GRACE)
        cut_short = [task for task in (self._running, *self.tasks) if task]
        for task in cut_short:
            task.cancel()
        try:
            async with asyncio.timeout(RELEASE):
                await self._release_claims(self.service.now())
        except Exception:
            log.warning("could not release claims; other processes take them over when they expire", exc_info=True)
        if cut_short:
            await asyncio.wait(cut_short, timeout=RELEASE)
        with suppress(TimeoutError):  # the last heartbeat then says nearly the same
            async with asyncio.timeout(RELEASE):
                await self.heartbeat.stop()
        self.bot_pool.close()

    async def _stops_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.service.closing.wait(), seconds)
        return self.service.closing.is_set()

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.service.due.wait(), seconds)
        self.service.due.clear()

    async def start_due(self) -> float:
        """Start everything that is due; returns the seconds until the next poll."""
        service, now = self.service, self.service.now()
        self._look_who_watches()
        await self._end_what_was_not_ended()
        async with service.database.read() as db:
            due = await tables.next_due(db)
        if due is None:
            return POLL
        if due > now:
            return min(POLL, (due - now) / 1000)
        if len(self.tasks) - len(self._tickets) >= MOST_AT_ONCE:
            return SOON
        claimed = await self._claim(now)
        refused = [claim for claim in claimed if service.closing.is_set() or not self._begin(claim)]
        if refused:
            await self._put_back(refused, now if service.closing.is_set() else now + PUT_BACK)
            for claim in refused:
                self._begun.pop(claim.due, None)
        return 0.0 if len(refused) < len(claimed) else SOON

    async def _claim(self, now: int) -> list[Claim]:
        """Claim due tables; those that start at once come first and count as attempts.

        Tables with viewers are handled by the process that shows them, even if others have been due for longer.
        """
        free, until = self.bot_pool.free, now + LEASE
        busy = not free
        shown = self._due_and_watched(now) if busy else []
        most = CLAIMS if busy else min(CLAIMS, self.bot_pool.tickets_left)
        others_before = now - (HEAD_START if busy and self.service.database.is_postgres else 0)
        async with self.service.database.write() as w:
            claimed = await tables.claim_these(w.db, shown, now, until)
            claimed += await tables.claim_due(w.db, others_before, until, most)
            at_once = [claim for claim in claimed if claim.bot and not claim.attempts][:free]
            at_once += [claim for claim in claimed if not claim.bot and not claim.attempts]
            await tables.count_attempts(w.db, [claim.table_id for claim in at_once])
        for claim in claimed:
            self._claimed[claim.table_id] = claim.n, until
        for claim in at_once:
            self._begun.setdefault(claim.due)
        claimed.sort(key=lambda claim: claim not in at_once)
        return [claim for claim in claimed if claim.due not in self._tickets]

    def _due_and_watched(self, now: int) -> list[str]:
        """Tables with viewers in this process where something is due."""
        due = [  # as the tables were read: some may have been put back, or claimed elsewhere
            table_id
            for table_id, room in self.service.rooms.items()
            if (due_at := room.row.due_at) is not None
            and due_at <= now
            and room.row.state == "playing"
            and table_id not in self._claimed
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
        if self._begun.get(claim.due, task) is None:  # counted just now
            self._begun[claim.due] = task
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        if ticket:
            task.add_done_callback(lambda _: ticket.leave())
        return True

    async def _act(self, claim: Claim, ticket: Ticket | None) -> None:
        """Do what is due at a table, and forget the claim in any case."""
        table_id = claim.table_id
        try:
            await self._act_or_put_back(claim, ticket)
        except Exception:
            log.exception("the database does not answer; trying again later", extra={"fields": {"table": table_id}})
            if claim.due in self._begun:
                self._not_ended.add(table_id)
        self._begun.pop(claim.due, None)  # not if this was interrupted: then `stop` releases the claim
        self._tickets.pop(claim.due, None)
        if self._claimed.get(table_id, (claim.n, 0))[0] == claim.n:
            self._claimed.pop(table_id, None)

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
            await self._put_back([claim], self.service.now() + PUT_BACK)
        except StaleVersion:  # a player came back, or another process was faster
            await self._end_attempts(table_id)
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
            await self._end_attempts(claim.table_id)

    async def _act_now(self, claim: Claim, ticket: Ticket | None) -> bool:
        """Do it; returns whether a step was saved."""
        table_id, n = claim.table_id, claim.n
        if claim.due not in self._begun:
            if self.service.closing.is_set():
                raise QueueFull
            self._begun[claim.due] = asyncio.current_task()
            async with self.service.database.write() as w:
                await tables.count_attempts(w.db, [table_id])
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
                    await self._let_bot_act(room, row.turn, n, bot, ticket)
            else:
                await self._let_bot_act(room, row.turn, n, bot, ticket)
            return True
        if auto_bidding.has_auctions(row.game) and await self.service.make_sealed_step(room, row.turn, n):
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

    async def _end_attempts(self, table_id: str) -> None:
        async with self.service.database.write() as w:
            await tables.end_attempts(w.db, table_id)

    async def _end_what_was_not_ended(self) -> None:
        """Record that attempts which ended while the database was unreachable did not crash the server."""
        if not self._not_ended:
            return
        ended = sorted(self._not_ended)
        async with self.service.database.write() as w:
            for table_id in ended:
                await tables.end_attempts(w.db, table_id)
        self._not_ended.difference_update(ended)

    async def _put_back(self, claims: list[Claim], due_at: int) -> None:
        """Release claims for later; attempts that were started have ended without a crash."""
        async with self.service.database.write() as w:
            for claim in sorted(claims):
                n, until = self._claimed.get(claim.table_id, (claim.n, 0))
                if n == claim.n:
                    await tables.renew(w.db, claim.table_id, n, until, due_at)
                if claim.due in self._begun:
                    await tables.end_attempts(w.db, claim.table_id)
        for claim in claims:
            if self._claimed.get(claim.table_id, (claim.n, 0))[0] == claim.n:
                self._claimed.pop(claim.table_id, None)

    async def _back_off(self, claim: Claim) -> None:
        """Retry what failed, after a growing delay."""
        wait = min(MOST_BACKOFF, BACKOFF << min(_count(self._failed, claim.table_id) - 1, 16))
        await self._put_back([claim], self.service.now() + wait)

    async def _release_claims(self, now: int) -> None:
        """Release all claims to other processes at once."""
        await self._end_what_was_not_ended()
        async with self.service.database.write() as w:
            for table_id, (n, until) in sorted(self._claimed.items()):
                if await tables.renew(w.db, table_id, n, until, now) and Due(table_id, n) in self._begun:
                    await tables.end_attempts(w.db, table_id)

    async def _keep_claims(self) -> None:
        """Keep claims while they are being handled, until the server stops."""
        while not await self._stops_within(RENEW):
            try:
                await self._renew(self.service.now() + LEASE)
            except Exception:
                log.exception("could not renew claims; other processes may take them over")

    async def _renew(self, until: int) -> None:
        if not self._claimed:
            return
        held = sorted(self._claimed.items())
        async with self.service.database.write() as w:
            lost = [table_id for table_id, (n, was) in held if not await tables.renew(w.db, table_id, n, was, until)]
        for table_id, (n, was) in held:
            if self._claimed.get(table_id) == (n, was):
                if table_id in lost:
                    del self._claimed[table_id]
                else:
                    self._claimed[table_id] = n, until

    async def _let_bot_act(self, room: Room, seat: int, n: int, bot: str, ticket: Ticket) -> None:
        assert room.position is not None
        view = room.position.table.view(seat)
        step = view.forced
        if step is None:
            step = await self._decide(room, view, seat, n, bot, ticket)
        ticket.leave()
        await self.service.make_step(room, None, seat, n, step)
        self.service.metrics.bot_turns.labels(bot).inc()
        self.service.due.set()

    async def _decide(self, room: Room, view: Any, seat: int, n: int, bot: str, ticket: Ticket) -> Any:
        """The step of a bot, or of the fallback bot if it fails; raises `BotFailed` if that fails too.

        No other step is ever made: the table waits instead. A bot that keeps failing loses its seat.
        """
        table_id = room.row.id
        try:
            step = await self._think(view, bot, table_id, ticket)
        except BotFailed as failed:
            log.warning("%s", failed, extra={"fields": {"table": table_id}})
            if bot == FALLBACK_BOT:
                await bot_failures.announce_once(self.service, room, seat, bot_failures.waiting_message(bot))
                raise
            if failed.again and _count(self._bots_failed, table_id) >= bot_failures.OWN_ATTEMPTS:
                await bot_failures.hand_over(self.service, room, seat, n, bot_failures.failed_often_message(bot))
            else:
                await bot_failures.announce_once(
                    self.service, room, seat, bot_failures.replaced_message(bot, failed.why)
                )
            return await self._decide(room, view, seat, n, FALLBACK_BOT, ticket)
        if room.played_by_bot(seat) == bot:
            self._bots_failed.pop(table_id, None)
        return step

    async def _think(self, view: Any, level: str, table_id: str, ticket: Ticket) -> Any:
        """The step of a bot of this level; raises `BotFailed`."""
        if table_id in self._stuck and level != FALLBACK_BOT:
            raise BotFailed(level, "slow", again=False)  # it still thinks: it gets no second thread
        try:
            budget = Budget(seconds=PATIENCE, stop=ticket.stop)
            seated = Seated(level, find_bot(level), SystemRandom(), budget)
            with self.service.metrics.bot_seconds.labels(level).time():
                step = await self._run(ticket, partial(seated.decide, view), table_id)
        except SignoriaError as error:
            log.warning("no bot %s: %s", level, error)
            raise self._failure(level, "error") from error
        except (TimeoutError, NoThread) as error:
            raise self._failure(level, "slow") from error
        if seated.forfeit:
            raise self._failure(level, "error", seated.forfeit)
        return step

    async def _run(self, ticket: Ticket, work: Any, table_id: str) -> Any:
        try:
            return await ticket.run(work, PATIENCE + LATE, partial(self._stuck.discard, table_id))
        except TimeoutError:
            self._stuck.add(table_id)
            raise

    def _failure(self, level: str, why: str, says: str = "") -> BotFailed:
        self.service.metrics.bot_failures.labels(level, why).inc()
        return BotFailed(level, why, says)

    async def consider(self, view: Any, requester: HintRequester) -> Explanation:
        """The strongest bot's opinion of a position; raises `Unavailable` or `TooMany` if it has no time."""
        adviser = find_bot(STRONGEST.id)
        assert isinstance(adviser, Adviser)
        address = requester.address or requester.person
        if self.bot_pool.waiting(HINTS, address, requester.person) >= HINTS_EACH:
            raise TooMany(f"You are already waiting for {HINTS_EACH} hints. Ask again when one has arrived.", 5)
        try:
            async with self.bot_pool.ask(HINTS, address, requester.person) as ticket:
                work = partial(adviser.explain, view, None, Budget(seconds=PATIENCE, stop=ticket.stop))
                return await ticket.run(work, PATIENCE + LATE)
        except QueueFull:
            raise Unavailable("Too many players are waiting for a hint. Try again in half a minute.", 30) from None
        except (TimeoutError, NoThread):
            self._failure(STRONGEST.id, "slow")
            raise Unavailable("The bot took too long. Ask for a hint again in a minute.", 60) from None
        except SignoriaError:
            raise
        except Exception as error:
            self._failure(STRONGEST.id, "error")
            log.exception("no hint could be given")
            raise Unavailable("The bot failed. Ask for a hint again in a minute.", 60) from error

    async def _chores(self) -> None:
        while True:
            await asyncio.sleep(CHORES)
            try:
                self.service.evict_idle()
                await self.tidy()
            except Exception:
                log.exception("clean-up failed; trying again later")

    async def tidy(self) -> None:
        """Close abandoned tables, and delete inactive guests and expired sessions.

        This runs in batches with pauses, so that players do not have to wait. The next clean-up continues.
        """
        for chore in (self._close_stale_tables, self._delete_stale_guests, self._delete_expired_sessions):
            try:
                for _ in range(MOST_BATCHES):
                    if not await chore() or await self._stops_within(BETWEEN_BATCHES):
                        break
            except Exception:
                log.exception("clean-up failed; trying again later")

    async def _close_stale_tables(self) -> bool:
        """Close some abandoned open tables without viewers; returns whether there are more."""
        service = self.service
        before = service.now() - service.settings.close_open_after * HOUR
        async with service.database.read() as db:
            stale = await tables.stale_tables(db, before, self._next_table, CLOSED_AT_ONCE)
        for place in stale:
            room = service.rooms.get(place.id)
            if room is not None and room.viewers:
                continue
            try:
                await seating.close_stale(service, await service.room(place.id), before)
            except Exception as error:
                if is_trouble(error):
                    raise
                log.exception("could not close a table; continuing", extra={"fields": {"table": place.id}})
        self._next_table = stale[-1] if len(stale) == CLOSED_AT_ONCE else None
        return self._next_table is not None

    async def _delete_stale_guests(self) -> bool:
        """Delete some inactive guests; returns whether there are more."""
        unseen_since = self.service.now() - self.service.settings.guest_days * 24 * HOUR
        async with self.service.database.write() as w:
            _, next_guest = await people.delete_stale_guests(w.db, unseen_since, self._next_guest or (0, ""))
        self._next_guest = next_guest
        return next_guest is not None

    async def _delete_expired_sessions(self) -> bool:
        """Delete some expired sessions; returns whether there are more."""
        async with self.service.database.write() as w:
            return await people.delete_expired_sessions(w.db, self.service.now(), DELETED_AT_ONCE) == DELETED_AT_ONCE


def _count(counts: OrderedDict[str, int], key: str) -> int:
    """Count one more, and forget the oldest entries if there are too many."""
    counts[key] = counts.pop(key, 0) + 1
    if len(counts) > MOST_FAILURES:
        counts.popitem(last=False)
    return counts[key]
