"""Drawings: every symbol is defined once and used, and colours come from style sheets."""

import re
from functools import cache
from typing import Any

import pytest

from signoria.games import GAMES
from signoria.web import pages
from signoria.web.board import boards, find_board
from signoria.web.files import STATIC, static_file
from signoria.web.kit.ink import path, pen, spline
from signoria.web.kit.numerals import roman
from signoria.web.kit.sprite import DRAWINGS
from tests.web.html_reader import Reader
from tests.web.page_models import lobby, page, random_game

USED = re.compile(r'href="#(d-[a-z0-9-]+)"')
DRAWN = re.compile(r'<(?:symbol|clipPath|path) id="(d-[a-z0-9-]+)"')
BOTH = {"players": 5, "messengers": True, "ambassadors": True}


@cache
def shown(name: str) -> tuple[str, ...]:
    """Fragments of whole games: one with all options, seen by the player in turn, and one with two players."""
    most: dict[str, Any] = BOTH if name == "patrician" else {"players": 5}
    turns = [pages.table_fragment(page(table, table.turn)) for table in random_game(name, most, 4)]
    return (*turns, *[pages.table_fragment(page(table, 0)) for table in random_game(name, {"players": 2}, 4)])


@pytest.mark.parametrize("name", GAMES)
def test_every_symbol_that_is_used_is_drawn_once(name: str) -> None:
    for whole in (pages.lobby(lobby()), str(find_board(name).symbols()) + "".join(shown(name))):
        drawn = DRAWN.findall(whole)
        assert len(set(drawn)) == len(drawn)
        assert set(USED.findall(whole)) <= set(drawn)


@pytest.mark.parametrize("name", GAMES)
def test_every_symbol_that_is_drawn_is_used(name: str) -> None:
    drawings = str(find_board(name).symbols())
    styles = "".join(file.read_text() for style in find_board(name).styles if (file := static_file(style)))
    used = set(USED.findall("".join(shown(name)) + drawings))
    used |= set(re.findall(r'url\("?#(d-[a-z-]+)"?\)', styles + drawings))
    assert set(DRAWN.findall(drawings)) <= used


@pytest.mark.parametrize("name", GAMES)
def test_symbols_are_outside_the_parts_that_are_morphed(name: str) -> None:
    assert "<symbol" not in shown(name)[-1]
    assert Reader(str(find_board(name).symbols())).faults == []


def test_drawings_take_their_colours_from_the_style_sheets() -> None:
    folders = [board.static for board in boards().values() if board.static]
    styles = "".join(path.read_text() for folder in (STATIC, *folders) for path in folder.glob("*.css"))
    named = set(re.findall(r"(--[a-z0-9-]+):", styles))
    own = [file for folder in folders for file in (folder.parent / "drawings").iterdir()]
    for file in (*DRAWINGS.iterdir(), *own):
        assert not re.search(r"#[0-9a-f]{3,8}\"", file.read_text()), f"{file.name} has a colour of its own"
        assert set(re.findall(r"var\((--[a-z0-9-]+)", file.read_text())) <= named


def test_roman_numerals() -> None:
    assert [roman(floors) for floors in (4, 5, 7, 9, 10)] == ["IV", "V", "VII", "IX", "X"]


def test_pen_draws_closed_shapes_through_its_points() -> None:
    points = ((0.0, 0.0), (10.0, 5.0), (20.0, 0.0))
    assert set(points) <= set(spline(points))
    assert pen(points, 2).startswith("M")
    assert pen(points, 2).endswith("z")
    assert path(((1, 2), (4, 6), (4, 6), (3, 6))) == "M1 2l3 4l-1 0"


def test_fonts_are_small_and_include_their_licences() -> None:
    fonts = STATIC / "fonts"
    named = set(re.findall(r'url\("/static/(fonts/[^"?]+)', (STATIC / "app.css").read_text()))
    assert named == {f"fonts/{font.name}" for font in fonts.glob("*.woff2")}
    assert all(font.stat().st_size < 25_000 for font in fonts.glob("*.woff2"))
    for family in ("alegreya", "della-respira"):
        assert "SIL Open Font License, Version 1.1" in (fonts / f"LICENSE-{family}").read_text()
