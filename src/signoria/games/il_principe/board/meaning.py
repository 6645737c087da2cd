"""What cities, roles and building cards mean, in whole sentences: for whoever looks at one closely."""

from functools import cache

from markupsafe import Markup

from signoria.games.il_principe.board.page import SYMBOLS, page
from signoria.games.il_principe.board.words import ABILITIES, BUILDINGS, CITIES, REGIONS, ROLES, WORTH, cards_in_words
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, FIGURES, City, standard
from signoria.kernel.words import counted, spelled
from signoria.web.kit.meaning import Meaning


def city_means(city: City) -> list[Meaning]:
    """What a city asks for, and what it gives."""
    price = f"Lay {cards_in_words(city.cards)} from your hand in front of you, and pay {counted(city.ducats, 'ducat')}."
    where = " or ".join(REGIONS[region] for region in city.regions)
    major, minor = WORTH
    others = f"Everybody else scores for roles they hold in these colours: {major} a major one, {minor} a minor one."
    return [
        Meaning("ducat", price, "I17"),
        Meaning("seal-high", f"You take {counted(city.points, 'point')}.", "I17"),
        Meaning("shield", f"You put {counted(city.crests, 'crest')} on {where}.", "I17"),
        Meaning("laurel", others, "I18"),
    ]


def role_means(colour: str, row: int) -> list[Meaning]:
    """Who takes a role, and what it brings."""
    points = counted(WORTH[row], "point")
    who = (
        f"It goes to most {colour} buildings face up; half of them, rounded up, are then turned down.",
        f"It goes to second most {colour} buildings face up. With two players it stays in the box.",
    )[row]
    return [
        Meaning(f"b-{colour}", who, "I21"),
        Meaning("gavel", "If several have as many, they bid for it.", "I22"),
        Meaning(SYMBOLS[colour], f"Whoever takes it has at once: {ABILITIES[colour]}.", "I23"),
        Meaning("seal-high", f"{points} whenever somebody else founds a city with {colour} cards.".capitalize(), "I18"),
        Meaning("laurel", f"{points} at the end.".capitalize(), "I41"),
    ]


def building_means(colour: str) -> list[Meaning]:
    """What a building card is good for."""
    major, minor = ROLES[colour]
    five, points = spelled(len(COLOUR_IDS)), counted(FIGURES.scoring.set, "point")
    return [
        Meaning("town", "Cities ask for buildings of certain colours.", "I17"),
        Meaning(
            f"b-{colour}",
            f"Face up in front of you it counts for {major}, and for {minor} where more than two play.",
            "I21",
        ),
        Meaning(
            "laurel", f"{five.capitalize()} buildings of {five} colours in play are worth {points} at the end.", "I42"
        ),
    ]


@cache
def draw_large(name: str) -> Markup | None:
    """A city, a role or a building card, large and in words; None where there is no such thing."""
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
