"""Sealed bids: only the bidder and the server know them, so they do not change the revision of a table."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import sealed

__all__ = ["SealedRow", "drop_sealed", "find_sealed", "hand_sealed", "put_sealed", "sealed_at"]


class SealedRow(msgspec.Struct, frozen=True):
    """The sealed bids of a seat for the auctions of one round."""

    table_id: str
    seat: int
    user_id: str
    round: int
    most: Mapping[str, int]
    """By lot: the maximum that the server bids for this seat; 0 means pass."""


async def find_sealed(db: AsyncConnection, table_id: str, seat: int) -> SealedRow | None:
    """The sealed bids of a seat."""
    row = (await db.execute(_OF_SEAT, {"table_id": table_id, "seat": seat})).one_or_none()
    return None if row is None else _as_row(row)


async def sealed_at(db: AsyncConnection, table_id: str) -> dict[int, SealedRow]:
    """The sealed bids of all seats of a table."""
    rows = await db.execute(_AT_TABLE, {"table_id": table_id})
    return {row.seat: _as_row(row) for row in rows}


async def put_sealed(db: AsyncConnection, row: SealedRow) -> None:
    """Save the sealed bids of a seat, replacing the previous ones."""
    await drop_sealed(db, row.table_id, row.seat)
    if row.most:
        values = msgspec.structs.asdict(row) | {"most": msgspec.json.encode(row.most).decode()}
        await db.execute(insert(sealed), values)


async def drop_sealed(db: AsyncConnection, table_id: str, seat: int | None = None) -> None:
    """Delete the sealed bids of a seat; without a seat, of all seats of the table."""
    gone = delete(sealed).where(sealed.c.table_id == table_id)
    await db.execute(gone if seat is None else gone.where(sealed.c.seat == seat))


async def hand_sealed(db: AsyncConnection, table_id: str, seat: int, user_id: str) -> None:
    """Transfer the sealed bids of a seat to its new user."""
    await db.execute(update(sealed).where(sealed.c.table_id == table_id, sealed.c.seat == seat).values(user_id=user_id))


def _as_row(row: Any) -> SealedRow:
    return SealedRow(row.table_id, row.seat, row.user_id, row.round, msgspec.json.decode(row.most))


_AT_TABLE = select(sealed).where(sealed.c.table_id == bindparam("table_id"))
_OF_SEAT = _AT_TABLE.where(sealed.c.seat == bindparam("seat"))
