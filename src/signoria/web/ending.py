"""The end of a game: who won, the score sheet part by part, bars, and the chart of points."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from signoria.kernel.language import all_of, labelled, per_language, say_count
from signoria.kernel.scores import Outcome, Score, ScoreItem, ScorePart
from signoria.web import models
from signoria.web.board import find_board
from signoria.web.kit.chart import ChartTurn, Course, draw_chart
from signoria.web.log import Sitting, named


class Segment(NamedTuple):
    """A part of a seat's points in its bar, in percent."""

    part: int
    x: float
    width: float


class Bar(NamedTuple):
    """A seat's points as a bar, part by part; penalties only count in the total."""

    seat: models.SeatModel
    segments: tuple[Segment, ...]
    total: int


def chart(model: models.TablePage | models.Replay, names: tuple[str, ...], eyes: str = "", at: int = -1) -> Markup:
    """The points over a finished game; empty while it is being played."""
    if not model.course:
        return Markup()
    marks = find_board(model.game.name).marks[: len(names)]
    return draw_chart(_course(model), names, marks, f"/tables/{model.id}/replay/", eyes, at)


def _course(model: models.TablePage | models.Replay) -> Course:
    board = find_board(model.game.name)
    return tuple(
        ChartTurn(
            turn.n,
            str(turn.chapter),
            str(turn.brief_chapter),
            str(turn.chapter_group),
            turn.totals,
            turn.places,
            tuple(sign for event in turn.events if (sign := board.sign(event))),
        )
        for turn in model.course
    )


def winners(scores: Sequence[Score], outcome: Outcome, who: Sitting) -> dict[str, str]:
    """Who won, and why."""
    winners, most = [who.names[seat] for seat in outcome.winners], scores[outcome.winners[0]].total
    if len(winners) == 1:
        result = say_count("{player} wins with {n} point", "{player} wins with {n} points", most, player=winners[0])
    else:
        result = say_count(
            "{players} share the win with {n} point",
            "{players} share the win with {n} points",
            most,
            players=all_of(winners),
        )
    return {"result": result, "why": named(outcome.told, who) or f"{outcome.reason}."}


def rows(scores: tuple[Score, ...], game: str) -> list[tuple[int, ScorePart]]:
    """The parts of a score sheet; optional parts only if anyone scored for them."""
    optional = find_board(game).optional_parts
    mattered = any(part.points for score in scores for part in score.parts if part.clause in optional)
    return [(place, part) for place, part in enumerate(scores[0].parts) if mattered or part.clause not in optional]


def bars(scores: tuple[Score, ...], seats: tuple[models.SeatModel, ...]) -> list[Bar]:
    """Everyone's points, drawn to the same scale."""
    most = max(sum(max(0, part.points) for part in score.parts) for score in scores) or 1
    return [Bar(seats[score.seat], _segments(score, most), score.total) for score in scores]


def _segments(score: Score, most: int) -> tuple[Segment, ...]:
    drawn, x = [], 0
    for place, part in enumerate(score.parts):
        if part.points > 0:
            drawn.append(Segment(place, round(100 * x / most, 2), round(100 * part.points / most, 2)))
            x += part.points
    return tuple(drawn)


MANY = 3
"""Up to this many pictures are drawn one by one; otherwise one picture and a number."""


@per_language(1024)
def item(given: ScoreItem, game: str) -> Markup:
    """An item that scored, with the game's picture for it."""
    picture = find_board(game).picture(given.sign)
    kind = f"item of-{given.sign}" if given.points else f"item of-{given.sign} rest"
    pictures = picture * given.count
    if given.count > MANY:
        pictures = Markup("<small>{}×</small>{}").format(given.count, picture)
    heard = labelled(given.says, "") if given.points else given.says
    return Markup('<span class="{}" title="{}"><span class="hidden">{}</span>{}<b>{}</b></span>').format(
        kind, given.says, heard, pictures, given.points or ""
    )
