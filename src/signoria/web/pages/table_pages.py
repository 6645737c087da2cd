"""Pages of a table: the game, its log and replays, and explanations of what is on it."""

from collections.abc import Iterable
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from markupsafe import Markup, escape

from signoria.kernel.language import per_language, say
from signoria.web import ending, models
from signoria.web.board import Board, boards, find_board
from signoria.web.environment import macros
from signoria.web.help import find_topic
from signoria.web.kit.sprite import sprite, symbols, use
from signoria.web.log import Sitting, draw_log, people, seat_mark, sitting
from signoria.web.moves import encode_moves
from signoria.web.pages.frame import draw_page_of, parts, template

COACH = 'id="d-p-elder"'
"""The symbol of the coach in a guided game."""


def table(model: models.TablePage) -> str:
    """A table's whole page."""
    game = model.game.name
    fragment, drawings = Markup(table_fragment(model)), find_board(game).symbols()
    if model.lesson and COACH not in drawings:
        drawings += sprite(symbols("coach"))
    seen = {"title": _title(model), "fragment": fragment, "symbols": drawings}
    return draw_page_of(game, "table_page.html", "table", model, **seen)


def table_fragment(model: models.TablePage) -> str:
    """`<main id="table">`, as used in the page and in live messages."""
    board = find_board(model.game.name)
    shown = model.seat is not None and model.hand_over is None and model.view is not None
    may_act = model.state == "playing" and shown and not model.stood_in
    who = sitting(model.game.name, model.seats)
    drawn = board.draw_table(model, may_act) if model.view is not None else None
    if drawn and model.state == "playing" and (moved := board.last_moved(model.lately)):
        drawn = drawn._replace(board=Markup(_marked(drawn.board, moved, "data-last")))
    page = template("table.html").render(
        page=model,
        board=board,
        title=_title(model),
        mine=may_act and not model.past and model.turn == model.seat and not (model.early and model.early.chosen),
        to_choose=_has_to_choose(model),
        does=partial(_does, model),
        post=partial(_post, model.id),
        seat_mark=partial(seat_mark, who),
        may_act=may_act,
        hint=board.hint(model.view) if may_act and not (model.past or model.lesson) else None,
        drawn=drawn,
        moves=_moves(board, model),
        **_scenes(model, model.state == "playing"),
        choices=_choices(model.choices),
        empty=any(seat.kind == "empty" for seat in model.seats),
        **_result(model, people(model.game.name, model.seats)),
        log=draw_log(model.log, who, model.kept),
        chat=_joined(_said(message, who, model.id) for message in reversed(model.chat)),
        seat_head=_seat_head,
        block_offer=_lines().block_offer,
    )
    return page if model.lesson is None else _pointed_at(page, model.lesson)


def _own_names(model: models.TablePage | models.Replay) -> tuple[str, ...]:
    return tuple([seat.name for seat in model.seats])


def _marked(drawn: str, ids: Iterable[str], attribute: str) -> str:
    """The same HTML with this attribute at these ids: `data-taught` if the coach speaks of them, `data-last` if they moved last."""
    drawn = str(drawn)  # `Markup` would escape the attribute
    for name in ids:
        drawn = drawn.replace(f'id="{name}"', f'id="{name}" {attribute}', 1)
    return drawn


def _scenes(model: models.TablePage | models.Replay, shown: bool) -> dict[str, str]:
    """Recent events in detail, drawn and in sentences."""
    if not shown or not model.lately:
        return {"scenes": "", "told": ""}
    board, who = find_board(model.game.name), people(model.game.name, model.seats)
    drawn, told = board.scenes(model.lately, model.view, who), board.tell_scenes(model.lately, who)
    if model.recap:
        drawn = board.recap(model.recap, model.view, who) + drawn
        told = f"{board.tell_recap(model.recap, model.view, who)} {told}".strip()
    return {"scenes": drawn, "told": told}


def _pointed_at(drawn: str, lesson: models.LessonModel) -> str:
    """The same HTML with the elements marked that the coach highlights, and numbered those that it introduces."""
    drawn = _marked(drawn, lesson.at, "data-taught")
    for number, (name, _) in enumerate(lesson.tour, 1):
        drawn = _marked(drawn, (name,), f'data-tour="{number}"')
    return drawn


def _moves(board: Board, model: models.TablePage) -> Markup:
    """What the last steps moved, for `motion.js`."""
    return encode_moves(() if model.view is None else board.moves(model.view, model.recent))


def _title(model: models.TablePage) -> str:
    answered = model.early is not None and bool(model.early.chosen)
    mine = model.state == "playing" and model.turn in model.my_seats and not (model.stood_in or model.past or answered)
    asked = say("Your turn") if mine else say("Choose now") if _has_to_choose(model) else ""
    return f"{f'● {asked} · ' if asked else ''}{model.game.title} · Signoria"


def _has_to_choose(model: models.TablePage) -> bool:
    """Whether everyone chooses at the same time, and this viewer has not chosen yet although it is not their turn."""
    return model.early is not None and not model.early.chosen


