"""Regions and cities on the map: crests in heaps, what each heap would score, cities and their founders."""

from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.board.words import region_label
from signoria.games.il_principe.rulebook.components import CITY_IDS, REGION_IDS
from signoria.games.il_principe.rulebook.steps import Crest, Step
from signoria.games.il_principe.view import View
from signoria.games.il_principe.words.effects import tell_crests, tell_next_crest
from signoria.kernel.language import per_language
from signoria.web.drawn import Target, target


class Heap(NamedTuple):
    """A family's crests in a region."""

    seat: int
    crests: int


class Rank(NamedTuple):
    """Heaps that would score the same."""

    points: int
    heaps: tuple[Heap, ...]


class Region(NamedTuple):
    """A region as it is drawn: heaps in the order of majorities."""

    id: str
    label: str
    ranks: tuple[Rank, ...]
    target: Target | None
    effect: str
    """What crests of the viewer would change here; empty if none can be placed."""
    gain: str
    """What the next one would change for the viewer; empty if nothing."""


def draw_regions(view: View, legal: frozenset[Step], may_act: bool) -> Markup:
    """All regions with their crests."""
    effects, gains = tell_crests(view), tell_next_crest(view)
    regions = []
    for region in REGION_IDS:
        crests = tuple(player.crests.get(region, 0) for player in view.players)
        points = view.majorities[region]
        place = target(Crest(region), legal, may_act and view.asked == "crest")
        told = effects.get(region, ""), gains.get(region, "")
        regions.append(Region(region, region_label(region, crests, points), _ranks(crests, points), place, *told))
    return _draw_regions(tuple(regions))


def _ranks(crests: tuple[int, ...], points: tuple[int, ...]) -> tuple[Rank, ...]:
    heaps = sorted((Heap(seat, count) for seat, count in enumerate(crests) if count), key=lambda heap: -heap.crests)
    return tuple(Rank(worth, tuple(same)) for worth, same in groupby(heaps, lambda heap: points[heap.seat]))


@per_language(1024)
def _draw_regions(regions: tuple[Region, ...]) -> Markup:
    return Markup(page().regions(regions))


def draw_towns(view: View) -> Markup:
    """The fifteen cities on the map, and who founded them."""
    return _draw_towns(
        tuple((city, view.founded.get(city), city in view.cities, city == view.founding) for city in CITY_IDS)
    )


@per_language(1024)
def _draw_towns(towns: tuple[tuple[str, int | None, bool, bool], ...]) -> Markup:
    return Markup(page().towns(towns))
