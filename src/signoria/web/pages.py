"""One function per page, from a model to HTML."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from signoria.kernel.words import counted
from signoria.web import ending, models
from signoria.web import rules as clauses_told
from signoria.web.board import Board, boards, find_board
from signoria.web.environment import ENVIRONMENT, macros
from signoria.web.files import static_url
from signoria.web.kit.laurel import laurel
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols
from signoria.web.log import draw_line, draw_log, named, people, sitting
from signoria.web.moves import encode_moves

__all__ = [
    "account",
    "check",
    "invited",
    "large_card",
    "lobby",
    "lobby_fragment",
    "lobby_own",
    "lobby_public",
    "log_page",
    "new_table",
    "programs",
    "ratings",
    "replay",
    "rules",
    "sign_in",
    "static_url",
    "table",
    "table_fragment",
    "tables",
    "wrong",
]

COACH = 'id="d-p-elder"'
"""The symbol of the coach in a guided game."""


def _marks(game: str) -> tuple[str, ...]:
    return find_board(game).marks


@cache
def _parts() -> Any:
    return macros("parts.html", **_shared())


def _shared() -> dict[str, Any]:
    """Names that all templates can use: addresses of files, and the boards of the games."""
    drawings = {"boards": boards, "board_of": find_board, "marks": _marks}
    return drawings | {"static_url": static_url, "item": ending.item, "score_rows": ending.rows}


@cache
def _known() -> dict[str, Any]:
    """Names that templates of pages can use, in addition to their model."""
    return _shared() | {
        "parts": _parts(),
        "laurel": laurel(),
        "log_line": draw_line,
        "named": named,
        "lines": _table_lines().lines,
        "settings": macros("settings.html", parts=_parts()).settings,
    }


@cache
def _template(name: str) -> Template:
    """A template of a page, compiled once."""
    return ENVIRONMENT.get_template(name, globals=_known())


def _page(name: str, main: str, page: models.Page, shown: Iterable[Board] = (), **more: Any) -> str:
    """A whole page; `shown` are the boards of games whose seats it shows."""
    seat_styles = [style for board in shown for style in board.seat_styles]
    return _template(name).render(page=page, main=main, seat_styles=seat_styles, **more)


def _page_of(game: str, name: str, main: str, page: models.Page, **more: Any) -> str:
    """A page of one game."""
    board = find_board(game)
    return _page(name, main, page, (board,), board=board, **more)


# The lobby


def lobby(model: models.Lobby, public: str | None = None) -> str:
    """The lobby; its public part may have been rendered before."""
    shown = boards().values()
    fragment = Markup(lobby_own(model) + (public or lobby_public(model)))
    drawings = sprite(symbols("common", "stonework"), *(board.frieze_symbols() for board in shown))
    seen = {"title": _lobby_title(model), "fragment": fragment, "symbols": drawings}
    return _page("lobby_page.html", "lobby", model, shown, **seen)


def lobby_fragment(model: models.Lobby) -> str:
    """`<main id="lobby">`, as used in the page and in live messages."""
    return lobby_own(model) + lobby_public(model)


def lobby_own(model: models.Lobby) -> str:
    """The first part of the lobby, for its viewer."""
    return _template("lobby.html").render(
        page=model, title=_lobby_title(model), skyline=skyline(), pitches=_pitches(boards().values())
    )


def _pitches(games: Iterable[Board]) -> str:
    """A sentence: what players do in each game."""
    told = ", in ".join(f"{board.title} you {board.pitch}" for board in games if board.pitch)
    return f"In {told}. " if told else ""


def lobby_public(model: models.PublicTables | models.Lobby) -> str:
    """The rest of the lobby, with the public tables."""
    return _template("lobby_public.html").render(page=model)


@lru_cache(1024)
def _table_line(line: models.TableLine, kind: str) -> Markup:
    return Markup(_table_lines().line(line, kind))


@cache
def _table_lines() -> Any:
    return macros("table_lines.html", parts=_parts(), table_line=_table_line)


def _lobby_title(model: models.Lobby) -> str:
    waiting = sum(line.my_turn for line in model.mine)
    return f"({waiting}) Signoria" if waiting else "Signoria"


def tables(model: models.TablesPage) -> str:
    """Tables of one kind."""
    return _page("tables.html", "tables", model, boards().values())


def new_table(model: models.NewTable) -> str:
    """The form that opens a table."""
    return _page_of(model.game.name, "new_table.html", "new", model)


# A table


def table(model: models.TablePage) -> str:
    """A table's whole page."""
    game = model.game.name
    fragment, drawings = Markup(table_fragment(model)), find_board(game).symbols()
    if model.lesson and COACH not in drawings:
        drawings += sprite(symbols("coach"))
    seen = {"title": _title(model), "fragment": fragment, "symbols": drawings}
    return _page_of(game, "table_page.html", "table", model, **seen)


