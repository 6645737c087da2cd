"""Automatic bids, so that a player does not have to make every raise of an auction."""

from typing import Any

from signoria.kernel.words import counted
from signoria.server.errors import BadField, Conflict, StaleVersion
from signoria.server.play.auto_bidding import answer_time, automatic_step, bid_limits, bids_of, has_auctions, lots_of
from signoria.server.play.clocks import due_at
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import duties, tables
from signoria.store.database import Write
from signoria.store.people import User
from signoria.store.sealed import SealedRow, find_sealed, put_sealed
from signoria.store.tables import TableRow


async def seal(service: TableService, room: Room, user: User, seat: int, lot: str, most: int | None) -> None:
    """Let the server bid the minimum up to `most` for a lot, or pass if it is 0; None cancels it.

    It is valid for this round's auction of the lot, can be set at any time, and nobody else can see it.
    """
    _check(room, user, seat)
    table_id = room.row.id
    async with room.lock:
        try:
            async with service.database.write() as w:
                row, view = await _held(w, room, seat)
                _check_lot(view, lot, most)
                kept = await find_sealed(w.db, table_id, seat)
                limits = {other: of for other, of in bid_limits(view, kept).items() if other != lot}
                limits |= {} if most is None else {lot: most}
                sealed = SealedRow(table_id, seat, user.id, bids_of(view).round_of(view), limits)
                await put_sealed(w.db, sealed)
                if row.turn == seat:
                    await _set_due(service, w, row, view, sealed)
                w.tell(f"table:{table_id}")
            await service.catch_up(room)
        except BaseException:
            service.reload_table(table_id)  # it may have been saved all the same
            raise
    service.due.set()


async def _held(w: Write, room: Room, seat: int) -> tuple[TableRow, Any]:
    """The table, locked until everything is written, and the seat's view of it; raises `StaleVersion`."""
    row = await tables.hold_table(w.db, room.row.id)
    if row is None or room.position is None or row.n != room.n:
        raise StaleVersion
    return row, room.position.table.view(seat)


async def _set_due(service: TableService, w: Write, row: TableRow, view: Any, sealed: SealedRow) -> None:
    assert row.turn is not None
    now = service.now()
    deadline = due_at(row, row.turn, row.turn_at or now, now)
    answers = automatic_step(view, sealed) is not None
    await duties.set_due(w.db, row.id, answer_time(row, now, deadline, service.rng) if answers else deadline)


def _check(room: Room, user: User, seat: int) -> None:
    """Check that a person may set an automatic bid for a seat; raises `NotAllowed` or `Conflict`."""
    room.acting_seat(user.id, seat)
    if not has_auctions(room.row.game):
        raise Conflict("This game has no auctions.")
    if room.row.state != "playing":
        raise Conflict("The game is over." if room.row.state == "over" else "The game has not started.")
    if len(room.seats_of(user.id)) > 1:
        raise Conflict("Several people share this device, so automatic bids would not stay secret.")


def _check_lot(view: Any, lot: str, most: int | None) -> None:
    """Check that this bid can be set now; raises `Conflict` or `BadField`."""
    open_lots = [known.name for known in lots_of(view)]
    if lot not in open_lots:
        raise Conflict(
            f"You cannot bid for {lot[:40]!r} now or later in this round.",
            field="lot",
            possible=", ".join(open_lots) or "no auctions now",
        )
    bids = bids_of(view)
    purse = bids.purse(view)
    if most is not None and not 0 <= most <= purse:
        raise BadField("most", f"You have {counted(purse, bids.coin)}. Enter a number from 0 to {purse}.")
