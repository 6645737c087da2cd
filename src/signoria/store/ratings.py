"""Ratings: how strong a player is at a game, and how certain that is. Bots are rated together with people."""

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import or_, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import ratings, users

__all__ = [
    "RatingRow",
    "hold_ratings",
    "public_ratings_for",
    "ratings_for",
    "ratings_of",
    "set_rating",
    "top_ratings",
]


class RatingRow(msgspec.Struct, frozen=True):
    """The rating of a user (`who` is the id) or of a bot (`who` is the level), with the user's name if requested."""

    game: str
    who: str
    user_id: str | None
    mu: float
    sigma: float
    games: int
    name: str | None = None


_COLUMNS: list[Any] = [ratings.c[name] for name in RatingRow.__struct_fields__ if name != "name"]
_RANKED: list[Any] = [*_COLUMNS, users.c.name]


async def ratings_for(db: AsyncConnection, game: str, whos: Iterable[str]) -> dict[str, RatingRow]:
    """The ratings of these people and bots in a game; those without a rating are left out."""
    query = select(*_COLUMNS).where(ratings.c.game == game, ratings.c.who.in_(list(whos)))
    return {row.who: RatingRow(*row) for row in await db.execute(query)}


async def public_ratings_for(db: AsyncConnection, game: str, whos: Iterable[str]) -> dict[str, RatingRow]:
    """The same without people who do not show their profile to everyone."""
    query = select(*_COLUMNS).select_from(ratings.outerjoin(users))
    query = query.where(ratings.c.game == game, ratings.c.who.in_(list(whos)), _PUBLIC)
    return {row.who: RatingRow(*row) for row in await db.execute(query)}


async def hold_ratings(db: AsyncConnection, game: str) -> None:
    """Lock the ratings of this game against other transactions that do the same, until this one ends."""
    if db.dialect.name == "postgresql":  # SQLite allows only one writer at a time
        await db.execute(_HOLD, {"what": f"ratings of {game}"})


async def ratings_of(db: AsyncConnection, user_id: str) -> list[RatingRow]:
    """All ratings of a user, one per game."""
    query = select(*_COLUMNS).where(ratings.c.user_id == user_id)
    return sorted((RatingRow(*row) for row in await db.execute(query)), key=lambda row: row.game)


async def top_ratings(db: AsyncConnection, game: str, limit: int) -> list[RatingRow]:
    """The best players of a game with their names (None for bots), ranked by mu minus three sigma.

    People who do not show their profile to everyone are left out.
    """
    query = (
        select(*_RANKED)
        .select_from(ratings.outerjoin(users))
        .where(ratings.c.game == game, _PUBLIC)
        .order_by(ratings.c.ordinal.desc(), ratings.c.who.desc())
        .limit(limit)
    )
    return [RatingRow(*row) for row in await db.execute(query)]


async def set_rating(db: AsyncConnection, row: RatingRow) -> None:
    """Save a rating, new or changed."""
    values: dict[str, Any] = {column.name: getattr(row, column.name) for column in _COLUMNS}
    values["ordinal"] = row.mu - 3 * row.sigma
    changed = {column: values[column] for column in ("mu", "sigma", "games", "ordinal")}
    key = [ratings.c.game, ratings.c.who]
    if db.dialect.name == "postgresql":
        await db.execute(
            postgresql.insert(ratings).values(values).on_conflict_do_update(index_elements=key, set_=changed)
        )
    else:
        await db.execute(sqlite.insert(ratings).values(values).on_conflict_do_update(index_elements=key, set_=changed))


_PUBLIC: Any = or_(ratings.c.user_id.is_(None), users.c.shown_to == "everyone")
_HOLD = text("SELECT pg_advisory_xact_lock(hashtext(:what))")
