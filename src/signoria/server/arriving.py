"""Somebody who played as a guest signs in: their games come along.

That may be thousands of games, so they are handed over in batches.
"""

import asyncio

import msgspec

from signoria.server.house import House, games_of
from signoria.store import tables
from signoria.store.database import Write
from signoria.store.people import User
from signoria.store.sealed import hand_sealed
from signoria.store.tables import Place, TableRow

AT_A_TIME = 20
"""Tables that one transaction hands over."""


async def bring_along(house: House, guest: User, user: User) -> None:
    """Give somebody the seats and tables that they had as a guest; not where they sit already, or one would be two."""
    async with house.database.read() as db:
        now = await tables.going_on(db, guest.id)
    for begin in range(0, len(now), AT_A_TIME):
        await _hand_all(house, now[begin : begin + AT_A_TIME], guest, user)
    for state in ("over", "closed"):
        after: Place | None = None
        while True:
            async with house.database.read() as db:
                ended = await tables.ended_tables(db, guest.id, state, AT_A_TIME, after)
            if not ended:
                break
            await _hand_all(house, sorted(place.id for place in ended), guest, user)
            after = ended[-1]
            await asyncio.sleep(0)  # others have their turn


async def _hand_all(house: House, table_ids: list[str], guest: User, user: User) -> None:
    async with house.database.write() as w:
        for table_id in table_ids:
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
    w.tell(games_of(user.id))
