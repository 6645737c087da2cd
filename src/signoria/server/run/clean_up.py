"""Clean-up: abandoned tables are closed, inactive guests and expired sessions deleted."""

import logging

from signoria.server.lobby import seating
from signoria.server.play.service import TableService
from signoria.store import people, tables
from signoria.store.trouble import is_trouble

CHORES = 60.0
"""Seconds between two clean-ups."""
MOST_BATCHES = 40
"""Batches of each kind per clean-up."""
BETWEEN_BATCHES = 0.05
"""Seconds between two batches."""
CLOSED_AT_ONCE, DELETED_AT_ONCE = 50, 50
"""Tables closed, and expired sessions deleted, per batch."""
HOUR = 3600_000

log = logging.getLogger("signoria.clean_up")


class CleanUp:
    """Cleans up every minute."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self._next_table: tables.Place | None = None
        """Where the search for abandoned tables continues."""
        self._next_guest: tuple[int, str] | None = None
        """Where the search for inactive guests continues."""

    async def run(self) -> None:
        """Run until the server stops."""
        while not await self.service.stops_within(CHORES):
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
                    if not await chore() or await self.service.stops_within(BETWEEN_BATCHES):
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
