"""What happens at a table, live: every step, every change of seats and state, everything said, each exactly once."""

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from signoria.games import GAMES
from signoria.server import seating
from signoria.server.api.answers import Told, Turn
from signoria.server.api.asking import Asked
from signoria.server.api.chronicle import Chronicle, chronicle_of
from signoria.server.api.facts import said, table_facts
from signoria.server.api.marks import Mark, read_mark
from signoria.server.api.per_game import name_of
from signoria.server.api.play import is_asked
from signoria.server.api.writing import encoded
from signoria.server.errors import BadField
from signoria.server.memory import KEPT_MESSAGES
from signoria.server.packing import Pack
from signoria.server.room import Room
from signoria.server.streams import Event, Stream
from signoria.server.visits import has_valid_token, visit
from signoria.store import messages

EVENT_STREAM = "text/event-stream"
PAGE = 200
"""Messages that are read and sent at a time."""


def _names(generic: object) -> str:
    return ", ".join(f"`{name_of(game, generic)}`" for game in GAMES.values())


DESCRIPTION = f"""Each event has an `id`; whoever comes back with it in `Last-Event-ID` (as browsers do by themselves) or
in `?after=` hears every later event, each exactly once: also after a restart of the house, and from another of its
processes. Without one everything is told from the beginning; `event` of a table is the id that leaves out what is past.

Events by name, with their data as JSON: `table` (`Table`): seats or state changed, the end of the game with its result
among them; `step` ({_names(Told)}): a step was kept; `undo` (`TakenBack`): the last step that stood was
taken back; `chat` (`Said`): somebody said something, unless you have blocked them; and with `?seat=`, `turn` ({_names(Turn)}): this
seat is asked, with its legal steps. Only what is public is told, but for the legal steps of one's own seat.

An id counts what has been told: steps, changes of seats and state, messages, turns. It is to be sent back, not read."""


async def events(asked: Asked) -> Response:
    """What happens at a table from the beginning, or from the last event that is known."""
    room, query = await asked.room(), asked.query
    seat = None if query.seat is msgspec.UNSET else query.seat
    if seat is not None:
        seating.own_seat(room, asked.user, seat)
    after = "" if query.after is msgspec.UNSET else query.after
    mark = read_mark(asked.request.headers.get("last-event-id", "") or after)
    if mark.n > room.n:
        await asked.house.refresh(room)  # another process may have told of a step that this one has not heard of
    if mark.n > room.n:
        raise BadField(
            "Last-Event-ID", f"Last-Event-ID: {mark} is ahead of this table, which has come to {room.n} steps."
        )
    return TableEvents(asked, room, seat, mark)


class TableEvents(Response):
    """The stream of a table for one listener."""

    def __init__(self, asked: Asked, room: Room, seat: int | None, mark: Mark) -> None:
        super().__init__(media_type=EVENT_STREAM)
        self._house, self._user, self._room, self._seat, self._mark = asked.house, asked.user, room, seat, mark
        self._request = asked.request
        self._chronicle: Chronicle | None = None
        self._passed_over = 0
        """The id of the last message that this listener is not told, since they have blocked its author."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send whatever happens, until the listener leaves or the house closes."""
        with visit(self._request) as self._visit, self._room.looking(self._visit.changed):
            await Stream(self._fetch, *self._visit, str(self._mark))(scope, receive, send)

    async def _fetch(self, last: str) -> list[Event]:
        """What happened since then: a new table first, the steps, what was said, and last how the game ended."""
        if not await has_valid_token(self._request, self._visit):
            return []
        self._mark, sent = read_mark(last), []
        over = self._room.row.state == "over"
        if not over:
            sent += self._table()
        sent += await self._steps()
        sent += await self._said()
        if self._visit.changed.is_set():
            return sent  # more was said: the rest comes after it
        if over:
            sent += self._table()
        return sent + self._turn()

    def _table(self) -> list[Event]:
        changes = self._room.row.revision + 1
        if changes <= self._mark.changes:
            return []
        return [self._event("table", encoded(table_facts(self._room, self._user)).decode(), changes=changes)]

    async def _steps(self) -> list[Event]:
        if self._room.n <= self._mark.n:
            return []
        if self._chronicle is None:
            self._chronicle = chronicle_of(self._room)
        await self._chronicle.catch_up(self._house, self._room)
        new = self._chronicle.told[self._mark.n :]
        return [self._event(name, data, n=n) for n, (name, data) in enumerate(new, self._mark.n + 1)]

    async def _said(self) -> list[Event]:
        after = max(self._mark.message, self._passed_over)
        new = [message for message in self._room.messages if message.id > after]
        if len(new) == KEPT_MESSAGES:
            async with self._house.database.read() as db:
                new = await messages.messages_after(db, self._room.row.id, after, PAGE)
            if len(new) == PAGE:
                self._visit.changed.set()  # there may be more
        blocked = self._user.blocked if self._user else frozenset()
        if new:
            self._passed_over = new[-1].id
        new = [message for message in new if message.user_id not in blocked]
        return [self._event("chat", encoded(said(message)).decode(), message=message.id) for message in new]

    def _turn(self) -> list[Event]:
        room, seat, user = self._room, self._seat, self._user
        if seat is None or user is None or room.row.seats[seat].user_id != user.id or not is_asked(room, seat):
            return []
        if self._mark.n != room.n or self._mark.turn == room.n + 1:
            return []
        assert room.position is not None
        table = room.position.table
        turn = Turn(n=room.n, seat=seat, asked=table.asked, legal=table.legal)
        return [self._event("turn", encoded(turn).decode(), turn=room.n + 1)]

    def _event(self, name: str, data: str, **told: int) -> Event:
        """An event, and with it the mark moved on."""
        self._mark = self._mark._replace(**told)
        return Event(str(self._mark), Pack(data), name)
