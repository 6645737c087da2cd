"""The server's heartbeat, and giving players back the time during which the server was down."""

import secrets
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    and_,
    any_,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import heartbeat, seats, tables

__all__ = ["Beat", "check_space", "give_back", "last_touched", "read_beat", "write_beat"]

ONLY, BALLAST = 1, 2  # the only real row, and one that is deleted before anyone sees it
SPACE = 16_384  # bytes that must fit on the disk


class Beat(NamedTuple):
    """The last heartbeat."""

    at: int
    until: int | None
    """If no later heartbeat has come by then, the server has stopped; None if it stopped or no game was in play."""


async def read_beat(db: AsyncConnection) -> Beat | None:
    """The last heartbeat; None if there has never been one."""
    row = (await db.execute(_READ)).one_or_none()
    return None if row is None else Beat(row.at, row.until)


async def write_beat(db: AsyncConnection, seen: Beat | None, beat: Beat) -> bool:
    """Write a heartbeat. False if another process has written one since `seen`."""
    if seen is None:
        return (await db.execute(_FIRST, {"id": ONLY, "at": beat.at, "until": beat.until})).rowcount > 0
    same = (heartbeat.c.id == ONLY, heartbeat.c.at == seen.at, heartbeat.c.until.is_not_distinct_from(seen.until))
    return (await db.execute(update(heartbeat).where(*same).values(at=beat.at, until=beat.until))).rowcount > 0


async def last_touched(db: AsyncConnection) -> int | None:
    """When a player last did something in a game in play: the server was alive then."""
    query = select(func.max(tables.c.touched_at)).where(tables.c.state == "playing")
    return (await db.execute(query)).scalar_one()  # type: ignore[no-any-return]


async def check_space(db: AsyncConnection) -> None:
    """Write as much as a large step needs, and delete it again; fails if the disk has no space."""
    await db.execute(insert(heartbeat), {"id": BALLAST, "at": 0, "ballast": secrets.token_hex(SPACE // 2)})
    await db.execute(delete(heartbeat).where(heartbeat.c.id == BALLAST))


async def give_back(
    db: AsyncConnection, alive_at: int, now: int, *, grace: int, recent: int, without_clock: int
) -> int:
    """Shift the clocks of all games by the time from `alive_at` to `now`, as if that time had not passed.

    The server was down, so `now` is later. At 12:00, when it stopped, a player had used 2 of 5 minutes; at 13:00 it is
    back. Their turn now began at 12:58, and they have 3 minutes left. Every player has at least `grace` milliseconds,
    or the whole clock if that is shorter.

    The system clock was set back, so `now` is earlier. At 13:00 a player had used 2 of 5 minutes; then it is 12:00.
    Their turn now began at 11:58, and they have 3 minutes left. A bot's move that was due at 13:01 is due at 12:01.
    Turns that began in the last `recent` milliseconds before `now` already follow the new time and stay as they are.

    The turn of a player on vacation begins in the future, when the vacation ends. It is not shifted. When the last step
    was made is shifted with the rest: it counts if that step is taken back, and open tables are closed by it.

    At tables without a clock, a player has `without_clock` milliseconds. Returns how many games are in play.
    """
    gap, at = now - alive_at, literal(now, BigInteger)
    clock = case((tables.c.total_time > 0, _TIME_LEFT), else_=1000 * cast(tables.c.clock, BigInteger))
    timed = or_(tables.c.clock > 0, tables.c.total_time > 0)
    deadline = case((timed, clock), else_=literal(without_clock, BigInteger))
    moved: ColumnElement[Any] = _lesser(tables.c.turn_at + gap, at)
    due: ColumnElement[Any]
    touched: ColumnElement[Any] = _lesser(tables.c.touched_at + gap, at) if gap > 0 else tables.c.touched_at
    if gap >= 0:
        latest = at - clock + _lesser(clock, literal(grace, BigInteger))
        turn_at = case((and_(timed, moved < latest), latest), else_=moved)
        due = tables.c.due_at
    else:
        turn_at = case((tables.c.turn_at.between(now - recent, now), tables.c.turn_at), else_=moved)
        due = case((tables.c.due_at > now, _greater(tables.c.due_at + gap, at)), else_=tables.c.due_at)
    turn_at = case((tables.c.turn_at > max(now, alive_at), tables.c.turn_at), else_=turn_at)
    moving = update(tables).values(
        turn_at=turn_at,
        touched_at=touched,
        due_at=case((tables.c.due_at == tables.c.turn_at + deadline, turn_at + deadline), else_=due),
        revision=tables.c.revision + 1,  # so that a step being made at this moment is prepared again
    )
    if db.dialect.name == "postgresql":  # SQLite allows only one writer at a time
        await db.execute(_HOLD_ALL)
    found = await db.execute(moving.where(tables.c.state == "playing", tables.c.turn_at.is_not(None)))
    if gap > 0:  # open tables are not closed because nobody could do anything while the server was down
        await db.execute(update(tables).where(tables.c.state == "open").values(touched_at=touched))
    return found.rowcount


def _lesser(one: ColumnElement[Any], other: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((one < other, one), else_=other)


def _greater(one: ColumnElement[Any], other: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((one > other, one), else_=other)


_TIME_LEFT = func.coalesce(
    select(seats.c.time_left)
    .where(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.turn)
    .correlate(tables)
    .scalar_subquery(),
    literal(0, BigInteger),
)
"""What the seat to move has left of its total time."""
_GOING_ON = union_all(  # each half has an index of its own
    *(select(tables.c.id).where(tables.c.state == literal_column(f"'{state}'")) for state in ("open", "playing"))
)
_HOLD_ALL = (  # in the order of ids, like all other locks on tables, to avoid deadlocks
    select(func.count()).select_from(
        select(tables.c.id)
        .where(tables.c.id == any_(func.array(_GOING_ON.scalar_subquery())))
        .order_by(tables.c.id)
        .with_for_update()
        .subquery()
    )
)
_READ = select(heartbeat.c.at, heartbeat.c.until).where(heartbeat.c.id == ONLY)
_FIRST = text("INSERT INTO heartbeat (id, at, until) VALUES (:id, :at, :until) ON CONFLICT DO NOTHING")
