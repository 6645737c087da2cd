"""Ratings: every finished game changes those of its players, people and bots."""

from collections import Counter
from typing import TypedDict

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.server.play.room import TablePosition
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


async def rate_game(db: AsyncConnection, row: TableRow, position: TablePosition) -> list[RatingChange]:
    """Rate a finished game; the change of each seat, none if it does not count. Players who left it to a bot come last.

    So do players who deleted their account: the others are rated as against an unknown player.
    """
    people = {seat.user_id for seat in row.seats if seat.user_id}
    if not row.counts or not people:
        return []
    who = [seat.bot or seat.user_id or f"deleted {seat.seat}" for seat in row.seats]
    await ratings.hold_ratings(db, row.game)
    found = await ratings.ratings_for(db, row.game, sorted(set(who)))
    before = {name: Skill(found[name].mu, found[name].sigma) if name in found else UNKNOWN for name in who}
    after = after_game(before, who, places(row, position), TAU)
    rated = {seat.bot or seat.user_id for seat in row.seats}
    for name, skill in after.items():
        if name not in rated:
            continue
        games = found[name].games if name in found else 0
        user_id = name if name in people else None
        await ratings.set_rating(
            db, RatingRow(game=row.game, who=name, user_id=user_id, mu=skill.mu, sigma=skill.sigma, games=games + 1)
        )
    return [RatingChange(before=before[name].mu, after=after[name].mu) for name in who]


def left_to_bots(row: TableRow, position: TablePosition) -> frozenset[int]:
    """The seats of people who left the game to a bot: at its end, for most of their moves, or by deleting their account.

    Otherwise a strong bot could play a whole game for a person who comes back for the last move.
    """
    made = Counter((entry.seat, entry.by) for entry in position.log)
    return frozenset(
        seat.seat
        for seat in row.seats
        if seat.bot is None
        and (seat.user_id is None or seat.away or seat.resigned or made[seat.seat, "bot"] > made[seat.seat, "person"])
    )


def places(row: TableRow, position: TablePosition) -> list[float]:
    """The place of each seat as the game ranks them; players who left the game to a bot are last."""
    table, left = position.table, left_to_bots(row, position)
    return list(
        map(float, table.game.places(table.sheet(), [seat for seat in range(len(row.seats)) if seat not in left]))
    )
