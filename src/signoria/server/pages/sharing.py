"""Sharing a table: pictures of positions, and what other sites show of a link."""

from starlette.requests import Request
from starlette.responses import Response

from signoria.games import AnyTable
from signoria.kernel.language import all_of, say
from signoria.server.errors import NotFound
from signoria.server.guard.limits import client_address
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import base_of, cancel_on_disconnect, service_of
from signoria.server.pages.pictures import Pictures
from signoria.server.play.past_positions import final_position, position_at
from signoria.server.play.replay import score_history_of
from signoria.server.play.room import Room
from signoria.server.play.seat_models import seat_models
from signoria.server.play.status import status_sentence
from signoria.web.board import find_board
from signoria.web.kit.preview import Preview, PreviewSeat, draw_preview
from signoria.web.models import ShareModel

FINISHED, CURRENT = "public, max-age=86400", "public, max-age=60"
"""A finished game never changes."""


def preview_of(room: Room, n: int | None = None) -> Preview:
    """A table as everyone may see it now; of a finished game, after `n` steps or at the end."""
    row, board = room.row, find_board(room.row.game)
    seats, table, done = seat_models(row, None), _shown(room, n), _is_end(room, n)
    points: list[int | None] = [None] * len(seats)
    if table is not None and row.state == "over":
        points = [score.total for score in table.scores]
    return Preview(
        title=game_model(row.game).title,
        says=_caption(room, n),
        seats=tuple(
            PreviewSeat(
                mark=board.marks[seat.seat],
                colour=board.seat_colours[seat.seat][0],
                on_colour=board.seat_colours[seat.seat][1],
                name=seat.name or say("free seat"),
                points=points[seat.seat],
                won=seat.won and done,
            )
            for seat in seats
        ),
        course=tuple(turn.totals for turn in score_history_of(room)),
        board=(board.still(table.view(None), players=False) or "") if table and not done else "",
    )


def _shown(room: Room, n: int | None) -> AnyTable | None:
    """The table as it is now; of a finished game, after `n` steps or at the end."""
    if room.row.state == "over" and n is not None:
        return position_at(room, n)
    return room.position.table if room.position else None


def _is_end(room: Room, n: int | None) -> bool:
    return room.row.state == "over" and (n is None or n >= len(final_position(room).log))


def _caption(room: Room, n: int | None) -> str:
    """A line about a table, or about a position of a finished game."""
    if room.row.state != "over":
        return status_sentence(room, ())
    return _result(room) if n is None or _is_end(room, n) else position_at(room, n).chapter


def _result(room: Room) -> str:
    winners = [seat.name or seat.title for seat in seat_models(room.row, None) if seat.won]
    if len(winners) == 1:
        return say("{player} wins.", player=winners[0])
    return say("{players} share the win.", players=all_of(winners))


def share_of(request: Request, room: Room, n: int | None = None) -> ShareModel:
    """What other sites show of a link to a table, or to a position of a finished game."""
    base = base_of(request)
    here = f"{base}/tables/{room.row.id}" + ("" if n is None else f"/replay/{n}")
    return ShareModel(
        url=here,
        picture=f"{here}/picture.png",
        title=f"{game_model(room.row.game).title} · Signoria",
        says=_caption(room, n),
        embed=f"{base}/embed/{room.row.id}/{n or 0}" if room.row.state == "over" else "",
    )


async def _picture(request: Request, n: int | None) -> Response:
    room = await service_of(request).room(request.path_params["id"])
    if request.path_params["format"] not in ("png", "svg"):
        raise NotFound(say("Pictures are PNG or SVG: picture.png, picture.svg."))
    if n is not None:
        final_position(room)  # raises `Conflict` before the end
    drawn = draw_preview(preview_of(room, n))
    headers = {"Cache-Control": FINISHED if room.row.state == "over" else CURRENT}
    if request.path_params["format"] == "svg":
        return Response(drawn, headers=headers, media_type="image/svg+xml")
    pictures: Pictures = request.app.state.pictures
    png = await cancel_on_disconnect(request, pictures.as_png(drawn, client_address(request.scope)))
    return Response(png, headers=headers, media_type="image/png")


async def picture(request: Request) -> Response:
    """A picture of a table: its players, and the points once the game is over."""
    return await _picture(request, None)


async def position_picture(request: Request) -> Response:
    """A picture of a position of a finished game."""
    return await _picture(request, request.path_params["n"])
