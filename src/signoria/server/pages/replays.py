"""Looking back: the whole log, the record, the fair deal checked, every position, and playing on from it."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import from_record
from signoria.kernel.errors import BadRecord
from signoria.kernel.shuffle import commitment
from signoria.server import meeting, seating
from signoria.server.course import course_of
from signoria.server.errors import BadField
from signoria.server.gate.opening import may_open
from signoria.server.gate.who import viewer_model
from signoria.server.house import House
from signoria.server.moments import finished, position_at
from signoria.server.offered import LEVEL_MODELS, game_model
from signoria.server.pages.common import Asked, house_of, html, see, user_of
from signoria.server.room import CheckResult, Position, Room
from signoria.server.showing import fair_deal, lately, log_lines, score_sheet, seat_models, who_sits
from signoria.store.people import User
from signoria.web import pages
from signoria.web.models import Check, CheckLine, LogPage, Replay


async def log(request: Request) -> Response:
    """Everything public that happened."""
    room = await house_of(request).room(request.path_params["id"])
    return html(
        pages.log_page(
            LogPage(
                viewer=viewer_model(user_of(request)),
                id=room.row.id,
                game=game_model(room.row.game),
                over=room.row.state == "over",
                seats=seat_models(room.row, user_of(request)),
                log=log_lines(room.position.told) if room.position else (),
            )
        )
    )


async def record(request: Request) -> Response:
    """The record of a finished game, to keep."""
    room = await house_of(request).room(request.path_params["id"])
    name = f"{room.row.game}-{room.row.id}.json"
    return Response(
        finished(room).table.record.to_json() + b"\n",
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def check(request: Request) -> Response:
    """The fair deal of a finished game, checked."""
    house = house_of(request)
    room = await house.room(request.path_params["id"])
    return html(pages.check(check_model(room, user_of(request), (await checked(house, room)).wrong)))


async def checked(house: House, room: Room) -> CheckResult:
    """A finished game, checked once for all who ask: it does not change any more."""
    end = finished(room)
    if room.check is None:
        async with house.checking:
            if room.check is None:
                room.check = CheckResult(await asyncio.to_thread(_wrong, end))
    return room.check


def _wrong(end: Position) -> str:
    """Why the record of a game does not hold; empty where it does."""
    try:
        from_record(end.table.record)
    except BadRecord as error:
        return str(error)
    return ""


def check_model(room: Room, user: User | None, wrong: str) -> Check:
    """What a fair deal promises, and whether it holds."""
    fair = fair_deal(room.row)
    return Check(
        viewer=viewer_model(user),
        id=room.row.id,
        game=game_model(room.row.game),
        seats=seat_models(room.row, user),
        fair=fair,
        checks=(
            CheckLine(
                says="The SHA-256 of the seed is the commitment that was shown before the game.",
                holds=commitment(bytes.fromhex(fair.seed or "")) == fair.commitment,
            ),
            CheckLine(
                says="Seed and words together deal exactly these cards, every step was legal, and the scores are right."
                + (f" {wrong}" if wrong else ""),
                holds=not wrong,
            ),
        ),
    )


async def replay(request: Request) -> Response:
    """A finished game at one of its positions."""
    room = await house_of(request).room(request.path_params["id"])
    return html(pages.replay(replay_model(room, user_of(request), request.path_params["n"], request.query_params)))


def replay_model(room: Room, user: User | None, n: int, query: msgspec.UnsetType | object) -> Replay:
    """A finished game after `n` steps, as a seat saw it, as everybody did, or open."""
    end, table = finished(room), position_at(room, n)
    eyes = query.get("seat", "")  # type: ignore[union-attr]
    seat = _eyes(room, eyes)
    view = table.open_view() if eyes == "open" else table.view(seat)
    return Replay(
        viewer=viewer_model(user),
        id=room.row.id,
        game=game_model(room.row.game),
        n=n,
        last=len(end.told),
        seat=seat,
        open=eyes == "open",
        seats=seat_models(room.row, user),
        chapter=table.chapter,
        asked=table.asked if table.turn is None else f"{who_sits(room, table.turn)} is to {table.asks}.",
        view=view,
        happened=end.told[n - 1].lines if n else (),
        lately=lately(end.told[:n], None),
        log=log_lines(end.told),
        sheet=score_sheet(Position(table, (), ())),
        course=course_of(room),
        levels=LEVEL_MODELS,
    )


def _eyes(room: Room, text: str) -> int | None:
    if text in ("", "open"):
        return None
    if text in map(str, range(len(room.row.seats))):
        return int(text)
    raise BadField("seat", f"seat: {text[:20]!r}; possible are open and 0 to {len(room.row.seats) - 1}.")


async def play_on(asked: Asked) -> Response:
    """A new game from here, against bots."""
    opened = await may_open(asked.request, asked.user)
    room = await asked.room()
    table_id = await meeting.play_on(
        asked.house,
        room,
        asked.user,
        asked.request.path_params["n"],
        asked.whole("seat"),
        asked.text("level") or seating.USUAL_LEVEL,
    )
    return see(f"/tables/{opened(table_id)}")
