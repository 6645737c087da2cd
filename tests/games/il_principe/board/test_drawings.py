"""Drawings: cities are in their regions, and elements keep their ids."""

import re
from itertools import pairwise
from math import hypot

from signoria.games.il_principe.board import BOARD
from signoria.games.il_principe.board.map import HEIGHT, MAP, TERRITORIES, border
from signoria.games.il_principe.rulebook.components import standard
from signoria.web import pages
from tests.web.page_models import page, random_game


def test_cities_are_drawn_at_their_regions() -> None:
    """Cities of one region lie in it; the others lie near the borders of all their regions."""
    styles = (BOARD.static / "board.css").read_text()
    places = dict(re.findall(r"\.at-([a-z]+) { (left: [\d.]+%; top: [\d.]+%); }", styles))
    for city in standard().cities:
        left, top = map(float, re.findall(r"[\d.]+", places[city.id]))
        x, y = left / 100 * MAP, top / 100 * HEIGHT
        for region in city.regions:
            outline = [point for name in TERRITORIES[region] for point in border(name)]
            nearest = min(hypot(x - bx, y - by) for bx, by in outline)
            assert nearest < 14 or (len(city.regions) == 1 and _inside((x, y), outline)), (city.id, region)


def _inside(point: tuple[float, float], outline: list[tuple[float, float]]) -> bool:
    x, y = point
    crossed = [
        (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax
        for (ax, ay), (bx, by) in pairwise([*outline, outline[0]])
    ]
    return sum(crossed) % 2 == 1


def test_crests_buildings_and_cities_keep_their_element_ids() -> None:
    fragments = [pages.table_fragment(page(table, 0)) for table in random_game("il-principe", {"players": 4}, 6)]
    for before, after in pairwise(fragments):
        for kind, most in (("crest-[0-4]-[a-z]+-", 1), ("town-[a-z]+", 0), ("score-[0-4]", 0), ("city-[a-z]+", 2)):
            old, new = (set(re.findall(rf'id="({kind}\d*)"', fragment)) for fragment in (before, after))
            assert len(old ^ new) <= most
