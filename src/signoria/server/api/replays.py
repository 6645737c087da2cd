"""Endpoints for finished games: records, replays, and games from one of their positions."""

import msgspec
from starlette.responses import Response

from signoria.kernel.record import Record
from signoria.server.api.calls import JSON, ApiCall, path_int
from signoria.server.api.operations import TABLE, Operation
from signoria.server.api.play import VIEWS
from signoria.server.api.requests import PlayOn, ReplayQuery
from signoria.server.api.responses.play import PositionView
from signoria.server.api.responses.tables import TableLink
from signoria.server.api.seats import link_to_table
from signoria.server.guard.limits import may_open
from signoria.server.lobby import rematches
from signoria.server.play.past_positions import final_position, position_at


async def record(call: ApiCall) -> Response:
    """The record of a finished game."""
    return Response(final_position(await call.room()).table.record.to_json(), media_type=JSON)


async def replay(call: ApiCall) -> PositionView[msgspec.Struct]:
    """A finished game at one of its positions."""
    room, seat = await call.room(), call.query.seat
    n = path_int(call.request.path_params, "n")
    table = position_at(room, n)
    seen = table.open_view() if seat == "open" else table.view(None if seat is msgspec.UNSET else seat)
    return PositionView(n=n, turn=table.turn, asked=table.asked, view=seen)


async def play_on(call: ApiCall) -> Response:
    """Play from a position of a finished game."""
    room, wanted, user = await call.room(), await call.body(PlayOn), call.signed_in_user
    n = path_int(call.request.path_params, "n")
    opened = await may_open(call.request, user)
    return link_to_table(opened(await rematches.play_on(call.service, room, user, n, wanted.seat, wanted.level)))


OPERATIONS = (
    Operation(
        method="GET",
        path=f"{TABLE}/record",
        handler=record,
        summary="The record of a finished game",
        more="Everything needed to replay and check it (`signoria verify`).",
        tag="afterwards",
        answers=(Record,),
        refuses={409: "The game is not over, and a record contains the seed."},
    ),
    Operation(
        method="GET",
        path=f"{TABLE}/replay/{{n}}",
        handler=replay,
        summary="A position of a finished game",
        more="As any seat or a spectator saw it, or with all cards open. Undone steps are not counted.",
        tag="afterwards",
        query=ReplayQuery,
        answers=VIEWS,
        refuses={409: "The game is not over."},
    ),
    Operation(
        method="POST",
        path=f"{TABLE}/replay/{{n}}/play-on",
        handler=play_on,
        summary="Play from a position against bots",
        more="Opens a new table for a friendly game. `Location` is its address.",
        tag="afterwards",
        body=(PlayOn,),
        answers=(TableLink,),
        needs_user=True,
        example={"seat": 0, "level": "capomastro"},
        refuses={409: "The game is not over.", 422: "There is no such position, or no such seat."},
    ),
)
