"""People who block other people, and people whom a host has removed from a table."""

import secrets
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Table, delete, func, or_, select, union_all, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.language import say
from signoria.store.errors import UserGone
from signoria.store.schema import blocks, removals, users

__all__ = [
    "BlockRow",
    "add_block",
    "add_removal",
    "blocked_by",
    "blocks_between",
    "blocks_of",
    "delete_block",
    "hand_blocks",
    "number_of_blocks",
    "removed_from",
]


class BlockRow(msgspec.Struct, frozen=True):
    """A person whom a user has blocked."""

    id: str
    blocked_id: str
    name: str
    """The current name of the blocked person."""
    created_at: int


async def add_block(db: AsyncConnection, user_id: str, blocked_id: str, now: int) -> None:
    """Block a person; does nothing if they are already blocked. Raises `UserGone` if one of the two was deleted."""
    if not await _hold_users(db, user_id, blocked_id):
        raise UserGone(say("This person's account was deleted, so you cannot block them."))
    values = {"id": secrets.token_urlsafe(9), "user_id": user_id, "blocked_id": blocked_id, "created_at": now}
    await _insert_once(db, blocks, values)


async def delete_block(db: AsyncConnection, user_id: str, block_id: str) -> bool:
    """Unblock a person; False if the user has no such block."""
    gone = await db.execute(delete(blocks).where(blocks.c.id == block_id, blocks.c.user_id == user_id))
    return gone.rowcount > 0


async def blocks_of(db: AsyncConnection, user_id: str) -> list[BlockRow]:
    """The people whom a user has blocked, most recent first."""
    query = (
        select(blocks.c.id, blocks.c.blocked_id, users.c.name, blocks.c.created_at)
        .join_from(blocks, users, users.c.id == blocks.c.blocked_id)
        .where(blocks.c.user_id == user_id)
        .order_by(blocks.c.created_at.desc(), blocks.c.id)
    )
    return [BlockRow(*row) for row in await db.execute(query)]


async def number_of_blocks(db: AsyncConnection, user_id: str) -> int:
    """Number of people whom a user has blocked."""
    query = select(func.count()).select_from(blocks).where(blocks.c.user_id == user_id)
    return int((await db.execute(query)).scalar_one())


async def blocked_by(db: AsyncConnection, user_id: str) -> frozenset[str]:
    """The ids of the people whom a user has blocked."""
    return frozenset((await db.execute(select(blocks.c.blocked_id).where(blocks.c.user_id == user_id))).scalars())


async def blocks_between(db: AsyncConnection, user_id: str, others: Iterable[str]) -> list[tuple[str, str]]:
    """All blocks between a user and these others, as pairs (who blocks, who is blocked)."""
    wanted = list(others)
    if not wanted:
        return []
    both = select(blocks.c.user_id, blocks.c.blocked_id)
    query = union_all(  # each half has an index of its own
        both.where(blocks.c.user_id == user_id, blocks.c.blocked_id.in_(wanted)),
        both.where(blocks.c.blocked_id == user_id, blocks.c.user_id.in_(wanted)),
    )
    return [(row.user_id, row.blocked_id) for row in await db.execute(query)]


async def add_removal(db: AsyncConnection, table_id: str, user_id: str) -> None:
    """Keep a user from joining this table again; does nothing if that is already so or the user was deleted."""
    if await _hold_users(db, user_id):
        await _insert_once(db, removals, {"table_id": table_id, "user_id": user_id})


async def removed_from(db: AsyncConnection, table_id: str) -> frozenset[str]:
    """The ids of the people who were removed from a table."""
    return frozenset((await db.execute(select(removals.c.user_id).where(removals.c.table_id == table_id))).scalars())


async def hand_blocks(db: AsyncConnection, before_id: str, user_id: str, most: int) -> None:
    """Transfer a guest's blocks, the blocks against the guest, and the guest's removals to a user.

    Of the guest's blocks only the latest are transferred, so that the user has at most so many.
    """
    for own, other in ((blocks.c.user_id, blocks.c.blocked_id), (blocks.c.blocked_id, blocks.c.user_id)):
        known = select(other).where(own == user_id)
        again = or_(other == user_id, other.in_(known.scalar_subquery()))
        doubled = list((await db.execute(select(blocks.c.id).where(own == before_id, again))).scalars())
        await db.execute(delete(blocks).where(blocks.c.id.in_(doubled)))
        if own is blocks.c.user_id:
            room = max(0, most - await number_of_blocks(db, user_id))
            latest = select(blocks.c.id).where(own == before_id).order_by(blocks.c.created_at.desc(), blocks.c.id)
            beyond = list((await db.execute(latest)).scalars())[room:]
            await db.execute(delete(blocks).where(blocks.c.id.in_(beyond)))
        await db.execute(update(blocks).where(own == before_id).values({own.name: user_id}))
    for table_id in (await db.execute(select(removals.c.table_id).where(removals.c.user_id == before_id))).scalars():
        await add_removal(db, table_id, user_id)


async def _hold_users(db: AsyncConnection, *user_ids: str) -> bool:
    """Lock these users against deletion until the transaction ends; False if one of them does not exist."""
    held = select(users.c.id).where(users.c.id.in_(user_ids)).order_by(users.c.id)
    return len((await db.execute(held.with_for_update(read=True, key_share=True))).all()) == len(set(user_ids))


async def _insert_once(db: AsyncConnection, table: Table, values: dict[str, Any]) -> None:
    """Insert a row, unless one with the same unique key exists."""
    dialect = postgresql if db.dialect.name == "postgresql" else sqlite
    await db.execute(dialect.insert(table).values(values).on_conflict_do_nothing())
