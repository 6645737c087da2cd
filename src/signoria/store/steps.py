"""Steps: only ever added, each once. A game is the list of its steps."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.errors import StepExists, is_unique_violation
from signoria.store.schema import steps

__all__ = ["StepExists", "StepRow", "add_steps", "steps_of"]

MOST = 2**31 - 1
"""More than the number of steps in any game."""


class StepRow(msgspec.Struct, frozen=True):
    """A saved step: its number in the game, its seat, its JSON, who made it, and when."""

    n: int
    seat: int
    step: str
    by: str
    at: int


async def add_steps(db: AsyncConnection, table_id: str, rows: Sequence[StepRow]) -> None:
    """Add these steps, all or none. `StepExists` if a number is taken; the transaction must then be abandoned."""
    values = [
        {"table_id": table_id, "n": row.n, "seat": row.seat, "step": row.step, "by": row.by, "at": row.at}
        for row in rows
    ]
    if not values:
        return
    try:
        await db.execute(_ADD, values)
    except IntegrityError as error:
        if not is_unique_violation(error):
            raise
        raise StepExists(f"Step {rows[0].n} of this game was already made.") from error


async def steps_of(db: AsyncConnection, table_id: str, after: int = 0, before: int = MOST) -> list[StepRow]:
    """The steps of a table with numbers from `after` up to but not including `before`."""
    values = {"table_id": table_id, "after": after, "before": before}
    return [StepRow(*row) for row in await db.execute(_OF, values)]


_ADD = insert(steps)
_OF = (
    select(steps.c.n, steps.c.seat, steps.c.step, steps.c.by, steps.c.at)
    .where(steps.c.table_id == bindparam("table_id"), steps.c.n >= bindparam("after"), steps.c.n < bindparam("before"))
    .order_by(steps.c.n)
)
