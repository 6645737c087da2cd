"""Tables and their seats: their state, who plays and whose turn it is."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Select,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    true,
    tuple_,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.kernel.game import MOST_SEATS
from signoria.store.schema import messages, seats, tables, users

GOING_ON = ("open", "playing")
JSON_COLUMNS = {"options", "result"}
WIDTH = len(tables.c)
BATCH = 500
"""Rows read at a time where there may be any number of them."""


class Place(NamedTuple):
    """A place in a list, newest first: all rows after it are older."""

    touched_at: int
    id: str


class TableVersion(NamedTuple):
    """The version of a table: a reader who has this version has missed nothing."""

    n: int
    """Number of steps, including undos and the steps they took back."""
    revision: int
    message: int
    """The number of the last message; 0 if there is none."""


class SeatRow(msgspec.Struct, frozen=True):
    """A seat of a table: open, a person's or a bot's."""

    table_id: str
    seat: int
    user_id: str | None = None
    name: str | None = None
    bot: str | None = None
    away: bool = False
    resigned: bool = False
    salt: str = ""
    time_left: int | None = None
    """Milliseconds that the seat had at the start of its turn, or has for its next one; None without a total time."""
    unasked: bool = True
    """Forced moves are played for the person in this seat; a preference of that person."""
    account: str | None = None
    """The name of that person's account."""
    vacation_until: int | None = None
    """When that person's vacation ends or ended."""
    shows_rating: bool = True
    """Whether everyone may see that person's profile, and with it the rating."""


