"""Somebody leaves for good: nothing personal stays, and nobody's game hangs."""

import msgspec

from signoria.store import messages, people, tables
from signoria.store.database import Write
from signoria.store.tables import TableRow

EVERY_TABLE = 1_000_000


async def forget_user(write: Write, user_id: str, now: int) -> bool:
    """Delete a user: a bot plays on at their games, their open tables close. False where there is no such user."""
    sat = {row.id for row in await tables.tables_of_user(write.db, user_id, EVERY_TABLE)}
    spoke = await messages.tables_spoken_at(write.db, user_id)
    theirs = [row for table_id in sorted(sat | spoke) if (row := await tables.hold_table(write.db, table_id))]
    if not await people.delete_user(write.db, user_id):
        return False
    for row in theirs:
        await _leave(write, row, user_id, now)
        write.tell(f"table:{row.id}")
    write.tell(f"user:{user_id}")
    write.tell("lobby")
    return True


async def _leave(write: Write, row: TableRow, user_id: str, now: int) -> None:
    if row.state == "open":
        if row.host_id == user_id:
            await tables.change(write.db, row.id, state="closed", ended_at=now)
        for seat in row.seats:
            if seat.user_id == user_id:
                await tables.set_seat(write.db, msgspec.structs.replace(seat, user_id=None, name=None))
    elif row.turn is not None and row.seats[row.turn].user_id == user_id:
        await tables.change(write.db, row.id, due_at=now)  # the bot that plays on is asked at once
    else:
        await tables.change(write.db, row.id)
