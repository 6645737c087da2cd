"""What is counted over many games of a player: where they build first, and in which cities they win towers."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from signoria.games.patrician.words.events import CityScored, FloorBuilt
from signoria.kernel.language import to_say

OPENING, CITIES = "opening", "cities"
# Translators: Headings on the page of a player, above a list of cities with the share of games won.
TITLES = MappingProxyType({OPENING: to_say("City of the first floor"), CITIES: to_say("Cities with a tower won")})


def habits(events: Sequence[Any], seat: int) -> dict[str, Sequence[str]]:
    """The habits of a seat in a finished game."""
    built = [event.city for event in events if isinstance(event, FloorBuilt) and event.seat == seat]
    won = [
        event.city for event in events if isinstance(event, CityScored) and seat in (event.high.seat, event.low.seat)
    ]
    return {OPENING: built[:1], CITIES: won}