class TableRow(msgspec.Struct, frozen=True):
    """A table: the columns of the schema in order, and its seats."""

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
    """`none`, `allowed`, or `asked` if a hint was given."""
    aid: bool = True
    """Whether the card tracker is on."""
    used_before: int = 0
    """Milliseconds that the previous seat used for its turn; they count again if it undoes its last step."""
    choosing: int = 0
    """Bits: the seats that a choice which everyone makes at the same time still waits for."""
    total_time: int = 0
    """Seconds that a player has for the whole game; 0 if the clock is per move."""
    increment: int = 0
    """Seconds added to it after every turn."""
    seats: tuple[SeatRow, ...] = ()

    @property
    def people(self) -> frozenset[str]:
        """The ids of the players and the host."""
        return frozenset(user_id for user_id in (self.host_id, *(seat.user_id for seat in self.seats)) if user_id)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that have to decide something now: the one to move, and all that choose at the same time."""
        return tuple(seat.seat for seat in self.seats if self.awaits(seat.seat))

    def awaits(self, seat: int) -> bool:
        """Whether a seat has to decide something now."""
        return self.turn == seat or bool(self.choosing >> seat & 1)

    @property
    def counts(self) -> bool:
        """Whether the game changes ratings when it is over: not if several players share an account.

        Nor if a hint was given: until version 0.3, that made a rated game unrated.
        """
        people = [seat.user_id for seat in self.seats if seat.user_id]
        return self.rated and self.hints != "asked" and len(set(people)) == len(people)


SEAT_COLUMNS = [
    seats.c[name]
    for name in SeatRow.__struct_fields__
    if name not in ("unasked", "account", "vacation_until", "shows_rating")
]


async def add_table(db: AsyncConnection, row: TableRow) -> None:
    """Add a table with its seats."""
    values = msgspec.structs.asdict(row)
    del values["seats"]
    await db.execute(insert(tables), _encoded(values))
    if row.seats:
        of_table = {"state": row.state, "ended_at": row.ended_at}
        await db.execute(insert(seats), [_seat(seat) | of_table for seat in row.seats])


async def find_table(db: AsyncConnection, table_id: str) -> TableRow | None:
    """The table with this id."""
    return await _one(db, _BY_ID, table_id)


async def hold_table(db: AsyncConnection, table_id: str) -> TableRow | None:
    """The table with this id, locked against other writers until this transaction ends."""
    if db.dialect.name == "postgresql":  # SQLite allows only one writer at a time
        await db.execute(_HOLD, {"id": table_id})
    return await _one(db, _BY_ID, table_id)


async def find_versions(db: AsyncConnection, table_ids: Iterable[str]) -> dict[str, TableVersion]:
    """The versions of these tables, as far as they exist."""
    rows = await db.execute(_VERSIONS, {"keys": list(table_ids)})
    return {row.id: TableVersion(row.n, row.revision, row.message or 0) for row in rows}


async def find_by_invitation(db: AsyncConnection, secret: str) -> TableRow | None:
    """The table that this invitation belongs to."""
    return await _one(db, _BY_INVITATION, secret)


async def going_on(db: AsyncConnection, user_id: str) -> list[str]:
    """The ids of open or current tables that a user hosts or plays at."""
    sat = select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.state.in_(GOING_ON))
    opened = select(tables.c.id).where(tables.c.host_id == user_id, tables.c.state.in_(GOING_ON))
    return sorted((await db.execute(union(sat, opened))).scalars())


async def any_tables_of(db: AsyncConnection, user_id: str, limit: int) -> list[str]:
    """Tables that a user plays at or hosts, in any state: all of them, or at least `limit`."""
    sat = select(seats.c.table_id).where(seats.c.user_id == user_id).limit(limit)
    opened = select(tables.c.id).where(tables.c.host_id == user_id).limit(limit)
    return sorted({*(await db.execute(sat)).scalars(), *(await db.execute(opened)).scalars()})


async def ended_tables(
    db: AsyncConnection, user_id: str, state: str, limit: int, after: Place | None = None, *, opened: bool = True
) -> list[Place]:
    """The places of a user's tables in a final state, last ended first; fewer than `limit` means that the list ends.

    Includes the tables where the user plays and, unless `opened` is False, those that the user hosts.
    """
    found = await _ended(db, seats.c.table_id, seats.c.ended_at, seats.c.user_id == user_id, state, limit, after)
    if opened:
        found += await _ended(db, tables.c.id, tables.c.ended_at, tables.c.host_id == user_id, state, limit, after)
    return sorted(set(found), reverse=True)[:limit]


async def _ended(
    db: AsyncConnection,
    table_id: Column[str],
    ended_at: Column[int],
    whose: ColumnElement[bool],
    state: str,
    limit: int,
    after: Place | None,
) -> list[Place]:
    query = select(ended_at, table_id).where(whose, table_id.table.c.state == state, ended_at.is_not(None))
    if after is not None:
        query = query.where(tuple_(ended_at, table_id) < tuple_(after.touched_at, after.id))
    found: list[Place] = []
    seen: set[str] = set()
    # a person may have several seats at a table
    for row in await db.execute(query.order_by(ended_at.desc(), table_id.desc()).limit(limit * MOST_SEATS)):
        if row[1] not in seen:
            seen.add(row[1])
            found.append(Place(row[0], row[1]))
    return found[:limit]


async def still_going_on(db: AsyncConnection, table_ids: Iterable[str]) -> set[str]:
    """Those of these tables that are open or in play."""
    query = select(tables.c.id).where(tables.c.id.in_(list(table_ids)), tables.c.state.in_(GOING_ON))
    return set((await db.execute(query)).scalars())


async def by_invitation(db: AsyncConnection, table_ids: Iterable[str]) -> set[str]:
    """Those of these tables that only invited people could join."""
    query = select(tables.c.id, tables.c.invitation).where(tables.c.id.in_(list(table_ids)))
    return {row.id for row in await db.execute(query) if row.invitation is not None}


async def finished_ids(db: AsyncConnection) -> AsyncIterator[str]:
    """The ids of all finished games, oldest first."""
    query = _OVER
    while rows := (await db.execute(query)).all():
        for row in rows:
            yield row.id
        query = _OVER.where(tuple_(tables.c.ended_at, tables.c.id) > tuple_(rows[-1].ended_at, rows[-1].id))


async def stale_tables(db: AsyncConnection, before: int, after: Place | None = None, limit: int = BATCH) -> list[Place]:
    """The places of open tables without activity since then, oldest first, after a given place."""
    touched_at, table_id = after or Place(-1, "")
    values = {"before": before, "after_touched": touched_at, "after_id": table_id, "most": limit}
    return [Place(*row) for row in await db.execute(_STALE, values)]


async def set_seat(db: AsyncConnection, row: SeatRow) -> None:
    """Save a seat; this increases the table's revision."""
    values = _seat(row)
    where = (seats.c.table_id == values.pop("table_id"), seats.c.seat == values.pop("seat"))
    await db.execute(update(seats).where(*where).values(values))
    await change(db, row.table_id)


async def set_time_left(db: AsyncConnection, table_id: str, left: Mapping[int, int | None]) -> None:
    """Set the milliseconds that seats have left; this is part of a change that increases the revision."""
    for seat, time_left in left.items():
        where = (seats.c.table_id == table_id, seats.c.seat == seat)
        await db.execute(update(seats).where(*where).values(time_left=time_left))


async def change(db: AsyncConnection, table_id: str, **columns: Any) -> None:
    """Change columns of a table; this increases its revision."""
    values = _encoded(columns) | {"revision": tables.c.revision + 1}
    await db.execute(update(tables).where(tables.c.id == table_id).values(values))
    copied = {name: columns[name] for name in ("state", "ended_at") if name in columns}
    if copied:
        await db.execute(update(seats).where(seats.c.table_id == table_id).values(copied))


