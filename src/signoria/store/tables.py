"""Tables and their seats: what is open, who sits where, whose turn it is, and when the house has to act."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    FromClause,
    Select,
    bindparam,
    case,
    func,
    insert,
    or_,
    select,
    true,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.prepared import Prepared
from signoria.store.schema import seats, tables, users

GOING_ON = ("open", "playing")
JSON_COLUMNS = {"options", "result"}
WIDTH = len(tables.c)


class SeatRow(msgspec.Struct, frozen=True):
    """A seat of a table: empty, a person's or a bot's."""

    table_id: str
    seat: int
    user_id: str | None = None
    name: str | None = None
    bot: str | None = None
    away: bool = False
    resigned: bool = False
    salt: str = ""
    unasked: bool = True
    """Steps that leave no choice are made for whoever sits there; kept with the person."""


class TableRow(msgspec.Struct, frozen=True):
    """A table: the columns of the schema in their order, and its seats."""

    id: str
    game: str
    rules: str
    options: dict[str, Any]
    state: str
    host_id: str | None
    invitation: str | None
    clock: int
    stand_in: str
    pace: int
    rated: bool
    seed: str
    n: int
    turn: int | None
    turn_at: int | None
    due_at: int | None
    revision: int
    result: dict[str, Any] | None
    origin_id: str | None
    rematch_id: str | None
    created_at: int
    started_at: int | None
    ended_at: int | None
    touched_at: int
    hints: str = "allowed"
    """`none`, `allowed`, or `asked` once one was given."""
    aid: bool = True
    """Whether it shows what everybody could have remembered."""
    seats: tuple[SeatRow, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether ratings move when the game is over: not where several share an account.

        Nor where a hint was given: until version 0.3 that made a rated game friendly.
        """
        people = [seat.user_id for seat in self.seats if seat.user_id]
        return self.rated and self.hints != "asked" and len(set(people)) == len(people)


async def add_table(db: AsyncConnection, row: TableRow) -> None:
    """A table with its seats."""
    values = msgspec.structs.asdict(row)
    del values["seats"]
    await db.execute(insert(tables), _encoded(values))
    if row.seats:
        await db.execute(insert(seats), [_seat(seat) for seat in row.seats])


async def find_table(db: AsyncConnection, table_id: str) -> TableRow | None:
    """The table of this id."""
    return await _one(db, _BY_ID, table_id)


async def hold_table(db: AsyncConnection, table_id: str) -> TableRow | None:
    """The table of this id as it is and stays until this transaction ends: no other can write to it meanwhile."""
    if db.dialect.name == "postgresql":  # SQLite lets one transaction write at a time
        await db.execute(_HOLD, {"id": table_id})
    return await _one(db, _BY_ID, table_id)


async def find_mark(db: AsyncConnection, table_id: str) -> tuple[int, int] | None:
    """How many steps a table has come to and its revision: whoever knows both knows the table."""
    row = (await db.execute(_MARK, {"key": table_id})).one_or_none()
    return None if row is None else (row.n, row.revision)


async def find_by_invitation(db: AsyncConnection, secret: str) -> TableRow | None:
    """The table that this secret invites to."""
    return await _one(db, _BY_INVITATION, secret)


async def tables_of_user(db: AsyncConnection, user_id: str, limit: int) -> list[TableRow]:
    """The tables where a user sits or that the user opened: those going on, then those over, the newest first."""
    return await many(db, [tables.c.id.in_(theirs(user_id))], (_RANK, *NEWEST), limit)


async def going_on(db: AsyncConnection, user_id: str) -> list[str]:
    """The tables, open or in play, that a user opened or sits at."""
    query = select(tables.c.id).where(tables.c.id.in_(theirs(user_id)), tables.c.state.in_(GOING_ON))
    return list((await db.execute(query.order_by(tables.c.id))).scalars())


async def still_going_on(db: AsyncConnection, table_ids: Iterable[str]) -> set[str]:
    """Those of these tables that are open or in play."""
    query = select(tables.c.id).where(tables.c.id.in_(list(table_ids)), tables.c.state.in_(GOING_ON))
    return set((await db.execute(query)).scalars())


