"""Statistics of people: their finished games, and counts that are updated when a game ends.

A profile is read from these tables alone, so it takes the same time after any number of games.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import TextClause, delete, insert, literal_column, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.store.schema import played, player_stats

ALL, PLAYERS, OPPONENT, SOURCE = "all", "players", "opponent", "source"
"""Kinds of counts: all games, by number of players, by opponent, and points by source. A game adds its own kinds."""


BATCH = 500
"""Rows changed at a time where there may be any number of them."""


class PlayedRow(NamedTuple):
    """A finished game of a person."""

    user_id: str
    table_id: str
    """Empty for a viewer who may not know the table."""
    game: str
    players: int
    points: int
    place: int
    """From 1."""
    won: bool
    ended_at: int
    mu_before: float | None = None
    """The rating before and after the game; None if it was not rated."""
    mu: float | None = None
    sigma: float | None = None


class Count(NamedTuple):
    """How many games of a person have something in common, and how they ended."""

    user_id: str
    game: str
    kind: str
    key: str
    """What they have in common: a number of players, an opponent, a part of the score sheet."""
    games: int
    wins: int
    points: int
    """The sum of the points."""
    streak: int = 0
    """Consecutive wins until now."""
    best_streak: int = 0


async def add_played(db: AsyncConnection, games: Sequence[PlayedRow], counts: Iterable[Count]) -> None:
    """Add a finished game of some people, and count it. `streak` of a count is 1 for a win and 0 otherwise."""
    if games:
        await db.execute(insert(played), [one._asdict() for one in games])
    # in the same order in every transaction, so that none waits for another in a circle
    if rows := [one._asdict() for one in sorted(counts)]:
        await db.execute(_COUNT, rows)


async def counts_of(
    db: AsyncConnection, user_id: str, wanted: Sequence[tuple[str, str, int]]
) -> dict[tuple[str, str], list[Count]]:
    """Counts by game and kind, the most games first; `wanted` are games, kinds and how many. It is one statement."""
    values: dict[str, object] = {"user_id": user_id}
    for number, (game, kind, limit) in enumerate(wanted):
        values |= {f"game{number}": game, f"kind{number}": kind, f"most{number}": limit}
    found: dict[tuple[str, str], list[Count]] = {(game, kind): [] for game, kind, _ in wanted}
    for row in await db.execute(_counts(len(wanted)), values):
        found[row.game, row.kind].append(Count(*row))
    return found


async def latest_and_best(
    db: AsyncConnection, user_id: str, games: Sequence[str], latest: int, best: int
) -> dict[str, tuple[list[PlayedRow], list[PlayedRow]]]:
    """By game: the last finished games of a person, newest first, and those with the most points. It is one statement."""
    values: dict[str, object] = {"user_id": user_id, "latest": latest, "best": best}
    values |= {f"game{number}": game for number, game in enumerate(games)}
    found: dict[str, tuple[list[PlayedRow], list[PlayedRow]]] = {game: ([], []) for game in games}
    for is_best, *row in await db.execute(_played(len(games)), values):
        one = PlayedRow(*row)
        found[one.game][is_best].append(one._replace(won=bool(one.won)))
    return found


async def played_after(db: AsyncConnection, user_id: str, after: str, limit: int) -> list[PlayedRow]:
    """All finished games of a person in the order of their ids, after this one."""
    query = select(played).where(played.c.user_id == user_id, played.c.table_id > after)
    return [PlayedRow(*row) for row in await db.execute(query.order_by(played.c.table_id).limit(limit))]


async def forget_opponent(db: AsyncConnection, user_id: str) -> None:
    """Delete what others' statistics say about a person."""
    await db.execute(delete(player_stats).where(_AGAINST, player_stats.c.key == user_id))


async def hand_statistics(db: AsyncConnection, guest_id: str, user_id: str) -> None:
    """Add the statistics that a person had as a guest to those of their account."""
    while some := [one.table_id for one in await played_after(db, guest_id, "", BATCH)]:
        both = select(played.c.table_id).where(played.c.user_id == user_id, played.c.table_id.in_(some))
        known = list((await db.execute(both)).scalars())
        mine = (played.c.user_id == guest_id, played.c.table_id.in_(some))
        await db.execute(delete(played).where(*mine, played.c.table_id.in_(known)))
        await db.execute(update(played).where(*mine).values(user_id=user_id))
    own = [Count(*row) for row in await db.execute(select(player_stats).where(player_stats.c.user_id == guest_id))]
    await db.execute(delete(player_stats).where(player_stats.c.user_id == guest_id))
    query = select(player_stats).where(_AGAINST, player_stats.c.key == guest_id)
    against = [Count(*row) for row in await db.execute(query)]
    await forget_opponent(db, guest_id)
    moved = [one._replace(user_id=user_id) for one in own if (one.kind, one.key) != (OPPONENT, user_id)]
    moved += [one._replace(key=user_id) for one in against if one.user_id not in (user_id, guest_id)]
    if moved:
        await db.execute(_MERGE, [one._asdict() for one in sorted(moved)])


@cache
def _counts(number: int) -> TextClause:
    """The statement of `counts_of`: each part reads only the rows it returns, in the order of an index."""
    columns = ", ".join(player_stats.c.keys())
    return text(
        " UNION ALL ".join(
            f"SELECT * FROM (SELECT {columns} FROM player_stats WHERE user_id = :user_id AND game = :game{n}"
            f" AND kind = :kind{n} ORDER BY games DESC, key DESC LIMIT :most{n}) AS part{n}"
            for n in range(number)
        )
    )


@cache
def _played(number: int) -> TextClause:
    """The statement of `latest_and_best`."""
    columns = ", ".join(played.c.keys())
    orders = ((0, "ended_at DESC, table_id DESC", "latest"), (1, "points DESC, ended_at DESC, table_id DESC", "best"))
    return text(
        " UNION ALL ".join(
            f"SELECT {place} AS place_in_answer, part{n}_{place}.* FROM (SELECT {columns} FROM played"
            f" WHERE user_id = :user_id AND game = :game{n} ORDER BY {order} LIMIT :{most}) AS part{n}_{place}"
            for n in range(number)
            for place, order, most in orders
        )
    )


_AGAINST: Any = player_stats.c.kind == literal_column(f"'{OPPONENT}'")  # a literal, for the partial index
_INSERT = (
    "INSERT INTO player_stats (user_id, game, kind, key, games, wins, points, streak, best_streak)"
    " VALUES (:user_id, :game, :kind, :key, :games, :wins, :points, :streak, :best_streak)"
    " ON CONFLICT (user_id, game, kind, key) DO UPDATE SET games = player_stats.games + excluded.games,"
    " wins = player_stats.wins + excluded.wins, points = player_stats.points + excluded.points,"
)
_COUNT = text(
    f"{_INSERT} streak = CASE WHEN excluded.streak > 0 THEN player_stats.streak + 1 ELSE 0 END,"
    " best_streak = CASE WHEN excluded.streak > 0 AND player_stats.streak + 1 > player_stats.best_streak"
    " THEN player_stats.streak + 1 ELSE player_stats.best_streak END"
)
_MERGE = text(
    f"{_INSERT} best_streak = CASE WHEN excluded.best_streak > player_stats.best_streak"
    " THEN excluded.best_streak ELSE player_stats.best_streak END"
)
