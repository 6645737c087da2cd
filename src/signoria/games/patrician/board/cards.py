"""Cards drawn: a crest or two, portraits, a symbol, the star."""

from functools import lru_cache

from markupsafe import Markup

from signoria.games.patrician.board.words import NAMES, brief
from signoria.games.patrician.rulebook.components import Card
from signoria.kernel.language import per_language
from signoria.web.kit.sprite import use

ABOVE = ((24, 28, 36),)
BELOW_CREST = (24, 73, 36)
BELOW_ONE = ((20, 70, 44),)
BELOW_TWO = ((5, 74, 37), (42, 74, 37))
"""Places of crests and medallions on a card of 84 by 120: left, top and width."""
BACK = use("back", "face")
STARRED = "-star"


def _at(symbol: str, x: int, y: int, width: int, height: int) -> Markup:
    return Markup('<use href="#d-{}" x="{}" y="{}" width="{}" height="{}"/>').format(symbol, x, y, width, height)


def _crest(city: str, x: int, y: int, width: int) -> Markup:
    return _at(f"crest-{city}", x, y, width, width * 6 // 5)


@lru_cache(512)
def face(card: Card) -> Markup:
    """The face of a card. Its colour comes from the class `of-CITY` of its container."""
    drawn = [_at("card", 0, 0, 84, 120), _crest(card.city, *ABOVE[0])]
    if card.crests == 2:
        drawn.append(_crest(card.city, *BELOW_CREST))
    places = BELOW_TWO if card.portraits == 2 else BELOW_ONE
    medallion = f"p-{card.portrait}" if card.portrait else card.symbol
    if medallion:
        drawn += [_at(medallion, x, y, width, width) for x, y, width in places]
    if card.start:
        drawn.append(_at("star", 61, 27, 19, 19))
    return Markup(
        '<svg class="face" viewBox="0 0 84 120" aria-hidden="true" data-card="{}">{}<text x="42" y="16.5">{}</text></svg>'
    ).format(large_name(card), Markup().join(drawn), NAMES[card.city])


def large_name(card: Card) -> str:
    """The name of the enlarged card: games without messengers draw and explain no star."""
    return f"{card.id}{STARRED}" if card.start else card.id


def looks(card: Card) -> tuple[object, ...]:
    """What a card shows: equal for cards that look the same."""
    return card.city, card.crests, card.portrait, card.portraits, card.symbol, card.start


@per_language(512)
def tracked(card: Card) -> Markup:
    """A card in the card tracker: only its crests and what else it shows."""
    medallion = f"p-{card.portrait}" if card.portrait else card.symbol
    drawn = [use(f"crest-{card.city}", "crest")] * card.crests
    drawn += [use(medallion, "medal")] * max(1, card.portraits) if medallion else []
    star = Markup("<i>★</i>") if card.start else Markup()
    return Markup('<span class="card of-{}" data-card="{}" role="img" aria-label="{}">{}{}</span>').format(
        card.city, card.id, brief(card), Markup().join(drawn), star
    )


@per_language(512)
def small(card: Card, kind: str) -> Markup:
    """A card that cannot be pressed, with a label for screen readers."""
    return Markup('<span class="card {} of-{}" id="card-{}">{}<span class="hidden">{}</span></span>').format(
        kind, card.city, card.id, face(card), brief(card)
    )
