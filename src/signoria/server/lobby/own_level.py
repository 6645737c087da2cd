"""The opponent at a person's level: the next stronger one after a win, the next weaker one after a loss."""

from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.bots.levels import LADDER, STYLED, current_id
from signoria.server.play.guided_game import is_guided
from signoria.store.tables import TableRow, ended_tables, find_tables

OWN_LEVEL = "own-level"
"""Forms name the opponent at the person's level like this. Tables have the real opponent."""
NEWCOMER = 1
"""The rung for a person without a game against bots."""
LOOKED_AT = 50
"""The most games that are looked at to find the last one against bots."""
RUNGS = {level.id: rung for rung, level in enumerate(LADDER)} | {level.id: len(LADDER) // 2 for level in STYLED}
"""The rung of each opponent."""


async def own_level(db: AsyncConnection, user_id: str, game: str) -> str:
    """The id of the opponent at a person's level in a game."""
    places = await ended_tables(db, user_id, "over", LOOKED_AT, opened=False)
    rows = await find_tables(db, [place.id for place in places])
    for row in (rows[place.id] for place in places if place.id in rows):
        if row.game == game and (rung := rung_after(row, user_id)) is not None:
            return LADDER[rung].id
    return LADDER[NEWCOMER].id


def rung_after(row: TableRow, user_id: str) -> int | None:
    """The rung for a person after a finished game: one up for winning, one down for coming last or resigning.

    None unless it was a whole game of one person against named opponents. The strongest of them counts.
    """
    own = [seat for seat in row.seats if seat.user_id == user_id]
    bots = [current_id(seat.bot) for seat in row.seats if seat.bot]
    if row.result is None or len(own) != 1 or len(bots) != len(row.seats) - 1 or not set(bots) <= set(RUNGS):
        return None
    if row.origin_id is not None or is_guided(row):
        return None
    points = [score["total"] for score in row.result["scores"]]
    if own[0].resigned:
        change = -1
    elif own[0].seat in row.result["winners"]:
        change = 1
    else:
        change = -1 if points[own[0].seat] == min(points) else 0
    return min(max(0, max(RUNGS[bot] for bot in bots) + change), len(LADDER) - 1)
