"""What the server has to do at tables, such as bots' turns: when it is due, and which process has claimed it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, exists, literal_column, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import seats, tables


class Due(NamedTuple):
    """Something the server has to do at a table that has this number of steps."""

    table_id: str
    n: int


class Claim(NamedTuple):
    """Something due at a table, claimed by one process."""

    table_id: str
    n: int
    attempts: int
    """How many processes died while doing it."""
    host_id: str | None
    bot: bool
    """Whether a bot has to move, which takes thinking time."""

    @property
    def due(self) -> Due:
        """What was claimed."""
        return Due(self.table_id, self.n)


async def set_due(db: AsyncConnection, table_id: str, due_at: int) -> None:
    """Set when the server has to act; this is invisible, so it does not change the revision."""
    await db.execute(update(tables).where(tables.c.id == table_id).values(due_at=due_at))


async def claim_due(db: AsyncConnection, now: int, until: int, limit: int) -> list[Claim]:
    """Claim what has been due longest; no other process gets it before `until`."""
    return await _claim(db, _DUE, until, {"now": now, "most": limit})


async def claim_these(db: AsyncConnection, table_ids: Sequence[str], now: int, until: int) -> list[Claim]:
    """Claim what is due at these tables; no other process gets it before `until`."""
    return await _claim(db, _DUE_AT_THESE, until, {"now": now, "table_ids": list(table_ids)}) if table_ids else []


async def _claim(db: AsyncConnection, due: Select[Any], until: int, values: dict[str, Any]) -> list[Claim]:
    claimed = [Claim(*row) for row in await db.execute(due, values)]
    if claimed:  # by primary key, so that no query plan reads every table
        await db.execute(_SET_DUE, {"until": until, "table_ids": [claim.table_id for claim in claimed]})
    return claimed


async def count_attempts(db: AsyncConnection, table_ids: Sequence[str]) -> None:
    """Note that what is due at these tables has begun; a saved step or `end_attempts` notes that it has ended."""
    if table_ids:
        await db.execute(_COUNT_ATTEMPTS, {"table_ids": list(table_ids)})


async def attempts_at(db: AsyncConnection, table_id: str) -> int:
    """How often something was begun at a table and never ended, because the server crashed."""
    return (await db.execute(_ATTEMPTS, {"table_id": table_id})).scalar_one_or_none() or 0


async def end_attempts(db: AsyncConnection, table_id: str) -> None:
    """Note that what was due at this table has ended without a crash."""
    await db.execute(_END_ATTEMPTS, {"table_id": table_id})


async def pause(db: AsyncConnection, table_id: str, n: int, attempts: int) -> bool:
    """Pause a game at step `n` after this many attempts: nothing is due there any more.

    False, without a change, if the game has moved on or is already paused.
    """
    values = {"table_id": table_id, "at_n": n, "attempts_made": attempts}
    return (await db.execute(_PAUSE, values)).rowcount > 0


async def resume(db: AsyncConnection, table_id: str, now: int) -> bool:
    """Resume a paused game: something is due again. False if no game is paused there."""
    return (await db.execute(_RESUME, {"table_id": table_id, "now": now})).rowcount > 0


async def renew(db: AsyncConnection, table_id: str, n: int, claimed_until: int, until: int) -> bool:
    """Extend a claim until `until`; False if it no longer holds because the game moved on or seats changed."""
    values = {"table_id": table_id, "at_n": n, "claimed_until": claimed_until, "until": until}
    return (await db.execute(_RENEW, values)).rowcount > 0


async def next_due(db: AsyncConnection) -> int | None:
    """When the next thing is due at any table."""
    due: int | None = (await db.execute(_NEXT_DUE)).scalar_one_or_none()
    return due


_PLAYING = tables.c.state == literal_column("'playing'")  # a literal: with a parameter, partial indexes are not used
_OVERDUE = (_PLAYING, tables.c.due_at <= bindparam("now"))
_RENEW = (
    update(tables)
    .where(
        tables.c.id == bindparam("table_id"),
        tables.c.n == bindparam("at_n"),
        tables.c.due_at == bindparam("claimed_until"),
    )
    .values(due_at=bindparam("until"))
)
_ASKS_A_BOT = exists().where(
    seats.c.table_id == tables.c.id,
    seats.c.seat == tables.c.turn,
    or_(seats.c.bot.is_not(None), seats.c.away, seats.c.resigned, seats.c.user_id.is_(None)),
)
_CLAIMABLE = select(tables.c.id, tables.c.n, tables.c.attempts, tables.c.host_id, _ASKS_A_BOT).where(*_OVERDUE)
_DUE = (  # skip rows that another process is claiming
    _CLAIMABLE.order_by(tables.c.due_at).limit(bindparam("most")).with_for_update(skip_locked=True, of=tables)
)
_DUE_AT_THESE = _CLAIMABLE.where(tables.c.id.in_(bindparam("table_ids", expanding=True))).with_for_update(
    skip_locked=True, of=tables
)
_THESE = tables.c.id.in_(bindparam("table_ids", expanding=True))
_SET_DUE = update(tables).where(_THESE).values(due_at=bindparam("until"))
_COUNT_ATTEMPTS = update(tables).where(_THESE).values(attempts=tables.c.attempts + 1)
_ATTEMPTS = select(tables.c.attempts).where(tables.c.id == bindparam("table_id"))
_END_ATTEMPTS = update(tables).where(tables.c.id == bindparam("table_id"), tables.c.attempts > 0).values(attempts=0)
_PAUSE = (
    update(tables)
    .where(
        tables.c.id == bindparam("table_id"),
        tables.c.n == bindparam("at_n"),
        tables.c.attempts >= bindparam("attempts_made"),
        _PLAYING,
        tables.c.due_at.is_not(None),
    )
    .values(due_at=None, revision=tables.c.revision + 1)
)
_RESUME = (
    update(tables)
    .where(tables.c.id == bindparam("table_id"), _PLAYING, tables.c.due_at.is_(None))
    .values(due_at=bindparam("now"), attempts=literal_column("0"), revision=tables.c.revision + 1)
)
_NEXT_DUE = select(tables.c.due_at).where(_PLAYING, tables.c.due_at.is_not(None)).order_by(tables.c.due_at).limit(1)
