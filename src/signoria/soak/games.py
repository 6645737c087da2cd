"""The games that a campaign plays: all that are installed."""

from functools import cache

from signoria.games import GAMES
from signoria.web import pages

NAMES = tuple(GAMES)
FIRST, LAST = NAMES[0], NAMES[-1]


@cache
def words_of(game: str) -> dict[str, str]:
    """What stands for the words of a game in addresses: its name, a clause, and a card that its board explains."""
    things = (thing.id for thing in GAMES[game].counters.things)
    card = next((thing for thing in things if pages.large_card(game, thing)), "x")
    return {"{game}": game, "{clause}": GAMES[game].clauses[0].id, "{card}": card}
