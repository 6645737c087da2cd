"""Explanations of cities, roles and building cards, shown when one is enlarged."""

from functools import cache

from markupsafe import Markup

from signoria.games.il_principe.board.page import SYMBOLS, page
from signoria.games.il_principe.board.words import ABILITIES, BUILDINGS, CITIES, REGIONS, ROLES, WORTH, cards_in_words
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, FIGURES, City, standard
from signoria.kernel.words import counted, spelled
from signoria.web.kit.meaning import Meaning


def city_means(city: City) -> list[Meaning]:
    """The price of a city and what it gives."""
    price = f"Price: {cards_in_words(city.cards)} from your hand, and {counted(city.ducats, 'ducat')}."
    where = " or ".join(REGIONS[region] for region in city.regions)
    major, minor = WORTH
    others = f"Other players score for their roles in these colours: {major} for a major role, {minor} for a minor one."
    return [
        Meaning("ducat", price, "I17"),
        Meaning("seal-high", f"You score {counted(city.points, 'point')}.", "I17"),
        Meaning("shield", f"You place {counted(city.crests, 'crest')} on {where}.", "I17"),
        Meaning("laurel", others, "I18"),
    ]


def role_means(colour: str, row: int) -> list[Meaning]:
    """Who takes a role and what it gives."""
    points = counted(WORTH[row], "point")
    who = (
        f"Goes to the player with the most face-up {colour} buildings, who turns half of them, rounded up, face down.",
        f"Goes to the player with the second most face-up {colour} buildings. Not used with two players.",
    )[row]
    return [
        Meaning(f"b-{colour}", who, "I21"),
        Meaning("gavel", "Tied players bid for it.", "I22"),
        Meaning(SYMBOLS[colour], f"Ability when you take it: {ABILITIES[colour]}.", "I23"),
        Meaning("seal-high", f"{points} whenever another player founds a city with {colour} cards.", "I18"),
        Meaning("laurel", f"{points} at the end of the game.", "I41"),
    ]


def building_means(colour: str) -> list[Meaning]:
    """The uses of a building card."""
    major, minor = ROLES[colour]
    five, points = spelled(len(COLOUR_IDS)), counted(FIGURES.scoring.set, "point")
    return [
        Meaning("town", "You need buildings of certain colours to found cities.", "I17"),
        Meaning(
            f"b-{colour}",
            f"Face up in front of you, it counts for the {major}, and with three or more players also for the {minor}.",
            "I21",
        ),
        Meaning("laurel", f"A set of {five} buildings of different colours is worth {points} at the end.", "I42"),
    ]


@cache
def draw_large(name: str) -> Markup | None:
    """A large city, role or building card with its explanation; None if there is no such card."""
    city = next((city for city in standard().cities if city.id == name), None)
    if city:
        return Markup(page().large(CITIES[name], "town", "", city_means(city)))
    if name in COLOUR_IDS:
        return Markup(page().large(BUILDINGS[name].capitalize(), f"c-{name}", f"k-{name}", building_means(name)))
    for colour, roles in ROLES.items():
        for row, role in enumerate(roles):
            if role.lower() == name:
                return Markup(page().large(role, f"b-{colour}", f"k-{colour}", role_means(colour, row)))
    return None
