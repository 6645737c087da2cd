"""Il Principe in words: what drawings say to whoever hears them."""

from functools import lru_cache

from signoria.games.il_principe.rulebook.components import (
    CITY_IDS,
    COLOUR_IDS,
    FIGURES,
    REGION_IDS,
    City,
    city_name,
    region_name,
)
from signoria.games.il_principe.view import Counts, Lack
from signoria.games.il_principe.words.names import FAMILIES, ROLE_NAMES
from signoria.kernel.words import counted

CITIES = {city: city_name(city) for city in CITY_IDS}
REGIONS = {region: region_name(region) for region in REGION_IDS}
BUILDINGS = dict(zip(COLOUR_IDS, FIGURES.buildings, strict=True))
ROLES = dict(zip(COLOUR_IDS, zip(*ROLE_NAMES, strict=True), strict=True))
"""The major and the minor role of each colour."""
PHASES = ("Offers", "Auctions", "Cities", "Roles")
"""A round's phases as its track names them."""
WORTH = (FIGURES.roles.major_points, FIGURES.roles.minor_points)
"""What a major and a minor role score (I18, I41)."""
ABILITIES = dict(
    zip(
        COLOUR_IDS,
        (
            "turn up a building that is not green",
            counted(FIGURES.roles.white_points, "point"),
            "draw a building card",
            "put a crest on any region",
            counted(FIGURES.roles.yellow_ducats, "ducat"),
        ),
        strict=True,
    )
)
"""What a role brings at once (I23)."""


def cards_in_words(cards: Counts) -> str:
    """`2 green, 1 red`."""
    return ", ".join([f"{cards[colour]} {colour}" for colour in COLOUR_IDS if colour in cards])


def lack_in_words(lack: Lack) -> str:
    """What is missing for a city: `1 white, 2 ducats`; empty when nothing is."""
    ducats = counted(lack.ducats, "ducat") if lack.ducats else ""
    return ", ".join(filter(None, (cards_in_words(lack.cards), ducats)))


def shortfall(lack: Lack) -> str:
    """How much is missing for a city: `2 cards short`; empty when nothing is."""
    cards = sum(lack.cards.values())
    missing = [counted(number, what) for number, what in ((cards, "card"), (lack.ducats, "ducat")) if number]
    return f"{' and '.join(missing)} short" if missing else ""


@lru_cache(256)
def region_label(region: str, crests: tuple[int, ...], points: tuple[int, ...]) -> str:
    """A region in words: `Toscana: Medici 3 crests for 5 points, Gonzaga 1 crest for 2 points`."""
    there = [
        f"{FAMILIES[seat]} {counted(crests[seat], 'crest')} for {counted(points[seat], 'point')}"
        for seat in sorted(range(len(crests)), key=lambda seat: -crests[seat])
        if crests[seat]
    ]
    return f"{REGIONS[region]}: {', '.join(there) or 'no crests yet'}"


def city_label(city: City) -> str:
    """A city card in words."""
    return (
        f"{CITIES[city.id]}: {cards_in_words(city.cards)} and {counted(city.ducats, 'ducat')} "
        f"for {counted(city.points, 'point')} and {counted(city.crests, 'crest')} on {' or '.join(REGIONS[r] for r in city.regions)}"
    )
