"""The table service: the only way for a step from a player into the database.

A step is tried on a copy of the game, written, and only then shown. If the database refuses it, it never happened.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import msgspec

from signoria.kernel.errors import NoUndo
from signoria.server.errors import Conflict, StaleVersion
from signoria.server.guard.limits import LastAddresses
from signoria.server.play import auto_bidding
from signoria.server.play.pending_steps import PendingSteps
from signoria.server.play.room import UNDO, Room, TablePosition, encode_step
from signoria.server.play.room_cache import RoomCache
from signoria.server.run.metrics import Metrics
from signoria.server.settings import Settings
from signoria.store import messages, steps, tables
from signoria.store.database import Database, Write
from signoria.store.steps import StepExists

GAMES_TOPIC = "games:"
TRIES = 3
"""How often a step is retried when seats changed in the meantime."""


class TableService(RoomCache):
    """All tables of this process, and every way to change them."""

    def __init__(self, database: Database, settings: Settings, metrics: Metrics, now: Callable[[], int]) -> None:
        super().__init__(database, settings, metrics)
        self.now = now
        self.addresses = LastAddresses()
        self.checking = asyncio.Lock()
        """Held while a finished game is checked: one at a time, because it takes long."""
        self.due = asyncio.Event()
        """Set when the server may have something to do: a bot's turn, a clock."""
        self.watching: dict[str, set[asyncio.Event]] = {}
        """By topic: set when something happened at a table, to a person, or to a person's games."""
        database.listen(self._wake)
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

    async def make_step(self, room: Room, seat: int, n: int, step: msgspec.Struct, by: str = "person") -> None:
        """Make one step, like `make_steps`."""
        await self.make_steps(room, seat, n, (step,), by)

    async def make_steps(
        self, room: Room, seat: int, n: int, steps: Sequence[msgspec.Struct], by: str = "person", sure: bool = True
    ) -> None:
        """Make steps one after another for a seat at a table with `n` steps: all of them or none.

        Returns once they are saved. The same steps sent twice are made once. Raises `StaleVersion`, `IllegalStep`,
        `NotYourTurn`, `Conflict` or `BadField`. Raises `NotSure` if the person wants to confirm, and the steps cannot be
        undone or end the turn.
        """

        def build(pending: PendingSteps) -> None:
            self._check_player(room, seat, by)
            pending.make_all(steps, seat, by)
            if not sure:
                pending.check_confirmed(seat)
            pending.make_forced_steps()
            if not sure:
                pending.check_confirmed(seat)

        await self._go_on(room, seat, n, tuple(map(encode_step, steps)), build)

    async def make_sealed_step(self, room: Room, seat: int, n: int) -> bool:
        """Make the step of a player's automatic bid in the current auction; False if there is none."""

        def build(pending: PendingSteps) -> None:
            self._check_player(room, seat, "person")
            step = auto_bidding.automatic_step(pending.position.table.view(seat), room.sealed.get(seat))
            if step is None:
                raise StaleVersion("There is no automatic bid any more.")
            pending.make(step, seat, "person")
            pending.follows = room.sealed[seat]
            pending.make_forced_steps()

        await self.refresh(room)
        if room.n != n or room.position is None:
            raise StaleVersion
        if auto_bidding.automatic_step(room.position.table.view(seat), room.sealed.get(seat)) is None:
            return False
        await self._go_on(room, seat, n, ("",), build)
        return True

    async def undo(self, room: Room, seat: int, n: int) -> None:
        """Undo a seat's last step, with forced moves in between; raises `NoUndo` with the reason."""

        def build(pending: PendingSteps) -> None:
            self._check_player(room, seat, "person")
            pending.undo(seat)
            row = room.row
            used = row.used_before + max(0, self.now() - (row.turn_at or self.now()))
            if row.clock and row.turn != seat and used >= 1000 * row.clock:
                raise NoUndo("Your time for that move is up, so you cannot undo it.")

        await self._go_on(room, seat, n, (UNDO,), build)

    async def _go_on(
        self, room: Room, seat: int, n: int, sent: tuple[str, ...], build: Callable[[PendingSteps], None]
    ) -> None:
        entries = tuple((seat, step) for step in sent)
        async with room.lock:
            if n > room.n:
                await self.catch_up(room)  # another process has shown more than this one knows
            for _ in range(TRIES):
                if room.position and n >= 0 and room.position.entries[n : n + len(entries)] == entries:
                    return  # the same steps, sent again
                position = self._playing(room)
                if n != position.n:
                    raise StaleVersion
                pending = PendingSteps(room, position, self.now())
                build(pending)
                if await self._keep(room, pending):
                    return
                await self.catch_up(room)
            raise StaleVersion

    def _playing(self, room: Room) -> TablePosition:
        if room.row.state == "over":
            raise Conflict("The game is over.")
        if room.row.state != "playing" or room.position is None:
            raise Conflict("The game has not started.")
        return room.position

    def _check_player(self, room: Room, seat: int, by: str) -> None:
        """A bot acts for a seat until its player returns, and a player until a bot has taken over."""
        bot = room.played_by_bot(seat)
        if by == "bot" and bot is None:
            raise StaleVersion("The player has come back to this seat.")
        if by == "person" and bot is not None:
            resigned = room.row.seats[seat].resigned
            raise Conflict(
                "You resigned, so a bot finishes the game for you."
                if resigned
                else "A bot is playing for you. Take your seat back first."
            )

    async def _keep(self, room: Room, pending: "PendingSteps") -> bool:
        """Write pending steps; False if another process was faster."""
        table_id = room.row.id
        try:
            with self.metrics.commit_seconds.time():
                async with self.database.write() as w:
                    await steps.add_steps(w.db, table_id, pending.rows)
                    row = await pending.advance(w)
                    w.tell(f"table:{row.id}")
                    if row.state == "over":
                        w.tell("lobby")
        except StepExists:
            return False
        except BaseException:
            self.reload_table(table_id)  # it may have been saved all the same
            raise
        for kept in pending.rows:
            self.metrics.steps.labels(row.game, kept.by).inc()
        room.row, room.position, room.sealed = row, pending.position, pending.sealed
        room.notify_viewers()
        if pending.act_soon or (row.turn is not None and room.played_by_bot(row.turn)):
            self.due.set()
        return True

    # What is not a step

    @asynccontextmanager
    async def changing(self, room: Room) -> AsyncIterator[Write]:
        """A transaction that changes seats or state: all processes are notified, and it is shown here at once.

        Inside it `room.row` is up to date, whatever other processes do.
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
                    w.tell(f"table:{table_id}")
                await self.catch_up(room)
            except BaseException:
                self.reload_table(table_id)  # it may have been saved all the same
                raise

    async def announce(self, w: Write, room: Room, text: str, seat: int) -> None:
        """Add a message of the server about a seat, as part of the change it describes."""
        await messages.add_message(w.db, room.row.id, user_id=None, seat=seat, name="", text=text, at=self.now())


def games_topic(user_id: str) -> str:
    """The topic for changes in the list of a person's tables."""
    return GAMES_TOPIC + user_id


def new_table_id() -> str:
    """A table id: short enough for a link, too long to guess."""
    return secrets.token_urlsafe(9)
