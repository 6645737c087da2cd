"""The rules with pictures: cards of every kind, and towers."""

from functools import cache

from markupsafe import Markup

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.board.cards import face
from signoria.games.patrician.rulebook.components import FIGURES, Card
from signoria.kernel.language import per_language, to_say
from signoria.kernel.words import spelled
from signoria.web.environment import macros
from signoria.web.kit.sprite import use

HEADINGS = {
    "P1": to_say("Setup"),
    "P10": to_say("A turn"),
    "P20": to_say("Scoring and end of the game"),
    "M1": to_say("Messengers (expansion)"),
    "A1": to_say("Ambassadors (expansion)"),
}
"""Headings of the rules, by the first clause under each."""

ACROSS, UP, ROOF, GROUND = 48, 16, 34, 12
"""Sizes of a floor, a roof and a site."""


@cache
def cards() -> dict[str, Card]:
    """A card of every kind: two crests, a portrait, "?", a move, and one with a star."""
    options = PATRICIAN.options({"players": 5})
    found: dict[str, Card] = {}
    for card in PATRICIAN.components(options).cards:
        found.setdefault("star" if card.start else card.symbol or card.portrait or "two", card)
    return found


def tower(floors: tuple[int, ...], crown: int | None = None) -> Markup:
    """A tower from the ground up, with a roof in the winner's colour."""
    height = UP * len(floors) + GROUND + ROOF
    drawn = [f'<use href="#d-site" x="-3" y="{height - GROUND}" width="54" height="{GROUND}"/>']
    for n, seat in enumerate(floors):
        y = height - GROUND + 2 - UP * (n + 1)
        drawn.append(f'<use href="#d-floor-{seat}" x="0" y="{y}" width="{ACROSS}" height="{UP}"/>')
    if crown is not None:
        y = height - GROUND + 3 - UP * len(floors) - ROOF
        drawn.append(f'<g class="w{crown}"><use href="#d-roof" x="0" y="{y}" width="{ACROSS}" height="{ROOF}"/></g>')
    return Markup(f'<svg class="tower-drawn" viewBox="-4 0 56 {height}" aria-hidden="true">{"".join(drawn)}</svg>')


@per_language()
def draw_rules() -> Markup:
    """The game in a few paragraphs with pictures, for new players."""
    drawn = {"use": use, "face": face, "cards": cards(), "tower": tower}
    rules = macros(f"{__package__}:rules.html", figures=FIGURES, spelled=spelled, **drawn)
    return Markup(rules.told())
