"""Lists of tables, the newest first and a page at a time: those that anybody may see, and one's own."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import seats, tables
from signoria.store.tables import NEWEST, TableRow, many, theirs

__all__ = ["Place", "own_tables", "public_tables"]

CLOSED = "closed"


class Place(NamedTuple):
    """A place in a list: what comes after it is older."""

    touched_at: int
    id: str


async def public_tables(
    db: AsyncConnection,
    state: str,
    limit: int,
    *,
    game: str | None = None,
    player: str | None = None,
    after: Place | None = None,
) -> list[TableRow]:
    """Tables in a state that anybody may see, those by invitation not among them: of a game, where a user sits."""
    where = [tables.c.state == state, tables.c.invitation.is_(None), *_narrowed(game, player, after)]
    return await many(db, where, NEWEST, limit)


async def own_tables(
    db: AsyncConnection,
    user_id: str,
    limit: int,
    *,
    game: str | None = None,
    player: str | None = None,
    after: Place | None = None,
) -> list[TableRow]:
    """Tables where a user sits or that the user opened, in any state but closed: of a game, where another sits too."""
    where = [tables.c.id.in_(theirs(user_id)), tables.c.state != CLOSED, *_narrowed(game, player, after)]
    return await many(db, where, NEWEST, limit)


def _narrowed(game: str | None, player: str | None, after: Place | None) -> list[ColumnElement[bool]]:
    where = [] if game is None else [tables.c.game == game]
    if player is not None:
        where.append(tables.c.id.in_(select(seats.c.table_id).where(seats.c.user_id == player)))
    if after is not None:
        older = or_(tables.c.touched_at < after.touched_at, tables.c.id > after.id)
        where += [tables.c.touched_at <= after.touched_at, older]
    return where
