"""The end of a game: who won, what gave points to whom, part by part, and how the score went."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.rulebook.components import COLOUR_IDS
from signoria.games.il_principe.words.events import RoundBegan
from signoria.games.patrician.words.events import CityScored
from signoria.kernel.game import Score, ScoreItem, ScorePart
from signoria.web import models
from signoria.web.drawn import MARKS
from signoria.web.il_principe.map import silhouette
from signoria.web.kit.chart import Course, Sign, Turn, draw_chart
from signoria.web.kit.numerals import roman
from signoria.web.kit.sprite import use
from signoria.web.patrician.words import NAMES, PORTRAITS


class Segment(NamedTuple):
    """A part of a seat's points in its bar, of a hundred."""

    part: int
    x: float
    width: float


class Bar(NamedTuple):
    """A seat's points as a bar, part by part; what is taken off stands in the sum alone."""

    seat: models.SeatModel
    segments: tuple[Segment, ...]
    total: int


def _scored(event: Any) -> Sign | None:
    """Patrician: a crest for a city that was scored."""
    if not isinstance(event, CityScored):
        return None
    crest = Markup('<use class="of-{0}" href="#d-crest-{0}" x="-7" width="14" height="17"/>').format(event.city)
    return Sign(crest, f"{NAMES[event.city]} scored")


def _begun(event: Any) -> Sign | None:
    """Il Principe: a numeral for a round that began."""
    if not isinstance(event, RoundBegan):
        return None
    return Sign(
        Markup('<text class="numeral" y="13">{}</text>').format(roman(event.round)), f"Round {event.round} begins"
    )


MESSENGERS = ("M5", "M6")
SIGNS: dict[str, Callable[[Any], Sign | None]] = {"patrician": _scored, "il-principe": _begun}


def chart(model: models.TablePage | models.Replay, names: tuple[str, ...], eyes: str = "", at: int = -1) -> Markup:
    """The score over a finished game; empty while it is played."""
    if not model.course:
        return Markup()
    marks = MARKS[model.game.name][: len(names)]
    return draw_chart(_course(model), names, marks, f"/tables/{model.id}/replay/", eyes, at)


def _course(model: models.TablePage | models.Replay) -> Course:
    signs = SIGNS[model.game.name]
    return tuple(
        Turn(turn.n, turn.chapter, turn.totals, tuple(sign for event in turn.events if (sign := signs(event))))
        for turn in model.course
    )


def rows(scores: tuple[Score, ...]) -> list[tuple[int, ScorePart]]:
    """The parts of a score sheet; those of messengers only where they mattered to anybody."""
    mattered = any(part.points for score in scores for part in score.parts if part.clause in MESSENGERS)
    return [(place, part) for place, part in enumerate(scores[0].parts) if mattered or part.clause not in MESSENGERS]


def bars(scores: tuple[Score, ...], seats: tuple[models.SeatModel, ...]) -> list[Bar]:
    """Everybody's points, drawn to the same measure."""
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
"""So many of a thing are drawn one by one; of more, one and their number."""


@lru_cache(1024)
def item(given: ScoreItem) -> Markup:
    """Something that gave points, drawn: the crest of a city, portraits of a set, a region, ducats."""
    kind = f"item of-{given.sign}" if given.points else f"item of-{given.sign} rest"
    pictures = _picture(given.sign) * given.count
    if given.count > MANY:
        pictures = Markup("<small>{}×</small>{}").format(given.count, _picture(given.sign))
    return Markup('<span class="{}" title="{}"><span class="hidden">{}: </span>{}<b>{}</b></span>').format(
        kind, given.says, given.says, pictures, given.points or ""
    )


def _picture(sign: str) -> Markup:
    if sign in PORTRAITS:
        return use(f"p-{sign}", "medal")
    if sign in NAMES:
        return use(f"crest-{sign}", f"crest of-{sign}")
    if sign in COLOUR_IDS:
        return use(f"b-{sign}", "b")
    if sign == "set":
        return Markup("").join(use(f"b-{colour}", "b") for colour in COLOUR_IDS)
    if sign == "rider":
        return use("rider", "rider")
    if sign.startswith("region-"):
        return silhouette(sign.removeprefix("region-"))
    return use(sign, f"thing {sign}-thing")
