"""The forms on the page of a table."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.responses import Response

from signoria.bots import Explanation
from signoria.kernel.errors import IllegalStep, NotYourTurn, SignoriaError
from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, NotSure
from signoria.server.guard.error_responses import headers_of, status_of
from signoria.server.guard.limits import client_address, may_open
from signoria.server.lobby import absence, rematches, seating
from signoria.server.pages.common import (
    Handler,
    SubmittedForm,
    base_of,
    cancel_on_disconnect,
    compressed,
    html,
    is_htmx,
    redirect,
)
from signoria.server.pages.tables import drawn
from signoria.server.people import blocking, preferences
from signoria.server.people.sessions import identity_of
from signoria.server.play import orders, table_chat
from signoria.server.play.bot_failures import counted_attempt
from signoria.server.play.bot_turns import BotTurns
from signoria.server.play.hints import HintRequester, give_hint
from signoria.server.play.page_models import table_page
from signoria.server.play.room import Room, decode_step, decode_steps
from signoria.server.play.seat_models import seat_label
from signoria.web import pages
from signoria.web.models import Notice

LONGEST_MESSAGE = 500

AtTable = Callable[[SubmittedForm, Room], Awaitable[Response]]


def at_table(handler: AtTable) -> Handler:
    """A form of a table's page: the response is the current table, with a message if something is wrong."""

    async def answer(form: SubmittedForm) -> Response:
        room = await form.room()
        try:
            return await handler(form, room)
        except SignoriaError as error:
            notice = Notice(says=_sentence(error, room), clause=getattr(error, "clause", None))
            answered = table_with_notice(form, room, notice, status_of(error))
            answered.headers.update(headers_of(error))
            return answered

    return answer


def seat_form(
    do: Callable[..., Awaitable[None]], *fields: Callable[[SubmittedForm], Any], announced: bool = False
) -> Handler:
    """A form that acts on seats, given its fields in order; the response is the current table.

    If it announces something at the table, it counts as a message of this person.
    """

    async def act(form: SubmittedForm, room: Room) -> Response:
        if announced:
            form.limit("chat", "announcements")
        await do(form.service, room, form.user, *(field(form) for field in fields))
        return current_table(form, room)

    return at_table(act)


def own_seats_form(do: Callable[..., Awaitable[None]], *, announced: bool = False) -> Handler:
    """A form that acts on the seat it names, or on all seats of this person.

    If it announces something at the table, it counts as a message of this person. An error for one seat does not stop
    the others.
    """

    async def act(form: SubmittedForm, room: Room) -> Response:
        own = [form.integer("seat")] if form.text("seat") else room.seats_of(form.user.id)
        refused: list[Conflict] = []
        for seat in own:
            if announced:
                form.limit("chat", "announcements")
            try:
                await do(form.service, room, form.user, seat)
            except Conflict as error:
                refused.append(error)
        if refused:
            raise refused[0]
        return current_table(form, room)

    return at_table(act)


def table_with_notice(form: SubmittedForm, room: Room, notice: Notice, status: int = 200) -> Response:
    """The current table, with a message for the sender."""
    page = table_page(form.service, room, form.user, _seat_of(form, room), base_of(form.request))
    page = msgspec.structs.replace(page, notice=notice)
    return html(pages.table_fragment(page) if is_htmx(form.request) else pages.table(page), status)


def _sentence(error: SignoriaError, room: Room) -> str:
    if isinstance(error, NotYourTurn) and room.row.turn is not None:
        return say("It is not your turn. Waiting for {player}.", player=seat_label(room, room.row.turn))
    return error.sentence if isinstance(error, IllegalStep) else str(error)


def _seat_of(form: SubmittedForm, room: Room) -> int | None:
    """The seat of the form, so that the response shows the same hand."""
    try:
        return form.integer("seat")
    except BadField:
        return None


def current_table(form: SubmittedForm, room: Room) -> Response:
    """The current table: a fragment for a script, otherwise a redirect to the page."""
    seat = _seat_of(form, room)
    if is_htmx(form.request):
        return compressed(form.request, drawn(form.service, room, form.user, seat, base_of(form.request)))
    several = len(room.seats_of(form.user.id)) > 1
    return redirect(f"/tables/{room.row.id}" + (f"?seat={seat}" if several and seat is not None else ""))


@at_table
async def make_step(form: SubmittedForm, room: Room) -> Response:
    """Make one or several steps, or one instead of the last."""
    seat, n, sure = form.integer("seat"), form.integer("n"), not form.text("unsure")
    instead = form.text("instead", 300)
    steps = [_step(instead, room)] if instead else _steps(form, room)
    for _ in steps:
        form.limit("steps", "moves")
    try:
        if instead:
            await form.service.make_instead(room, form.user.id, seat, n, steps[0], sure=sure)
        else:
            await form.service.make_steps(room, form.user.id, seat, n, steps, sure=sure)
    except NotSure as error:
        return table_with_notice(form, room, Notice(says=str(error), again=True))
    return current_table(form, room)


def _steps(form: SubmittedForm, room: Room) -> list[msgspec.Struct]:
    """What the form asks for: a step, a number such as a bid, or several steps in order."""
    for name, step_of in room.game.number_fields.items():
        if form.text(name):
            return [step_of(form.integer(name))]
    return [_step(text, room) for text in form.texts("step", 300)]


def _step(text: str, room: Room) -> msgspec.Struct:
    try:
        return decode_step(room.game, text)
    except (msgspec.DecodeError, RecursionError):
        says = say(
            "step: {text!r} is not a move of {title}. Reload the page and choose one of the moves it offers.",
            text=text[:80],
            title=room.game.title,
        )
        raise BadField("step", says) from None


