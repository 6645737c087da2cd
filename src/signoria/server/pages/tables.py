"""A table: looking at it, steps, and everything else that its forms do."""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.errors import IllegalStep, NotYourTurn, SignoriaError
from signoria.server import absence, meeting, preferences, seating
from signoria.server.errors import BadField, NotFound, NotSure
from signoria.server.gate.problems import status_of
from signoria.server.house import House
from signoria.server.moments import moment
from signoria.server.packing import Pack
from signoria.server.pages.common import Asked, Handler, house_of, html, packed, query_whole, scripted, see, user_of
from signoria.server.room import Room
from signoria.server.settings import Settings
from signoria.server.showing import table_page, version_of, who_sits
from signoria.server.streams import BEAT, Event, Stream
from signoria.server.visits import visit
from signoria.store import tables
from signoria.store.people import User
from signoria.web import pages
from signoria.web.models import Notice

LONGEST_MESSAGE = 500
FRESH = 1000
"""Milliseconds for which a drawn table is sent to whoever sees the same."""
MOST_DRAWN = 100
"""Drawings of a table that are kept at the same time."""
WATCHER = User(id="", name="", guest=True, created_at=0, seen_at=0)
"""Whoever only watches a game: it is drawn for nobody in particular, once for all of them."""


def base_of(request: Request) -> str:
    """How people reach the house."""
    settings: Settings = request.app.state.settings
    return settings.public_origin or f"{request.scope['scheme']}://{request.headers.get('host', '')}"


def drawn(house: House, room: Room, user: User | None, seat: int | None, base: str) -> Pack:
    """A table for one viewer; whoever sees the same gets the same.

    What an address says makes no drawing of its own unless it matters, or anybody could have any number of them kept.
    """
    mine = room.seats_of(user.id if user else None)
    if user and room.row.state != "open" and user.id != room.row.host_id and not mine:
        user = WATCHER
    seat = seat if len(mine) > 1 and seat in mine else None
    base = base if room.row.state == "open" and room.row.invitation else ""
    key, now = (user.id if user else None, seat, base), house.now()
    version, at, fragment = room.drawn.get(key, ("", 0, None))
    if now - at > FRESH or version != version_of(house, room):
        page = table_page(house, room, user, seat, base)
        fragment = Pack(pages.table_fragment(page))
        if len(room.drawn) >= MOST_DRAWN:
            room.drawn.clear()
        room.drawn[key] = page.version, now, fragment
    return fragment  # type: ignore[no-any-return]


async def table(request: Request) -> Response:
    """The page of a table."""
    house, user = house_of(request), user_of(request)
    room = await house.room(request.path_params["id"])
    return html(pages.table(table_page(house, room, user, query_whole(request, "seat"), base_of(request))))


async def table_moment(request: Request) -> Response:
    """A table as it was after some of its steps: a part of its page."""
    house, room = house_of(request), await house_of(request).room(request.path_params["id"])
    page = moment(house, room, user_of(request), query_whole(request, "seat"), request.path_params["n"])
    return html(pages.table_fragment(page))


class TableStream:
    """A table, live."""

    def __init__(self, request: Request, room: Room) -> None:
        self._request, self._house, self._user, self._room = request, house_of(request), user_of(request), room
        self._seat, self._base = query_whole(request, "seat"), base_of(request)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it whenever something changed."""
        last = self._request.headers.get("last-event-id", "")
        with visit(self._request) as (changed, ended), self._room.looking(changed):
            await Stream(self._fetch, changed, ended, last, breath=BEAT)(scope, receive, send)

    async def _fetch(self, last: str) -> list[Event]:
        version = version_of(self._house, self._room)
        if version == last:
            return []
        return [Event(version, drawn(self._house, self._room, self._user, self._seat, self._base))]


async def table_stream(request: Request) -> Response:
    """A table, live."""
    return TableStream(request, await house_of(request).room(request.path_params["id"]))  # type: ignore[return-value]


async def invited(request: Request) -> Response:
    """The page that an invitation leads to."""
    house, secret = house_of(request), request.path_params["secret"]
    async with house.database.read() as db:
        row = await tables.find_by_invitation(db, secret)
    if row is None:
        raise NotFound("This invitation is not known. It may have been mistyped, or its table was closed.")
    user = user_of(request)
    if row.state != "open" or (user and any(seat.user_id == user.id for seat in row.seats)):
        return see(f"/tables/{row.id}")
    room = await house.room(row.id)
    page = table_page(house, room, user, None)
    return html(pages.invited(page, secret))


# Forms


def at_table(handler: Handler) -> Handler:
    """A form of a table's page: answered with the table as it is now, and with a sentence where something is wrong."""

    async def answer(asked: Asked) -> Response:
        room = await asked.room()
        try:
            return await handler(asked)
        except SignoriaError as error:
            notice = Notice(says=_sentence(error, room), clause=getattr(error, "clause", None))
            return told(asked, room, notice, status_of(error))

    return answer


def told(asked: Asked, room: Room, notice: Notice, status: int = 200) -> Response:
    """The table as it is now, with a sentence for whoever asked."""
    page = table_page(asked.house, room, asked.user, _seat_of(asked, room), base_of(asked.request))
    page = msgspec.structs.replace(page, notice=notice)
    return html(pages.table_fragment(page) if scripted(asked.request) else pages.table(page), status)


def _sentence(error: SignoriaError, room: Room) -> str:
    if isinstance(error, NotYourTurn) and room.row.turn is not None:
        return f"It is not your turn: {who_sits(room, room.row.turn)} is asked now."
    return error.sentence if isinstance(error, IllegalStep) else str(error)


def _seat_of(asked: Asked, room: Room) -> int | None:
    """The seat that the form was sent for, so that the answer shows the same hand."""
    try:
        return asked.whole("seat")
    except BadField:
        return None


