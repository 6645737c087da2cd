"""The macros that draw Il Principe."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from signoria.games.il_principe.board.words import CITIES, PHASES, REGIONS, ROLES, ability, cards_in_words
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, FIGURES, building_cards, city_grade, standard
from signoria.games.il_principe.rulebook.steps import Bid
from signoria.games.il_principe.texts import say
from signoria.games.il_principe.view import Counts
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import FAMILIES, seat_name
from signoria.kernel.language import per_language, to_say
from signoria.kernel.words import either, spelled
from signoria.web.drawn import Same, begin, end, mark
from signoria.web.environment import macros
from signoria.web.kit.sprite import use
from signoria.web.models import Plan, SealedLot

MARKS = ("Me", "Ca", "Vi", "Go", "Es")
SEATS = tuple(mark(letters, seat, seat_name(seat)) for seat, letters in enumerate(MARKS))
ARMS = tuple(use(f"arms-{seat}", f"arms w{seat}") for seat in range(len(FAMILIES)))
FACES = {
    colour: Markup('<svg class="face" data-card="{0}" aria-hidden="true"><use href="#d-c-{0}"/></svg>').format(colour)
    for colour in COLOUR_IDS
}
BACK = use("back", "face")
SYMBOLS = {"green": "turn", "white": "point", "red": "draw", "blue": "shield", "yellow": "ducat"}
"""Symbols of the roles' abilities."""
HEADINGS = {
    "I1": to_say("Setup"),
    "I10": to_say("Phase 1: income and offers"),
    "I12": to_say("Phase 2: auctions"),
    "I16": to_say("Phase 3: cities and buildings"),
    "I20": to_say("Phase 4: roles"),
    "I30": to_say("End of the game"),
    "I40": to_say("Final scoring"),
}
"""Headings of the rules, by the first clause under each."""
KNOWN_FROM = {
    "printed": to_say("Italian rulebook"),
    "published": to_say("people who own the box"),
    "reconstructed": to_say("reconstructed"),
}
"""Where the price and the regions of a city come from, by the grade of `components.toml`."""


@lru_cache(512)
def building(colour: str, kind: str = "") -> Markup:
    """A building of a colour, small."""
    return use(f"b-{colour}", f"b {kind}".strip())


@per_language(2048)
def _chip(colour: str, count: int) -> Markup:
    cards, name = amounts.of_colour(colour, count), amounts.colour_name(colour)
    return Markup('<span class="chip" title="{} ({})">{}<b>{}<span class="hidden"> {}</span></b></span>').format(
        cards, amounts.building_name(colour), building(colour), count, name
    )


def chips(counts: Counts) -> Markup:
    """Cards by colour, each a building and a number."""
    return Markup().join([_chip(colour, counts[colour]) for colour in COLOUR_IDS if colour in counts])


@per_language()
def page() -> Any:
    """The macros of the board."""
    return macros(
        f"{__package__}:board.html",
        cities=CITIES,
        region_names=REGIONS,
        buildings={colour: amounts.building_name(colour) for colour in COLOUR_IDS},
        colours=COLOUR_IDS,
        colour_names={colour: amounts.colour_name(colour) for colour in COLOUR_IDS},
        abilities={colour: ability(colour) for colour in COLOUR_IDS},
        symbols=SYMBOLS,
        phases=[say(phase) for phase in PHASES],
        arms=ARMS,
        families=FAMILIES,
        faces=FACES,
        back=BACK,
        building=building,
        chips=chips,
        amounts=amounts,
        bid=Bid,
        use=use,
        begin=begin,
        end=end,
    )


@per_language()
def _sealed() -> Any:
    """The macros of orders and of the additional forms."""
    return macros(f"{__package__}:sealed.html", amounts=amounts)


@per_language(1024)
def draw_orders(bids: tuple[SealedLot, ...], plans: tuple[Plan, ...], lots: Same, ducats: int) -> Markup:
    """Automatic bids, and a city to found after winning a lot."""
    return Markup(_sealed().sealed(bids, _group_plans(plans), lots.part, ducats))


def draw_step_forms(table: str, seat: int | None, n: int) -> Markup:
    """Forms for a typed bid, buildings to play, and cards laid together."""
    return Markup(_sealed().step_forms(table, seat, n))


@lru_cache(1024)
def draw_order_forms(table: str, seat: int | None, bids: tuple[SealedLot, ...], plan: str) -> Markup:
    """Forms for automatic bids and, if `plan` is its kind, for a city to found."""
    return Markup(_sealed().order_forms(table, seat, bids, plan))


def _group_plans(plans: Sequence[Plan]) -> list[tuple[str, list[tuple[str, Plan]]]]:
    """Plans to found a city after winning a lot, by the name of the city, each with what it says about the crests."""
    cities: dict[str, list[tuple[str, Plan]]] = {}
    for plan in plans:
        regions = Counter(REGIONS[step.region] for step in plan.steps[1:])
        crests = ", ".join(f"{region} {count}" for region, count in regions.items())
        cities.setdefault(CITIES[plan.steps[0].city], []).append((crests, plan))
    return list(cities.items())


@per_language()
def draw_rules() -> Markup:
    """The game in a few paragraphs with pictures, for new players."""
    return Markup(_rules().told())


@per_language()
def draw_reference() -> Markup:
    """All cities, and what two players and the money variant change."""
    return Markup(_rules().reference())


@per_language()
def _rules() -> Any:
    """The macros of the illustrated rules."""
    words = {"amounts": amounts, "ability": ability, "either": either, "spelled": spelled}
    facts = {"figures": FIGURES, "building_cards": building_cards, "roles": ROLES}
    cities = {"cities": [(city, say(KNOWN_FROM[city_grade(city.id)])) for city in standard().cities], "names": CITIES}
    drawn = {"use": use, "building": building, "cards": cards_in_words, "map": page().plain_map(REGIONS, CITIES)}
    return macros(f"{__package__}:rules.html", **words, **facts, **cities, **drawn, regions=REGIONS)