@at_table
async def undo(form: SubmittedForm, room: Room) -> Response:
    """Undo the last step."""
    form.limit("steps", "moves")
    await form.service.undo(room, form.user.id, form.integer("seat"), form.integer("n"))
    return current_table(form, room)


@at_table
async def hint(form: SubmittedForm, room: Room) -> Response:
    """Get a hint from the strongest bot."""
    seat = form.integer("seat")
    room.acting_seat(form.user.id, seat)
    form.limit("hints", "hints")
    here = client_address(form.request.scope)
    form.limits.check("hints_here", here, "hints from your address")
    bot_turns: BotTurns = form.request.app.state.scheduler.bot_turns

    async def consider(view: Any, requester: HintRequester) -> Explanation:
        async with counted_attempt(form.service, room.row.id):
            return await bot_turns.consider(view, requester)

    await cancel_on_disconnect(form.request, give_hint(room, seat, HintRequester(form.user.id, here), consider))
    return current_table(form, room)


def _seat(form: SubmittedForm) -> int:
    return form.integer("seat")


def _level(form: SubmittedForm) -> str:
    return form.text("level")


sit = seat_form(
    seating.sit,
    _seat,
    lambda form: form.text("name", 40),
    lambda form: form.text("invitation"),
    announced=True,  # the others are notified
)
stand = seat_form(seating.stand, _seat)
remove = seat_form(seating.remove, _seat)
put_bot = seat_form(seating.put_bot, _seat, _level)
start = seat_form(seating.start)
fill = seat_form(seating.fill, lambda form: _level(form) or seating.USUAL_LEVEL)
stand_in = seat_form(absence.stand_in, _seat)
leave = own_seats_form(absence.leave, announced=True)
resign = own_seats_form(partial(absence.leave, resign=True))
come_back = own_seats_form(absence.come_back, announced=True)


@at_table
async def close(form: SubmittedForm, room: Room) -> Response:
    """Close the table."""
    await seating.close(form.service, room, form.user)
    return redirect("/")


@at_table
async def set_salt(form: SubmittedForm, room: Room) -> Response:
    """Set a shuffle word."""
    await seating.set_salt(form.service, room, form.user, _seat(form), form.text("salt"))
    return table_with_notice(form, room, Notice(says=say("Your shuffle word has been added."), good=True))


@at_table
async def set_unasked(form: SubmittedForm, room: Room) -> Response:
    """Set whether forced moves are played for this person, at all tables."""
    identity_of(form.request).require_browser()
    form.limit("chat", "requests")  # every table of this person changes
    unasked = bool(form.text("unasked"))
    await preferences.set_unasked(form.service, form.user, unasked)
    form = form._replace(user=msgspec.structs.replace(form.user, unasked=unasked))
    return current_table(form, room)


@at_table
async def seal(form: SubmittedForm, room: Room) -> Response:
    """Set an automatic bid: a maximum for a lot, a pass, or none."""
    form.limit("steps", "moves")
    lot, most = form.text("ask", 40), None
    if passed := form.text("pass", 40):
        lot, most = passed, 0
    elif not lot:
        lot, most = form.text("lot", 40), form.integer("most")
    await orders.seal(form.service, room, form.user, _seat(form), lot, most)
    return current_table(form, room)


@at_table
async def choose(form: SubmittedForm, room: Room) -> Response:
    """Choose before being asked: a step for each selected card, or the steps of a plan; `withdraw` names a choice."""
    form.limit("steps", "moves")
    choice = form.text("withdraw", 40)
    steps: list[msgspec.Struct] = []
    if not choice:
        choice, steps = form.text("choice", 40), _plan(form, room)
    await orders.choose(form.service, room, form.user, _seat(form), choice, steps)
    return current_table(form, room)


def _plan(form: SubmittedForm, room: Room) -> list[msgspec.Struct]:
    """The steps of a choice; an empty plan has none, so the player is asked."""
    if "steps" not in form.fields:
        return [_step(text, room) for text in form.texts("step", 300)]
    text = form.text("steps", 2000)
    try:
        return decode_steps(room.game, text) if text else []
    except (msgspec.DecodeError, RecursionError):
        says = say(
            "steps: {text!r} are not moves of {title}. Reload the page and choose one of the plans it offers.",
            text=text[:80],
            title=room.game.title,
        )
        raise BadField("steps", says) from None


@at_table
async def chat(form: SubmittedForm, room: Room) -> Response:
    """Write a chat message."""
    form.limit("chat", "messages")
    await table_chat.say(form.service, room, form.user, form.text("text", LONGEST_MESSAGE))
    return current_table(form, room)


@at_table
async def block(form: SubmittedForm, room: Room) -> Response:
    """Block the person in a seat, or the author of a message."""
    if form.text("message"):
        user = await blocking.block_author(form.service, room, form.user, form.integer("message"))
    else:
        user = await blocking.block_seat(form.service, room, form.user, _seat(form))
    form = form._replace(user=user)
    says = say(
        "Blocked. You no longer see their messages, and they cannot join your tables. You can unblock them on your account page."
    )
    return table_with_notice(form, room, Notice(says=says, good=True))


@at_table
async def rematch(form: SubmittedForm, room: Room) -> Response:
    """Ask for a rematch."""
    opened = await may_open(form.request, form.user)
    return redirect(f"/tables/{opened(await rematches.rematch(form.service, room, form.user))}")
