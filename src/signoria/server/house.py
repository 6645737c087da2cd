"""The house: tables in memory, and the one way in which a step gets from somebody's hand into the store.

A step is tried on a copy of the game, written, and only then shown: what the store refuses has never happened.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from signoria.server.draft import Draft
from signoria.server.errors import Conflict, NotFound, StaleVersion
from signoria.server.metrics import Metrics
from signoria.server.room import UNDO, Position, Room, deal, encode, fold
from signoria.server.settings import Settings
from signoria.store import messages, ratings, steps, tables
from signoria.store.database import Database, Write
from signoria.store.steps import StepExists
from signoria.store.tables import TableRow

TRIES = 3
"""How often a step is drawn up anew when seats changed meanwhile."""
KEPT_MESSAGES = 100
"""Messages of a table that pages show."""
MOST_RESTING = 1000
"""Tables in memory that nobody looks at."""
AGAIN = 0.1
MOST_AGAIN = 5.0
"""Seconds until the store is asked again where it did not answer: the first time, and at most."""

log = logging.getLogger("signoria.house")


class House:
    """Everything that is played in this process."""

    def __init__(self, database: Database, settings: Settings, metrics: Metrics, now: Callable[[], int]) -> None:
        self.database, self.settings, self.metrics, self.now = database, settings, metrics, now
        self.rooms: dict[str, Room] = {}
        """Tables that stay in memory for a while."""
        self._held: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """These, and those that somebody still acts on: of no table there are two, whoever takes how long."""
        self.closing = asyncio.Event()
        """Set when the process is about to stop."""
        self.listed: Any = None
        """When the lobby's lists were read, and what they said."""
        self.due = asyncio.Event()
        """Set when there may be something for the house to do: a bot's turn, a clock."""
        self.watching: dict[str, set[asyncio.Event]] = {}
        """By topic: set when something happened there. The lobby is one; tables are the others."""
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._stale: set[str] = set()
        """Tables that another process has changed and that are yet to be read again."""
        self._background: set[asyncio.Task[None]] = set()
        database.listen(self._wake)
        database.listen_to_others(self.read_again)

    # Tables in memory

    async def room(self, table_id: str) -> Room:
        """A table by its id, as it stands in the store; raises `NotFound`.

        Where other processes write too, what they have written may not have been heard of yet: so it is looked up.
        """
        known = self._held.get(table_id)
        room = known or await self._loaded(table_id)
        self._stays(room)
        if known is not None and self.database.is_postgres:
            async with self.database.read() as db:
                mark = await tables.find_mark(db, table_id)
            if mark != (room.n, room.row.revision):
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
            row = await tables.find_table(db, table_id)
            if row is None:
                raise NotFound(
                    f"There is no table {table_id!r}. It may have been closed; the lobby lists those there are."
                )
            kept = await steps.steps_of(db, table_id, before=row.n)
            said = await messages.messages_of(db, table_id, limit=KEPT_MESSAGES)
            rated = await ratings.ratings_for(db, row.game, players(row))
        position = None if row.state in ("open", "closed") and not row.started_at else fold(deal(row), kept)
        room = Room(row, position, said, rated)
        self._held[table_id] = room
        self._stays(room)
        if len(self.rooms) > MOST_RESTING:
            self.rest()
        self.metrics.rooms.set(len(self.rooms))
        return room

    def _stays(self, room: Room) -> None:
        self.rooms[room.row.id] = room
        room.used_at = asyncio.get_running_loop().time()

    async def refresh(self, room: Room) -> None:
        """Read what other processes have added."""
        async with room.lock:
            await self._catch_up(room)

    async def show(self, w: Write) -> None:
        """Show what was written to tables that were not held meanwhile, once it is kept."""
        for topic in w.topics:
            table_id = topic.removeprefix("table:")
            if table_id in self._held or table_id in self._loading:
                await self.refresh(self._held.get(table_id) or await self._loaded(table_id))

    async def _catch_up(self, room: Room) -> None:
        """Read what was added; the room's lock is held."""
        async with self.database.read() as db:
            row = await tables.find_table(db, room.row.id)
            if row is None:
                self.rooms.pop(room.row.id, None)
                self._held.pop(room.row.id, None)
                room.change()
                return
            kept = await steps.steps_of(db, row.id, after=room.n, before=row.n)
            said = await messages.messages_of(db, row.id, limit=KEPT_MESSAGES)
            if row.revision != room.row.revision or players(row) != set(room.ratings):
                room.ratings = await ratings.ratings_for(db, row.game, players(row))
        if row.started_at and room.position is None:
            room.position = fold(deal(row), kept)
        elif kept and room.position is not None:
            room.position = fold(room.position.table.copy(), kept, room.position)
        room.row, room.messages = row, said
        if room.version != room.shown:
            room.change()

    def _wake(self, topic: str) -> None:
        """Wake those who watch a topic; where anything may have changed, all but those who watch a person."""
        if topic in ("lobby", "*"):
            self.listed = None
        topics = [one for one in self.watching if not one.startswith("user:")] if topic == "*" else [topic]
        for event in [event for one in topics for event in self.watching.get(one, ())]:
            event.set()

    @contextmanager
    def watch(self, event: asyncio.Event, topics: Iterable[str]) -> Iterator[None]:
        """Have an event set whenever something happens in one of these topics."""
        topics = tuple(topics)
        for topic in topics:
            self.watching.setdefault(topic, set()).add(event)
        try:
            yield
        finally:
            for topic in topics:
                self.watching[topic].discard(event)
                if not self.watching[topic]:
                    del self.watching[topic]

    def close(self) -> None:
        """Say to everybody who waits that the house is about to close."""
        self.closing.set()
        self.due.set()
        for topic in list(self.watching):
            self._wake(topic)
        for room in self.rooms.values():
            room.change()

    def read_again(self, topic: str) -> None:
        """Have what is in memory read again as soon as the store answers: the table of a topic, or all of them.

        That is how this process learns what others wrote; what it did itself it has shown itself.
        """
        if self.closing.is_set():
            return
        table_ids = [*self._held, *self._loading] if topic == "*" else [topic.removeprefix("table:")]
        for table_id in table_ids:
            if table_id in self._held or table_id in self._loading:  # whose first half may have been read too early
                self._read_again(table_id)

    def _read_again(self, table_id: str) -> None:
        if table_id not in self._stale:
            self._stale.add(table_id)
            task = asyncio.ensure_future(self._reading_again(table_id))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _reading_again(self, table_id: str) -> None:
        wait = AGAIN
        while table_id in self._stale:
            try:
                room = self._held.get(table_id) or await self._loaded(table_id)
                async with room.lock:
                    self._stale.discard(table_id)
                    await self._catch_up(room)
            except NotFound:
                self._stale.discard(table_id)
            except Exception:
                log.warning(
                    "a table could not be read; trying again", exc_info=True, extra={"fields": {"table": table_id}}
                )
                self._stale.add(table_id)
                await asyncio.sleep(wait)
                wait = min(2 * wait, MOST_AGAIN)

    async def settle(self) -> None:
        """Let what was begun in the background come to its end, before the store closes."""
        ended = [*self._background, *self._loading.values()]
        if ended:
            await asyncio.wait(ended, timeout=1)
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)

    def rest(self) -> None:
        """Let tables go that nobody has looked at for a while, or that are too many; one not in use costs nothing."""
        oldest = asyncio.get_running_loop().time() - self.settings.rest_after
        resting = sorted((room.used_at, table_id) for table_id, room in self.rooms.items() if not room.viewers)
        too_many = len(resting) - MOST_RESTING
        for place, (used_at, table_id) in enumerate(resting):
            if used_at < oldest or place < too_many:
                del self.rooms[table_id]
        self.metrics.rooms.set(len(self.rooms))

    # Steps

    async def make_step(
        self, room: Room, seat: int, n: int, step: msgspec.Struct, by: str = "person", sure: bool = True
    ) -> None:
        """Make a step for a seat at a table that has come to `n` steps; returns once it is kept.

        The same step sent twice is made once. Raises `StaleVersion`, `IllegalStep`, `NotYourTurn` or `Conflict`, and
        `NotSure` where whoever is not sure could not take it back, or it would end their turn.
        """

        def draw_up(draft: Draft) -> None:
            self._check_hand(room, seat, by)
            draft.make(step, seat, by)
            draft.go_on()
            if not sure:
                draft.check_again(seat)

        await self._go_on(room, seat, n, encode(step), draw_up)

    async def undo(self, room: Room, seat: int, n: int) -> None:
        """Take a seat's last step back, with what the house did in between; raises `NoUndo` with the reason."""

        def draw_up(draft: Draft) -> None:
            self._check_hand(room, seat, "person")
            draft.undo(seat)

        await self._go_on(room, seat, n, UNDO, draw_up)

    async def _go_on(self, room: Room, seat: int, n: int, step: str, draw_up: Callable[[Draft], None]) -> None:
        async with room.lock:
            if n > room.n:
                await self._catch_up(room)  # another process has shown more than this one knows
            for _ in range(TRIES):
                if room.position and n >= 0 and room.position.entries[n : n + 1] == ((seat, step),):
                    return  # the very step that was made there, sent again
                position = self._playing(room)
                if n != position.n:
                    raise StaleVersion
                draft = Draft(room, position, self.now())
                draw_up(draft)
                if await self._keep(room, draft):
                    return
                await self._catch_up(room)
            raise StaleVersion

    def _playing(self, room: Room) -> Position:
        if room.row.state == "over":
            raise Conflict("The game is over; nothing can be changed any more.")
        if room.row.state != "playing" or room.position is None:
            raise Conflict("The game has not begun.")
        return room.position

    def _check_hand(self, room: Room, seat: int, by: str) -> None:
        """A bot acts for a seat as long as nobody has come back to it, a person until a bot has taken it over."""
        bot = room.played_by_bot(seat)
        if by == "bot" and bot is None:
            raise StaleVersion("Somebody has come back to this seat.")
        if by == "person" and bot is not None:
            resigned = room.row.seats[seat].resigned
            raise Conflict(
                "You resigned; the bot plays to the end."
                if resigned
                else "A bot plays your seat now; take it back first."
            )

    async def _keep(self, room: Room, draft: "Draft") -> bool:
        """Write a draft; False where another process was faster."""
        table_id = room.row.id
        try:
            with self.metrics.commit_seconds.time():
                async with self.database.write() as w:
                    await steps.add_steps(w.db, table_id, draft.rows)
                    row = await draft.advance(w)
                    w.tell(f"table:{row.id}")
                    if row.state == "over":
                        w.tell("lobby")
        except StepExists:
            return False
        except BaseException:
            self._read_again(table_id)  # it may have been kept all the same
            raise
        for kept in draft.rows:
            self.metrics.steps.labels(row.game, kept.by).inc()
        room.row, room.position = row, draft.position
        room.change()
        if row.turn is not None and room.played_by_bot(row.turn):
            self.due.set()
        return True

    # What is not a step

    @asynccontextmanager
    async def changing(self, room: Room) -> AsyncIterator[Write]:
        """One change of seats or state: written as one, told to everybody, seen here at once.

        Inside it `room.row` is how things stand, whatever other processes do.
        """
        table_id = room.row.id
        async with room.lock:
            try:
                async with self.database.write() as w:
                    room.row = await tables.hold_table(w.db, table_id) or room.row
                    yield w
                    w.tell(f"table:{table_id}")
                    w.tell("lobby")
                await self._catch_up(room)
            except BaseException:
                self._read_again(table_id)  # the row may be newer than the rest by now, and the change may be kept
                raise
            self.due.set()

    async def say(self, room: Room, text: str, name: str, seat: int | None, user_id: str) -> None:
        """Add what somebody says."""
        table_id = room.row.id
        async with room.lock:
            try:
                async with self.database.write() as w:
                    await tables.hold_table(w.db, table_id)  # so that messages have their numbers in order
                    await messages.add_message(
                        w.db, table_id, user_id=user_id, seat=seat, name=name, text=text, at=self.now()
                    )
                    w.tell(f"table:{table_id}")
                await self._catch_up(room)
            except BaseException:
                self._read_again(table_id)  # it may have been kept all the same
                raise

    async def announce(self, w: Write, room: Room, text: str, seat: int) -> None:
        """Add what the house says of a seat, as part of the change that it tells."""
        await messages.add_message(w.db, room.row.id, user_id=None, seat=seat, name="", text=text, at=self.now())


def new_id() -> str:
    """The id of a table: short enough for a link, too long to guess."""
    return secrets.token_urlsafe(9)


def players(row: TableRow) -> set[str]:
    """Everybody at a table who has a rating, people and bots."""
    return {who for seat in row.seats if (who := seat.bot or seat.user_id)}