async def finished_ids(db: AsyncConnection) -> list[str]:
    """Every game that is over, the oldest first."""
    query = select(tables.c.id).where(tables.c.state == "over").order_by(tables.c.ended_at, tables.c.id)
    return list((await db.execute(query)).scalars())


async def stale_tables(db: AsyncConnection, before: int) -> list[str]:
    """The open tables where nobody has done anything since then, the oldest first."""
    query = select(tables.c.id).where(tables.c.state == "open", tables.c.touched_at < before)
    return list((await db.execute(query.order_by(tables.c.touched_at))).scalars())


async def set_seat(db: AsyncConnection, row: SeatRow) -> None:
    """The seat as given; the table's revision counts it."""
    values = _seat(row)
    where = (seats.c.table_id == values.pop("table_id"), seats.c.seat == values.pop("seat"))
    await db.execute(update(seats).where(*where).values(values))
    await change(db, row.table_id)


async def change(db: AsyncConnection, table_id: str, **columns: Any) -> None:
    """These columns of a table; its revision counts the change."""
    values = _encoded(columns) | {"revision": tables.c.revision + 1}
    await db.execute(update(tables).where(tables.c.id == table_id).values(values))


async def set_due(db: AsyncConnection, table_id: str, due_at: int) -> None:
    """When the house has to act; nobody sees that, so no revision counts it."""
    await db.execute(update(tables).where(tables.c.id == table_id).values(due_at=due_at))


async def finish(db: AsyncConnection, table_id: str, result: dict[str, Any], now: int) -> None:
    """The game is over: nobody is asked, and nothing is due."""
    await change(
        db, table_id, state="over", result=result, turn=None, turn_at=None, due_at=None, ended_at=now, touched_at=now
    )


async def advance(
    db: AsyncConnection,
    table_id: str,
    n_before: int,
    n: int,
    turn: int | None,
    turn_at: int | None,
    due_at: int | None,
    touched_at: int,
    revision: int,
) -> bool:
    """The table after more steps; False, and nothing changed, where it was no longer at `n_before` and `revision`."""
    values = {
        "table_id": table_id,
        "n_before": n_before,
        "at_revision": revision,
        "n": n,
        "turn": turn,
        "turn_at": turn_at,
        "due_at": due_at,
        "touched_at": touched_at,
    }
    return await _ADVANCE.run(db, [values]) > 0


async def claim_due(db: AsyncConnection, now: int, until: int, limit: int) -> list[tuple[str, int]]:
    """Tables (and their n) with something due that is ours to do: nobody else gets them before `until`."""
    rows = await db.execute(_CLAIM_DUE, {"now": now, "until": until, "most": limit})
    return [(row.id, row.n) for row in rows]


async def renew(db: AsyncConnection, table_id: str, n: int, claimed_until: int, until: int) -> bool:
    """Whether a claim still holds: then it does until `until`. Not so where the game went on or seats changed."""
    values = {"table_id": table_id, "at_n": n, "claimed_until": claimed_until, "until": until}
    return (await db.execute(_RENEW, values)).rowcount > 0


async def next_due(db: AsyncConnection) -> int | None:
    """When something is due next at any table."""
    due: int | None = (await db.execute(_NEXT_DUE)).scalar_one()
    return due


def _encoded(values: dict[str, Any]) -> dict[str, Any]:
    """The values as the columns keep them: dicts as JSON."""
    return {
        key: msgspec.json.encode(value).decode() if key in JSON_COLUMNS and value is not None else value
        for key, value in values.items()
    }


def _seat(row: SeatRow) -> dict[str, Any]:
    """The columns of a seat; the rest is its person's."""
    return {name: getattr(row, name) for name in seats.c.keys()}  # noqa: SIM118


