"""Playing: what a seat sees, what it may do, making a step and taking it back, and looking back."""

from itertools import takewhile

import msgspec
from starlette.responses import Response

from signoria.server import sealing, seating
from signoria.server.api.answers import Judged, Legal, Made, Sealed, Seen
from signoria.server.api.asking import JSON, Asked, whole
from signoria.server.api.given import MAKE_STEP, TRY_STEP, Seal, Undo
from signoria.server.api.happenings import happenings
from signoria.server.bidding import has_auctions, limits_of, lots_of
from signoria.server.errors import Conflict, StaleVersion
from signoria.server.moments import finished, position_at
from signoria.server.room import Position, Room


def _begun(room: Room) -> Position:
    if room.position is None:
        raise Conflict("The game has not begun.")
    return room.position


async def view(asked: Asked) -> Seen[msgspec.Struct]:
    """What one's own seat sees, or a spectator."""
    room = await asked.room()
    seat = None if asked.query.seat is msgspec.UNSET else asked.query.seat
    if seat is not None:
        seating.own_seat(room, asked.user, seat)
    position = _begun(room)
    table = position.table
    return Seen(n=position.n, turn=table.turn, asked=table.asked, view=table.view(seat))


async def legal(asked: Asked) -> Legal[msgspec.Struct]:
    """What one's own seat may do now."""
    room, seat = await asked.room(), asked.query.seat
    seating.own_seat(room, asked.user, seat)
    position = _begun(room)
    table = position.table
    return Legal(n=position.n, turn=table.turn, asked=table.asked, legal=table.legal if is_asked(room, seat) else ())


def is_asked(room: Room, seat: int) -> bool:
    """Whether a seat is asked and no bot stands in for it."""
    return (
        room.row.state == "playing"
        and room.position is not None
        and room.position.table.turn == seat
        and room.played_by_bot(seat) is None
    )


async def why_not(asked: Asked) -> Judged:
    """Why a step is not possible now."""
    room = await asked.room()
    wanted = await asked.given(TRY_STEP[room.row.game])
    seating.own_seat(room, asked.person, wanted.seat)
    return Judged(refusal=_begun(room).table.why_not(wanted.step, wanted.seat))


async def make_step(asked: Asked) -> Made[msgspec.Struct]:
    """Make a step; it is kept when this is answered. The same request again is answered again."""
    room = await asked.room()
    wanted = await asked.given(MAKE_STEP[room.row.game])
    asked.limit("steps", "steps")
    seating.acting_seat(room, asked.person, wanted.seat)
    try:
        await asked.house.make_step(room, wanted.seat, wanted.n, wanted.step)
    except StaleVersion as error:
        raise StaleVersion(str(error), room.n) from None
    return _made(room, wanted.n)


async def undo(asked: Asked) -> Made[msgspec.Struct]:
    """Take one's last step back; that is kept when this is answered."""
    room, wanted = await asked.room(), await asked.given(Undo)
    asked.limit("steps", "steps")
    seating.acting_seat(room, asked.person, wanted.seat)
    try:
        await asked.house.undo(room, wanted.seat, wanted.n)
    except StaleVersion as error:
        raise StaleVersion(str(error), room.n) from None
    return _made(room, wanted.n)


def _made(room: Room, n: int) -> Made[msgspec.Struct]:
    """How the game stands after the step that was made at `n`."""
    position = _begun(room)
    since = [told for told in position.told if told.n >= n]
    brought = since[:1] if since and since[0].n == n else []
    if brought:
        brought += takewhile(lambda told: told.by == "house", since[1:])
    return Made(
        n=position.n,
        state="over" if position.table.over else "playing",
        turn=position.table.turn,
        asked=position.table.asked,
        events=happenings(event for told in brought for event in told.events),
    )


async def sealed(asked: Asked) -> Sealed:
    """What the house is to bid for one's own seat in auctions of this round; nobody else can ask."""
    room, seat = await asked.room(), asked.query.seat
    seating.own_seat(room, asked.user, seat)
    return _sealed(room, seat)


async def seal(asked: Asked) -> Sealed:
    """Tell the house what to bid; it is kept when this is answered."""
    room, wanted = await asked.room(), await asked.given(Seal)
    asked.limit("steps", "steps")
    await sealing.seal(asked.house, room, asked.person, wanted.seat, wanted.lot, wanted.most)
    return _sealed(room, wanted.seat)


def _sealed(room: Room, seat: int) -> Sealed:
    view = _begun(room).table.view(seat)
    if not has_auctions(room.row.game):
        return Sealed(lots=(), most={})
    lots, most = tuple(lot.name for lot in lots_of(view)), limits_of(view, room.sealed.get(seat))
    return Sealed(lots=lots, most={lot: most[lot] for lot in lots if lot in most})


async def record(asked: Asked) -> Response:
    """The record of a finished game."""
    return Response(finished(await asked.room()).table.record.to_json(), media_type=JSON)


async def replay(asked: Asked) -> Seen[msgspec.Struct]:
    """A finished game at one of its positions."""
    room, seat = await asked.room(), asked.query.seat
    n = whole(asked.request.path_params, "n")
    table = position_at(room, n)
    seen = table.open_view() if seat == "open" else table.view(None if seat is msgspec.UNSET else seat)
    return Seen(n=n, turn=table.turn, asked=table.asked, view=seen)
