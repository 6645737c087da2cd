"""Chat messages at a table, from people and from the server."""

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import messages, users

__all__ = ["MessageRow", "add_message", "delete_messages_of", "messages_after", "messages_by", "messages_of"]


class MessageRow(msgspec.Struct, frozen=True):
    """A message. Without a user it comes from the server; without a seat it comes from a spectator."""

    id: int
    table_id: str
    user_id: str | None
    seat: int | None
    name: str
    text: str
    at: int
    said: str | None = None
    """What the server announces, as JSON: the English message and its values, to be told in each reader's language. `text` is the
    same in English."""
    account: str | None = None
    """The name of the user's account, where it is requested."""


async def add_message(
    db: AsyncConnection,
    table_id: str,
    user_id: str | None,
    seat: int | None,
    name: str,
    text: str,
    at: int,
    said: str | None = None,
) -> MessageRow:
    """Add a message; returns it with its number."""
    values = {"table_id": table_id, "user_id": user_id, "seat": seat, "name": name, "text": text, "at": at}
    values |= {"said": said}
    number = (await db.execute(insert(messages).returning(messages.c.id), values)).scalar_one()
    return MessageRow(number, table_id, user_id, seat, name, text, at, said)


async def messages_of(db: AsyncConnection, table_id: str, after_id: int = 0, limit: int = 100) -> list[MessageRow]:
    """The newest messages of a table after that number, in order."""
    query = (
        select(messages, users.c.name.label("account"))
        .select_from(messages.outerjoin(users, users.c.id == messages.c.user_id))
        .where(messages.c.table_id == table_id, messages.c.id > after_id)
        .order_by(messages.c.id.desc())
        .limit(limit)
    )
    return [MessageRow(*row) for row in reversed((await db.execute(query)).all())]


async def messages_after(db: AsyncConnection, table_id: str, after_id: int, limit: int) -> list[MessageRow]:
    """The first messages of a table after that number, in order."""
    query = select(messages).where(messages.c.table_id == table_id, messages.c.id > after_id)
    return [MessageRow(*row) for row in await db.execute(query.order_by(messages.c.id).limit(limit))]


async def messages_by(db: AsyncConnection, user_id: str, after_id: int, limit: int) -> list[MessageRow]:
    """The first messages of a user after that number, in order."""
    query = select(messages).where(messages.c.user_id == user_id, messages.c.id > after_id)
    return [MessageRow(*row) for row in await db.execute(query.order_by(messages.c.id).limit(limit))]


async def delete_messages_of(db: AsyncConnection, user_id: str, limit: int) -> set[str]:
    """Delete some of a user's messages; returns their tables. Repeat until this is empty."""
    said = select(messages.c.id, messages.c.table_id).where(messages.c.user_id == user_id)
    rows = (await db.execute(said.order_by(messages.c.id).limit(limit))).all()
    if rows:
        await db.execute(delete(messages).where(messages.c.id.in_([row.id for row in rows])))
    return {row.table_id for row in rows}
