"""Rooms in memory: loaded on demand, updated with what other processes write, evicted when idle."""

import asyncio
import logging
import re
from contextlib import suppress
from weakref import WeakValueDictionary

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import say
from signoria.server.errors import NotFound
from signoria.server.play.ordered_steps import has_orders
from signoria.server.play.replay import replay_game
from signoria.server.play.room import Room, fold
from signoria.server.run.metrics import Metrics
from signoria.server.settings import Settings
from signoria.store import messages, ratings, steps, tables
from signoria.store.blocks import removed_from
from signoria.store.database import Database, Write
from signoria.store.invitations import invited_to
from signoria.store.orders import OrdersRow, orders_at
from signoria.store.tables import TableRow

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
KEPT_MESSAGES = 100
"""Messages shown on a table's page."""
MOST_RESTING = 1000
"""The most tables in memory without viewers."""
COMPARED = 200
"""Tables compared with the database in one query."""
AGAIN = 0.1
MOST_AGAIN = 5.0
"""Seconds until the database is asked again if it did not answer: the first time, and at most."""

log = logging.getLogger("signoria.room_cache")


class RoomCache:
    """The rooms of this process. At most one exists per table."""

    def __init__(self, database: Database, settings: Settings, metrics: Metrics) -> None:
        self.database, self.settings, self.metrics = database, settings, metrics
        self.closing = asyncio.Event()
        """Set when the process is about to stop."""
        self.rooms: dict[str, Room] = {}
        """Tables that stay in memory for a while."""
        self._held: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """All rooms in use, including evicted ones with pending work, so that at most one room exists per table."""
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._stale: set[str] = set()
        """Tables that another process has changed and that must be read again."""
        self._background: set[asyncio.Task[None]] = set()

    async def stops_within(self, seconds: float) -> bool:
        """Wait for so long; returns at once with True when the process is about to stop."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.closing.wait(), seconds)
        return self.closing.is_set()

    async def room(self, table_id: str) -> Room:
        """A table by its id, as stored in the database; raises `NotFound`.

        If other processes write too, their notifications may not have arrived yet, so the database is checked.
        """
        known = self._held.get(table_id)
        room = known or await self._loaded(table_id)
        self._stays(room)
        if known is not None and self.database.is_postgres:
            async with self.database.read() as db:
                versions = await tables.find_versions(db, [table_id])
            if versions.get(table_id) != room.table_version:
                await self.refresh(room)
        return room

    async def _loaded(self, table_id: str) -> Room:
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(loading)

    async def _load(self, table_id: str) -> Room:
        async with self.database.read() as db:
            row = await tables.find_table(db, table_id) if TABLE_ID.fullmatch(table_id) else None
            if row is None:
                raise NotFound(say("There is no table {table_id!r}. It may have been closed.", table_id=table_id))
            kept = await steps.steps_of(db, table_id, before=row.n)
            chat = await messages.messages_of(db, table_id, limit=KEPT_MESSAGES)
            rated = await ratings.public_ratings_for(db, row.game, players(row))
            orders = await _orders(db, row)
            removed, invited = await _removed(db, row), await _invited(db, row)
        played = await replay_game(row, kept) if row.started_at or row.state not in ("open", "closed") else None
        room = Room(row, played.position if played else None, chat, rated)
        if played is not None:
            room.score_history, room.checkpoints = played.score_history, played.checkpoints
        room.orders, room.removed, room.invited = orders, removed, invited
        self._held[table_id] = room
        self._stays(room)
        if len(self.rooms) > MOST_RESTING:
            self.evict_idle()
        self.metrics.rooms.set(len(self.rooms))
        return room

    def _stays(self, room: Room) -> None:
        self.rooms[room.row.id] = room
        room.used_at = asyncio.get_running_loop().time()

    async def refresh(self, room: Room) -> None:
        """Read what other processes have added."""
        async with room.lock:
            await self.catch_up(room)

    async def show_changes(self, w: Write) -> None:
        """Show what was written to tables without holding them, once it is committed."""
        for topic in w.topics:
            table_id = topic.removeprefix("table:")
            if table_id in self._held or table_id in self._loading:
                await self.refresh(self._held.get(table_id) or await self._loaded(table_id))

    async def catch_up(self, room: Room) -> None:
        """Read what was added; the room's lock is held."""
        async with self.database.read() as db:
            row = await tables.find_table(db, room.row.id)
            if row is None:
                self.rooms.pop(room.row.id, None)
                self._held.pop(room.row.id, None)
                room.notify_viewers()
                return
            kept = await steps.steps_of(db, row.id, after=room.n, before=row.n)
            chat = await messages.messages_of(db, row.id, limit=KEPT_MESSAGES)
            if row.revision != room.row.revision or players(row) != set(room.ratings):
                room.ratings = await ratings.public_ratings_for(db, row.game, players(row))
            orders = await _orders(db, row)
            removed, invited = await _removed(db, row), await _invited(db, row)
        if row.started_at and room.position is None:
            room.position = (await replay_game(row, kept)).position
        elif kept and room.position is not None:
            room.position = fold(room.position.table.copy(), kept, room.position)
        room.row, room.messages, room.removed, room.invited = row, chat, removed, invited
        known_orders, room.orders = room.orders, orders
        if room.version != room.shown or room.orders != known_orders:
            room.notify_viewers()

    async def reload_missed(self) -> None:
        """Read viewed tables again that have changed without a notification."""
        looked_at = [table_id for table_id, room in list(self._held.items()) if room.viewers]
        for begin in range(0, len(looked_at), COMPARED):
            some = looked_at[begin : begin + COMPARED]
            async with self.database.read() as db:
                versions = await tables.find_versions(db, some)
            for table_id in some:
                room = self._held.get(table_id)
                if room is not None and room.table_version != versions.get(table_id) and not self.closing.is_set():
                    self.reload_table(table_id)

    def reload(self, topic: str) -> None:
        """Read tables in memory again as soon as the database answers: the table of a topic, or all of them.

        This is how this process learns what others wrote; it has already shown its own changes.
        """
        if self.closing.is_set():
            return
        table_ids = [*self._held, *self._loading] if topic == "*" else [topic.removeprefix("table:")]
        for table_id in table_ids:
            if table_id in self._held or table_id in self._loading:  # its first half may have been read too early
                self.reload_table(table_id)

    def reload_table(self, table_id: str) -> None:
        """Read one table again as soon as the database answers."""
        if table_id not in self._stale:
            self._stale.add(table_id)
            task = asyncio.ensure_future(self._reload_table(table_id))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _reload_table(self, table_id: str) -> None:
        wait = AGAIN
        while table_id in self._stale:
            try:
                room = self._held.get(table_id) or await self._loaded(table_id)
                async with room.lock:
                    self._stale.discard(table_id)
                    await self.catch_up(room)
            except NotFound:
                self._stale.discard(table_id)
            except Exception:
                log.warning(
                    "a table could not be read; trying again", exc_info=True, extra={"fields": {"table": table_id}}
                )
                self._stale.add(table_id)
                await asyncio.sleep(wait)
                wait = min(2 * wait, MOST_AGAIN)

    async def finish_background_tasks(self) -> None:
        """Let background tasks finish, before the database closes."""
        ended = [*self._background, *self._loading.values()]
        if ended:
            await asyncio.wait(ended, timeout=1)
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)

    def evict_idle(self) -> None:
        """Drop rooms without recent viewers, or if there are too many; a table without a room costs nothing."""
        oldest = asyncio.get_running_loop().time() - self.settings.rest_after
        resting = sorted((room.used_at, table_id) for table_id, room in self.rooms.items() if not room.viewers)
        too_many = len(resting) - MOST_RESTING
        for place, (used_at, table_id) in enumerate(resting):
            if used_at < oldest or place < too_many:
                del self.rooms[table_id]
        self.metrics.rooms.set(len(self.rooms))


async def _orders(db: AsyncConnection, row: TableRow) -> dict[int, OrdersRow]:
    """The orders at a table, if its game has any."""
    return await orders_at(db, row.id) if has_orders(row.game) and row.state == "playing" else {}


async def _removed(db: AsyncConnection, row: TableRow) -> frozenset[str]:
    """The people removed from a table that still waits for players."""
    return await removed_from(db, row.id) if row.state == "open" else frozenset()


async def _invited(db: AsyncConnection, row: TableRow) -> frozenset[str]:
    """The people invited by name to a table that still waits for players."""
    return await invited_to(db, row.id) if row.state == "open" else frozenset()


def players(row: TableRow) -> set[str]:
    """All rated players of a table, people and bots."""
    return {who for seat in row.seats if (who := seat.bot or seat.user_id)}
