"""Names for the numbers of the rules, and numbers for the names of people and records."""

from signoria.patrician.components import printed, standard

CITY_IDS = tuple(city.id for city in standard().cities)
CARD_IDS = tuple(card.id for card in standard().cards)
ROADS: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in printed()["messengers"]["roads"]["value"])
COLOURS: tuple[str, ...] = tuple(printed()["game"]["colours"]["value"])
PATRICIAN_NAMES = ("captain", "lady", "elder")


def seat_name(seat: int) -> str:
    """A seat as sentences name it, by the colour it builds in (P5)."""
    return COLOURS[seat].capitalize()
