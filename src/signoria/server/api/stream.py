"""The event stream of a table: every step, every change of seats and state, every message, each exactly once.

A room keeps the game as it stands, without the steps that were taken back. A listener hears how it came about, and the
same whenever they listen; so the steps are replayed from the database, once for all who listen to a table.
"""

import asyncio
import weakref

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from signoria.games import GAMES
from signoria.server.api.calls import ApiCall
from signoria.server.api.event_ids import EventId, parse_event_id
from signoria.server.api.per_game import events_with_sentences, name_of
from signoria.server.api.play import is_asked
from signoria.server.api.responses import StepEvent, TurnEvent, UndoEvent
from signoria.server.api.serializers import chat_message, table_info, to_json
from signoria.server.errors import BadField
from signoria.server.live.compression import Payload
from signoria.server.live.connections import has_valid_token, live_connection
from signoria.server.live.streams import EventStream, ServerSentEvent
from signoria.server.play.room import UNDO, Room, deal
from signoria.server.play.room_cache import KEPT_MESSAGES
from signoria.server.play.service import TableService
from signoria.store import messages, steps
from signoria.store.steps import StepRow

STEPS_AT_ONCE = 10
"""Steps that are told at a stretch."""


class StepEventLog:
    """Every step of one game, as it is sent: the name of the event and its JSON."""

    def __init__(self, room: Room) -> None:
        self.events: list[tuple[str, str]] = []
        self._table = deal(room.row)
        self._lock = asyncio.Lock()

    async def catch_up(self, service: TableService, room: Room) -> None:
        """Tell what has been kept since."""
        if len(self.events) >= room.n:
            return
        async with self._lock:
            async with service.database.read() as db:
                rows = await steps.steps_of(db, room.row.id, after=len(self.events))
            for row in rows:
                self.events.append(self._tell(row))
                if len(self.events) % STEPS_AT_ONCE == 0:
                    await asyncio.sleep(0)  # a long game: let others have their turn

    def _tell(self, row: StepRow) -> tuple[str, str]:
        table, n = self._table, row.n + 1
        if row.step == UNDO:
            table.undo(row.seat)
            back = UndoEvent(n=n, seat=row.seat, at=row.at, turn=table.turn, asked=table.asked)
            return "undo", to_json(back).decode()
        table.make(msgspec.json.decode(row.step, type=table.game.step_type), row.seat)
        event = StepEvent(
            n=n,
            seat=row.seat,
            by=row.by,
            at=row.at,
            turn=table.turn,
            asked=table.asked,
            events=events_with_sentences(table.events),
        )
        return "step", to_json(event).decode()


_logs: "weakref.WeakKeyDictionary[Room, weakref.ref[StepEventLog]]" = weakref.WeakKeyDictionary()


def step_event_log_of(room: Room) -> StepEventLog:
    """The step events of a table, shared by all its listeners, and gone with the last of them."""
    held = _logs.get(room)
    log = held() if held else None
    if log is None:
        log = StepEventLog(room)
        _logs[room] = weakref.ref(log)
    return log


EVENT_STREAM = "text/event-stream"
PAGE = 200
"""Messages that are read and sent at a time."""


def _names(generic: object) -> str:
    return ", ".join(f"`{name_of(game, generic)}`" for game in GAMES.values())


DESCRIPTION = f"""Each event has an `id`; whoever comes back with it in `Last-Event-ID` (as browsers do by themselves) or
in `?after=` hears every later event, each exactly once: also after a restart of the house, and from another of its
processes. Without one everything is told from the beginning; `event` of a table is the id that leaves out what is past.

Events by name, with their data as JSON: `table` (`TableInfo`): seats or state changed, the end of the game with its result
among them; `step` ({_names(StepEvent)}): a step was kept; `undo` (`UndoEvent`): the last step that stood was
taken back; `chat` (`ChatMessage`): somebody said something, unless you have blocked them; and with `?seat=`, `turn` ({_names(TurnEvent)}): this
seat is asked, with its legal steps. Only what is public is told, but for the legal steps of one's own seat.

An id counts what has been told: steps, changes of seats and state, messages, turns. It is to be sent back, not read."""


