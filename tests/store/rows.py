"""People and tables for tests of the store."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.people import User, add_user
from signoria.store.tables import SeatRow, TableRow, add_table

NOW = 1_700_000_000_000  # milliseconds; does not fit into 32 bits


async def a_user(db: AsyncConnection, name: str = "Anna", now: int = NOW) -> User:
    return await add_user(db, name, now)


def table_row(table_id: str = "t1", **changes: Any) -> TableRow:
    fields: dict[str, Any] = {
        "id": table_id,
        "game": "patrician",
        "rules": "1",
        "options": {"messengers": True},
        "state": "playing",
        "host_id": None,
        "invitation": None,
        "clock": 60,
        "stand_in": "muratore",
        "pace": 400,
        "rated": True,
        "seed": "5a" * 32,
        "n": 0,
        "turn": 0,
        "turn_at": NOW,
        "due_at": None,
        "revision": 0,
        "result": None,
        "origin_id": None,
        "rematch_id": None,
        "created_at": NOW,
        "started_at": NOW,
        "ended_at": None,
        "touched_at": NOW,
        "seats": (SeatRow(table_id, 0), SeatRow(table_id, 1, bot="muratore")),
    }
    fields |= changes
    if fields["state"] in ("over", "closed") and fields["ended_at"] is None:
        fields["ended_at"] = fields["touched_at"]
    return TableRow(**fields)


async def a_table(db: AsyncConnection, table_id: str = "t1", **changes: Any) -> TableRow:
    row = table_row(table_id, **changes)
    await add_table(db, row)
    return row
