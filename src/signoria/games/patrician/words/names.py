"""Names for the numbers of the rules, and numbers for the names of people and records."""

from signoria.patrician.components import printed, standard

CITY_IDS = tuple(city.id for city in standard().cities)
CARD_IDS = tuple(card.id for card in standard().cards)
ROADS: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in printed()["messengers"]["roads"]["value"])
COLOURS: tuple[str, ...] = tuple(printed()["game"]["colours"]["value"])
SIDES = ("left", "right")
"""Where site 0 and site 1 of a city are, to whoever looks at it."""
PATRICIAN_NAMES = ("captain", "lady", "elder")


ASKED = ("over", "play", "build", "move", "take", "messenger")
"""What is asked, as views name it."""
ASKS = (
    "do nothing more",
    "play a card",
    "build a floor in {city}",
    "move a floor, or none",
    "take a card",
    "place a messenger, or none",
)
"""The same as the end of a sentence."""


def seat_name(seat: int) -> str:
    """A seat as sentences name it, by the colour it builds in (P5)."""
    return COLOURS[seat].capitalize()
