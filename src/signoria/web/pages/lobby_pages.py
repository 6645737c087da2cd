"""The lobby, lists of tables, and the form that opens one."""

from collections.abc import Iterable

from markupsafe import Markup

from signoria.web import models
from signoria.web.board import Board, boards
from signoria.web.kit.skyline import skyline
from signoria.web.kit.sprite import sprite, symbols
from signoria.web.pages.frame import draw_page, draw_page_of, template


def lobby(model: models.Lobby, public: str | None = None) -> str:
    """The lobby; its public part may have been rendered before."""
    shown = boards().values()
    fragment = Markup(lobby_own(model) + (public or lobby_public(model)))
    drawings = sprite(symbols("common", "stonework"), *(board.frieze_symbols() for board in shown))
    seen = {"title": _lobby_title(model), "fragment": fragment, "symbols": drawings}
    return draw_page("lobby_page.html", "lobby", model, shown, **seen)


def lobby_fragment(model: models.Lobby) -> str:
    """`<main id="lobby">`, as used in the page and in live messages."""
    return lobby_own(model) + lobby_public(model)


def lobby_own(model: models.Lobby) -> str:
    """The first part of the lobby, for its viewer."""
    return template("lobby.html").render(
        page=model, title=_lobby_title(model), skyline=skyline(), pitches=_pitches(boards().values())
    )


def _pitches(games: Iterable[Board]) -> str:
    """What players do in each game, in sentences."""
    return "".join(f"{board.say(board.pitch, game=board.title)} " for board in games if board.pitch)


def lobby_public(model: models.PublicTables | models.Lobby) -> str:
    """The rest of the lobby, with the public tables."""
    return template("lobby_public.html").render(page=model)


def _lobby_title(model: models.Lobby) -> str:
    waiting = sum(line.my_turn for line in model.mine)
    return f"({waiting}) Signoria" if waiting else "Signoria"


def tables(model: models.TablesPage) -> str:
    """Tables of one kind."""
    return draw_page("tables.html", "tables", model, boards().values())


def new_table(model: models.NewTable) -> str:
    """The form that opens a table."""
    return draw_page_of(model.game.name, "new_table.html", "new", model)
