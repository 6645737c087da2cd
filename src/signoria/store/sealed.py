"""What people have told the house to bid for them: a secret between the two, so no revision of a table counts it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import sealed

__all__ = ["SealedRow", "drop_sealed", "find_sealed", "hand_sealed", "put_sealed", "sealed_at"]


class SealedRow(msgspec.Struct, frozen=True):
    """What a seat has sealed for auctions of a round."""

    table_id: str
    seat: int
    user_id: str
    round: int
    most: Mapping[str, int]
    """By lot: the most that the house bids for this seat; 0 where it is to pass."""


async def find_sealed(db: AsyncConnection, table_id: str, seat: int) -> SealedRow | None:
    """What a seat has sealed."""
    row = (await db.execute(_OF_SEAT, {"table_id": table_id, "seat": seat})).one_or_none()
    return None if row is None else _as_row(row)


async def sealed_at(db: AsyncConnection, table_id: str) -> dict[int, SealedRow]:
    """What the seats of a table have sealed."""
    rows = await db.execute(_AT_TABLE, {"table_id": table_id})
    return {row.seat: _as_row(row) for row in rows}


async def put_sealed(db: AsyncConnection, row: SealedRow) -> None:
    """Keep what a seat has sealed, in place of what it had."""
    await drop_sealed(db, row.table_id, row.seat)
    if row.most:
        values = msgspec.structs.asdict(row) | {"most": msgspec.json.encode(row.most).decode()}
        await db.execute(insert(sealed), values)


async def drop_sealed(db: AsyncConnection, table_id: str, seat: int | None = None) -> None:
    """A seat has sealed nothing any more; without a seat, nobody at the table has."""
    gone = delete(sealed).where(sealed.c.table_id == table_id)
    await db.execute(gone if seat is None else gone.where(sealed.c.seat == seat))


async def hand_sealed(db: AsyncConnection, table_id: str, seat: int, user_id: str) -> None:
    """What a seat has sealed is this user's, who has the seat now."""
    await db.execute(update(sealed).where(sealed.c.table_id == table_id, sealed.c.seat == seat).values(user_id=user_id))


def _as_row(row: Any) -> SealedRow:
    return SealedRow(row.table_id, row.seat, row.user_id, row.round, msgspec.json.decode(row.most))


_AT_TABLE = select(sealed).where(sealed.c.table_id == bindparam("table_id"))
_OF_SEAT = _AT_TABLE.where(sealed.c.seat == bindparam("seat"))
