"""Vacations: until when the slow clocks of a person stand still, and how many days of a year are used up."""

from typing import NamedTuple

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import users


class Vacation(NamedTuple):
    """The vacation of a person."""

    until: int | None = None
    """When it ends or ended; None if there was none."""
    year: int = 0
    """The year that `used` is about."""
    used: int = 0
    """Vacation days taken in that year."""


async def find_vacation(db: AsyncConnection, user_id: str) -> Vacation:
    """The vacation of a person."""
    query = select(users.c.vacation_until, users.c.vacation_year, users.c.vacation_used).where(users.c.id == user_id)
    row = (await db.execute(query)).one_or_none()
    return Vacation() if row is None else Vacation(*row)


async def set_vacation(db: AsyncConnection, user_id: str, before: Vacation, after: Vacation) -> bool:
    """Change a vacation; False, without a change, if it was no longer as it was before."""
    same = (
        users.c.vacation_until.is_not_distinct_from(before.until),
        users.c.vacation_year == before.year,
        users.c.vacation_used == before.used,
    )
    values = {"vacation_until": after.until, "vacation_year": after.year, "vacation_used": after.used}
    return (await db.execute(update(users).where(users.c.id == user_id, *same).values(values))).rowcount > 0
