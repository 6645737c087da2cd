"""Explanations of cities, roles and building cards, shown when one is enlarged."""

from markupsafe import Markup

from signoria.games.il_principe.board.page import SYMBOLS, page
from signoria.games.il_principe.board.words import CITIES, REGIONS, ROLES, WORTH, ability, cards_in_words
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, FIGURES, City, standard
from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.words import amounts
from signoria.kernel.language import any_of, capital, per_language
from signoria.kernel.words import spelled
from signoria.web.kit.meaning import Meaning


def city_means(city: City) -> list[Meaning]:
    """The price of a city and what it gives."""
    price = say(
        "Price: {cards} from your hand, and {ducats}.",
        cards=cards_in_words(city.cards),
        ducats=amounts.ducats(city.ducats),
    )
    where = any_of([REGIONS[region] for region in city.regions])
    major, minor = WORTH
    others = say(
        "Other players score for their roles in these colours: {major} for a major role, {minor} for a minor one.",
        major=major,
        minor=minor,
    )
    placed = say_count(
        "You place {n} crest on {regions}.", "You place {n} crests on {regions}.", city.crests, regions=where
    )
    return [
        Meaning("ducat", price, "I17"),
        Meaning("point", say_count("You score {n} point.", "You score {n} points.", city.points), "I17"),
        Meaning("shield", placed, "I17"),
        Meaning("point", others, "I18"),
    ]


def role_means(colour: str, row: int) -> list[Meaning]:
    """Who takes a role and what it gives."""
    name = amounts.colour_name(colour)
    if row == 0:
        who = say(
            "Goes to the player with the most face-up {colour} buildings, who turns half of them, rounded up, face down.",
            colour=name,
        )
    else:
        who = say(
            "Goes to the player with the second most face-up {colour} buildings. Not used with two players.",
            colour=name,
        )
    each = say_count(
        "{n} point whenever another player founds a city with {colour} cards.",
        "{n} points whenever another player founds a city with {colour} cards.",
        WORTH[row],
        colour=name,
    )
    at_end = say_count("{n} point at the end of the game.", "{n} points at the end of the game.", WORTH[row])
    return [
        Meaning(f"b-{colour}", who, "I21"),
        Meaning("gavel", say("Tied players bid for it."), "I22"),
        Meaning(SYMBOLS[colour], say("Ability when you take it: {ability}.", ability=ability(colour)), "I23"),
        Meaning("point", each, "I18"),
        Meaning("point", at_end, "I41"),
    ]


def building_means(colour: str) -> list[Meaning]:
    """The uses of a building card."""
    major, minor = ROLES[colour]
    worth = {"number": spelled(len(COLOUR_IDS)), "points": amounts.points(FIGURES.scoring.set)}
    return [
        Meaning("town", say("You need buildings of certain colours to found cities."), "I17"),
        Meaning(
            f"b-{colour}",
            say(
                "Face up in front of you, it counts for the {major}, and with three or more players also for the {minor}.",
                major=major,
                minor=minor,
            ),
            "I21",
        ),
        Meaning(
            "laurel",
            say("A set of {number} buildings of different colours is worth {points} at the end.", **worth),
            "I42",
        ),
    ]


@per_language()
def draw_large(name: str) -> Markup | None:
    """A large city, role or building card with its explanation; None if there is no such card."""
    city = next((city for city in standard().cities if city.id == name), None)
    if city:
        return Markup(page().large(CITIES[name], "town", "", city_means(city)))
    if name in COLOUR_IDS:
        return Markup(
            page().large(capital(amounts.building_name(name)), f"c-{name}", f"k-{name}", building_means(name))
        )
    for colour, roles in ROLES.items():
        for row, role in enumerate(roles):
            if role.lower() == name:
                return Markup(page().large(role, f"b-{colour}", f"k-{colour}", role_means(colour, row)))
    return None
