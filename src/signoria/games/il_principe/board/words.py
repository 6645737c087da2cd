"""Il Principe in words: labels of drawings, for screen readers."""

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
"""The phases of a round."""
WORTH = (FIGURES.roles.major_points, FIGURES.roles.minor_points)
"""Points of a major and a minor role (I18, I41)."""
ABILITIES = dict(
    zip(
        COLOUR_IDS,
        (
            "turn a building face up, except a green one",
            f"score {counted(FIGURES.roles.white_points, 'point')}",
            "draw a building card",
            "place a crest on any region",
            f"take {counted(FIGURES.roles.yellow_ducats, 'ducat')}",
        ),
        strict=True,
    )
)
"""The ability of a role, used when it is taken (I23)."""


def cards_in_words(cards: Counts) -> str:
    """`2 green, 1 red`."""
    return ", ".join([f"{cards[colour]} {colour}" for colour in COLOUR_IDS if colour in cards])


def lack_in_words(lack: Lack) -> str:
    """Cards and ducats missing for a city: `1 white, 2 ducats`; empty if none."""
    ducats = counted(lack.ducats, "ducat") if lack.ducats else ""
    return ", ".join(filter(None, (cards_in_words(lack.cards), ducats)))


def shortfall(lack: Lack) -> str:
    """How many cards and ducats are missing for a city: `2 cards short`; empty if none."""
    cards = sum(lack.cards.values())
    missing = [counted(number, what) for number, what in ((cards, "card"), (lack.ducats, "ducat")) if number]
    return f"{' and '.join(missing)} short" if missing else ""


@lru_cache(256)
def region_label(region: str, crests: tuple[int, ...], points: tuple[int, ...]) -> str:
    """A region in words: `Toscana: Medici 3 crests, 5 points; Gonzaga 1 crest, 2 points`."""
    there = [
        f"{FAMILIES[seat]} {counted(crests[seat], 'crest')}, {counted(points[seat], 'point')}"
        for seat in sorted(range(len(crests)), key=lambda seat: -crests[seat])
        if crests[seat]
    ]
    return f"{REGIONS[region]}: {'; '.join(there) or 'no crests yet'}"


def city_label(city: City) -> str:
    """A city card in words."""
    return (
        f"{CITIES[city.id]}: costs {cards_in_words(city.cards)} and {counted(city.ducats, 'ducat')}, gives "
        f"{counted(city.points, 'point')} and {counted(city.crests, 'crest')} on {' or '.join(REGIONS[r] for r in city.regions)}"
    )
