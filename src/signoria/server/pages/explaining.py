"""Help: what everything on a table is and what it does, now or at a position of a replay."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import say
from signoria.server.errors import NotFound
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import html, is_htmx, query_int, service_of, user_of
from signoria.server.pages.replays import replay_view
from signoria.server.people.sessions import viewer_model
from signoria.server.play.page_models import whose_view
from signoria.server.play.room import Room
from signoria.web import pages
from signoria.web.models import HelpPage

LONGEST_ID = 60


async def table_help(request: Request) -> Response:
    """Help at a table, as a viewer sees it now."""
    user, room = user_of(request), await service_of(request).room(request.path_params["id"])
    if room.position is None:
        raise NotFound(say("The game has not started yet, so there is nothing to explain."))
    seat, _ = whose_view(room, room.seats_of(user.id if user else None), query_int(request, "seat"))
    return _help(request, room, room.position.table.view(seat))


async def replay_help(request: Request) -> Response:
    """Help at a position of a replay."""
    room = await service_of(request).room(request.path_params["id"])
    n, query = request.path_params["n"], request.query_params
    return _help(request, room, replay_view(room, user_of(request), n, query).view)


def _help(request: Request, room: Room, view: Any) -> Response:
    """Everything on the table: a page, a part of the table's page, or with `about` one element.

    An element without an explanation has an empty answer (204).
    """
    game, about = room.row.game, request.query_params.get("about")
    if about is not None:
        told = pages.help_topic(game, view, about[:LONGEST_ID])
        return html(told) if told else Response(status_code=204)
    if is_htmx(request):
        return html(pages.help_topics(game, view, request.query_params.get("at", "")[:LONGEST_ID]))
    viewer = viewer_model(user_of(request))
    return html(pages.help_page(HelpPage(viewer=viewer, id=room.row.id, game=game_model(game), view=view)))
