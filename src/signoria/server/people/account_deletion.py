"""Deleting an account: nothing personal stays, and no game gets stuck.

This may affect thousands of games, so it runs in batches, with the account last. If it is interrupted, it can be repeated.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from signoria.server.play.clocks import is_paused
from signoria.server.play.service import games_topic
from signoria.store import invitations, messages, people, tables
from signoria.store.database import Database, Write
from signoria.store.people import User
from signoria.store.tables import TableRow

AT_A_TIME = 20
"""Tables changed per transaction."""
MESSAGES = 200
"""Messages deleted per transaction."""

Show = Callable[[Write], Awaitable[None]]
"""Shows what a transaction has changed."""


async def erase_user(database: Database, user_id: str, now: int, show: Show | None = None) -> bool:
    """Delete a user: bots take over their games, and their open tables close. False if there is no such user."""
    while True:
        async with database.write() as w:
            user = await people.find_user(w.db, user_id)
            if user is None:
                return False
            more = await _erase_some(w, user, now)
            if not more:
                await people.delete_user(w.db, user_id)
                w.tell(f"user:{user_id}")
            w.tell("lobby")
        if show is not None:
            await show(w)
        if not more:
            return True
        await asyncio.sleep(0)  # let other tasks run


async def _erase_some(w: Write, user: User, now: int) -> bool:
    """Leave some of a user's tables, or delete some of their messages; False if there are none left."""
    table_ids = (await tables.any_tables_of(w.db, user.id, AT_A_TIME))[:AT_A_TIME]
    spoke = set() if table_ids else await messages.delete_messages_of(w.db, user.id, MESSAGES)
    rows = [row for table_id in table_ids or sorted(spoke) if (row := await tables.hold_table(w.db, table_id))]
    await people.forget_at_tables(w.db, user, table_ids)
    for row in rows:
        await _leave(w, row, user.id, now)
        w.tell(f"table:{row.id}")
    return bool(rows)


async def _leave(write: Write, row: TableRow, user_id: str, now: int) -> None:
    if row.rated and not row.counts and row.state != "open":  # the seats no longer tell that players shared a device
        await tables.change(write.db, row.id, rated=False)
    if row.state == "open":
        if row.host_id == user_id:
            await tables.change(write.db, row.id, state="closed", ended_at=now)
            for invited in await invitations.delete_invitations(write.db, row.id):
                write.tell(games_topic(invited))
        for seat in row.seats:
            if seat.user_id == user_id:
                await tables.set_seat(write.db, msgspec.structs.replace(seat, user_id=None, name=None))
    elif row.turn is not None and row.seats[row.turn].user_id == user_id and not is_paused(row):
        await tables.change(write.db, row.id, due_at=now)  # the bot that takes over is asked at once
    else:
        await tables.change(write.db, row.id)
