"""A table: looking at it, steps, and everything else that its forms do."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.bots import Explanation
from signoria.kernel.errors import IllegalStep, NotYourTurn, SignoriaError
from signoria.server import absence, blocking, meeting, preferences, sealing, seating, talking
from signoria.server.duties import Duties
from signoria.server.errors import BadField, Conflict, NotFound, NotSure
from signoria.server.failing import attempt
from signoria.server.gate.opening import may_open
from signoria.server.gate.problems import headers_of, status_of
from signoria.server.gate.rate import address
from signoria.server.gate.who import who_of
from signoria.server.hints import Asker, give_hint
from signoria.server.house import House
from signoria.server.moments import moment
from signoria.server.packing import Pack
from signoria.server.pages.common import (
    Asked,
    Handler,
    house_of,
    html,
    packed,
    query_whole,
    scripted,
    see,
    unless_gone,
    user_of,
)
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
    if user and room.row.state != "open" and user.id != room.row.host_id and not mine and not _is_known(room, user):
        user = WATCHER
    seat = seat if len(mine) > 1 and seat in mine else None
    base = base if room.row.state == "open" and room.row.invitation else ""
    key, now = (user.id if user else None, seat, base), house.now()
    version, at, fragment = room.drawn.get(key, ("", 0, None))
    if now - at > FRESH or version != version_of(house, room, user):
        page = table_page(house, room, user, seat, base)
        fragment = Pack(pages.table_fragment(page))
        if len(room.drawn) >= MOST_DRAWN:
            room.drawn.clear()
        room.drawn[key] = page.version, now, fragment
    return fragment  # type: ignore[no-any-return]


def _is_known(room: Room, user: User) -> bool:
    """Whether what was said at a table looks different to somebody: they said some of it, or have blocked people."""
    return bool(user.blocked) or any(said.user_id == user.id for said in room.messages)


async def table(request: Request) -> Response:
    """The page of a table."""
    house, user = house_of(request), user_of(request)
    room = await house.room(request.path_params["id"])
    house.attend(room, user.id if user else None)
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
        with visit(self._request) as here, self._room.looking(here.changed):
            await Stream(self._fetch, *here, last, breath=BEAT)(scope, receive, send)

    async def _fetch(self, last: str) -> list[Event]:
        version = version_of(self._house, self._room, self._user)
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
    if page.removed:
        return see(f"/tables/{row.id}")
    return html(pages.invited(page, secret))


# Forms


AtTable = Callable[[Asked, Room], Awaitable[Response]]


def at_table(handler: AtTable) -> Handler:
    """A form of a table's page: answered with the table as it is now, and with a sentence where something is wrong."""

    async def answer(asked: Asked) -> Response:
        room = await asked.room()
        try:
            return await handler(asked, room)
        except SignoriaError as error:
            notice = Notice(says=_sentence(error, room), clause=getattr(error, "clause", None))
            answered = told(asked, room, notice, status_of(error))
            answered.headers.update(headers_of(error))
            return answered

    return answer


def seat_form(do: Callable[..., Awaitable[None]], *fields: Callable[[Asked], Any]) -> Handler:
    """A form that does something with seats, given its fields in their order; answered with the table as it is now."""

    async def act(asked: Asked, room: Room) -> Response:
        await do(asked.house, room, asked.user, *(field(asked) for field in fields))
        return now(asked, room)

    return at_table(act)


def own_seats_form(do: Callable[..., Awaitable[None]], *, announced: bool = False) -> Handler:
    """A form that does something with the seat that it names, or with all that this person has.

    What is announced to the table each time counts as a message of this person. What one seat is refused does not keep
    the others from it.
    """

    async def act(asked: Asked, room: Room) -> Response:
        own = [asked.whole("seat")] if asked.text("seat") else room.seats_of(asked.user.id)
        refused: list[Conflict] = []
        for seat in own:
            if announced:
                asked.limit("chat", "announcements")
            try:
                await do(asked.house, room, asked.user, seat)
            except Conflict as error:
                refused.append(error)
        if refused:
            raise refused[0]
        return now(asked, room)

    return at_table(act)


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
async def make_step(asked: Asked, room: Room) -> Response:
    """Make a step, or several at once."""
    seat, n = asked.whole("seat"), asked.whole("n")
    seating.acting_seat(room, asked.user, seat)
    steps = _steps(asked, room)
    for _ in steps:
        asked.limit("steps", "steps")
    try:
        await asked.house.make_steps(room, seat, n, steps, sure=not asked.text("unsure"))
    except NotSure as error:
        return told(asked, room, Notice(says=str(error), again=True))
    return now(asked, room)


