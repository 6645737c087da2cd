"""Whom people follow, and whose messages they do not want to see."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, text, update
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


async def hand_ties(db: AsyncConnection, guest_id: str, user_id: str, most: int) -> None:
    """Give a person the ties they had as a guest, and the ties of others to the guest.

    The person then has at most so many ties: what they mute comes before whom they follow.
    """
    mine = select(func.count()).select_from(ties).where(ties.c.user_id == user_id)
    room = most - int((await db.execute(mine)).scalar_one())
    for own, other in ((ties.c.user_id, ties.c.other_id), (ties.c.other_id, ties.c.user_id)):
        handed = (
            await db.execute(select(other, ties.c.kind).where(own == guest_id).order_by(ties.c.kind.desc()))
        ).all()
        for tied, kind in handed:
            where = (other == tied, ties.c.kind == kind)
            known = (await db.execute(select(ties.c.kind).where(own == user_id, *where))).one_or_none()
            if tied == user_id or known or (own is ties.c.user_id and room <= 0):
                await db.execute(delete(ties).where(own == guest_id, *where))
                continue
            room -= own is ties.c.user_id
            await db.execute(update(ties).where(own == guest_id, *where).values({own.name: user_id}))


def _is(user_id: str, other_id: str, kind: str) -> tuple[Any, ...]:
    return (ties.c.user_id == user_id, ties.c.other_id == other_id, ties.c.kind == kind)


_ADD = text(
    "INSERT INTO ties (user_id, other_id, kind, created_at) VALUES (:user_id, :other_id, :kind, :now)"
    " ON CONFLICT DO NOTHING"
)
