"""Handing a guest's games over to the account that the guest signs in to.

There may be thousands of games, so they are handed over in batches. If one fails, the rest can be tried again.
"""

import asyncio

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import later
from signoria.server.people.blocking import MOST_BLOCKS
from signoria.server.people.friends import MOST_TIES
from signoria.server.play.service import TableService, add_announcement, games_topic
from signoria.store import blocks, tables
from signoria.store.database import Write
from signoria.store.invitations import hand_invitations
from signoria.store.notifications import hand_notifications
from signoria.store.orders import hand_orders
from signoria.store.people import User
from signoria.store.statistics import hand_statistics
from signoria.store.tables import Place, SeatRow, TableRow
from signoria.store.ties import hand_ties

AT_A_TIME = 20
"""Tables handed over per transaction."""


async def hand_over_guest_games(service: TableService, guest: User, user: User) -> None:
    """Give a person the seats and tables they had as a guest, except at tables where they already sit.

    Blocks by and against the guest are taken over too. A rated game in play no longer counts. At tables that wait for players, the person loses a seat that
    they could not have taken.
    """
    async with service.database.write() as w:
        await blocks.hand_blocks(w.db, guest.id, user.id, MOST_BLOCKS)
        await hand_notifications(w.db, guest.id, user.id)
        await hand_invitations(w.db, guest.id, user.id)
        await hand_statistics(w.db, guest.id, user.id)
        await hand_ties(w.db, guest.id, user.id, MOST_TIES)
        w.tell(f"user:{user.id}")
        now = await tables.going_on(w.db, guest.id)
    for begin in range(0, len(now), AT_A_TIME):
        await _hand_all(service, now[begin : begin + AT_A_TIME], guest, user)
    for state in ("over", "closed"):
        after: Place | None = None
        while True:
            async with service.database.read() as db:
                ended = await tables.ended_tables(db, guest.id, state, AT_A_TIME, after)
            if not ended:
                break
            await _hand_all(service, sorted(place.id for place in ended), guest, user)
            after = ended[-1]
            await asyncio.sleep(0)  # let other tasks run


async def _hand_all(service: TableService, table_ids: list[str], guest: User, user: User) -> None:
    async with service.database.write() as w:
        for table_id in table_ids:
            row = await tables.hold_table(w.db, table_id)
            if row is None or any(seat.user_id == user.id for seat in row.seats):
                continue
            if row.state == "open" and row.host_id != guest.id and not await _is_welcome(w.db, row, user):
                await _free(w, row, guest)
            else:
                await _hand(w, row, guest, user, service.now())
        w.tell("lobby")
    await service.show_changes(w)


async def _is_welcome(db: AsyncConnection, row: TableRow, user: User) -> bool:
    """Whether no player at a table and the person have blocked each other, and the host has not removed them."""
    others = {row.host_id, *(seat.user_id for seat in row.seats)} - {None}
    between = await blocks.blocks_between(db, user.id, [other for other in others if other])
    return not between and user.id not in await blocks.removed_from(db, row.id)


async def _free(w: Write, row: TableRow, guest: User) -> None:
    for seat in row.seats:
        if seat.user_id == guest.id:
            await tables.set_seat(w.db, SeatRow(row.id, seat.seat))
    w.tell(f"table:{row.id}")


async def _hand(w: Write, row: TableRow, guest: User, user: User, now: int) -> None:
    for seat in row.seats:
        if seat.user_id == guest.id:
            if row.state == "playing" and row.counts:  # otherwise people could let only those games count that they win
                await tables.change(w.db, row.id, rated=False)
                says = later(
                    "{player} signed in to an account, so this game is no longer rated.", player=seat.name or ""
                )
                await add_announcement(w, row.id, says, seat.seat, now)
            await tables.set_seat(w.db, msgspec.structs.replace(seat, user_id=user.id))
            await hand_orders(w.db, row.id, seat.seat, user.id)
    if row.host_id == guest.id:
        await tables.change(w.db, row.id, host_id=user.id)
    w.tell(f"table:{row.id}")
    w.tell(games_topic(user.id))
