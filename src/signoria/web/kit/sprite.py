"""Symbols: drawn once in a page, outside of what is morphed, and used from there as often as they are seen."""

from functools import cache, lru_cache
from pathlib import Path

from markupsafe import Markup

DRAWINGS = Path(__file__).parent.parent / "drawings"
"""Files of `<symbol id="d-...">`. Their colours are names from the style sheets, so they follow day and night."""


@cache
def symbols(*names: str, folder: Path = DRAWINGS) -> Markup:
    """The symbols of these files, which all games share unless they lie in a folder of one game."""
    return Markup("".join(_lean((folder / f"{name}.svg").read_text()) for name in names))


def sprite(*drawings: Markup) -> Markup:
    """Symbols as a page holds them: there, and not seen."""
    return Markup('<svg class="sprite" aria-hidden="true" width="0" height="0">{}</svg>').format(
        Markup().join(drawings)
    )


@lru_cache(4096)
def use(symbol: str, kind: str, name: str = "") -> Markup:
    """A picture of a symbol, as large as its class says; `name` is an id that it keeps wherever it goes."""
    return Markup('<svg class="{}"{}><use href="#d-{}"/></svg>').format(
        kind, Markup(' id="{}"').format(name) if name else "", symbol
    )


def _lean(drawing: str) -> str:
    return "".join(line.strip() for line in drawing.splitlines())
