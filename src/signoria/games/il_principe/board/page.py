"""The macros that draw Il Principe."""

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup

from signoria.games.il_principe.board.words import ABILITIES, BUILDINGS, CITIES, PHASES, REGIONS, ROLES
from signoria.games.il_principe.rulebook.components import COLOUR_IDS, FIGURES, building_cards
from signoria.games.il_principe.rulebook.steps import Bid
from signoria.games.il_principe.view import Counts
from signoria.games.il_principe.words.names import FAMILIES, seat_name
from signoria.kernel.words import counted, either, spelled
from signoria.web.drawn import begin, end, mark
from signoria.web.environment import macros
from signoria.web.kit.sprite import use

MARKS = ("Me", "Ca", "Vi", "Go", "Es")
SEATS = tuple(mark(letters, seat, seat_name(seat)) for seat, letters in enumerate(MARKS))
ARMS = tuple(use(f"arms-{seat}", f"arms w{seat}") for seat in range(len(FAMILIES)))
FACES = {
    colour: Markup('<svg class="face" data-card="{0}"><use href="#d-c-{0}"/></svg>').format(colour)
    for colour in COLOUR_IDS
}
BACK = use("back", "face")
SYMBOLS = {"green": "turn", "white": "laurel", "red": "draw", "blue": "shield", "yellow": "ducat"}
"""Symbols of the roles' abilities."""
HEADINGS = {
    "I1": "Setup",
    "I10": "Phase 1: income and offers",
    "I12": "Phase 2: auctions",
    "I16": "Phase 3: cities and buildings",
    "I20": "Phase 4: roles",
    "I30": "End of the game",
    "I40": "Final scoring",
}
"""Headings of the rules, by the first clause under each."""


@lru_cache(512)
def building(colour: str, kind: str = "") -> Markup:
    """A building of a colour, small."""
    return use(f"b-{colour}", f"b {kind}".strip())


@lru_cache(2048)
def _chip(colour: str, count: int) -> Markup:
    return Markup('<span class="chip" title="{} {} ({})">{}<b>{}<span class="hidden"> {}</span></b></span>').format(
        count, colour, BUILDINGS[colour], building(colour), count, colour
    )


def chips(counts: Counts) -> Markup:
    """Cards by colour, each a building and a number."""
    return Markup().join([_chip(colour, counts[colour]) for colour in COLOUR_IDS if colour in counts])


@cache
def page() -> Any:
    """The macros of the board."""
    return macros(
        f"{__package__}:board.html",
        cities=CITIES,
        region_names=REGIONS,
        buildings=BUILDINGS,
        colours=COLOUR_IDS,
        abilities=ABILITIES,
        symbols=SYMBOLS,
        phases=PHASES,
        seats=SEATS,
        arms=ARMS,
        families=FAMILIES,
        faces=FACES,
        back=BACK,
        building=building,
        chips=chips,
        counted=counted,
        bid=Bid,
        use=use,
        begin=begin,
        end=end,
    )


@cache
def sealed() -> Any:
    """The macros of the automatic bid and of the additional forms."""
    return macros(f"{__package__}:sealed.html")


@cache
def draw_rules() -> Markup:
    """The game in a few paragraphs with pictures, for new players."""
    words = {"counted": counted, "either": either, "spelled": spelled}
    facts = {"figures": FIGURES, "building_cards": building_cards, "roles": ROLES}
    return Markup(macros(f"{__package__}:rules.html", use=use, **words, **facts).told())
