"""Claims: what is due at a table is claimed in the database, so that one process does it and a crash loses nothing."""

import asyncio
import logging

from signoria.server.play.service import TableService
from signoria.store import duties
from signoria.store.duties import Claim, Due

LEASE = 6_000
"""Milliseconds after which a claim expires, because its process must have died."""
RENEW = 2.0
"""Seconds between two renewals of claims."""

log = logging.getLogger("signoria.claims")


class Claims:
    """The claims of this process, and which of them count as attempts because their duty has begun."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self._claimed: dict[str, tuple[int, int]] = {}
        """By table: the step at which its duty was claimed, and until when."""
        self._begun: dict[Due, asyncio.Task[None] | None] = {}
        """Duties that count as attempts, with their tasks; None until the task is known."""
        self._not_ended: set[str] = set()
        """Tables whose attempt ended while the database was unreachable, so it is still counted there."""

    def __contains__(self, table_id: object) -> bool:
        """Whether this process has claimed what is due at a table."""
        return table_id in self._claimed

    def has_begun(self, due: Due) -> bool:
        """Whether a duty counts as an attempt."""
        return due in self._begun

    @property
    def running(self) -> list[asyncio.Task[None]]:
        """The tasks of duties that have begun."""
        return [task for task in self._begun.values() if task]

    async def take(self, shown: list[str], now: int, others_before: int, most: int, free: int) -> list[Claim]:
        """Claim what is due at the tables `shown`, and at `most` others if it was due before `others_before`.

        Duties that start at once come first and count as attempts: `free` bots can think.
        """
        until = now + LEASE
        async with self.service.database.write() as w:
            claimed = await duties.claim_these(w.db, shown, now, until)
            claimed += await duties.claim_due(w.db, others_before, until, most)
            at_once = [claim for claim in claimed if claim.bot and not claim.attempts][:free]
            at_once += [claim for claim in claimed if not claim.bot and not claim.attempts]
            await duties.count_attempts(w.db, [claim.table_id for claim in at_once])
        for claim in claimed:
            self._claimed[claim.table_id] = claim.n, until
        for claim in at_once:
            self._begun.setdefault(claim.due)
        claimed.sort(key=lambda claim: claim not in at_once)
        return claimed

    def note_task(self, claim: Claim, task: asyncio.Task[None]) -> None:
        """Note the task of a duty that was counted as an attempt when it was claimed."""
        if self._begun.get(claim.due, task) is None:
            self._begun[claim.due] = task

    async def begin(self, claim: Claim) -> None:
        """Count a duty that the current task is about to do as an attempt."""
        self._begun[claim.due] = asyncio.current_task()
        async with self.service.database.write() as w:
            await duties.count_attempts(w.db, [claim.table_id])

    def forget(self, claim: Claim, *, ended: bool = True) -> None:
        """Forget a claim whose duty is over; unless `ended`, its attempt still has to be ended in the database."""
        if not ended and claim.due in self._begun:
            self._not_ended.add(claim.table_id)
        self._begun.pop(claim.due, None)
        self._drop(claim)

    def _drop(self, claim: Claim) -> None:
        if self._claimed.get(claim.table_id, (claim.n, 0))[0] == claim.n:
            self._claimed.pop(claim.table_id, None)

    async def end_attempts(self, table_id: str) -> None:
        """Record that what was due at a table has ended without a crash."""
        async with self.service.database.write() as w:
            await duties.end_attempts(w.db, table_id)

    async def end_late(self) -> None:
        """Record that attempts which ended while the database was unreachable did not crash the server."""
        if not self._not_ended:
            return
        ended = sorted(self._not_ended)
        async with self.service.database.write() as w:
            for table_id in ended:
                await duties.end_attempts(w.db, table_id)
        self._not_ended.difference_update(ended)

    async def put_back(self, claims: list[Claim], due_at: int) -> None:
        """Release claims for later; attempts that were started have ended without a crash."""
        async with self.service.database.write() as w:
            for claim in sorted(claims):
                n, until = self._claimed.get(claim.table_id, (claim.n, 0))
                if n == claim.n:
                    await duties.renew(w.db, claim.table_id, n, until, due_at)
                if claim.due in self._begun:
                    await duties.end_attempts(w.db, claim.table_id)
        for claim in claims:
            self._drop(claim)

    async def release(self, now: int) -> None:
        """Release all claims to other processes at once."""
        await self.end_late()
        async with self.service.database.write() as w:
            for table_id, (n, until) in sorted(self._claimed.items()):
                if await duties.renew(w.db, table_id, n, until, now) and Due(table_id, n) in self._begun:
                    await duties.end_attempts(w.db, table_id)

    async def keep(self) -> None:
        """Keep claims while they are being handled, until the server stops."""
        while not await self.service.stops_within(RENEW):
            try:
                await self.renew(self.service.now() + LEASE)
            except Exception:
                log.exception("could not renew claims; other processes may take them over")

    async def renew(self, until: int) -> None:
        """Keep all claims until then, except those that no longer hold."""
        if not self._claimed:
            return
        held = sorted(self._claimed.items())
        async with self.service.database.write() as w:
            lost = [table_id for table_id, (n, was) in held if not await duties.renew(w.db, table_id, n, was, until)]
        for table_id, (n, was) in held:
            if self._claimed.get(table_id) == (n, was):
                if table_id in lost:
                    del self._claimed[table_id]
                else:
                    self._claimed[table_id] = n, until
