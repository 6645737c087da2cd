"""Light or dark pages: what the reader has chosen, kept for the length of a request in a context variable.

Styles name every colour twice (`light-dark()`); `data-theme` on `<html>` decides which of the two is shown. Without it,
the browser decides.
"""

from collections.abc import Callable
from contextvars import ContextVar

THEMES = ("light", "dark")
AUTOMATIC = "auto"
"""The name of what the browser prefers."""

_chosen: ContextVar[str | None] = ContextVar("theme", default=None)

theme: Callable[[], str | None] = _chosen.get
"""The theme that the reader has chosen; None for what their browser prefers."""


def choose_theme(name: str | None) -> None:
    """From now on pages are drawn in this theme; any other name means what the browser prefers."""
    _chosen.set(name if name in THEMES else None)


def colour_schemes() -> str:
    """The colour schemes of a page, as browsers name them: the theme, or both."""
    return theme() or " ".join(THEMES)
