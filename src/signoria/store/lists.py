"""Lists of tables, newest first and in pages: public tables, and a user's own.

Every list is read from an index with the right order. If a list is filtered, a page examines at most `EXAMINED` tables.
It may then contain fewer tables than requested and still say where the next page begins.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sqlalchemy import select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import PUBLIC, seats, tables
from signoria.store.tables import Place, TableRow, ended_tables, find_tables, going_on

__all__ = ["ListPage", "Place", "latest_tables", "open_tables_of", "own_tables", "public_tables"]

EXAMINED = 200
"""Maximum number of tables that one page examines."""
AT_A_TIME = 50
FIRST_ID = "-"
"""Sorts before the id of every table, and is not an id itself."""


class ListPage(NamedTuple):
    """A page of a list."""

    rows: list[TableRow]
    next: Place | None
    """The last place of this page; None if the list ends here."""


async def public_tables(
    db: AsyncConnection,
    state: str,
    limit: int,
    *,
    game: str | None = None,
    player: str | None = None,
    after: Place | None = None,
) -> ListPage:
    """Public tables in a state (not those by invitation), optionally of one game or with one player."""
    if player is None:
        places = await _public(db, state, limit + 1, game, after)
        complete = len(places) <= limit
    elif state == "over":
        places = await ended_tables(db, player, "over", EXAMINED, after, opened=False)
        complete = len(places) < EXAMINED
    else:
        places, complete = await _going_on(db, player, after), True

    def wanted(row: TableRow) -> bool:
        return row.state == state and row.invitation is None and _fits(row, game, player)

    return await _page(db, places, limit, wanted, complete=complete)


async def own_tables(
    db: AsyncConnection,
    user_id: str,
    limit: int,
    *,
    game: str | None = None,
    player: str | None = None,
    after: Place | None = None,
) -> ListPage:
    """Tables that a user plays at or hosts, in any state but closed, optionally of one game or with another player."""
    examined = limit + 1 if game is None and player is None else EXAMINED
    ended = await ended_tables(db, user_id, "over", examined, after)
    complete = len(ended) < examined
    now = await _going_on(db, user_id, after)
    # if there are more finished tables, current tables that sort after them belong to a later page
    places = sorted([*ended, *(place for place in now if complete or place > ended[-1])], reverse=True)

    def wanted(row: TableRow) -> bool:
        return row.state != "closed" and _fits(row, game, player)

    return await _page(db, places, limit, wanted, complete=complete)


async def latest_tables(db: AsyncConnection, user_id: str, limit: int, most_going_on: int) -> list[TableRow]:
    """A user's current games, then their latest finished games, `limit` in total; each newest first."""
    now = list((await find_tables(db, (await going_on(db, user_id))[:most_going_on])).values())
    now.sort(key=_place, reverse=True)
    ended = await ended_tables(db, user_id, "over", max(0, limit - len(now)))
    rows = await find_tables(db, [place.id for place in ended])
    return now + [rows[place.id] for place in ended if place.id in rows]


async def open_tables_of(db: AsyncConnection, user_ids: Iterable[str], limit: int) -> list[TableRow]:
    """Public tables that wait for players, and at which one of these people has a seat, newest first."""
    wanted = list(user_ids)
    if not wanted:
        return []
    sat = select(seats.c.table_id).where(seats.c.user_id.in_(wanted), seats.c.state == "open").limit(EXAMINED)
    found = await find_tables(db, set((await db.execute(sat)).scalars()))
    rows = [row for row in found.values() if row.state == "open" and row.invitation is None]
    return sorted(rows, key=_place, reverse=True)[:limit]


def _place(row: TableRow) -> Place:
    return Place(row.touched_at, row.id)


def _fits(row: TableRow, game: str | None, player: str | None) -> bool:
    return (game is None or row.game == game) and (player is None or any(seat.user_id == player for seat in row.seats))


async def _public(db: AsyncConnection, state: str, limit: int, game: str | None, after: Place | None) -> list[Place]:
    newest = (tables.c.touched_at.desc(), tables.c.id.desc())
    query = select(tables.c.touched_at, tables.c.id).where(text(PUBLIC), tables.c.state == state)
    if game is not None:
        query = query.where(tables.c.game == game)
    if after is not None:
        query = query.where(tuple_(tables.c.touched_at, tables.c.id) < tuple_(after.touched_at, after.id))
    return [Place(*row) for row in await db.execute(query.order_by(*newest).limit(limit))]


async def _going_on(db: AsyncConnection, user_id: str, after: Place | None) -> list[Place]:
    """The places, after a given one, of open or current tables that a user hosts or plays at."""
    query = select(tables.c.touched_at, tables.c.id).where(tables.c.id.in_(await going_on(db, user_id)))
    places = [Place(*row) for row in await db.execute(query)]
    return sorted([place for place in places if after is None or place < after], reverse=True)


async def _page(
    db: AsyncConnection, places: list[Place], limit: int, wanted: Callable[[TableRow], bool], *, complete: bool
) -> ListPage:
    """The wanted tables among these places, up to the limit.

    The place where the page ends never names a table that is not on the page: it might be by invitation, and anyone who
    knows the id of a table can watch it.
    """
    rows: list[TableRow] = []
    last: Place | None = None
    for begin in range(0, len(places), AT_A_TIME):
        some = places[begin : begin + AT_A_TIME]
        found = await find_tables(db, [place.id for place in some])
        for place in some:
            row = found.get(place.id)
            if row is None or not wanted(row):
                continue
            if len(rows) == limit:
                return ListPage(rows, last)
            rows.append(row)
            last = place
    if complete or last is not None:
        return ListPage(rows, None if complete else last)
    oldest = places[-1].touched_at  # more tables may have this time: examine all of them again
    return ListPage(rows, Place(oldest if oldest == places[0].touched_at else oldest + 1, FIRST_ID))