async def finish(db: AsyncConnection, table_id: str, result: dict[str, Any], now: int) -> None:
    """End the game: it is nobody's turn, and nothing is due."""
    await change(
        db, table_id, state="over", result=result, turn=None, turn_at=None, due_at=None, choosing=0, ended_at=now,
        touched_at=now,
    )  # fmt: skip


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
    used_before: int = 0,
    choosing: int = 0,
) -> bool:
    """Save the table after more steps; False, without a change, if it was no longer at `n_before` and `revision`."""
    values = {
        "table_id": table_id,
        "n_before": n_before,
        "at_revision": revision,
        "n": n,
        "turn": turn,
        "turn_at": turn_at,
        "due_at": due_at,
        "touched_at": touched_at,
        "used_before": used_before,
        "choosing": choosing,
    }
    return (await db.execute(_ADVANCE, values)).rowcount > 0


def _encoded(values: dict[str, Any]) -> dict[str, Any]:
    """The values as stored in the columns: dicts as JSON."""
    return {
        key: msgspec.json.encode(value).decode() if key in JSON_COLUMNS and value is not None else value
        for key, value in values.items()
    }


def _seat(row: SeatRow) -> dict[str, Any]:
    """The columns of a seat; its other fields belong to the person."""
    return {column.name: getattr(row, column.name) for column in SEAT_COLUMNS}


async def find_tables(db: AsyncConnection, table_ids: Iterable[str]) -> dict[str, TableRow]:
    """The tables with these ids, read in one statement, so that they are from the same moment."""
    wanted = list(table_ids)
    if not wanted:
        return {}
    found = await db.execute(_with_seats(tables).where(tables.c.id.in_(wanted)).order_by(tables.c.id, seats.c.seat))
    return {row.id: row for row in _gathered(found.all())}


def _with_seats(these: FromClause) -> Select[Any]:
    """Tables joined with their seats and the preferences of their players."""
    beside = these.outerjoin(seats, seats.c.table_id == tables.c.id).outerjoin(users, users.c.id == seats.c.user_id)
    of_person = (
        func.coalesce(users.c.unasked, true()),
        users.c.name.label("account"),
        users.c.vacation_until,
        (func.coalesce(users.c.shown_to, "everyone") == "everyone").label("shows_rating"),
    )
    return select(tables, *SEAT_COLUMNS, *of_person).select_from(beside)


async def _one(db: AsyncConnection, query: Select[Any], key: str) -> TableRow | None:
    found = _gathered((await db.execute(query, {"key": key})).all())
    return found[0] if found else None


def _gathered(rows: Iterable[Sequence[Any]]) -> list[TableRow]:
    """Build tables from rows that join a table with a seat, keeping their order."""
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
    del fields["attempts"]  # only needed to do what is due
    for column in JSON_COLUMNS:
        if fields[column] is not None:
            fields[column] = msgspec.json.decode(fields[column])
    return TableRow(**fields, seats=sitting)


_BY_ID = _with_seats(tables).where(tables.c.id == bindparam("key")).order_by(seats.c.seat)
_BY_INVITATION = _with_seats(tables).where(tables.c.invitation == bindparam("key")).order_by(seats.c.seat)
_LAST_MESSAGE = select(messages.c.id).where(messages.c.table_id == tables.c.id).order_by(messages.c.id.desc()).limit(1)
_VERSIONS = select(tables.c.id, tables.c.n, tables.c.revision, _LAST_MESSAGE.scalar_subquery().label("message")).where(
    tables.c.id.in_(bindparam("keys", expanding=True))
)
_HOLD = select(tables.c.id).where(tables.c.id == bindparam("id")).with_for_update()
_ADVANCE = (
    update(tables)
    .where(
        tables.c.id == bindparam("table_id"),
        tables.c.n == bindparam("n_before"),
        tables.c.revision == bindparam("at_revision"),
    )
    .values(
        {key: bindparam(key) for key in ("n", "turn", "turn_at", "due_at", "touched_at", "used_before", "choosing")}
    )
    .values(attempts=literal_column("0"))
)
_OVER = (
    select(tables.c.id, tables.c.ended_at)
    .where(tables.c.state == literal_column("'over'"), tables.c.ended_at.is_not(None))
    .order_by(tables.c.ended_at, tables.c.id)
    .limit(BATCH)
)
_STALE = (
    select(tables.c.touched_at, tables.c.id)
    .where(tables.c.state == literal_column("'open'"), tables.c.touched_at < bindparam("before"))
    .where(tuple_(tables.c.touched_at, tables.c.id) > tuple_(bindparam("after_touched"), bindparam("after_id")))
    .order_by(tables.c.touched_at, tables.c.id)
    .limit(bindparam("most"))
)
