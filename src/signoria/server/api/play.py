"""Endpoints for playing: views, legal steps, steps, undo, automatic bids, records and replays."""

from itertools import takewhile

import msgspec
from starlette.responses import Response

from signoria.server.api.calls import JSON, ApiCall, path_int
from signoria.server.api.per_game import events_with_sentences
from signoria.server.api.requests import CHECK_STEP, MAKE_STEP, SealBid, Undo
from signoria.server.api.responses import LegalSteps, PositionView, SealedBidInfo, StepCheck, StepResult
from signoria.server.errors import Conflict, StaleVersion
from signoria.server.play import sealed_bids
from signoria.server.play.auto_bidding import bid_limits, has_auctions, lots_of
from signoria.server.play.past_positions import final_position, position_at
from signoria.server.play.room import Room, TablePosition


def _begun(room: Room) -> TablePosition:
    if room.position is None:
        raise Conflict("The game has not begun.")
    return room.position


async def view(call: ApiCall) -> PositionView[msgspec.Struct]:
    """The view of your own seat, or of a spectator."""
    room = await call.room()
    seat = None if call.query.seat is msgspec.UNSET else call.query.seat
    if seat is not None:
        room.own_seat(call.user_id, seat)
    position = _begun(room)
    table = position.table
    return PositionView(n=position.n, turn=table.turn, asked=table.asked, view=table.view(seat))


async def legal(call: ApiCall) -> LegalSteps[msgspec.Struct]:
    """The legal steps of your own seat."""
    room, seat = await call.room(), call.query.seat
    room.own_seat(call.user_id, seat)
    position = _begun(room)
    table = position.table
    return LegalSteps(
        n=position.n, turn=table.turn, asked=table.asked, legal=table.legal if is_asked(room, seat) else ()
    )


def is_asked(room: Room, seat: int) -> bool:
    """Whether it is a seat's turn and no bot plays for it."""
    return (
        room.row.state == "playing"
        and room.position is not None
        and room.position.table.turn == seat
        and room.played_by_bot(seat) is None
    )


async def why_not(call: ApiCall) -> StepCheck:
    """Why a step is not legal now."""
    room = await call.room()
    wanted = await call.body(CHECK_STEP[room.row.game])
    room.own_seat(call.signed_in_user.id, wanted.seat)
    return StepCheck(refusal=_begun(room).table.why_not(wanted.step, wanted.seat))


async def make_step(call: ApiCall) -> StepResult[msgspec.Struct]:
    """Make a step. It is saved when the response arrives. Repeating the request returns the same response."""
    room = await call.room()
    wanted = await call.body(MAKE_STEP[room.row.game])
    call.limit("steps", "moves")
    try:
        await call.service.make_step(room, call.signed_in_user.id, wanted.seat, wanted.n, wanted.step)
    except StaleVersion as error:
        raise StaleVersion(str(error), room.n) from None
    return _made(room, wanted.n)


async def undo(call: ApiCall) -> StepResult[msgspec.Struct]:
    """Undo your last step. The undo is saved when the response arrives."""
    room, wanted = await call.room(), await call.body(Undo)
    call.limit("steps", "moves")
    try:
        await call.service.undo(room, call.signed_in_user.id, wanted.seat, wanted.n)
    except StaleVersion as error:
        raise StaleVersion(str(error), room.n) from None
    return _made(room, wanted.n)


def _made(room: Room, n: int) -> StepResult[msgspec.Struct]:
    """The game after the step that was made at `n`."""
    position = _begun(room)
    since = [entry for entry in position.log if entry.n >= n]
    brought = since[:1] if since and since[0].n == n else []
    if brought:
        brought += takewhile(lambda entry: entry.by == "house", since[1:])
    return StepResult(
        n=position.n,
        state="over" if position.table.over else "playing",
        turn=position.table.turn,
        asked=position.table.asked,
        events=events_with_sentences(event for entry in brought for event in entry.events),
    )


async def sealed(call: ApiCall) -> SealedBidInfo:
    """The automatic bids of your own seat in this round; nobody else can see them."""
    room, seat = await call.room(), call.query.seat
    room.own_seat(call.user_id, seat)
    return _sealed(room, seat)


async def seal(call: ApiCall) -> SealedBidInfo:
    """Set an automatic bid. It is saved when the response arrives."""
    room, wanted = await call.room(), await call.body(SealBid)
    call.limit("steps", "moves")
    await sealed_bids.seal(call.service, room, call.signed_in_user, wanted.seat, wanted.lot, wanted.most)
    return _sealed(room, wanted.seat)


def _sealed(room: Room, seat: int) -> SealedBidInfo:
    view = _begun(room).table.view(seat)
    if not has_auctions(room.row.game):
        return SealedBidInfo(lots=(), most={})
    lots, most = tuple(lot.name for lot in lots_of(view)), bid_limits(view, room.sealed.get(seat))
    return SealedBidInfo(lots=lots, most={lot: most[lot] for lot in lots if lot in most})


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
