"""Small pictures inside a page: parts of a table, drawn with the symbols of the page and the colours of its style sheets.

They follow light and dark mode. A `Still` is a file of its own.
"""

from typing import NamedTuple

from markupsafe import Markup, escape

from signoria.web.kit.paper import Paper


class Picture(Paper):
    """Draws inside a page."""

    def use(self, symbol: str, x: float, y: float, width: float, height: float, *kinds: str) -> str:
        """A symbol of the page in a box."""
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        return f'<use href="#d-{symbol}"{kind} x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'

    def colour(self, name: str, *kinds: str) -> str:
        """A colour that the style sheets of the page decide."""
        return f"var({name})"

    def mark(self, x: float, y: float, good: bool) -> str:
        """The mark of a step at a place: a tick if it is legal, a cross if it is refused."""
        kind, path = ("yes", "M-5 0l3.500 4L5-4") if good else ("no", "M-4-4l8 8M4-4l-8 8")
        return f'<g class="verdict-mark {kind}" transform="translate({x:g} {y:g})"><circle r="9.500"/><path d="{path}"/></g>'

    def arrow(self, x: float, y: float, length: float) -> str:
        """An arrow to the right, or to the left if its length is negative."""
        head = 6 if length > 0 else -6
        path = f"M{x:g} {y:g}h{length:g}m{-head:g}-5l{head:g} 5l{-head:g} 5"
        return f'<path class="way" d="{path}"/>'


class Panel(NamedTuple):
    """A part of a picture, in its own box."""

    width: float
    height: float
    drawn: str
    says: str
    """What it shows, for screen readers."""

    def __html__(self) -> str:
        """The panel as SVG. Its size is in pixels; style sheets may make it smaller."""
        box = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        return f'<svg class="panel-drawn" {box} role="img" aria-label="{escape(self.says)}">{Markup(self.drawn)}</svg>'
