"""Forms on the page of a player: following, muting, blocking, reporting and inviting."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from starlette.responses import Response

from signoria.games import GAMES
from signoria.kernel.language import say
from signoria.server.errors import BadField, ServerError
from signoria.server.guard.limits import client_address, may_open
from signoria.server.lobby import inviting, opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.pages.common import Handler, SubmittedForm, redirect
from signoria.server.pages.profiles import profile_page
from signoria.server.people import blocking, friends, moderation
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.web.models import Notice

Change = Callable[[TableService, User, str], Awaitable[User]]


def _name(form: SubmittedForm) -> str:
    return str(form.request.path_params["name"])


def _form(change: Change) -> Handler:
    """A form without fields that changes something about a person, and shows their page again."""

    async def act(form: SubmittedForm) -> Response:
        try:
            await change(form.service, form.user, _name(form))
        except ServerError as error:
            return await profile_page(form.request, Notice(says=str(error)), error.status)
        return redirect(f"/people/{quote(_name(form))}")

    return act


follow, unfollow = _form(friends.follow), _form(friends.unfollow)
mute, unmute = _form(friends.mute), _form(friends.unmute)
block = _form(blocking.block_named)


async def report(form: SubmittedForm) -> Response:
    """Report a person to the host of the server."""
    room = await form.service.room(form.text("table", 40)) if form.text("table", 40) else None
    message = form.integer("message") if form.text("message", 12) else None
    form.limits.check("reports_here", client_address(form.request.scope), "reports from your address")
    try:
        await moderation.report(form.service, form.user, _name(form), form.text("text", 2000), room, message)
    except ServerError as error:
        return await profile_page(form.request, Notice(says=str(error)), error.status)
    says = say("Thank you. The host of this server will read your report.")
    return await profile_page(form.request, Notice(says=says, good=True))


async def invite(form: SubmittedForm) -> Response:
    """Open a table for two, and invite a person to it."""
    game = form.text("game", 40)
    if game not in GAMES:
        raise BadField("game", say("There is no game {game!r}. Games: {games}.", game=game, games=", ".join(GAMES)))
    form.limit("invitations", "invitations")
    opened = await may_open(form.request, form.user)
    wanted = TableRequest(game=game, options={}, seats=(SeatRequest("me"), SeatRequest("open")), invited=True)
    row = await opening.open_table(form.service, form.user, wanted)
    room = await form.service.room(opened(row.id))
    try:
        await inviting.invite(form.service, room, form.user, _name(form))
    except ServerError as error:
        await seating.close(form.service, room, form.user)
        return await profile_page(form.request, Notice(says=str(error)), error.status)
    return redirect(f"/tables/{row.id}")
