"""A rating over many games: a line with its margin of error, drawn like the chart of a game."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.kernel.language import per_language
from signoria.web.environment import macros

WIDTH, HEIGHT = 760, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 744, 14, 196
NICE = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST_TICKS = 5


class CurvePoint(NamedTuple):
    """A rating after a game."""

    mean: float
    reach: float | None
    """Its margin of error; None if it is not known."""
    when: str
    """The date of the game."""
    table: str
    """Empty if the viewer may not know the table."""


@per_language(512)
def draw_curve(points: tuple[CurvePoint, ...], title: str) -> Markup:
    """The chart, with a table of its numbers; empty if there are fewer than two points."""
    if len(points) < 2:
        return Markup()
    lows = [point.mean - (point.reach or 0) for point in points]
    highs = [point.mean + (point.reach or 0) for point in points]
    low, high = min(lows), max(highs)
    step = next((nice for nice in NICE if (high - low) / nice <= MOST_TICKS), NICE[-1])

    def x(place: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * place / (len(points) - 1), 1)

    def y(rating: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / max(1e-6, high - low), 1)

    first = int(-(-low // step) * step)
    line = "M" + "L".join(f"{x(place):g} {y(point.mean):g}" for place, point in enumerate(points))
    return Markup(
        _macros().curve(
            title=title,
            line=line,
            band=_band([(x(place), y(lows[place]), y(highs[place])) for place in range(len(points))]),
            heights=[(rating, y(rating)) for rating in range(first, int(high) + 1, step)],
            last=(x(len(points) - 1), y(points[-1].mean)),
            first_day=points[0].when,
            last_day=points[-1].when,
            points=points,
        )
    )


def _band(edges: Sequence[tuple[float, float, float]]) -> str:
    """The outline of the margin of error."""
    above = "L".join(f"{x:g} {high:g}" for x, _, high in edges)
    below = "L".join(f"{x:g} {low:g}" for x, low, _ in reversed(edges))
    return f"M{above}L{below}Z"


@per_language()
def _macros() -> Any:
    return macros("curve.html", width=WIDTH, height=HEIGHT, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM)
