"""Patrician drawn: a map of cities with their towers, cards, what lies before each player."""

from functools import cache

from markupsafe import Markup
from msgspec import structs

from signoria.patrician.components import Card
from signoria.patrician.view import View
from signoria.web.drawn import Drawn
from signoria.web.kit.sprite import sprite, symbols
from signoria.web.patrician.cities import draw_city
from signoria.web.patrician.map import land
from signoria.web.patrician.meaning import draw_large
from signoria.web.patrician.page import page
from signoria.web.patrician.players import draw_hand, draw_player, draw_remembered
from signoria.web.patrician.roads import draw_roads
from signoria.web.patrician.scenes import draw_scenes, tell_scenes

__all__ = ["draw", "draw_large", "draw_scenes", "drawings", "tell_scenes"]


def draw(view: View, may_act: bool) -> Drawn:
    """The table as this viewer sees it; `may_act` where it stands in a form of steps."""
    cards = _cards(view)
    legal = frozenset(view.legal) if may_act else frozenset()
    cities = [draw_city(view, city, cards, legal, may_act) for city in view.cities]
    me = view.seat
    hand = Markup() if me is None else draw_hand(view, view.players[me], cards, legal, may_act)
    players = tuple(draw_player(view, player, cards) for player in view.players)
    board = page().board(view, cities, draw_roads(view, legal, may_act))
    return Drawn(hand, board, players, draw_remembered(view, view.remembered, cards) if view.remembered else Markup())


def _cards(view: View) -> dict[str, Card]:
    """Cards as they are drawn: the star means something to messengers alone (M2), and without them is left out."""
    starred = bool(view.messengers) or any(player.messengers_left for player in view.players)
    return {
        card.id: structs.replace(card, start=False) if card.start and not starred else card
        for card in view.components.cards
    }


@cache
def drawings() -> Markup:
    """The symbols that a page needs for all this, once."""
    return sprite(symbols("common", "marks", "portraits", "crests", "stonework"), land())
