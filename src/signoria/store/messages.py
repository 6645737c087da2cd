"""What is said at a table, by people and by the house."""

import msgspec
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import messages

__all__ = ["MessageRow", "add_message", "messages_of", "tables_spoken_at"]


class MessageRow(msgspec.Struct, frozen=True):
    """A message; without a user the house speaks, without a seat somebody who watches."""

    id: int
    table_id: str
    user_id: str | None
    seat: int | None
    name: str
    text: str
    at: int


async def add_message(
    db: AsyncConnection, table_id: str, user_id: str | None, seat: int | None, name: str, text: str, at: int
) -> MessageRow:
    """A message, with the number that it got."""
    values = {"table_id": table_id, "user_id": user_id, "seat": seat, "name": name, "text": text, "at": at}
    number = (await db.execute(insert(messages).returning(messages.c.id), values)).scalar_one()
    return MessageRow(number, table_id, user_id, seat, name, text, at)


async def messages_of(db: AsyncConnection, table_id: str, after_id: int = 0, limit: int = 100) -> list[MessageRow]:
    """The newest messages of a table after that number, the oldest of them first."""
    query = (
        select(messages)
        .where(messages.c.table_id == table_id, messages.c.id > after_id)
        .order_by(messages.c.id.desc())
        .limit(limit)
    )
    return [MessageRow(*row) for row in reversed((await db.execute(query)).all())]


async def tables_spoken_at(db: AsyncConnection, user_id: str) -> set[str]:
    """The tables where a user has said something."""
    query = select(messages.c.table_id).where(messages.c.user_id == user_id).distinct()
    return set((await db.execute(query)).scalars())
