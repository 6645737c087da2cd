"""The macros that everything of Il Principe is drawn with."""

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup

from signoria.il_principe.names import COLOUR_IDS, FAMILIES, seat_name
from signoria.il_principe.steps import Bid
from signoria.il_principe.view import Counts
from signoria.kernel.words import counted
from signoria.web.drawn import begin, end, mark
from signoria.web.environment import macros
from signoria.web.il_principe.words import ABILITIES, BUILDINGS, CITIES, LOW, PHASES, REGIONS
from signoria.web.kit.sprite import use

SEATS = tuple(mark("il-principe", seat, seat_name(seat)) for seat in range(len(FAMILIES)))
ARMS = tuple(use(f"arms-{seat}", f"arms w{seat}") for seat in range(len(FAMILIES)))
FACES = {
    colour: Markup('<svg class="face" data-card="{0}"><use href="#d-c-{0}"/></svg>').format(colour)
    for colour in COLOUR_IDS
}
BACK = use("back", "face")
SYMBOLS = {"green": "turn", "white": "laurel", "red": "draw", "blue": "shield", "yellow": "ducat"}
"""What a role brings at once, as a picture."""


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
    """The macros of il_principe.html."""
    return macros(
        "il_principe.html",
        cities=CITIES,
        region_names=REGIONS,
        buildings=BUILDINGS,
        colours=COLOUR_IDS,
        abilities=ABILITIES,
        symbols=SYMBOLS,
        phases=PHASES,
        low=LOW,
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
