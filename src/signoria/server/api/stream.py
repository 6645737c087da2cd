"""The event stream of a table: every step, every change of seats and state, every message, each exactly once.

A room holds only the current game, without undone steps. A listener gets the full history, the same whenever they
connect. So the steps are replayed from the database, once for all listeners of a table.
"""

import asyncio
import weakref

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from signoria.games import GAMES
from signoria.kernel.language import language, say
from signoria.server.api.calls import ApiCall
from signoria.server.api.event_ids import EventId, parse_event_id
from signoria.server.api.operations import TABLE, Operation
from signoria.server.api.per_game import events_with_sentences, name_of
from signoria.server.api.play import is_asked
from signoria.server.api.requests import StreamQuery
from signoria.server.api.responses.play import StepEvent, TurnEvent, UndoEvent
from signoria.server.api.serializers import chat_message, table_info, to_json
from signoria.server.errors import BadField
from signoria.server.live.compression import Payload
from signoria.server.live.connections import has_valid_token, live_connection
from signoria.server.live.streams import EventStream, ServerSentEvent
from signoria.server.play.room import UNDO, Room, deal, decode_step
from signoria.server.play.room_cache import KEPT_MESSAGES
from signoria.server.play.service import TableService
from signoria.store import messages, steps
from signoria.store.steps import StepRow

STEPS_AT_ONCE = 10
"""Steps sent without a pause."""


class StepEventLog:
    """Every step of one game as it is sent: the event's name and its JSON."""

    def __init__(self, room: Room) -> None:
        self.events: list[tuple[str, str]] = []
        self._table = deal(room.row)
        self._lock = asyncio.Lock()

    async def catch_up(self, service: TableService, room: Room) -> None:
        """Add the steps saved since."""
        if len(self.events) >= room.n:
            return
        async with self._lock:
            async with service.database.read() as db:
                rows = await steps.steps_of(db, room.row.id, after=len(self.events))
            for row in rows:
                self.events.append(self._tell(row))
                if len(self.events) % STEPS_AT_ONCE == 0:
                    await asyncio.sleep(0)  # a long game: let other tasks run

    def _tell(self, row: StepRow) -> tuple[str, str]:
        table, n = self._table, row.n + 1
        if row.step == UNDO:
            table.undo(row.seat)
            back = UndoEvent(n=n, seat=row.seat, at=row.at, turn=table.turn, asked=table.asked)
            return "undo", to_json(back).decode()
        table.make(decode_step(table.game, row.step), row.seat)
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


_logs: "weakref.WeakKeyDictionary[Room, dict[str, weakref.ref[StepEventLog]]]" = weakref.WeakKeyDictionary()


def step_event_log_of(room: Room) -> StepEventLog:
    """The step events of a table in one language, shared by all its listeners and freed with the last of them."""
    held = _logs.setdefault(room, {})
    log = held[language()]() if language() in held else None
    if log is None:
        log = StepEventLog(room)
        held[language()] = weakref.ref(log)
    return log


EVENT_STREAM = "text/event-stream"
PAGE = 200
"""Messages read and sent at a time."""


def _names(generic: object) -> str:
    return ", ".join(f"`{name_of(game, generic)}`" for game in GAMES.values())


DESCRIPTION = f"""Each event has an `id`. To continue after an event, send its id in `Last-Event-ID` (browsers do this automatically) or in
`?after=`: the stream then sends every later event exactly once, even after a restart of the server or from another process.
Without an id the stream starts from the beginning. To skip past events, use `event` of the table as the id.

Events by name, with JSON data: `table` (`TableInfo`): seats or state changed, including the end of the game with its result;
`step` ({_names(StepEvent)}): a step was saved; `undo` (`UndoEvent`): the last step was undone; `chat` (`ChatMessage`):
a new message, unless you have blocked its author; and with `?seat=`, `turn` ({_names(TurnEvent)}): it is this seat's turn,
with its legal steps. Everything except the legal steps of your own seat is public.

An id counts the steps, changes, messages and turns sent so far. Treat it as opaque."""


async def events(call: ApiCall) -> Response:
    """Events of a table from the beginning, or after the last event you know."""
    room, query = await call.room(), call.query
    seat = None if query.seat is msgspec.UNSET else query.seat
    if seat is not None:
        room.own_seat(call.user_id, seat)
    after = "" if query.after is msgspec.UNSET else query.after
    event_id = parse_event_id(call.request.headers.get("last-event-id", "") or after)
    if event_id.n > room.n:
        await call.service.refresh(room)  # another process may have sent a step that this one does not know yet
    if event_id.n > room.n:
        raise BadField(
            "Last-Event-ID",
            say("Last-Event-ID: {event_id} is ahead of this table, which has {n} steps.", event_id=event_id, n=room.n),
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
        """The id of the last message hidden from this listener because they blocked its author."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the listener disconnects or the server stops."""
        with (
            live_connection(self._request) as self._connection,
            self._room.viewing(self._connection.changed),
            self._service.notifier.pages.open(
                self._user.id if self._user else None, self._room.row.id, asyncio.Event()
            ),
        ):
            await EventStream(self._fetch, *self._connection, str(self._event_id))(scope, receive, send)

    async def _fetch(self, last: str) -> list[ServerSentEvent]:
        """Events since then: first the table, then steps and messages, and last the end of the game."""
        if not await has_valid_token(self._request, self._connection):
            return []
        self._event_id, sent = parse_event_id(last), []
        over = self._room.row.state == "over"
        if not over:
            sent += self._table()
        sent += await self._steps()
        sent += await self._said()
        if self._connection.changed.is_set():
            return sent  # there are more messages: the rest comes after them
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
        blocked = self._user.unheard if self._user else frozenset()
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
        """An event with its id."""
        self._event_id = self._event_id._replace(**told)
        return ServerSentEvent(str(self._event_id), Payload(data), name)


OPERATIONS = (
    Operation(
        method="GET",
        path=f"{TABLE}/events",
        handler=events,
        summary="Live events of a table (server-sent events)",
        more=DESCRIPTION,
        tag="play",
        query=StreamQuery,
        media_type=EVENT_STREAM,
        answers=(str,),
        refuses={403: "The seat is not yours."},
    ),
)