def now(asked: Asked, room: Room) -> Response:
    """The table as it is now: a part of the page for a script, otherwise the page again."""
    seat = _seat_of(asked, room)
    if scripted(asked.request):
        return packed(asked.request, drawn(asked.house, room, asked.user, seat, base_of(asked.request)))
    several = len(room.seats_of(asked.user.id)) > 1
    return see(f"/tables/{room.row.id}" + (f"?seat={seat}" if several and seat is not None else ""))


@at_table
async def make_step(asked: Asked) -> Response:
    """Make a step."""
    asked.limit("steps", "steps")
    room, seat, n = await asked.room(), asked.whole("seat"), asked.whole("n")
    seating.acting_seat(room, asked.user, seat)
    step = _step(asked, room)
    try:
        await asked.house.make_step(room, seat, n, step, sure=not asked.text("unsure"))
    except NotSure as error:
        return told(asked, room, Notice(says=str(error), again=True))
    return now(asked, room)


def _step(asked: Asked, room: Room) -> msgspec.Struct:
    text = asked.text("step", 300)
    if not text and asked.text("bid"):
        text = msgspec.json.encode({"do": "bid", "ducats": asked.whole("bid")}).decode()
    try:
        step: msgspec.Struct = msgspec.json.decode(text, type=room.game.step_type)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadField("step", f"step: {text[:80]!r} is no step of {room.game.title}: {error}.") from None
    return step


@at_table
async def undo(asked: Asked) -> Response:
    """Take the last step back."""
    asked.limit("steps", "steps")
    room, seat = await asked.room(), asked.whole("seat")
    seating.acting_seat(room, asked.user, seat)
    await asked.house.undo(room, seat, asked.whole("n"))
    return now(asked, room)


@at_table
async def sit(asked: Asked) -> Response:
    """Take a seat."""
    room = await asked.room()
    await seating.sit(
        asked.house, room, asked.user, asked.whole("seat"), asked.text("name", 40), asked.text("invitation") or None
    )
    return now(asked, room)


@at_table
async def stand(asked: Asked) -> Response:
    """Give a seat back."""
    room = await asked.room()
    await seating.stand(asked.house, room, asked.user, asked.whole("seat"))
    return now(asked, room)


@at_table
async def put_bot(asked: Asked) -> Response:
    """Give a seat to a bot."""
    room = await asked.room()
    await seating.put_bot(asked.house, room, asked.user, asked.whole("seat"), asked.text("level"))
    return now(asked, room)


@at_table
async def start(asked: Asked) -> Response:
    """Begin."""
    room = await asked.room()
    await seating.start(asked.house, room, asked.user)
    return now(asked, room)


@at_table
async def fill(asked: Asked) -> Response:
    """Bots into the empty seats, and begin."""
    room = await asked.room()
    await seating.fill(asked.house, room, asked.user, asked.text("level") or seating.USUAL_LEVEL)
    return now(asked, room)


@at_table
async def close(asked: Asked) -> Response:
    """Close the table."""
    await seating.close(asked.house, await asked.room(), asked.user)
    return see("/")


def _own(asked: Asked, room: Room) -> list[int]:
    """The seat of the form, or all that this person has."""
    return [asked.whole("seat")] if asked.text("seat") else list(room.seats_of(asked.user.id))


@at_table
async def leave(asked: Asked) -> Response:
    """Let a bot play on."""
    room = await asked.room()
    for seat in _own(asked, room):
        await absence.leave(asked.house, room, asked.user, seat)
    return now(asked, room)


@at_table
async def resign(asked: Asked) -> Response:
    """Let a bot play to the end."""
    room = await asked.room()
    for seat in _own(asked, room):
        await absence.leave(asked.house, room, asked.user, seat, resign=True)
    return now(asked, room)


@at_table
async def come_back(asked: Asked) -> Response:
    """Take one's seat back."""
    room = await asked.room()
    for seat in _own(asked, room):
        await absence.come_back(asked.house, room, asked.user, seat)
    return now(asked, room)


@at_table
async def stand_in(asked: Asked) -> Response:
    """Let a bot play for somebody who is gone."""
    room = await asked.room()
    await absence.stand_in(asked.house, room, asked.user, asked.whole("seat"))
    return now(asked, room)


@at_table
async def set_salt(asked: Asked) -> Response:
    """A word of one's own for the shuffle."""
    room = await asked.room()
    await seating.set_salt(asked.house, room, asked.user, asked.whole("seat"), asked.text("salt"))
    return told(asked, room, Notice(says="Your word is in the shuffle.", good=True))


@at_table
async def set_unasked(asked: Asked) -> Response:
    """Whether steps that leave no choice are made for this person, here and elsewhere."""
    room, unasked = await asked.room(), bool(asked.text("unasked"))
    await preferences.set_unasked(asked.house, asked.user, unasked)
    asked = asked._replace(user=msgspec.structs.replace(asked.user, unasked=unasked))
    return now(asked, room)


@at_table
async def chat(asked: Asked) -> Response:
    """Say something."""
    asked.limit("chat", "messages")
    room, text = await asked.room(), " ".join(asked.text("text", LONGEST_MESSAGE).split())
    if text:
        mine = room.seats_of(asked.user.id)
        name = room.row.seats[mine[0]].name or asked.user.name if len(mine) == 1 else asked.user.name
        await asked.house.say(room, text, name, mine[0] if mine else None, asked.user.id)
    return now(asked, room)


@at_table
async def rematch(asked: Asked) -> Response:
    """Meet again."""
    asked.limit("tables", "new tables")
    return see(f"/tables/{await meeting.rematch(asked.house, await asked.room(), asked.user)}")
