"""The table service: the one way in which a step gets from people, bots, clocks and programs into the database.

A step is drafted on a copy of the game (`draft.py`), written, and only then shown: what the database refuses has never
happened.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from random import SystemRandom

import msgspec

from signoria.server.errors import Conflict, StaleVersion
from signoria.server.guard.limits import LastAddresses
from signoria.server.people.ratings import rate_game
from signoria.server.play.clocks import due_at
from signoria.server.play.draft import Draft, NothingSealed, TableUpdate
from signoria.server.play.room import UNDO, Room, TablePosition, deal, encode_step, fold
from signoria.server.play.room_cache import RoomCache
from signoria.server.run.metrics import Metrics
from signoria.server.settings import Settings
from signoria.store import messages, steps, tables
from signoria.store.database import Database, Write
from signoria.store.sealed import drop_sealed, find_sealed, put_sealed
from signoria.store.steps import StepExists, StepRow
from signoria.store.tables import TableRow

GAMES_TOPIC = "games:"
TRIES = 3
"""How often a step is drafted when seats or sealed bids change meanwhile."""


class TableService(RoomCache):
    """All tables of this process, and every way to change them."""

    def __init__(self, database: Database, settings: Settings, metrics: Metrics, now: Callable[[], int]) -> None:
        super().__init__(database, settings, metrics)
        self.now = now
        self.rng = SystemRandom()
        self.addresses = LastAddresses()
        self.checking = asyncio.Lock()
        """Held while a finished game is checked, one at a time: that is work."""
        self.due = asyncio.Event()
        """Set when there may be something for the server to do: a bot's turn, a clock."""
        self.watching: dict[str, set[asyncio.Event]] = {}
        """By topic: set when something happened there, at a table, to a person, or to the games that a person has."""
        database.listen(self._wake)
        database.listen_to_others(self.reload)

    # What happens here

    def _wake(self, topic: str) -> None:
        """Wake those who watch a topic; where anything may have changed, all but those who watch a person."""
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

    def note_activity(self, room: Room, user_id: str | None) -> None:
        """Note that one of a table's players or its host has just asked for something there."""
        if user_id is not None and (user_id == room.row.host_id or room.seats_of(user_id)):
            room.last_activity_at = self.now()

    def close(self) -> None:
        """Tell everybody who waits that the server is about to stop."""
        self.closing.set()
        self.due.set()
        for topic in list(self.watching):
            self._wake(topic)
        for room in self.rooms.values():
            room.notify_viewers()

    # Steps

    async def start_game(self, w: Write, row: TableRow, rows: Sequence[StepRow] = ()) -> None:
        """Deal, and let the game of a table begin or go on after these steps, as part of a change."""
        now, turn = self.now(), fold(deal(row), rows).table.turn
        assert turn is not None
        await steps.add_steps(w.db, row.id, rows)
        await tables.change(
            w.db, row.id, state="playing", rules=row.rules, n=len(rows), started_at=now, touched_at=now, turn=turn,
            turn_at=now, due_at=due_at(row, turn, now, now),
        )  # fmt: skip

    async def make_step(self, room: Room, user_id: str | None, seat: int, n: int, step: msgspec.Struct) -> None:
        """Make one step, as `make_steps` does."""
        await self.make_steps(room, user_id, seat, n, (step,))

    async def make_steps(
        self,
        room: Room,
        user_id: str | None,
        seat: int,
        n: int,
        steps: Sequence[msgspec.Struct],
        *,
        sure: bool = True,
    ) -> None:
        """Make steps one after another for a seat at a table that has come to `n` steps, all or none of them.

        `user_id` is the person who sent them; None stands for the bot that plays the seat. Returns once they are kept.
        The same steps sent twice are made once. Raises `NotAllowed`, `StaleVersion`, `IllegalStep`, `NotYourTurn`,
        `Conflict` or `BadField`, and `NotSure` for a person who is not sure and could not take the steps back, or whose
        turn they would end.
        """

        def fill(draft: Draft) -> None:
            draft.make_all(steps, seat, "bot" if user_id is None else "person")
            if not sure:
                draft.check_confirmed(seat)
            draft.make_forced_steps()
            if not sure:
                draft.check_confirmed(seat)

        await self._submit(room, user_id, seat, n, fill, tuple(map(encode_step, steps)))

    async def make_sealed_step(self, room: Room, seat: int, n: int) -> bool:
        """Make the step that follows from what somebody sealed for the auction that goes on, as theirs.

        False where none does, so that they are to be asked.
        """

        def fill(draft: Draft) -> None:
            draft.make_sealed(seat)
            draft.make_forced_steps()

        await self.refresh(room)
        if room.n != n:
            raise StaleVersion
        try:
            await self._submit(room, room.seat(seat).user_id, seat, n, fill)
        except NothingSealed:
            return False
        return True

    async def undo(self, room: Room, user_id: str, seat: int, n: int) -> None:
        """Take a seat's last step back, with what the server did in between; raises `NoUndo` with the reason."""
        await self._submit(room, user_id, seat, n, lambda draft: draft.undo(seat), (UNDO,))

    async def _submit(
        self,
        room: Room,
        user_id: str | None,
        seat: int,
        n: int,
        fill: Callable[[Draft], None],
        sent: tuple[str, ...] = (),
    ) -> None:
        """The way of every step: check who acts, draft it, write it, show it."""
        entries = tuple((seat, step) for step in sent)
        async with room.lock:
            if n > room.n:
                await self.catch_up(room)  # another process has shown more than this one knows
            for _ in range(TRIES):
                self._check_actor(room, user_id, seat)
                if entries and room.position and n >= 0 and room.position.entries[n : n + len(entries)] == entries:
                    return  # the very steps that were made there, sent again
                position = self._playing(room)
                if n != position.n:
                    raise StaleVersion
                draft = Draft(room.row, position, room.sealed, self.now(), self.rng)
                fill(draft)
                if await self._keep(room, draft.update()):
                    return
                await self.catch_up(room)
            raise StaleVersion

    def _check_actor(self, room: Room, user_id: str | None, seat: int) -> None:
        """A person plays their own seat until a bot takes it over; a bot plays it until the person comes back."""
        if user_id is not None:
            room.acting_seat(user_id, seat)
        elif room.row.state == "playing" and room.played_by_bot(seat) is None:
            raise StaleVersion("Somebody has come back to this seat.")

    def _playing(self, room: Room) -> TablePosition:
        if room.row.state == "over":
            raise Conflict("The game is over; nothing can be changed any more.")
        if room.row.state != "playing" or room.position is None:
            raise Conflict("The game has not begun.")
        return room.position

    async def _keep(self, room: Room, update: TableUpdate) -> bool:
        """Write an update and show it; False where another process was faster."""
        table_id, row = room.row.id, update.row
        try:
            with self.metrics.commit_seconds.time():
                async with self.database.write() as w:
                    await self._write(w, room.row, update)
                    w.tell(f"table:{table_id}")
                    if row.state == "over":
                        w.tell("lobby")
        except StepExists:
            return False
        except BaseException:
            self.reload_table(table_id)  # it may have been kept all the same
            raise
        for kept in update.rows:
            self.metrics.steps.labels(row.game, kept.by).inc()
        room.row, room.position, room.sealed = row, update.position, dict(update.sealed)
        room.notify_viewers()
        if update.act_soon:
            self.due.set()
        return True

    async def _write(self, w: Write, before: TableRow, update: TableUpdate) -> None:
        """Write all that an update changes; raises `StepExists` where the table is no longer what it was drafted for."""
        row = update.row
        await steps.add_steps(w.db, row.id, update.rows)
        if not await tables.advance(
            w.db, row.id, n_before=update.n_before, n=row.n, turn=row.turn, turn_at=row.turn_at, due_at=row.due_at,
            touched_at=row.touched_at, used_before=row.used_before, revision=before.revision,
        ):  # fmt: skip
            raise StepExists(f"Table {row.id} has gone on.")
        for seat, sealed in update.relies_on.items():  # the table is held now, so nobody seals anything meanwhile
            if await find_sealed(w.db, row.id, seat) != sealed:
                raise StepExists(f"What seat {seat} of table {row.id} had sealed has changed.")
        for sealed in update.resealed:
            await put_sealed(w.db, sealed)
        if row.state == "over":
            await drop_sealed(w.db, row.id)
            await tables.finish(w.db, row.id, row.result or {}, row.touched_at)
            await rate_game(w.db, before, update.position.table)

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
                    room.row = before = await tables.hold_table(w.db, table_id) or room.row
                    yield w
                    after = await tables.find_table(w.db, table_id)
                    for user_id in before.people ^ (after.people if after else frozenset()):
                        w.tell(games_topic(user_id))
                    w.tell(f"table:{table_id}")
                    w.tell("lobby")
                await self.catch_up(room)
            except BaseException:
                self.reload_table(table_id)  # the row may be newer than the rest by now, and the change may be kept
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
                await self.catch_up(room)
            except BaseException:
                self.reload_table(table_id)  # it may have been kept all the same
                raise

    async def announce(self, w: Write, room: Room, text: str, seat: int) -> None:
        """Add what the server says of a seat, as part of the change that it tells."""
        await messages.add_message(w.db, room.row.id, user_id=None, seat=seat, name="", text=text, at=self.now())


def games_topic(user_id: str) -> str:
    """The topic that tells of a table more or less among those that a person opened or sits at."""
    return GAMES_TOPIC + user_id


def new_table_id() -> str:
    """The id of a table: short enough for a link, too long to guess."""
    return secrets.token_urlsafe(9)
