"""The rules of a game as a page: what it is about, with small pictures, then its clauses under headings."""

from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.il_principe.names import COLOUR_IDS, ROLE_NAMES
from signoria.kernel.game import Clause
from signoria.web.environment import macros
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols, use
from signoria.web.patrician.cards import face
from signoria.web.rules.pictures import cards, tower

HEADINGS: dict[str, dict[str, str]] = {
    "patrician": {
        "P1": "Setting up",
        "P10": "A turn",
        "P20": "Scoring and the end",
        "M1": "Messengers, an expansion",
        "A1": "Ambassadors, an expansion",
    },
    "il-principe": {
        "I1": "Setting up",
        "I10": "Phase 1: income and offers",
        "I12": "Phase 2: auctions",
        "I16": "Phase 3: cities and buildings",
        "I20": "Phase 4: roles",
        "I30": "When it ends",
        "I40": "Scoring",
    },
}
"""The headings of each game's clauses, by the clause that comes first under them."""


ROLES = dict(zip(COLOUR_IDS, zip(*ROLE_NAMES, strict=True), strict=True))
"""The major and the minor role of each colour."""


class Part(NamedTuple):
    """Clauses under a heading."""

    title: str
    anchor: str
    clauses: tuple[Clause, ...]


def parts(game: str, clauses: tuple[Clause, ...]) -> tuple[Part, ...]:
    """The clauses of a game under their headings."""
    heading, under = "", []
    for clause in clauses:
        heading = HEADINGS[game].get(clause.id, heading)
        under.append((heading, clause))
    return tuple(
        Part(
            title,
            "about-" + title.partition(":")[0].partition(",")[0].lower().replace(" ", "-"),
            tuple(c for _, c in run),
        )
        for title, run in groupby(under, key=lambda pair: pair[0])
    )


@cache
def told(game: str) -> Markup:
    """A game in a few paragraphs with pictures, for whoever has never played it."""
    pages: Any = macros("rules_told.html", use=use, face=face, cards=cards(), tower=tower, roles=ROLES)
    return Markup({"patrician": pages.patrician, "il-principe": pages.il_principe}[game]())


PICTURES = {"patrician": ("marks", "portraits", "crests"), "il-principe": ("arms", "buildings")}
"""What each game's pictures are drawn with, besides what both use."""


@cache
def drawings(game: str) -> Markup:
    """The symbols of the pictures, and the town above them."""
    return sprite(symbols("common", "stonework", *PICTURES[game])) + skyline()
