"""The chart of points over a game: one line per seat with a label at its end, and signs for important events."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.kernel.language import all_of, inside, per_language, say
from signoria.web.environment import macros

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 40, 664, 14, 236
APART = 19
"""The least distance between labels."""
SIGN = 15
"""The width of a sign; a sign that would overlap another goes one row down."""
NICE = (1, 2, 5, 10, 20, 50, 100, 200)
MOST_TICKS = 6


class Sign(NamedTuple):
    """An event, drawn below its turn."""

    drawn: Markup
    """Within 15 by 18."""
    says: str


class ChartTurn(NamedTuple):
    """The score after a turn; `n` is the step that ended it."""

    n: int
    chapter: str
    """Empty for the deal."""
    brief_chapter: str
    """The same inside a sentence."""
    chapter_group: str
    """What it has in common with the chapters beside it: the axis names groups."""
    totals: tuple[int, ...]
    places: tuple[int, ...]
    """Of every seat, from 1."""
    signs: tuple[Sign, ...]


Course = tuple[ChartTurn, ...]
"""The score over a game, from the deal on."""


class ScoreLine(NamedTuple):
    """The points of a seat as a line; `end` and `label` are the heights of its end and its label."""

    seat: int
    path: str
    total: int
    end: float
    label: float


class Placed(NamedTuple):
    """A sign and its place."""

    x: float
    y: float
    sign: Sign


class ChartRow(NamedTuple):
    """A turn with events, for the table of points."""

    n: int
    chapter: str
    says: str
    totals: tuple[int, ...]


@per_language(64)
def draw_chart(course: Course, names: tuple[str, ...], marks: tuple[str, ...], here: str, eyes: str, at: int) -> Markup:
    """The chart of a finished game, with a table of its numbers.

    The address of a replay is `here`, a step, and `eyes`. `at` is the step that the replay shows, or below 0 without a
    replay.
    """
    high = max(max(turn.totals) for turn in course)
    low = min(0, *(min(turn.totals) for turn in course))
    step = next((nice for nice in NICE if (high - low) / nice <= MOST_TICKS), NICE[-1])
    scale = _Scale(len(course) - 1, low, high)
    seats, signs = range(len(names)), _placed(course, scale)
    return Markup(
        _macros().chart(
            lines=_labelled([_line(course, seat, scale, len(names)) for seat in seats]),
            heights=[(points, scale.y(points)) for points in range(-(-low // step) * step, high + 1, step)],
            widths=_widths(course, scale),
            turns=[(turn.n, scale.x(place), turn.chapter) for place, turn in enumerate(course)] if at >= 0 else (),
            column=(RIGHT - LEFT) / max(1, len(course) - 1),
            signs=signs,
            foot=22 + max((SIGN + placed.y for placed in signs), default=0),
            rows=_rows(course),
            now=_present(course, scale, at),
            names=names,
            marks=marks,
            here=here,
            eyes=eyes,
            says=lead_in_words(course, names),
        )
    )


@per_language()
def _macros() -> Any:
    return macros("chart.html", width=WIDTH, height=HEIGHT, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM)


class _Scale(NamedTuple):
    turns: int
    low: int
    high: int

    def x(self, place: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * place / max(1, self.turns), 1)

    def y(self, points: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (points - self.low) / max(1, self.high - self.low), 1)


def _line(course: Course, seat: int, scale: _Scale, seats: int) -> ScoreLine:
    """A seat's line, slightly above or below lines with the same points."""
    aside = (seat - (seats - 1) / 2) * 1.4
    points = [(scale.x(place), round(scale.y(turn.totals[seat]) + aside, 1)) for place, turn in enumerate(course)]
    bends = [
        here
        for before, here, after in zip([(0, -1), *points], points, [*points[1:], (0, -1)], strict=False)
        if not before[1] == here[1] == after[1]
    ]
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in bends)
    return ScoreLine(seat, path, course[-1].totals[seat], points[-1][1], points[-1][1])


def _labelled(lines: Sequence[ScoreLine]) -> list[ScoreLine]:
    """Lines with labels that do not overlap and stay next to the chart."""
    placed: list[ScoreLine] = []
    for line in sorted(lines, key=lambda line: line.end):
        least = placed[-1].label + APART if placed else line.end
        placed.append(line._replace(label=max(line.end, least)))
    floor = float(BOTTOM)
    for place in reversed(range(len(placed))):
        placed[place] = placed[place]._replace(label=min(placed[place].label, floor))
        floor = placed[place].label - APART
    return placed


def _widths(course: Course, scale: _Scale) -> list[tuple[str, float]]:
    """Names of some turns or rounds, evenly spread."""
    heads: list[tuple[str, float]] = []
    for place, turn in enumerate(course[1:], 1):
        if not heads or heads[-1][0] != turn.chapter_group:
            heads.append((turn.chapter_group, scale.x(place)))
    every = next(nice for nice in NICE if len(heads) / nice <= MOST_TICKS)
    return [head for place, head in enumerate(heads, 1) if place % every == 0]


def _placed(course: Course, scale: _Scale) -> list[Placed]:
    placed: list[Placed] = []
    for place, turn in enumerate(course):
        for sign in turn.signs:
            x = scale.x(place)
            close = [other for other in placed if x - other.x < SIGN]
            placed.append(Placed(x, (SIGN + 4) * (len(close) % 2), sign))
    return placed


def _rows(course: Course) -> list[ChartRow]:
    """Turns with events, and the last turn."""
    told = [(turn, ", ".join(sign.says for sign in turn.signs)) for turn in course]
    rows = [ChartRow(turn.n, turn.chapter, says, turn.totals) for turn, says in told if says]
    end = course[-1]
    return (
        rows
        if rows and rows[-1].n == end.n
        else [*rows, ChartRow(end.n, end.chapter, say("End of the game"), end.totals)]
    )


def _present(course: Course, scale: _Scale, at: int) -> float | None:
    """The place of the step that is shown; None for none."""
    if at < 0:
        return None
    for place, (before, after) in enumerate(pairwise(course)):
        if before.n <= at <= after.n:
            return scale.x(place + (at - before.n) / max(1, after.n - before.n))
    return scale.x(len(course) - 1)


def lead_in_words(course: Course, names: Sequence[str]) -> str:
    """A sentence: since when the final leader has been ahead."""
    leads = [tuple(seat for seat, place in enumerate(turn.places) if place == 1) for turn in course]
    ahead = leads[-1]
    if len(ahead) > 1:
        return say("{players} are tied at the end.", players=all_of([names[seat] for seat in ahead]))
    since = next(place for place in reversed(range(len(leads))) if place == 0 or leads[place - 1] != ahead)
    chapter = course[since].brief_chapter
    if not chapter:
        return say("{player} has led since the start.", player=names[ahead[0]])
    return say("{player} takes the lead for good ({chapter}).", player=names[ahead[0]], chapter=inside(chapter))
