"""Pages about past moves: log, record, shuffle check, replay, new games from a position."""

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import AnyTable, from_record
from signoria.kernel.errors import BadRecord
from signoria.kernel.language import say
from signoria.kernel.shuffle import commitment
from signoria.server.errors import BadField
from signoria.server.guard.limits import may_open
from signoria.server.lobby import rematches, seating
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import SubmittedForm, html, redirect, service_of, user_of
from signoria.server.pages.sharing import share_of
from signoria.server.people.sessions import viewer_model
from signoria.server.play.page_models import fair_deal, score_sheet
from signoria.server.play.past_positions import final_position, position_at
from signoria.server.play.recent_events import ended_section, log_lines, recent_events
from signoria.server.play.replay import score_history_of
from signoria.server.play.room import CheckResult, Room, TablePosition
from signoria.server.play.seat_models import seat_label, seat_models
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.web import pages
from signoria.web.models import Check, CheckLine, LogPage, Replay

SPECTATOR = "none"
"""The `seat` in the address of a replay as spectators saw it."""


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
                says=say("The SHA-256 of the seed is the commitment shown before the game."),
                holds=commitment(bytes.fromhex(fair.seed or "")) == fair.commitment,
            ),
            CheckLine(
                says=" ".join(
                    filter(
                        None,
                        [
                            say(
                                "The seed and the shuffle words give exactly these cards, every move was legal, and the scores "
                                "are right."
                            ),
                            wrong,
                        ],
                    )
                ),
                holds=not wrong,
            ),
        ),
    )


async def replay(request: Request) -> Response:
    """A position of a finished game."""
    room = await service_of(request).room(request.path_params["id"])
    n = request.path_params["n"]
    model = replay_model(room, user_of(request), n, request.query_params)
    return html(pages.replay(msgspec.structs.replace(model, share=share_of(request, room, n))))


async def embed(request: Request) -> Response:
    """A position of a finished game for pages of other sites. It has no viewer and no forms."""
    room = await service_of(request).room(request.path_params["id"])
    return html(pages.embed(replay_model(room, None, request.path_params["n"], {"seat": SPECTATOR})))


class ReplayView(NamedTuple):
    """A position of a finished game, and who sees it."""

    table: AnyTable
    seat: int | None
    is_open: bool
    """Whether all cards are seen."""
    view: Any


def replay_view(room: Room, user: User | None, n: int, query: Mapping[str, str]) -> ReplayView:
    """A finished game after `n` steps, as a seat or a spectator saw it, or with all cards."""
    table = position_at(room, n)
    eyes = query.get("seat") or _own_eyes(room, user)
    seat, is_open = _seat_of_view(room, eyes), eyes == "open"
    return ReplayView(table, seat, is_open, table.open_view() if is_open else table.view(seat))


def replay_model(room: Room, user: User | None, n: int, query: Mapping[str, str]) -> Replay:
    """The same as a page."""
    end, course = final_position(room), score_history_of(room)
    table, seat, is_open, view = replay_view(room, user, n, query)
    lately = recent_events(end.log[:n], None)
    return Replay(
        viewer=viewer_model(user),
        id=room.row.id,
        game=game_model(room.row.game),
        n=n,
        last=len(end.log),
        turn_back=max((turn.n for turn in course if turn.n < n), default=0),
        turn_forward=min((turn.n for turn in course if turn.n > n), default=len(end.log)),
        seat=seat,
        open=is_open,
        seats=seat_models(room.row, user),
        chapter=table.chapter,
        asked=table.asked
        if table.turn is None
        else say("{player} has to {asked}.", player=seat_label(room, table.turn), asked=table.asks),
        view=view,
        happened=end.log[n - 1].lines if n else (),
        events=end.log[n - 1].events if n else (),
        lately=lately,
        recap=ended_section(end.log[:n], lately, room.game.section_start),
        log=log_lines(end.log),
        sheet=score_sheet(TablePosition(table, (), ())),
        course=course,
        levels=game_model(room.row.game).levels,
    )


def _own_eyes(room: Room, user: User | None) -> str:
    """A player first sees a game from their own seat, everybody else as a spectator."""
    own = room.seats_of(user.id if user else None)
    return str(own[0]) if own else SPECTATOR


def _seat_of_view(room: Room, text: str) -> int | None:
    if text in (SPECTATOR, "open"):
        return None
    if text in map(str, range(len(room.row.seats))):
        return int(text)
    raise BadField(
        "seat",
        say(
            "seat: {text!r} is not valid; use open, {spectator} or 0 to {count}.",
            text=text[:20],
            spectator=SPECTATOR,
            count=len(room.row.seats) - 1,
        ),
    )


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
