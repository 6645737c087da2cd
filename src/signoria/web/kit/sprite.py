"""Symbols: defined once in a page, outside the part that is morphed, and used many times."""

from functools import cache, lru_cache
from pathlib import Path

from markupsafe import Markup, escape

DRAWINGS = Path(__file__).parent.parent / "drawings"
"""Files of `<symbol id="d-...">`. Their colours come from the style sheets, so they work in light and dark mode."""


@cache
def symbols(*names: str, folder: Path = DRAWINGS) -> Markup:
    """The symbols of these files, from the shared folder or from the folder of a game."""
    return Markup("".join(_lean((folder / f"{name}.svg").read_text()) for name in names))


def sprite(*drawings: Markup) -> Markup:
    """Symbols as a hidden part of a page."""
    return Markup('<svg class="sprite" aria-hidden="true" width="0" height="0">{}</svg>').format(
        Markup().join(drawings)
    )


@lru_cache(4096)
def use(symbol: str, kind: str, name: str = "", says: str = "") -> Markup:
    """A picture of a symbol, sized by its class; `name` is its id, also when it moves.

    Screen readers read what it `says`. Without that they skip it, because the same is in words next to it.
    """
    named = f' id="{escape(name)}"' if name else ""
    heard = f'role="img" aria-label="{escape(says)}"' if says else 'aria-hidden="true"'
    return Markup(f'<svg class="{escape(kind)}"{named} {heard}><use href="#d-{escape(symbol)}"/></svg>')


def _lean(drawing: str) -> str:
    return "".join(line.strip() for line in drawing.splitlines())
