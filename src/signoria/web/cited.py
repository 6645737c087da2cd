"""Clauses that a sentence names, such as `most points (P23)`: their numbers become links to the rules."""

import re
from functools import cache

from markupsafe import Markup, escape

from signoria.games import GAMES

NAMED = re.compile(r"\(([A-Z]+\d+)\)")


@cache
def _known() -> frozenset[str]:
    return frozenset(clause.id for game in GAMES.values() for clause in game.clauses)


def cited(text: str) -> Markup:
    """A sentence with links for the clauses that it names in brackets. They open beside the page, like other clauses."""
    drawn, at = Markup(), 0
    for found in NAMED.finditer(text):
        if found[1] in _known():
            link = Markup('<a class="clause" href="/rules/clause/{0}" target="rules">{0}</a>').format(found[1])
            drawn += escape(text[at : found.start()]) + link
            at = found.end()
    return drawn + escape(text[at:])
