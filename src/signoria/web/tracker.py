"""The card tracker: what an attentive player could remember, as a grid of cards."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from markupsafe import Markup

from signoria.kernel.language import per_language
from signoria.web.environment import macros


class TrackedCard(NamedTuple):
    """Cards that look the same."""

    drawn: Markup
    """One of them, drawn small, with its name for screen readers."""
    number: int = 1


class TrackedCards(NamedTuple):
    """Cards in one place."""

    title: Markup
    """Whose cards they are, and where: `Anna, in hand`."""
    cards: tuple[TrackedCard, ...]
    note: str = ""
    """What else is known: `at least`, `12 cards`."""


def draw_tracker(places: Iterable[TrackedCards]) -> Markup:
    """The card tracker, folded up."""
    return Markup(_macros().tracker(list(map(_draw_place, places))))


@per_language(2048)
def _draw_place(place: TrackedCards) -> Markup:
    return Markup(_macros().place(place))


@per_language()
def _macros() -> Any:
    return macros("tracker.html")
