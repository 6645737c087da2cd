"""Il Principe in words: labels of drawings, for screen readers."""

from signoria.games.il_principe.rulebook.components import (
    CITY_IDS,
    COLOUR_IDS,
    FIGURES,
    REGION_IDS,
    City,
    city_name,
    region_name,
)
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Counts, Lack
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import FAMILIES, ROLE_NAMES
from signoria.kernel.language import any_of, apart, labelled, per_language, to_say

CITIES = {city: city_name(city) for city in CITY_IDS}
REGIONS = {region: region_name(region) for region in REGION_IDS}
ROLES = dict(zip(COLOUR_IDS, zip(*ROLE_NAMES, strict=True), strict=True))
"""The major and the minor role of each colour."""
PHASES = (to_say("Offers"), to_say("Auctions"), to_say("Cities"), to_say("Roles"))
"""The phases of a round."""
WORTH = (FIGURES.roles.major_points, FIGURES.roles.minor_points)
"""Points of a major and a minor role (I18, I41)."""


def ability(colour: str) -> str:
    """The ability of a role, used when it is taken (I23)."""
    match colour:
        case "green":
            return say("turn a building face up, except a green one")
        case "white":
            return say_count("score {n} point", "score {n} points", FIGURES.roles.white_points)
        case "red":
            return say("draw a building card")
        case "blue":
            return say("place a crest on any region")
    return say_count("take {n} ducat", "take {n} ducats", FIGURES.roles.yellow_ducats)


def cards_in_words(cards: Counts) -> str:
    """`2 green, 1 red`."""
    return amounts.by_colour(cards)


def lack_in_words(lack: Lack) -> str:
    """Cards and ducats missing for a city: `1 white, 2 ducats`; empty if none."""
    ducats = amounts.ducats(lack.ducats) if lack.ducats else ""
    return ", ".join(filter(None, (cards_in_words(lack.cards), ducats)))


def shortfall(lack: Lack) -> str:
    """How many cards and ducats are missing for a city: `2 cards short`; empty if none."""
    cards = sum(lack.cards.values())
    if cards and lack.ducats:
        return say("{cards} and {ducats} short", cards=amounts.cards(cards), ducats=amounts.ducats(lack.ducats))
    if cards:
        return say_count("{n} card short", "{n} cards short", cards)
    return say_count("{n} ducat short", "{n} ducats short", lack.ducats) if lack.ducats else ""


@per_language(256)
def region_label(region: str, crests: tuple[int, ...], points: tuple[int, ...]) -> str:
    """A region in words: `Toscana: Medici 3 crests, 5 points; Gonzaga 1 crest, 2 points`."""
    there = [
        f"{FAMILIES[seat]} {amounts.crests(crests[seat])}, {amounts.points(points[seat])}"
        for seat in sorted(range(len(crests)), key=lambda seat: -crests[seat])
        if crests[seat]
    ]
    return labelled(REGIONS[region], apart(there) or say("no crests yet"))


def city_label(city: City) -> str:
    """A city card in words."""
    return say(
        "{city}: costs {cards} and {ducats}, gives {points} and {crests} on {regions}",
        city=CITIES[city.id],
        cards=cards_in_words(city.cards),
        ducats=amounts.ducats_as_object(city.ducats),
        points=amounts.points(city.points),
        crests=amounts.crests(city.crests),
        regions=any_of([REGIONS[region] for region in city.regions]),
    )