def theirs(user_id: str) -> CompoundSelect[Any]:
    """The tables where a user sits or that the user opened."""
    return union(
        select(seats.c.table_id).where(seats.c.user_id == user_id),
        select(tables.c.id).where(tables.c.host_id == user_id),
    )


async def many(
    db: AsyncConnection, where: list[ColumnElement[bool]], order: tuple[ColumnElement[Any], ...], limit: int
) -> list[TableRow]:
    """The tables that these hold for, a row for each seat, in one statement: what it tells holds at one moment."""
    picked = select(tables.c.id).where(*where).order_by(*order).limit(limit).cte("picked")
    query = _with_seats(picked.join(tables, tables.c.id == picked.c.id)).order_by(*order, seats.c.seat)
    return _gathered((await db.execute(query)).all())


def _with_seats(these: FromClause) -> Select[Any]:
    """Tables, each beside its seats, and what the people in them prefer."""
    beside = these.outerjoin(seats, seats.c.table_id == tables.c.id).outerjoin(users, users.c.id == seats.c.user_id)
    return select(tables, seats, func.coalesce(users.c.unasked, true())).select_from(beside)


async def _one(db: AsyncConnection, query: Select[Any], key: str) -> TableRow | None:
    found = _gathered((await db.execute(query, {"key": key})).all())
    return found[0] if found else None


def _gathered(rows: Iterable[Sequence[Any]]) -> list[TableRow]:
    """Tables from rows of a table beside a seat, in their order."""
    firsts: dict[str, Sequence[Any]] = {}
    sitting: dict[str, list[SeatRow]] = {}
    for row in rows:
        if row[0] not in firsts:
            firsts[row[0]] = row
            sitting[row[0]] = []
        if row[WIDTH] is not None:
            sitting[row[0]].append(SeatRow(*row[WIDTH:]))
    return [_as_table(first, tuple(sitting[table_id])) for table_id, first in firsts.items()]


def _as_table(row: Sequence[Any], sitting: tuple[SeatRow, ...]) -> TableRow:
    fields = dict(zip(tables.c.keys(), row[:WIDTH], strict=True))
    for column in JSON_COLUMNS:
        if fields[column] is not None:
            fields[column] = msgspec.json.decode(fields[column])
    return TableRow(**fields, seats=sitting)


NEWEST = (tables.c.touched_at.desc(), tables.c.id)
_RANK = case((or_(tables.c.state == "playing", tables.c.state == "open"), 0), (tables.c.state == "over", 1), else_=2)
_BY_ID = _with_seats(tables).where(tables.c.id == bindparam("key")).order_by(seats.c.seat)
_BY_INVITATION = _with_seats(tables).where(tables.c.invitation == bindparam("key")).order_by(seats.c.seat)
_MARK = select(tables.c.n, tables.c.revision).where(tables.c.id == bindparam("key"))
_HOLD = select(tables.c.id).where(tables.c.id == bindparam("id")).with_for_update()
_ADVANCE = Prepared(
    update(tables)
    .where(
        tables.c.id == bindparam("table_id"),
        tables.c.n == bindparam("n_before"),
        tables.c.revision == bindparam("at_revision"),
    )
    .values({key: bindparam(key) for key in ("n", "turn", "turn_at", "due_at", "touched_at")})
)
_OVERDUE = (tables.c.state == "playing", tables.c.due_at <= bindparam("now"))
_RENEW = (
    update(tables)
    .where(
        tables.c.id == bindparam("table_id"),
        tables.c.n == bindparam("at_n"),
        tables.c.due_at == bindparam("claimed_until"),
    )
    .values(due_at=bindparam("until"))
)
_due = (  # rows that another process is claiming are left to it
    select(tables.c.id)
    .where(*_OVERDUE)
    .order_by(tables.c.due_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    .cte("due")
)
_CLAIM_DUE = (
    update(tables)
    .where(tables.c.id.in_(select(_due.c.id)))
    .values(due_at=bindparam("until"))
    .returning(tables.c.id, tables.c.n)
)
_NEXT_DUE = select(func.min(tables.c.due_at)).where(tables.c.state == "playing")
