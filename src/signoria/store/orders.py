"""Orders: what a player has decided before being asked. Only that player and the server know them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import orders

__all__ = ["OrdersRow", "drop_orders", "find_orders", "hand_orders", "orders_at", "put_orders"]

Chosen = dict[str, tuple[str, ...]]


class OrdersRow(msgspec.Struct, frozen=True):
    """The orders of a seat for one round."""

    table_id: str
    seat: int
    user_id: str
    round: int
    most: Mapping[str, int] = {}
    """By lot: the maximum that the server bids for this seat; 0 means pass."""
    chosen: Mapping[str, tuple[str, ...]] = {}
    """By choice: the steps that the server makes for this seat when it is asked for them, as JSON."""
    note: str = ""
    """Why the server dropped an order, for the player; empty if it dropped none."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to store."""
        return not self.most and not self.chosen and not self.note


async def find_orders(db: AsyncConnection, table_id: str, seat: int) -> OrdersRow | None:
    """The orders of a seat."""
    row = (await db.execute(_OF_SEAT, {"table_id": table_id, "seat": seat})).one_or_none()
    return None if row is None else _as_row(row)


async def orders_at(db: AsyncConnection, table_id: str) -> dict[int, OrdersRow]:
    """The orders of all seats of a table."""
    rows = await db.execute(_AT_TABLE, {"table_id": table_id})
    return {row.seat: _as_row(row) for row in rows}


async def put_orders(db: AsyncConnection, row: OrdersRow) -> None:
    """Save the orders of a seat, replacing the previous ones."""
    await drop_orders(db, row.table_id, row.seat)
    if not row.empty:
        as_json = {name: msgspec.json.encode(getattr(row, name)).decode() for name in ("most", "chosen")}
        await db.execute(insert(orders), msgspec.structs.asdict(row) | as_json)


async def drop_orders(db: AsyncConnection, table_id: str, seat: int | None = None) -> None:
    """Delete the orders of a seat; without a seat, of all seats of the table."""
    gone = delete(orders).where(orders.c.table_id == table_id)
    await db.execute(gone if seat is None else gone.where(orders.c.seat == seat))


async def hand_orders(db: AsyncConnection, table_id: str, seat: int, user_id: str) -> None:
    """Transfer the orders of a seat to its new user."""
    await db.execute(update(orders).where(orders.c.table_id == table_id, orders.c.seat == seat).values(user_id=user_id))


def _as_row(row: Any) -> OrdersRow:
    most, chosen = msgspec.json.decode(row.most, type=dict[str, int]), msgspec.json.decode(row.chosen, type=Chosen)
    return OrdersRow(row.table_id, row.seat, row.user_id, row.round, most, chosen, row.note)


_AT_TABLE = select(orders).where(orders.c.table_id == bindparam("table_id"))
_OF_SEAT = _AT_TABLE.where(orders.c.seat == bindparam("seat"))
