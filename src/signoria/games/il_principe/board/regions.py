"""Regions and cities on the map: crests in heaps, what each heap would score, cities and their founders."""

from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.board.words import region_label
from signoria.games.il_principe.rulebook.components import CITY_IDS, REGION_IDS
from signoria.games.il_principe.rulebook.steps import Crest, Step
from signoria.games.il_principe.view import View
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


def draw_regions(view: View, legal: frozenset[Step], may_act: bool) -> Markup:
    """All regions with their crests."""
    seats = range(len(view.players))
    return _draw_regions(
        tuple(
            _region(
                region,
                tuple(view.players[seat].crests.get(region, 0) for seat in seats),
                view.majorities[region],
                target(Crest(region), legal, may_act and view.asked == "crest"),
            )
            for region in REGION_IDS
        )
    )


def _region(region: str, crests: tuple[int, ...], points: tuple[int, ...], target: Target | None) -> Region:
    heaps = sorted((Heap(seat, count) for seat, count in enumerate(crests) if count), key=lambda heap: -heap.crests)
    ranks = tuple(Rank(worth, tuple(same)) for worth, same in groupby(heaps, lambda heap: points[heap.seat]))
    return Region(region, region_label(region, crests, points), ranks, target)


@lru_cache(1024)
def _draw_regions(regions: tuple[Region, ...]) -> Markup:
    return Markup(page().regions(regions))


def draw_towns(view: View) -> Markup:
    """The fifteen cities on the map, and who founded them."""
    return _draw_towns(
        tuple((city, view.founded.get(city), city in view.cities, city == view.founding) for city in CITY_IDS)
    )


@lru_cache(1024)
def _draw_towns(towns: tuple[tuple[str, int | None, bool, bool], ...]) -> Markup:
    return Markup(page().towns(towns))
