"""Roads drawn, and messengers who ride on them."""

from typing import NamedTuple

from markupsafe import Markup

from signoria.games.patrician.board.page import page
from signoria.games.patrician.rulebook.components import ROAD_IDS, ROADS
from signoria.games.patrician.rulebook.steps import Messenger, Step
from signoria.games.patrician.view import View
from signoria.kernel.language import per_language
from signoria.web.drawn import Target, target

ACROSS = frozenset(
    {"milano-parma", "parma-verona", "lucca-ferrara", "siena-bologna", "roma-pistoia", "pistoia-firenze"}
)
"""Roads that lead from left to right; the others lead from top to bottom."""
ENDS = dict(zip(ROAD_IDS, ROADS, strict=True))
"""The two cities of each road."""


class Road(NamedTuple):
    """A road between two cities, and the messenger on it."""

    name: str
    ends: tuple[str, str]
    across: bool
    messenger: int | None
    target: Target | None


def draw_roads(view: View, legal: frozenset[Step], may_act: bool) -> Markup:
    """All roads between cities that are in the game."""
    played = view.with_messengers
    return _draw_roads(
        tuple(
            Road(
                name,
                ENDS[name],
                name in ACROSS,
                view.messengers.get(name),
                target(Messenger(ENDS[name]), legal, may_act and played),
            )
            for name in view.roads
        ),
        view.asked == "messenger" and view.turn == view.seat,
        played,
    )


@per_language(1024)
def _draw_roads(roads: tuple[Road, ...], asked: bool, played: bool) -> Markup:
    return Markup(page().roads(roads, asked, played))
