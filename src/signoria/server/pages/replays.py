"""Pages about past moves: log, record, shuffle check, replay, new games from a position."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import from_record
from signoria.kernel.errors import BadRecord
from signoria.kernel.shuffle import commitment
from signoria.server.errors import BadField
from signoria.server.guard.limits import may_open
from signoria.server.lobby import rematches, seating
from signoria.server.lobby.catalogue import LEVEL_MODELS, game_model
from signoria.server.pages.common import SubmittedForm, html, redirect, service_of, user_of
from signoria.server.people.sessions import viewer_model
from signoria.server.play.page_models import fair_deal, log_lines, recent_events, score_sheet, seat_label, seat_models
from signoria.server.play.past_positions import final_position, position_at
from signoria.server.play.replay import score_history_of
from signoria.server.play.room import CheckResult, Room, TablePosition
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.web import pages
from signoria.web.models import Check, CheckLine, LogPage, Replay


async def log(request: Request) -> Response:
    """All public events."""
    room = await service_of(request).room(request.path_params["id"])
    return html(
        pages.log_page(
            LogPage(
                viewer=viewer_model(user_of(request)),
                id=room.row.id,
                game=game_model(room.row.game),
                over=room.row.state == "over",
                seats=seat_models(room.row, user_of(request)),
                log=log_lines(room.position.log) if room.position else (),
            )
        )
    )


async def record(request: Request) -> Response:
    """The record of a finished game, for download."""
    room = await service_of(request).room(request.path_params["id"])
    name = f"{room.row.game}-{room.row.id}.json"
    return Response(
        final_position(room).table.record.to_json() + b"\n",
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def check(request: Request) -> Response:
    """The check of a finished game's fair shuffle."""
    service = service_of(request)
    room = await service.room(request.path_params["id"])
    return html(pages.check(check_model(room, user_of(request), (await checked(service, room)).wrong)))


async def checked(service: TableService, room: Room) -> CheckResult:
    """A finished game, checked once for all viewers, because it no longer changes."""
    end = final_position(room)
    if room.check is None:
        async with service.checking:
            if room.check is None:
                room.check = CheckResult(await asyncio.to_thread(_wrong, end))
    return room.check


def _wrong(end: TablePosition) -> str:
    """Why the record of a game is wrong; empty if it is right."""
    try:
        from_record(end.table.record)
    except BadRecord as error:
        return str(error)
    return ""


def check_model(room: Room, user: User | None, wrong: str) -> Check:
    """The checks of a fair shuffle, and whether each passed."""
    fair = fair_deal(room.row)
    return Check(
        viewer=viewer_model(user),
        id=room.row.id,
        game=game_model(room.row.game),
        seats=seat_models(room.row, user),
        fair=fair,
        checks=(
            CheckLine(
                says="The SHA-256 of the seed is the commitment shown before the game.",
                holds=commitment(bytes.fromhex(fair.seed or "")) == fair.commitment,
            ),
            CheckLine(
                says="The seed and the shuffle words give exactly these cards, every move was legal, and the scores are right."
                + (f" {wrong}" if wrong else ""),
                holds=not wrong,
            ),
        ),
    )


async def replay(request: Request) -> Response:
    """A position of a finished game."""
    room = await service_of(request).room(request.path_params["id"])
    return html(pages.replay(replay_model(room, user_of(request), request.path_params["n"], request.query_params)))


def replay_model(room: Room, user: User | None, n: int, query: msgspec.UnsetType | object) -> Replay:
    """A finished game after `n` steps, as a seat or a spectator saw it, or with all cards."""
    end, table = final_position(room), position_at(room, n)
    eyes = query.get("seat", "")  # type: ignore[union-attr]
    seat = _seat_of_view(room, eyes)
    view = table.open_view() if eyes == "open" else table.view(seat)
    return Replay(
        viewer=viewer_model(user),
        id=room.row.id,
        game=game_model(room.row.game),
        n=n,
        last=len(end.log),
        seat=seat,
        open=eyes == "open",
        seats=seat_models(room.row, user),
        chapter=table.chapter,
        asked=table.asked if table.turn is None else f"{seat_label(room, table.turn)} has to {table.asks}.",
        view=view,
        happened=end.log[n - 1].lines if n else (),
        lately=recent_events(end.log[:n], None),
        log=log_lines(end.log),
        sheet=score_sheet(TablePosition(table, (), ())),
        course=score_history_of(room),
        levels=LEVEL_MODELS,
    )


def _seat_of_view(room: Room, text: str) -> int | None:
    if text in ("", "open"):
        return None
    if text in map(str, range(len(room.row.seats))):
        return int(text)
    raise BadField("seat", f"seat: {text[:20]!r} is not valid; use open or 0 to {len(room.row.seats) - 1}.")


async def play_on(form: SubmittedForm) -> Response:
    """A new game from this position, against bots."""
    opened = await may_open(form.request, form.user)
    room = await form.room()
    table_id = await rematches.play_on(
        form.service,
        room,
        form.user,
        form.request.path_params["n"],
        form.integer("seat"),
        form.text("level") or seating.USUAL_LEVEL,
    )
    return redirect(f"/tables/{opened(table_id)}")