async def events(call: ApiCall) -> Response:
    """What happens at a table from the beginning, or from the last event that is known."""
    room, query = await call.room(), call.query
    seat = None if query.seat is msgspec.UNSET else query.seat
    if seat is not None:
        room.own_seat(call.user_id, seat)
    after = "" if query.after is msgspec.UNSET else query.after
    event_id = parse_event_id(call.request.headers.get("last-event-id", "") or after)
    if event_id.n > room.n:
        await call.service.refresh(room)  # another process may have told of a step that this one has not heard of
    if event_id.n > room.n:
        raise BadField(
            "Last-Event-ID", f"Last-Event-ID: {event_id} is ahead of this table, which has come to {room.n} steps."
        )
    return TableEventStream(call, room, seat, event_id)


class TableEventStream(Response):
    """The stream of a table for one listener."""

    def __init__(self, call: ApiCall, room: Room, seat: int | None, event_id: EventId) -> None:
        super().__init__(media_type=EVENT_STREAM)
        self._service, self._user, self._room, self._seat, self._event_id = (
            call.service,
            call.user,
            room,
            seat,
            event_id,
        )
        self._request = call.request
        self._step_events: StepEventLog | None = None
        self._passed_over = 0
        """The id of the last message that this listener is not told, since they have blocked its author."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send whatever happens, until the listener leaves or the server stops."""
        with live_connection(self._request) as self._connection, self._room.viewing(self._connection.changed):
            await EventStream(self._fetch, *self._connection, str(self._event_id))(scope, receive, send)

    async def _fetch(self, last: str) -> list[ServerSentEvent]:
        """What happened since then: a new table first, the steps, what was said, and last how the game ended."""
        if not await has_valid_token(self._request, self._connection):
            return []
        self._event_id, sent = parse_event_id(last), []
        over = self._room.row.state == "over"
        if not over:
            sent += self._table()
        sent += await self._steps()
        sent += await self._said()
        if self._connection.changed.is_set():
            return sent  # more was said: the rest comes after it
        if over:
            sent += self._table()
        return sent + self._turn()

    def _table(self) -> list[ServerSentEvent]:
        changes = self._room.row.revision + 1
        if changes <= self._event_id.changes:
            return []
        return [self._event("table", to_json(table_info(self._room, self._user)).decode(), changes=changes)]

    async def _steps(self) -> list[ServerSentEvent]:
        if self._room.n <= self._event_id.n:
            return []
        if self._step_events is None:
            self._step_events = step_event_log_of(self._room)
        await self._step_events.catch_up(self._service, self._room)
        new = self._step_events.events[self._event_id.n :]
        return [self._event(name, data, n=n) for n, (name, data) in enumerate(new, self._event_id.n + 1)]

    async def _said(self) -> list[ServerSentEvent]:
        after = max(self._event_id.message, self._passed_over)
        new = [message for message in self._room.messages if message.id > after]
        if len(new) == KEPT_MESSAGES:
            async with self._service.database.read() as db:
                new = await messages.messages_after(db, self._room.row.id, after, PAGE)
            if len(new) == PAGE:
                self._connection.changed.set()  # there may be more
        blocked = self._user.blocked if self._user else frozenset()
        if new:
            self._passed_over = new[-1].id
        new = [message for message in new if message.user_id not in blocked]
        return [self._event("chat", to_json(chat_message(message)).decode(), message=message.id) for message in new]

    def _turn(self) -> list[ServerSentEvent]:
        room, seat, user = self._room, self._seat, self._user
        if seat is None or user is None or room.row.seats[seat].user_id != user.id or not is_asked(room, seat):
            return []
        if self._event_id.n != room.n or self._event_id.turn == room.n + 1:
            return []
        assert room.position is not None
        table = room.position.table
        turn = TurnEvent(n=room.n, seat=seat, asked=table.asked, legal=table.legal)
        return [self._event("turn", to_json(turn).decode(), turn=room.n + 1)]

    def _event(self, name: str, data: str, **told: int) -> ServerSentEvent:
        """An event, and with it the mark moved on."""
        self._event_id = self._event_id._replace(**told)
        return ServerSentEvent(str(self._event_id), Payload(data), name)