def table_fragment(model: models.TablePage) -> str:
    """`<main id="table">`, as used in the page and in live messages."""
    board = find_board(model.game.name)
    shown = model.seat is not None and model.hand_over is None and model.view is not None
    may_act = model.state == "playing" and shown and not model.stood_in
    drawn = _template("table.html").render(
        page=model,
        board=board,
        title=_title(model),
        mine=may_act and not model.past and model.turn == model.seat,
        may_act=may_act,
        drawn=board.draw(model.view, may_act) if model.view is not None else None,
        moves=_moves(board, model),
        **_scenes(model, model.state == "playing"),
        choices=model.choices,
        empty=any(seat.kind == "empty" for seat in model.seats),
        **_result(model, people(model.seats)),
        log=draw_log(model.log, sitting(model.game.name, model.seats), model.kept),
        chat=_joined(map(_said, reversed(model.chat))),
        seat_head=_seat_head,
        block_offer=_lines().block_offer,
    )
    return drawn if model.lesson is None else _pointed_at(drawn, model.lesson.at)


def _pointed_at(drawn: str, ids: Iterable[str]) -> str:
    """The same HTML with these ids marked as highlighted by the coach."""
    for name in ids:
        drawn = drawn.replace(f'id="{name}"', f'id="{name}" data-taught', 1)
    return drawn


def _moves(board: Board, model: models.TablePage) -> Markup:
    """What the last steps moved, for `motion.js`."""
    return encode_moves(() if model.view is None else board.moves(model.view, model.recent))


def _scenes(model: models.TablePage | models.Replay, shown: bool) -> dict[str, str]:
    """Recent events in detail, drawn and in sentences."""
    if not shown or not model.lately:
        return {"scenes": "", "told": ""}
    board, who = find_board(model.game.name), people(model.seats)
    return {"scenes": board.scenes(model.lately, model.view, who), "told": board.tell_scenes(model.lately, who)}


def large_card(game: str, card: str) -> str | None:
    """An enlarged card with its explanation; None if there is no such card."""
    return boards()[game].large(card) if game in boards() else None


def invited(model: models.TablePage, secret: str) -> str:
    """The page of an invite link: the free seats of a table."""
    return _page_of(model.game.name, "invited.html", "invited", model, secret=secret)


def _title(model: models.TablePage) -> str:
    mine = model.state == "playing" and model.turn in model.my_seats and not (model.stood_in or model.past)
    return f"{'● Your turn · ' if mine else ''}{model.game.title} · Signoria"


def _result(model: models.TablePage, who: tuple[str, ...]) -> dict[str, Any]:
    """Who won and why, everyone's points as bars, and the chart."""
    outcome = model.sheet.outcome if model.sheet else None
    if model.state != "over" or model.sheet is None or outcome is None:
        return {"result": "The game is over.", "why": "", "bars": (), "chart": "", "end_map": ""}
    winners = [who[seat] for seat in outcome.winners]
    most = counted(model.sheet.scores[outcome.winners[0]].total, "point")
    return {
        "result": f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'} with {most}",
        "why": named(outcome.told, sitting(model.game.name, model.seats)) or f"{outcome.reason}.",
        "bars": ending.bars(model.sheet.scores, model.seats),
        "chart": ending.chart(model, who),
        "end_map": find_board(model.game.name).end_map(model.view),
    }


@cache
def _lines() -> Any:
    return macros("lines.html", parts=_parts())


def _joined(drawn: Iterable[Markup]) -> Markup:
    return Markup("".join(drawn))


@lru_cache(2048)
def _said(message: models.ChatLine) -> Markup:
    return Markup(_lines().said(message))


@lru_cache(8192)
def _seat_head(seat: models.SeatModel, game: str, in_turn: bool, own: bool, stand_in: str) -> Markup:
    return Markup(_lines().seat_head(seat, game, in_turn, own, stand_in))


def log_page(model: models.LogPage) -> str:
    """All public events of a table."""
    game = model.game.name
    return _page_of(game, "log_page.html", "whole-log", model, who=sitting(game, model.seats))


def replay(model: models.Replay) -> str:
    """A finished game at one of its positions."""
    eyes = "?seat=open" if model.open else "" if model.seat is None else f"?seat={model.seat}"
    board = find_board(model.game.name)
    chart = ending.chart(model, people(model.seats), eyes, model.n)
    seen = {
        "who": sitting(board.name, model.seats),
        "drawn": board.draw(model.view, False),
        "symbols": board.symbols(),
        "eyes": eyes,
        "chart": chart,
    }
    return _page_of(board.name, "replay.html", "replay", model, **seen, **_scenes(model, True))


def check(model: models.Check) -> str:
    """The check of a finished game's fair shuffle."""
    return _page_of(model.game.name, "check.html", "check", model)


# People


def account(model: models.Account) -> str:
    """Name, password, tokens, ratings."""
    return _page("account.html", "account", model)


def sign_in(model: models.SignIn) -> str:
    """Name and password."""
    return _page("sign_in.html", "sign-in", model)


def ratings(model: models.Ratings) -> str:
    """The ranking of players."""
    return _page("ratings.html", "ratings", model)


def programs(model: models.ProgramsPage) -> str:
    """The API reference."""
    return _page("programs.html", "programs", model)


# The rest


def rules(model: models.RulesPage) -> str:
    """The clauses of a game."""
    sections = clauses_told.parts(find_board(model.game.name).headings, model.clauses)
    return _page_of(model.game.name, "rules.html", "rules", model, sections=sections)


def wrong(model: models.Wrong) -> str:
    """An error page."""
    return _page("wrong.html", "wrong", model)
