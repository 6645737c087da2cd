"""Ratings: every finished game changes those of its players, people and bots."""

from typing import TypedDict

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.games import AnyTable
from signoria.skill import UNKNOWN, Skill, after_game
from signoria.store import ratings
from signoria.store.ratings import RatingRow
from signoria.store.tables import TableRow

TAU = 25 / 300
"""How much a player's strength may change between two games."""


class RatingChange(TypedDict):
    """The rating of a player before and after a game, as stored with its result."""

    before: float
    after: float


async def rate_game(db: AsyncConnection, row: TableRow, table: AnyTable) -> list[RatingChange]:
    """Rate a finished game; the change of each seat, none if it does not count. Players who left it to a bot come last."""
    if not row.counts:
        return []
    who = [seat.bot or seat.user_id or "" for seat in row.seats]
    people = {seat.user_id for seat in row.seats if seat.user_id}
    if "" in who:
        return []  # a player's data was deleted
    await ratings.hold_ratings(db, row.game)
    found = await ratings.ratings_for(db, row.game, sorted(set(who)))
    before = {name: Skill(found[name].mu, found[name].sigma) if name in found else UNKNOWN for name in who}
    after = after_game(before, who, places(row, table), TAU)
    for name, skill in after.items():
        games = found[name].games if name in found else 0
        user_id = name if name in people else None
        await ratings.set_rating(
            db, RatingRow(game=row.game, who=name, user_id=user_id, mu=skill.mu, sigma=skill.sigma, games=games + 1)
        )
    return [RatingChange(before=before[name].mu, after=after[name].mu) for name in who]


def places(row: TableRow, table: AnyTable) -> list[float]:
    """The place of each seat as the game ranks them; players who left the game to a bot are last."""
    playing = [seat.seat for seat in row.seats if seat.user_id is None or not (seat.away or seat.resigned)]
    return list(map(float, table.game.places(table.sheet(), playing)))
