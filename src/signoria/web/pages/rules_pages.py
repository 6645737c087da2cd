"""Pages of the rules, and the score calculator."""

from typing import NamedTuple

from signoria.games import find_game
from signoria.kernel.calculator import title_of
from signoria.kernel.language import ENGLISH, LANGUAGES, language, say
from signoria.web import ending, models
from signoria.web import rules as told_rules
from signoria.web.board import find_board
from signoria.web.log import sitting
from signoria.web.pages.frame import draw_page_of, template
from signoria.web.printing.documents import KINDS, can_print, printable


def rules(model: models.RulesPage) -> str:
    """The game for new players on one page; all rules for a game that has no such page."""
    board = find_board(model.game.name)
    told = board.told()
    if not told:
        return full_rules(model)
    own_table = _own_table(board.name)
    return draw_page_of(board.name, "rules.html", "rules", model, told=told, own_table=own_table, beside=None)


class OwnTable(NamedTuple):
    """What there is for a game at a physical table: a score calculator, and documents to print in a language."""

    calculator: bool
    prints: list[tuple[str, str]]
    language: str


def _own_table(game: str) -> OwnTable:
    kinds = [(kind, say(KINDS[kind])) for kind in printable(game)] if can_print() else []
    spoken = language()
    known = spoken if spoken in LANGUAGES else ENGLISH
    return OwnTable(find_game(game).calculator is not None, kinds, known)


def calculator(model: models.CalculatorPage) -> str:
    """The score calculator of a game."""
    game, who = model.game.name, sitting(model.game.name, model.seats)
    told = {"result": "", "why": ""}
    if model.sheet and model.sheet.outcome:
        told = ending.winners(model.sheet.scores, model.sheet.outcome, who)
    seen = {
        "label": lambda entry: title_of(entry, who.names),
        "wrong_fields": {fault.field for fault in model.faults},
        "filled": {name for name, text in model.given.items() if text},
    }
    return draw_page_of(game, "calculator.html", "calculator", model, **told, **seen)


def full_rules(model: models.RulesPage) -> str:
    """All clauses of a game with examples."""
    board = find_board(model.game.name)
    seen = {"sections": told_rules.parts_of(board), "drawn": told_rules.draw_clauses(board, False)}
    return draw_page_of(
        board.name, "rules_full.html", "rules", model, own_table=_own_table(board.name), beside=None, **seen
    )


def rulings(model: models.RulesPage) -> str:
    """What the rulebooks leave open, and how we play it."""
    board = find_board(model.game.name)
    return draw_page_of(board.name, "rulings.html", "rules", model, drawn=told_rules.draw_rulings(board), beside=None)


def rules_search(model: models.RulesSearch) -> str:
    """Clauses and rulings with some words."""
    return draw_page_of(model.game.name, "rules_search.html", "rules", model, beside=None)


def clauses(game: str) -> str:
    """The clauses of a game, to be shown beside a table, with the drawings and style sheets that their examples need."""
    board = find_board(game)
    styles = ("drawn.css", *board.rules_styles, *board.seat_styles, "rules.css")
    seen = {"board": board, "styles": styles, "drawn": told_rules.draw_clauses(board, True)}
    return template("clauses.html").render(**seen)
