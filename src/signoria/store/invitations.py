"""Invitations of people by name to open tables."""

from typing import NamedTuple

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import invitations, tables, users


class Invitation(NamedTuple):
    """An invitation to an open table."""

    table_id: str
    game: str
    by: str
    """The name of the person who invites."""
    created_at: int


async def add_invitation(db: AsyncConnection, table_id: str, user_id: str, by_id: str, now: int) -> bool:
    """Invite a person to a table; False if they are already invited."""
    values = {"table_id": table_id, "user_id": user_id, "by_id": by_id, "now": now}
    return (await db.execute(_ADD, values)).rowcount > 0


async def number_invited(db: AsyncConnection, table_id: str) -> int:
    """How many people are invited to a table."""
    query = select(func.count()).select_from(invitations).where(invitations.c.table_id == table_id)
    return (await db.execute(query)).scalar_one()


async def number_received(db: AsyncConnection, user_id: str, limit: int) -> int:
    """How many invitations wait for a person; at most `limit` are counted."""
    some = select(invitations.c.table_id).where(invitations.c.user_id == user_id).limit(limit).subquery()
    return (await db.execute(select(func.count()).select_from(some))).scalar_one()


async def invited_to(db: AsyncConnection, table_id: str, limit: int = 100) -> frozenset[str]:
    """The ids of people who are invited to a table by name."""
    query = select(invitations.c.user_id).where(invitations.c.table_id == table_id).limit(limit)
    return frozenset((await db.execute(query)).scalars())


async def is_invited(db: AsyncConnection, table_id: str, user_id: str) -> bool:
    """Whether a person is invited to a table by name."""
    where = (invitations.c.table_id == table_id, invitations.c.user_id == user_id)
    return (await db.execute(select(invitations.c.user_id).where(*where))).scalar_one_or_none() is not None


async def invitations_of(db: AsyncConnection, user_id: str, limit: int) -> list[Invitation]:
    """The invitations of a person, newest first."""
    query = (
        select(invitations.c.table_id, tables.c.game, users.c.name, invitations.c.created_at)
        .join_from(invitations, tables, tables.c.id == invitations.c.table_id)
        .join(users, users.c.id == invitations.c.by_id)
        .where(invitations.c.user_id == user_id)
        .order_by(invitations.c.created_at.desc(), invitations.c.table_id.desc())
        .limit(limit)
    )
    return [Invitation(*row) for row in await db.execute(query)]


async def delete_invitation(db: AsyncConnection, table_id: str, user_id: str) -> bool:
    """Delete an invitation; False if there is none."""
    where = (invitations.c.table_id == table_id, invitations.c.user_id == user_id)
    return (await db.execute(delete(invitations).where(*where))).rowcount > 0


async def drop_invitations_between(db: AsyncConnection, one_id: str, other_id: str) -> None:
    """Delete the invitations of two people to each other, among the latest ones."""
    for by_id, user_id in ((one_id, other_id), (other_id, one_id)):
        query = select(invitations.c.table_id, invitations.c.by_id).where(invitations.c.user_id == user_id)
        latest = await db.execute(
            query.order_by(invitations.c.created_at.desc(), invitations.c.table_id.desc()).limit(100)
        )
        for table_id in [row.table_id for row in latest if row.by_id == by_id]:
            await delete_invitation(db, table_id, user_id)


async def hand_invitations(db: AsyncConnection, guest_id: str, user_id: str) -> None:
    """Give a person the invitations they got and sent as a guest, unless they have the same already."""
    got = select(invitations.c.table_id).where(invitations.c.user_id == guest_id).limit(100)
    for table_id in (await db.execute(got)).scalars().all():
        if await is_invited(db, table_id, user_id):
            await delete_invitation(db, table_id, guest_id)
        else:
            where = (invitations.c.table_id == table_id, invitations.c.user_id == guest_id)
            await db.execute(update(invitations).where(*where).values(user_id=user_id))
    await db.execute(update(invitations).where(invitations.c.by_id == guest_id).values(by_id=user_id))


async def delete_invitations(db: AsyncConnection, table_id: str) -> list[str]:
    """Delete all invitations to a table that starts or closes; return who was invited."""
    query = select(invitations.c.user_id).where(invitations.c.table_id == table_id)
    invited = list((await db.execute(query)).scalars())
    if invited:
        await db.execute(delete(invitations).where(invitations.c.table_id == table_id))
    return invited


_ADD = text(
    "INSERT INTO invitations (table_id, user_id, by_id, created_at) VALUES (:table_id, :user_id, :by_id, :now)"
    " ON CONFLICT DO NOTHING"
)