def _result(model: models.TablePage, who: tuple[str, ...]) -> dict[str, Any]:
    """Who won and why, everyone's points as bars, and the chart."""
    outcome = model.sheet.outcome if model.sheet else None
    if model.state != "over" or model.sheet is None or outcome is None:
        return {"result": say("The game is over."), "why": "", "bars": (), "chart": "", "end_map": ""}
    return {
        **ending.winners(model.sheet.scores, outcome, sitting(model.game.name, model.seats)),
        "bars": ending.bars(model.sheet.scores, model.seats),
        "chart": ending.chart(model, who),
        "end_map": find_board(model.game.name).end_map(model.view),
    }


@per_language()
def _lines() -> Any:
    return macros("lines.html", parts=parts())


def _joined(drawn: Iterable[Markup]) -> Markup:
    return Markup("".join(drawn))


@lru_cache(4096)
def _post(table: str, to: str) -> Markup:
    """The attributes of a form that acts on a table. Not a macro of the template: a macro and the values that it can use
    refer to each other, so a whole page would stay in memory until the garbage collector finds it.
    """
    address = escape(f"/tables/{table}/{to}")
    return Markup(f'method="post" action="{address}" hx-post="{address}"')


@per_language(2048)
def _choices(choices: tuple[models.ChoiceModel, ...]) -> Markup:
    """Legal steps as buttons with text."""
    return Markup(_lines().choices(choices))


@per_language(2048)
def _said(message: models.ChatLine, who: Sitting, table: str) -> Markup:
    whose = Markup() if message.seat is None else seat_mark(who, message.seat)
    return Markup(_lines().said(message, whose, table))


@per_language(8192)
def _seat_head(seat: models.SeatModel, game: str, does: str, own: bool, stand_in: str) -> Markup:
    return Markup(_lines().seat_head(seat, game, does, own, stand_in))


def _does(model: models.TablePage, seat: int) -> str:
    """What a seat has to do now, in two words; empty if it waits."""
    if model.choosing:
        return say("to choose") if seat in model.choosing else say("has chosen")
    return say("to move") if seat == model.turn else ""


def invited(model: models.TablePage, secret: str, host: str) -> str:
    """The page of an invite link: who invites to which game, and the free seats."""
    return draw_page_of(model.game.name, "invited.html", "invited", model, secret=secret, host=host)


def log_page(model: models.LogPage) -> str:
    """All public events of a table."""
    game = model.game.name
    return draw_page_of(game, "log_page.html", "whole-log", model, who=sitting(game, model.seats))


def replay(model: models.Replay) -> str:
    """A finished game at one of its positions."""
    eyes = f"?seat={'open' if model.open else 'none' if model.seat is None else model.seat}"
    board = find_board(model.game.name)
    drawn, told = (
        board.draw(model.view, False, _own_names(model)),
        dict.fromkeys(chain(*map(board.places, model.events))),
    )
    chart = ending.chart(model, people(board.name, model.seats), eyes, model.n)
    seen = {
        "who": sitting(board.name, model.seats),
        "drawn": drawn._replace(board=Markup(_marked(drawn.board, told, "data-about"))),
        "symbols": board.symbols(),
        "eyes": eyes,
        "chart": chart,
    }
    return draw_page_of(board.name, "replay.html", "replay", model, **seen, **_scenes(model, True))


def embed(model: models.Replay) -> str:
    """A position of a finished game for pages of other sites."""
    board = find_board(model.game.name)
    return template("embed.html").render(
        page=model,
        board=board,
        seat_styles=board.seat_styles,
        who=sitting(board.name, model.seats),
        drawn=board.draw(model.view, False, _own_names(model)),
        symbols=board.symbols(),
    )


def check(model: models.Check) -> str:
    """The check of a finished game's fair shuffle."""
    return draw_page_of(model.game.name, "check.html", "check", model)


def large_card(game: str, card: str) -> str | None:
    """An enlarged card with its explanation; None if there is no such card."""
    return boards()[game].large(card) if game in boards() else None


@per_language()
def _topics() -> Any:
    return macros("help_topics.html", use=use, clause=parts().clause)


def help_topic(game: str, view: Any, element: str) -> str | None:
    """The explanation of one element of a table; None if it has none."""
    board = find_board(game)
    topic = find_topic(board.topics(view), board.topic_key(element))
    return topic and str(_topics().topic(topic))


def help_topics(game: str, view: Any, element: str = "", level: str = "h3") -> str:
    """Explanations of everything on a table under headings of this level; that of an element is open."""
    board = find_board(game)
    topics = board.topics(view)
    found = find_topic(topics, board.topic_key(element))
    groups = {topic.group: [one for one in topics if one.group == topic.group] for topic in topics}
    return str(_topics().list(groups.items(), found.key if found else None, level))


def help_page(model: models.HelpPage) -> str:
    """The same as a page of its own, for browsers without scripts."""
    game = model.game.name
    topics = Markup(help_topics(game, model.view, level="h2"))
    return draw_page_of(game, "help_page.html", "help", model, topics=topics, symbols=find_board(game).symbols())
