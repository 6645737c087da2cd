"""Whom people follow, and whose messages they do not want to see."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import ties, users

FOLLOW, MUTE = "follow", "mute"
"""Kinds of ties."""


class Tie(NamedTuple):
    """A person follows or mutes another one."""

    kind: str
    other_id: str
    name: str
    """The current name of the other person."""
    created_at: int


async def add_tie(db: AsyncConnection, user_id: str, other_id: str, kind: str, now: int) -> bool:
    """Add a tie; False if it is there already."""
    values = {"user_id": user_id, "other_id": other_id, "kind": kind, "now": now}
    return (await db.execute(_ADD, values)).rowcount > 0


async def drop_tie(db: AsyncConnection, user_id: str, other_id: str, kind: str) -> bool:
    """Delete a tie; False if there is none."""
    return (await db.execute(delete(ties).where(*_is(user_id, other_id, kind)))).rowcount > 0


async def has_tie(db: AsyncConnection, user_id: str, other_id: str, kind: str) -> bool:
    """Whether a person has this tie to another one."""
    query = select(ties.c.other_id).where(*_is(user_id, other_id, kind))
    return (await db.execute(query)).scalar_one_or_none() is not None


async def ties_of(db: AsyncConnection, user_id: str, limit: int) -> list[Tie]:
    """All ties of a person, by kind and time."""
    query = (
        select(ties.c.kind, ties.c.other_id, users.c.name, ties.c.created_at)
        .join_from(ties, users, users.c.id == ties.c.other_id)
        .where(ties.c.user_id == user_id)
        .limit(limit)
    )
    return sorted((Tie(*row) for row in await db.execute(query)), key=lambda tie: (tie.kind, tie.created_at, tie.name))


async def tied_to(db: AsyncConnection, other_id: str, kind: str, among: Iterable[str]) -> set[str]:
    """Those of these people who have this tie to a person."""
    wanted = list(among)
    if not wanted:
        return set()
    query = select(ties.c.user_id).where(ties.c.other_id == other_id, ties.c.kind == kind, ties.c.user_id.in_(wanted))
    return set((await db.execute(query)).scalars())


async def hand_ties(db: AsyncConnection, guest_id: str, user_id: str) -> None:
    """Give a person the ties they had as a guest, and the ties of others to the guest."""
    for own, other in ((ties.c.user_id, ties.c.other_id), (ties.c.other_id, ties.c.user_id)):
        known = set(map(tuple, await db.execute(select(other, ties.c.kind).where(own == user_id))))
        for tied, kind in (await db.execute(select(other, ties.c.kind).where(own == guest_id))).all():
            mine = (own == guest_id, other == tied, ties.c.kind == kind)
            if tied == user_id or (tied, kind) in known:
                await db.execute(delete(ties).where(*mine))
            else:
                await db.execute(update(ties).where(*mine).values({own.name: user_id}))


def _is(user_id: str, other_id: str, kind: str) -> tuple[Any, ...]:
    return (ties.c.user_id == user_id, ties.c.other_id == other_id, ties.c.kind == kind)


_ADD = text(
    "INSERT INTO ties (user_id, other_id, kind, created_at) VALUES (:user_id, :other_id, :kind, :now)"
    " ON CONFLICT DO NOTHING"
)
