"""Something to draw on with symbols and words: part of a page (`Picture`), or a file of its own (`Still`)."""

from abc import ABC, abstractmethod
from html import escape


class Paper(ABC):
    """Draws symbols, words and panels. Colours are named by their variables in style sheets, such as `--ink`."""

    @abstractmethod
    def use(self, symbol: str, x: float, y: float, width: float, height: float, *kinds: str) -> str:
        """A symbol in a box; `kinds` are classes, such as a seat's colour."""

    @abstractmethod
    def colour(self, name: str, *kinds: str) -> str:
        """A colour by the name of its variable, inside elements of these classes."""

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 14,
        anchor: str = "start",
        ink: str = "--ink",
        bold: bool = False,
        kind: str = "",
    ) -> str:
        """Words at a place; `kind` is the class that their colour may depend on."""
        placed = f' text-anchor="{anchor}"' if anchor != "start" else ""
        weight = ' font-weight="700"' if bold else ""
        of_kind = f' class="{kind}"' if kind else ""
        return (
            f'<text{of_kind} x="{x:g}" y="{y:g}" font-size="{size:g}"{placed}{weight} fill="{self.colour(ink, kind)}">'
            f"{escape(words)}</text>"
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str = "--rule", thick: float = 1
    ) -> str:
        """A panel."""
        return (
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{self.colour(fill)}"'
            f' stroke="{self.colour(stroke)}" stroke-width="{thick:g}"/>'
        )
