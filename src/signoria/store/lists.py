"""Lists of tables, the newest first and a page at a time: those that anybody may see, and one's own.

Every list is read from an index that holds it in its order. Where only some of its tables are wanted, a page looks at
`EXAMINED` of them and no more: it may then hold fewer tables than asked for, and still say where the next one begins.
"""

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import PUBLIC, tables
from signoria.store.tables import Place, TableRow, ended_tables, find_tables, going_on

__all__ = ["Page", "Place", "latest_tables", "own_tables", "public_tables"]

EXAMINED = 200
"""Tables that one page looks at."""
AT_A_TIME = 50
FIRST_ID = "-"
"""Comes before every id of a table, and is none."""


class Page(NamedTuple):
    """Part of a list."""

    rows: list[TableRow]
    next: Place | None
    """The place where it ended; None where nothing comes after it."""


async def public_tables(
    db: AsyncConnection,
    state: str,
    limit: int,
    *,
    game: str | None = None,
    player: str | None = None,
    after: Place | None = None,
) -> Page:
    """Tables in a state that anybody may see, those by invitation not among them: of a game, where a user sits."""
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
) -> Page:
    """Tables where a user sits or that the user opened, in any state but closed: of a game, where another sits too."""
    examined = limit + 1 if game is None and player is None else EXAMINED
    ended = await ended_tables(db, user_id, "over", examined, after)
    complete = len(ended) < examined
    now = await _going_on(db, user_id, after)
    # where more have ended, those going on that would come behind them have to wait for their page
    places = sorted([*ended, *(place for place in now if complete or place > ended[-1])], reverse=True)

    def wanted(row: TableRow) -> bool:
        return row.state != "closed" and _fits(row, game, player)

    return await _page(db, places, limit, wanted, complete=complete)


async def latest_tables(db: AsyncConnection, user_id: str, limit: int, most_going_on: int) -> list[TableRow]:
    """What a user plays now, and after that up to `limit` with it what they finished last; each the newest first."""
    now = list((await find_tables(db, (await going_on(db, user_id))[:most_going_on])).values())
    now.sort(key=_place, reverse=True)
    ended = await ended_tables(db, user_id, "over", max(0, limit - len(now)))
    rows = await find_tables(db, [place.id for place in ended])
    return now + [rows[place.id] for place in ended if place.id in rows]


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
    """The places of tables after one, open or in play, that a user opened or sits at."""
    query = select(tables.c.touched_at, tables.c.id).where(tables.c.id.in_(await going_on(db, user_id)))
    places = [Place(*row) for row in await db.execute(query)]
    return sorted([place for place in places if after is None or place < after], reverse=True)


async def _page(
    db: AsyncConnection, places: list[Place], limit: int, wanted: Callable[[TableRow], bool], *, complete: bool
) -> Page:
    """The first of the tables at these places that are wanted.

    The place where the page ends names no table but the last of the page: others may be by invitation, and whoever
    knows the id of a table may watch it.
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
                return Page(rows, last)
            rows.append(row)
            last = place
    if complete or last is not None:
        return Page(rows, None if complete else last)
    oldest = places[-1].touched_at  # there may be more tables of this moment: all of them are looked at again
    return Page(rows, Place(oldest if oldest == places[0].touched_at else oldest + 1, FIRST_ID))
