"""What is counted over many games of a player: the colour of the first lot they win, and the cities they found."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from signoria.games.il_principe.rulebook.components import city_name
from signoria.games.il_principe.words.amounts import colour_name
from signoria.games.il_principe.words.events import CityFounded, LotWon
from signoria.kernel.language import capital, to_say

OPENING, CITIES = "opening", "cities"
# Translators: Headings on the page of a player, above lists of colours and cities with the share of games won.
TITLES = MappingProxyType({OPENING: to_say("Lots won first"), CITIES: to_say("Cities founded")})


def habits(events: Sequence[Any], seat: int) -> dict[str, Sequence[str]]:
    """The habits of a seat in a finished game."""
    lots = [event.colour for event in events if isinstance(event, LotWon) and event.seat == seat]
    founded = [event.city for event in events if isinstance(event, CityFounded) and event.seat == seat]
    return {OPENING: lots[:1], CITIES: founded}


def habit_name(kind: str, thing: str) -> str:
    """A lot or a city in words."""
    return city_name(thing) if kind == CITIES else capital(colour_name(thing))
