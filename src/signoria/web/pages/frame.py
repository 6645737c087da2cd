"""What all pages share: the frame around them, and the names that their templates can use."""

from collections.abc import Iterable
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from signoria.kernel.language import per_language
from signoria.web import ending, models
from signoria.web.board import Board, boards, find_board
from signoria.web.cited import cited
from signoria.web.environment import environment, macros
from signoria.web.files import static_url
from signoria.web.kit.laurel import laurel
from signoria.web.kit.sprite import use
from signoria.web.log import draw_line, named
from signoria.web.script_texts import script_texts


def _marks(game: str) -> tuple[str, ...]:
    return find_board(game).marks


@per_language()
def parts() -> Any:
    """Macros that many templates use."""
    return macros("parts.html", **_shared())


def _shared() -> dict[str, Any]:
    """Names that all templates can use: addresses of files, and the boards of the games."""
    drawings = {"boards": boards, "board_of": find_board, "marks": _marks}
    drawings |= {"static_url": static_url, "item": ending.item, "score_rows": ending.rows}
    return drawings | {"script_texts": script_texts, "cited": cited}


@per_language()
def _known() -> dict[str, Any]:
    """Names that templates of pages can use, in addition to their model."""
    return _shared() | {
        "parts": parts(),
        "laurel": laurel(),
        "log_line": draw_line,
        "named": named,
        "lines": table_lines().lines,
        "settings": _settings,
    }


@per_language()
def template(name: str) -> Template:
    """A template of a page, compiled once."""
    found = environment().get_template(name, globals=_known())
    found.globals = dict(found.globals)  # Jinja chains two dicts, which every rendering would copy name by name
    return found


def draw_page(name: str, main: str, page: models.Page, shown: Iterable[Board] = (), **more: Any) -> str:
    """A whole page; `shown` are the boards of games whose seats it shows, `beside` is the game whose rules open beside it."""
    seen = {"beside": None, "seat_styles": [style for board in shown for style in board.seat_styles]}
    return template(name).render(page=page, main=main, **seen | more)


def draw_page_of(game: str, name: str, main: str, page: models.Page, **more: Any) -> str:
    """A page of one game."""
    board = find_board(game)
    return draw_page(name, main, page, (board,), **{"board": board, "beside": board, **more})


@per_language(1024)
def _table_line(line: models.TableLine, kind: str) -> Markup:
    return Markup(table_lines().line(line, kind))


@per_language()
def table_lines() -> Any:
    """Macros that draw lists of tables."""
    return macros("table_lines.html", parts=parts(), table_line=_table_line)


@per_language(2048)
def _settings(table: str, plays: bool, seat: int | None, viewer: models.Viewer | None) -> Markup:
    drawn = macros("settings.html", parts=parts(), gear=use("gear", "gear"))
    return Markup(drawn.settings(table, plays, seat, viewer))
