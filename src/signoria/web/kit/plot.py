"""Building blocks for the charts of a report: SVG in the colours of the page, wide enough for a phone."""

from collections.abc import Iterable
from html import escape
from math import ceil, floor, log10

WIDTH = 400
"""Width of every chart in its own units; the page scales it, and text stays readable on a phone."""
NAMES = 100
"""Width reserved for names on the left."""
LETTER = 7.0
"""Approximate width of a letter."""


def drawing(height: float, says: str, parts: Iterable[str], width: float = WIDTH) -> str:
    """A complete chart; `says` is the text for screen readers."""
    body = "".join(parts)
    return f'<svg viewBox="0 0 {width:g} {height:.0f}" role="img" aria-label="{escape(says)}">{body}</svg>'


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Text at a position."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def box(x: float, y: float, width: float, height: float, kind: str, opacity: float = 1, says: str = "") -> str:
    """A filled rectangle with a tooltip."""
    title = f"<title>{escape(says)}</title>" if says else ""
    size = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect {size} rx="2" class="{kind}" fill-opacity="{opacity:.2f}">{title}</rect>'


def dot(x: float, y: float, says: str) -> str:
    """A data point with a tooltip."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="dot"><title>{escape(says)}</title></circle>'


def shortened(name: str, room: float = NAMES) -> str:
    """A name, shortened to fit."""
    letters = int(room / LETTER)
    return name if len(name) <= letters else name[: letters - 1] + "…"


class Scale:
    """Maps values to coordinates."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low, high if high > low else low + 1
        self._start, self._end = start, end

    def __call__(self, value: float) -> float:
        """The coordinate of a value."""
        return self._start + (value - self.low) / (self.high - self.low) * (self._end - self._start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values in the range, in steps of 1, 2 or 5 times a power of ten."""
        rough = (self.high - self.low) / about
        power = 10.0 ** floor(log10(rough))
        step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough * 0.99)
        return [number * step for number in range(ceil(self.low / step), floor(self.high / step) + 1)]


def spread(values: Iterable[float], room: float = 0.06) -> tuple[float, float]:
    """The range from the smallest to the largest value, slightly widened."""
    values = list(values)
    low, high = min(values), max(values)
    more = room * (high - low) or 1
    return low - more, high + more
