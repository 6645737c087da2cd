"""Il Principe drawn: a map of regions, city cards, roles, auctions, what lies before each player."""

from functools import cache

from markupsafe import Markup

from signoria.il_principe.names import COLOUR_IDS
from signoria.il_principe.view import View
from signoria.web.drawn import Drawn
from signoria.web.il_principe.display import draw_cities, draw_roles
from signoria.web.il_principe.ending import draw_end
from signoria.web.il_principe.map import land
from signoria.web.il_principe.meaning import draw_large
from signoria.web.il_principe.page import page
from signoria.web.il_principe.players import draw_hand, draw_player, draw_remembered, draw_track, rule
from signoria.web.il_principe.regions import draw_regions, draw_towns
from signoria.web.il_principe.scenes import draw_scenes, tell_scenes
from signoria.web.il_principe.stage import draw_stage
from signoria.web.il_principe.words import BUILDINGS
from signoria.web.kit.sprite import sprite, symbols

__all__ = ["draw", "draw_end", "draw_large", "draw_scenes", "drawings", "tell_scenes"]


def draw(view: View, may_act: bool) -> Drawn:
    """The table as this viewer sees it; `may_act` where it stands in a form of steps."""
    legal = frozenset(view.legal) if may_act else frozenset()
    me = view.seat
    hand = Markup() if me is None else draw_hand(view, view.players[me], legal, may_act)
    board = page().board(
        view,
        draw_regions(view, legal, may_act),
        draw_towns(view),
        draw_stage(view),
        draw_cities(view, legal, may_act),
        draw_roles(view),
        draw_track(view),
    )
    players = tuple(draw_player(view, player) for player in view.players)
    return Drawn(hand, board, players, draw_remembered(view, view.remembered) if view.remembered else Markup())


@cache
def drawings() -> Markup:
    """The symbols that a page needs for all this, once."""
    faces = "".join(
        f'<symbol id="d-c-{colour}" viewBox="0 0 84 120"><g class="k-{colour}"><use href="#d-tile"/>'
        f'<use href="#d-b-{colour}" x="10" y="16" width="64" height="64"/>'
        f'<text class="k-name" x="42" y="112">{BUILDINGS[colour]}</text></g></symbol>'
        for colour in COLOUR_IDS
    )
    return sprite(symbols("common", "arms", "buildings"), Markup(faces), land(), Markup(rule()))
