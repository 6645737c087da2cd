"""The table service: the only way for a step from a player, bot, clock or program into the database.

A step is drafted on a copy of the game (`draft.py`), written, and only then shown. If the database refuses it, it never
happened.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import dropwhile
from random import SystemRandom

import msgspec

from signoria.kernel.language import ENGLISH, Message, say, speaking
from signoria.server.errors import Conflict, StaleVersion
from signoria.server.guard.limits import LastAddresses
from signoria.server.people.notifications.notifier import Notifier
from signoria.server.people.ratings import rate_game
from signoria.server.people.statistics import add_game
from signoria.server.play.clocks import due_at, start_of_turn, with_full_time
from signoria.server.play.draft import Draft, NoOrder, TableUpdate
from signoria.server.play.ordered_steps import as_bits, choosing
from signoria.server.play.room import UNDO, Room, TablePosition, deal, encode_step, fold
from signoria.server.play.room_cache import RoomCache
from signoria.server.run.metrics import Metrics
from signoria.server.settings import Settings
from signoria.store import messages, steps, tables
from signoria.store.database import Database, Write
from signoria.store.orders import drop_orders, find_orders, put_orders
from signoria.store.steps import StepExists, StepRow
from signoria.store.tables import TableRow

GAMES_TOPIC = "games:"
TRIES = 3
"""How often a step is drafted again when seats or orders changed in the meantime."""


class TableService(RoomCache):
    """All tables of this process, and every way to change them."""

    def __init__(self, database: Database, settings: Settings, metrics: Metrics, now: Callable[[], int]) -> None:
        super().__init__(database, settings, metrics)
        self.now = now
        self.rng = SystemRandom()
        self.addresses = LastAddresses()
        self.notifier = Notifier(settings, now)
        self.checking = asyncio.Lock()
        """Held while a finished game is checked: one at a time, because it takes long."""
        self.exporting = asyncio.Lock()
        """Held while the data of an account is read for its owner: one at a time, because there may be much of it."""
        self.due = asyncio.Event()
        """Set when the server may have something to do: a bot's turn, a clock."""
        self.watching: dict[str, set[asyncio.Event]] = {}
        """By topic: set when something happened at a table, to a person, or to a person's games."""
        database.listen(self._wake)
        database.listen(self.notifier.pages.on_topic)
        database.listen_to_others(self.reload)

    # What happens here

    def _wake(self, topic: str) -> None:
        """Wake those who watch a topic; if anything may have changed, all except those who watch a person."""
        topics = [one for one in self.watching if not one.startswith("user:")] if topic == "*" else [topic]
        for event in [event for one in topics for event in self.watching.get(one, ())]:
            event.set()

    @contextmanager
    def watch(self, event: asyncio.Event, topics: Iterable[str]) -> Iterator[None]:
        """Set an event whenever something happens in one of these topics."""
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
        """Note that a player or the host of a table has just sent a request there."""
        if user_id is not None and (user_id == room.row.host_id or room.seats_of(user_id)):
            room.last_activity_at = self.now()

    def close(self) -> None:
        """Tell all waiting tasks that the server is about to stop."""
        self.closing.set()
        self.due.set()
        for topic in list(self.watching):
            self._wake(topic)
        for room in self.rooms.values():
            room.notify_viewers()

    # Steps

    async def start_game(self, w: Write, row: TableRow, rows: Sequence[StepRow] = ()) -> None:
        """Deal, and start the game of a table, or continue it after these steps, as part of a change."""
        now, table = self.now(), fold(deal(row), rows).table
        turn, row = table.turn, with_full_time(row)
        assert turn is not None
        turn_at = start_of_turn(row, turn, now, choosing(table))
        await steps.add_steps(w.db, row.id, rows)
        if row.total_time:
            await tables.set_time_left(w.db, row.id, {seat.seat: seat.time_left for seat in row.seats})
        await tables.change(
            w.db, row.id, state="playing", rules=row.rules, n=len(rows), started_at=now, touched_at=now, turn=turn,
            turn_at=turn_at, due_at=due_at(row, turn, turn_at, now), choosing=as_bits(choosing(table)),
        )  # fmt: skip
        started = msgspec.structs.replace(row, state="playing", turn=turn, choosing=as_bits(choosing(table)))
        await self.notifier.started(w, started)

    async def make_step(self, room: Room, user_id: str | None, seat: int, n: int, step: msgspec.Struct) -> None:
        """Make one step for a program, like `make_steps`; bots do not wait for an undo."""
        await self.make_steps(room, user_id, seat, n, (step,), bots_wait=False)

    async def make_steps(
        self,
        room: Room,
        user_id: str | None,
        seat: int,
        n: int,
        steps: Sequence[msgspec.Struct],
        *,
        sure: bool = True,
        bots_wait: bool = True,
    ) -> None:
        """Make steps one after another for a seat at a table with `n` steps: all of them or none.

        `user_id` is the person who sent them; None means the bot that plays the seat. Returns once they are saved. The
        same steps sent twice are made once. Raises `NotAllowed`, `StaleVersion`, `IllegalStep`, `NotYourTurn`,
        `Conflict` or `BadField`. Raises `NotSure` if the person wants to confirm, and the steps cannot be undone or end
        the turn. `bots_wait` gives the person a moment to undo the steps before a bot moves.
        """

        def fill(draft: Draft) -> None:
            draft.make_all(steps, seat, "bot" if user_id is None else "person")
            _finish(draft, seat, sure=sure)

        await self._submit(room, user_id, seat, n, fill, tuple(map(encode_step, steps)), bots_wait=bots_wait)

    async def make_instead(
        self, room: Room, user_id: str, seat: int, n: int, step: msgspec.Struct, *, sure: bool = True
    ) -> None:
        """Undo the seat's last steps as far as needed, and make this one instead: both or neither, like `make_steps`."""

        def fill(draft: Draft) -> None:
            draft.make_instead(step, seat)
            _finish(draft, seat, sure=sure)

        await self._submit(room, user_id, seat, n, fill, (encode_step(step),), after_undo=True)

    async def make_ordered_steps(self, room: Room, seat: int, n: int) -> bool:
        """Make the steps that follow from the orders of the player to move; False if there are none."""

        def fill(draft: Draft) -> None:
            draft.make_ordered(seat)
            draft.make_forced_steps()

        await self.refresh(room)
        if room.n != n:
            raise StaleVersion
        try:
            await self._submit(room, room.seat(seat).user_id, seat, n, fill)
        except NoOrder:
            return False
        return True

    async def undo(self, room: Room, user_id: str, seat: int, n: int) -> None:
        """Undo a seat's last step, with forced moves in between; raises `NoUndo` with the reason."""
        await self._submit(room, user_id, seat, n, lambda draft: draft.undo(seat), (UNDO,))

    async def _submit(
        self,
        room: Room,
        user_id: str | None,
        seat: int,
        n: int,
        fill: Callable[[Draft], None],
        sent: tuple[str, ...] = (),
        *,
        after_undo: bool = False,
        bots_wait: bool = True,
    ) -> None:
        """Every step goes this way: check who acts, draft it, write it, show it.

        `after_undo` if undos of the seat come before the steps that were sent.
        """
        entries = tuple((seat, step) for step in sent)
        async with room.lock:
            if n > room.n:
                await self.catch_up(room)  # another process has shown more than this one knows
            for _ in range(TRIES):
                self._check_actor(room, user_id, seat)
                if entries and room.position and n >= 0:
                    since = room.position.entries[n:]
                    if after_undo:
                        since = tuple(dropwhile((seat, UNDO).__eq__, since))
                    if since[: len(entries)] == entries:
                        return  # the same steps, sent again
                position = self._playing(room)
                if n != position.n:
                    raise StaleVersion
                wait = self.settings.undo_wait if bots_wait else 0
                draft = Draft(room.row, position, room.orders, self.now(), self.rng, wait)
                fill(draft)
                if await self._keep(room, draft.update(), by=user_id if sent else None):
                    return
                await self.catch_up(room)
            raise StaleVersion

    def _check_actor(self, room: Room, user_id: str | None, seat: int) -> None:
        """A bot acts for a seat until its player returns, and a player until a bot has taken over."""
        if user_id is not None:
            room.acting_seat(user_id, seat)
        elif room.row.state == "playing" and room.played_by_bot(seat) is None:
            raise StaleVersion(say("The player has come back to this seat."))

    def _playing(self, room: Room) -> TablePosition:
        if room.row.state == "over":
            raise Conflict(say("The game is over."))
        if room.row.state != "playing" or room.position is None:
            raise Conflict(say("The game has not started."))
        return room.position

    async def _keep(self, room: Room, update: TableUpdate, by: str | None) -> bool:
        """Write an update of this person, or of the server, and show it; False if another process was faster."""
        table_id, row = room.row.id, update.row
        try:
            with self.metrics.commit_seconds.time():
                async with self.database.write() as w:
                    row = await self._write(w, room.row, update, by)
                    w.tell(f"table:{table_id}")
                    if row.state == "over":
                        w.tell("lobby")
        except StepExists:
            return False
        except BaseException:
            self.reload_table(table_id)  # it may have been saved all the same
            raise
        for kept in update.rows:
            self.metrics.steps.labels(row.game, kept.by).inc()
        room.row, room.position, room.orders = row, update.position, dict(update.orders)
        room.notify_viewers()
        if update.act_soon:
            self.due.set()
        return True

    async def _write(self, w: Write, before: TableRow, update: TableUpdate, by: str | None) -> TableRow:
        """Write all changes of an update; the table as written. Raises `StepExists` if it changed after it was drafted."""
        row = update.row
        await steps.add_steps(w.db, row.id, update.rows)
        if not await tables.advance(
            w.db, row.id, n_before=update.n_before, n=row.n, turn=row.turn, turn_at=row.turn_at, due_at=row.due_at,
            touched_at=row.touched_at, used_before=row.used_before, choosing=row.choosing, revision=before.revision,
        ):  # fmt: skip
            raise StepExists(f"Table {row.id} has moved on.")
        if row.total_time:
            changed = {seat.seat: seat.time_left for seat in row.seats if seat != before.seats[seat.seat]}
            await tables.set_time_left(w.db, row.id, changed)
        for seat, orders in update.relies_on.items():  # the table is locked now, so no order can change
            if await find_orders(w.db, row.id, seat) != orders:
                raise StepExists(f"The orders of seat {seat} at table {row.id} have changed.")
        for given in update.changed_orders:
            await put_orders(w.db, given)
        if row.state == "over":
            await drop_orders(w.db, row.id)
            result = row.result or {}
            if changes := await rate_game(w.db, before, update.position):
                result = {**result, "ratings": changes}
            await tables.finish(w.db, row.id, result, row.touched_at)
            await add_game(w.db, before, update.position, changes, row.touched_at)
            row = msgspec.structs.replace(row, result=result)
        await self.notifier.after_steps(w, before, row, by, answered=update.answered)
        return row

    # What is not a step

    @asynccontextmanager
    async def changing(self, room: Room) -> AsyncIterator[Write]:
        """A transaction that changes seats or state: all processes are notified, and it is shown here at once.

        Inside it `room.row` is up to date even if other processes write.
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
                self.reload_table(table_id)  # the row may be newer than the rest by now, and the change may be saved
                raise
            self.due.set()

    async def say(self, room: Room, text: str, name: str, seat: int | None, user_id: str) -> None:
        """Add a chat message."""
        table_id = room.row.id
        async with room.lock:
            try:
                async with self.database.write() as w:
                    await tables.hold_table(w.db, table_id)  # so that message ids are in order
                    await messages.add_message(
                        w.db, table_id, user_id=user_id, seat=seat, name=name, text=text, at=self.now()
                    )
                    await self.notifier.message_written(w, room.row, user_id, name)
                    w.tell(f"table:{table_id}")
                await self.catch_up(room)
            except BaseException:
                self.reload_table(table_id)  # it may have been saved all the same
                raise

    async def announce(self, w: Write, room: Room, says: Message, seat: int) -> None:
        """Add a message of the server about a seat, as part of the change it describes."""
        await add_announcement(w, room.row.id, says, seat, self.now())


def _finish(draft: Draft, seat: int, *, sure: bool) -> None:
    """Play the forced moves after the steps of a person; raises `NotSure` if they want to confirm.

    It is checked before the forced moves too. Otherwise the message could depend on what the steps reveal, because
    that decides which moves are forced.
    """
    if not sure:
        draft.check_confirmed(seat)
    draft.make_forced_steps()
    if not sure:
        draft.check_confirmed(seat)


async def add_announcement(w: Write, table_id: str, says: Message, seat: int | None, now: int) -> None:
    """Add a chat message of the server: in English, and as data that is told in the language of each reader."""
    said = msgspec.json.encode((says.message, dict(says.values))).decode()
    await messages.add_message(
        w.db, table_id, user_id=None, seat=seat, name="", text=in_english(says), at=now, said=said
    )


def in_english(says: Message) -> str:
    """A message in English, as it is stored."""
    with speaking(ENGLISH):
        return str(says)


def games_topic(user_id: str) -> str:
    """The topic for changes in the list of a person's tables."""
    return GAMES_TOPIC + user_id


def new_table_id() -> str:
    """A table id: short enough for a link, too long to guess."""
    return secrets.token_urlsafe(9)
