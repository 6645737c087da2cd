"""What is drawn: every symbol is there, everything keeps its name, and who leads a tower is seen."""

import re
from functools import cache
from itertools import pairwise
from math import hypot
from typing import Any

import pytest

from signoria.games.il_principe.board.map import HEIGHT, MAP, TERRITORIES, border
from signoria.games.patrician.board.words import Lead, lead
from signoria.il_principe.components import standard
from signoria.web import environment, pages
from signoria.web.kit.ink import path, pen, spline
from signoria.web.kit.numerals import roman
from signoria.web.kit.sprite import DRAWINGS
from tests.web.making import lobby, page, random_game
from tests.web.reading import Reader

USED = re.compile(r'href="#(d-[a-z0-9-]+)"')
DRAWN = re.compile(r'<(?:symbol|clipPath|path) id="(d-[a-z0-9-]+)"')
BOTH = {"players": 5, "messengers": True, "ambassadors": True}


@cache
def shown(name: str) -> tuple[str, ...]:
    """Fragments of whole games: the seat's that is asked with all that a game can have, and one of two players."""
    most: dict[str, Any] = BOTH if name == "patrician" else {"players": 5}
    turns = [pages.table_fragment(page(table, table.turn)) for table in random_game(name, most, 4)]
    return (*turns, *[pages.table_fragment(page(table, 0)) for table in random_game(name, {"players": 2}, 4)])


@pytest.mark.parametrize("name", pages.SYMBOLS)
def test_every_symbol_that_is_used_is_drawn_once(name: str) -> None:
    for whole in (pages.lobby(lobby()), str(pages.SYMBOLS[name]()) + "".join(shown(name))):
        drawn = DRAWN.findall(whole)
        assert len(set(drawn)) == len(drawn)
        assert set(USED.findall(whole)) <= set(drawn)


@pytest.mark.parametrize("name", pages.SYMBOLS)
def test_every_symbol_that_is_drawn_is_used(name: str) -> None:
    drawings, styles = str(pages.SYMBOLS[name]()), (environment.STATIC / f"{name}.css").read_text()
    used = set(USED.findall("".join(shown(name)) + drawings))
    used |= set(re.findall(r'url\("?#(d-[a-z-]+)"?\)', styles + drawings))
    assert set(DRAWN.findall(drawings)) <= used


@pytest.mark.parametrize("name", pages.SYMBOLS)
def test_symbols_stand_outside_of_what_is_morphed(name: str) -> None:
    assert "<symbol" not in shown(name)[-1]
    assert Reader(str(pages.SYMBOLS[name]())).faults == []


def test_drawings_take_their_colours_from_the_style_sheets() -> None:
    named = set(re.findall(r"(--[a-z0-9-]+):", "".join(path.read_text() for path in environment.STATIC.glob("*.css"))))
    for file in DRAWINGS.iterdir():
        assert not re.search(r"#[0-9a-f]{3,8}\"", file.read_text()), f"{file.name} has a colour of its own"
        assert set(re.findall(r"var\((--[a-z0-9-]+)", file.read_text())) <= named


def test_floors_cards_and_tokens_keep_their_names_from_step_to_step() -> None:
    shown = [pages.table_fragment(page(table, 0)) for table in random_game("patrician", BOTH, 6)]
    for before, after in pairwise(shown):
        old, new = (set(re.findall(r'id="(floor-[a-z]+-[01]-\d+)"', fragment)) for fragment in (before, after))
        assert len(old ^ new) <= 2
        assert set(re.findall(r'id="(token-[a-z-]+)"', before)) == set(re.findall(r'id="(token-[a-z-]+)"', after))
        laid, lies = (set(re.findall(r'id="(card-[a-z]+-\d)"', fragment)) for fragment in (before, after))
        assert len(laid ^ lies) <= 4


@pytest.mark.parametrize(
    ("tower", "leads"), [((1,), Lead(1, 1)), ((0, 0, 1), Lead(0, 1)), ((0, 1), Lead(1, 0)), ((2, 2, 2, 1), Lead(2, 2))]
)
def test_how_far_somebody_leads_a_tower(tower: tuple[int, ...], leads: Lead) -> None:
    assert lead(tower, leads.seat) == leads


def test_numerals_of_the_cities() -> None:
    assert [roman(floors) for floors in (4, 5, 7, 9, 10)] == ["IV", "V", "VII", "IX", "X"]


def test_the_pen_draws_closed_shapes_through_its_points() -> None:
    points = ((0.0, 0.0), (10.0, 5.0), (20.0, 0.0))
    assert set(points) <= set(spline(points))
    assert pen(points, 2).startswith("M")
    assert pen(points, 2).endswith("z")
    assert path(((1, 2), (4, 6), (4, 6), (3, 6))) == "M1 2l3 4l-1 0"


def test_fonts_are_small_and_bring_their_licences() -> None:
    fonts = environment.STATIC / "fonts"
    named = set(re.findall(r'url\("/static/(fonts/[^"?]+)', (environment.STATIC / "app.css").read_text()))
    assert named == {f"fonts/{font.name}" for font in fonts.glob("*.woff2")}
    assert all(font.stat().st_size < 25_000 for font in fonts.glob("*.woff2"))
    for family in ("alegreya", "della-respira"):
        assert "SIL Open Font License, Version 1.1" in (fonts / f"LICENSE-{family}").read_text()


def test_the_star_is_drawn_only_where_it_means_something() -> None:
    for messengers in (True, False):
        shown = "".join(
            pages.table_fragment(page(table, table.turn))
            for table in random_game("patrician", {"players": 2, "messengers": messengers}, 4)
        )
        assert ("#d-star" in shown) == ("★" in shown) == messengers


def test_cities_lie_at_the_regions_that_they_touch() -> None:
    """Those of one region lie in it; the others where the borders of all their regions are near."""
    styles = (environment.STATIC / "il-principe.css").read_text()
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


def test_crests_buildings_and_cities_keep_their_names_from_step_to_step() -> None:
    fragments = [pages.table_fragment(page(table, 0)) for table in random_game("il-principe", {"players": 4}, 6)]
    for before, after in pairwise(fragments):
        for kind, most in (("crest-[0-4]-[a-z]+-", 1), ("town-[a-z]+", 0), ("score-[0-4]", 0), ("city-[a-z]+", 2)):
            old, new = (set(re.findall(rf'id="({kind}\d*)"', fragment)) for fragment in (before, after))
            assert len(old ^ new) <= most