def _steps(asked: Asked, room: Room) -> list[msgspec.Struct]:
    """What the form asks for: a step, a number such as a bid, or several steps to be made one after another."""
    for name, step_of in room.game.number_fields.items():
        if asked.text(name):
            return [step_of(asked.whole(name))]
    return [_step(text, room) for text in asked.texts("step", 300)]


def _step(text: str, room: Room) -> msgspec.Struct:
    try:
        step: msgspec.Struct = msgspec.json.decode(text, type=room.game.step_type)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadField("step", f"step: {text[:80]!r} is no step of {room.game.title}: {error}.") from None
    return step


@at_table
async def undo(asked: Asked, room: Room) -> Response:
    """Take the last step back."""
    asked.limit("steps", "steps")
    seat = asked.whole("seat")
    seating.acting_seat(room, asked.user, seat)
    await asked.house.undo(room, seat, asked.whole("n"))
    return now(asked, room)


@at_table
async def hint(asked: Asked, room: Room) -> Response:
    """What the strongest bot would consider."""
    seat = asked.whole("seat")
    seating.acting_seat(room, asked.user, seat)
    asked.limit("hints", "hints")
    here = address(asked.request.scope)
    asked.limits.check("hints_here", here, "hints from your address")
    duties: Duties = asked.request.app.state.duties

    async def consider(view: Any, asker: Asker) -> Explanation:
        async with attempt(asked.house, room.row.id):
            return await duties.consider(view, asker)

    await unless_gone(asked.request, give_hint(room, seat, Asker(asked.user.id, here), consider))
    return now(asked, room)


def _seat(asked: Asked) -> int:
    return asked.whole("seat")


def _level(asked: Asked) -> str:
    return asked.text("level")


sit = seat_form(seating.sit, _seat, lambda asked: asked.text("name", 40), lambda asked: asked.text("invitation"))
stand = seat_form(seating.stand, _seat)
remove = seat_form(seating.remove, _seat)
put_bot = seat_form(seating.put_bot, _seat, _level)
start = seat_form(seating.start)
fill = seat_form(seating.fill, lambda asked: _level(asked) or seating.USUAL_LEVEL)
stand_in = seat_form(absence.stand_in, _seat)
leave = own_seats_form(absence.leave, announced=True)
resign = own_seats_form(partial(absence.leave, resign=True))
come_back = own_seats_form(absence.come_back, announced=True)


@at_table
async def close(asked: Asked, room: Room) -> Response:
    """Close the table."""
    await seating.close(asked.house, room, asked.user)
    return see("/")


@at_table
async def set_salt(asked: Asked, room: Room) -> Response:
    """A word of one's own for the shuffle."""
    await seating.set_salt(asked.house, room, asked.user, _seat(asked), asked.text("salt"))
    return told(asked, room, Notice(says="Your word is in the shuffle.", good=True))


@at_table
async def set_unasked(asked: Asked, room: Room) -> Response:
    """Whether steps that leave no choice are made for this person, here and elsewhere."""
    who_of(asked.request).in_person()
    unasked = bool(asked.text("unasked"))
    await preferences.set_unasked(asked.house, asked.user, unasked)
    asked = asked._replace(user=msgspec.structs.replace(asked.user, unasked=unasked))
    return now(asked, room)


@at_table
async def seal(asked: Asked, room: Room) -> Response:
    """Tell the house what to bid: up to so much for a lot, to pass on one, or to ask about it."""
    asked.limit("steps", "steps")
    lot, most = asked.text("ask", 40), None
    if passed := asked.text("pass", 40):
        lot, most = passed, 0
    elif not lot:
        lot, most = asked.text("lot", 40), asked.whole("most")
    await sealing.seal(asked.house, room, asked.user, _seat(asked), lot, most)
    return now(asked, room)


@at_table
async def chat(asked: Asked, room: Room) -> Response:
    """Say something."""
    asked.limit("chat", "messages")
    await talking.say(asked.house, room, asked.user, asked.text("text", LONGEST_MESSAGE))
    return now(asked, room)


@at_table
async def block(asked: Asked, room: Room) -> Response:
    """Block the person in a seat, or the author of a message."""
    if asked.text("message"):
        user = await blocking.block_author(asked.house, room, asked.user, asked.whole("message"))
    else:
        user = await blocking.block_seat(asked.house, room, asked.user, _seat(asked))
    asked = asked._replace(user=user)
    says = "Blocked: you no longer see their messages, and they cannot sit down where you sit. Your account page lists them."
    return told(asked, room, Notice(says=says, good=True))


@at_table
async def rematch(asked: Asked, room: Room) -> Response:
    """Meet again."""
    opened = await may_open(asked.request, asked.user)
    return see(f"/tables/{opened(await meeting.rematch(asked.house, room, asked.user))}")
