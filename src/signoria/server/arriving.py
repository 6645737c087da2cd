"""Somebody who played as a guest signs in: their games come along."""

import msgspec

from signoria.server.house import House
from signoria.store import tables
from signoria.store.database import Write
from signoria.store.people import User
from signoria.store.sealed import hand_sealed
from signoria.store.tables import TableRow

EVERY_TABLE = 1_000_000


async def bring_along(house: House, guest: User, user: User) -> None:
    """Give somebody the seats and tables that they had as a guest; not where they sit already, or one would be two."""
    async with house.database.write() as w:
        theirs = {row.id for row in await tables.tables_of_user(w.db, guest.id, EVERY_TABLE)}
        for table_id in sorted(theirs):
            row = await tables.hold_table(w.db, table_id)
            if row is not None and not any(seat.user_id == user.id for seat in row.seats):
                await _hand(w, row, guest, user)
        w.tell("lobby")
    await house.show(w)


async def _hand(w: Write, row: TableRow, guest: User, user: User) -> None:
    for seat in row.seats:
        if seat.user_id == guest.id:
            await tables.set_seat(w.db, msgspec.structs.replace(seat, user_id=user.id))
            await hand_sealed(w.db, row.id, seat.seat, user.id)
    if row.host_id == guest.id:
        await tables.change(w.db, row.id, host_id=user.id)
    w.tell(f"table:{row.id}")
