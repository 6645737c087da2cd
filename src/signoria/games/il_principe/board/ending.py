"""The end of Il Principe on a small map: who scored what, region by region."""

from typing import NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.board.words import region_label
from signoria.games.il_principe.rulebook.components import REGION_IDS
from signoria.games.il_principe.view import View
from signoria.kernel.language import apart, per_language

MIDDLES = {
    "blue": (200, 118),
    "yellow": (446, 88),
    "green": (268, 240),
    "violet": (450, 272),
    "white": (580, 446),
    "red": (342, 504),
}
"""Positions of the regions' names; families that scored are drawn below."""
ROW, WIDE, HIGH = 2, 80, 50
"""Families per row, and the width and height of each."""


class Scored(NamedTuple):
    """A family that scored in a region, and where it is drawn."""

    seat: int
    points: int
    x: float
    y: float


class Told(NamedTuple):
    """A region on the final map."""

    id: str
    x: int
    y: int
    scored: tuple[Scored, ...]


def draw_end(view: View) -> Markup:
    """Each region with the families that scored there (I40)."""
    regions = tuple((region, view.majorities[region]) for region in REGION_IDS)
    crests = tuple(tuple(player.crests.get(region, 0) for player in view.players) for region in REGION_IDS)
    return _draw_end(regions, crests)


@per_language(256)
def _draw_end(regions: tuple[tuple[str, tuple[int, ...]], ...], crests: tuple[tuple[int, ...], ...]) -> Markup:
    says = apart(region_label(region, own, points) for (region, points), own in zip(regions, crests, strict=True))
    return Markup(page().end_map([_told(region, points) for region, points in regions], says))


def _told(region: str, points: tuple[int, ...]) -> Told:
    x, y = MIDDLES[region]
    best = sorted((seat for seat, won in enumerate(points) if won), key=lambda seat: -points[seat])
    scored = []
    for place, seat in enumerate(best):
        row, column = divmod(place, ROW)
        beside = min(ROW, len(best) - row * ROW)
        scored.append(Scored(seat, points[seat], x + WIDE * (column - beside / 2), y + 8 + HIGH * row))
    return Told(region, x, y, tuple(scored))
