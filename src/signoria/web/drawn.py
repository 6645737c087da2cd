"""Building blocks of drawings: marks of seats, targets that can be pressed, and the result."""

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup, escape

from signoria.web.environment import step_value


class Drawn(NamedTuple):
    """A view as HTML. Targets are in `hand` and `board`, which belong in the form that sends steps."""

    hand: Markup
    """The viewer's hand; empty for spectators."""
    board: Markup
    players: tuple[Markup, ...]
    """The area of each player."""
    remembered: Markup
    """The card tracker; empty if the table plays without it."""
    scores: tuple[Markup, ...] = ()
    """The running score of each player in a few words; empty if the game shows none."""


@lru_cache(1024)
def mark(letters: str, seat: int, name: str) -> Markup:
    """A seat's letters in its colour; a screen reader reads its name."""
    return Markup(f'<b class="mark seat-{seat}" role="img" title="{escape(name)}">{escape(letters)}</b>')


class Target(NamedTuple):
    """Something on the table that can be pressed. An illegal step can be pressed too: the answer says why."""

    step: Any
    can: bool
    instead: bool = False
    """Whether it is made instead of the last steps of this turn, which are undone for it."""


def target(step: Any, legal: frozenset[Any], may_act: bool) -> Target | None:
    """A step's target; None if nothing can be pressed."""
    return Target(step, step in legal) if may_act else None


@lru_cache(4096)
def begin(target: Target | None, kind: str, label: str = "", name: str = "", about: str = "") -> Markup:
    """The opening tag of a target, or of a plain element if nothing can be pressed; `name` is its id, `about` its topic."""
    # Written with `escape`, because `Markup.format` takes ten times as long.
    named = f' id="{escape(name)}"' if name else ""
    if about:
        named += f' data-help="{escape(about)}"'
    if label:
        named += f' aria-label="{escape(label)}"'
    if target is None:
        role = ' role="img"' if label else ""
        return Markup(f'<div class="{escape(kind)}"{role}{named}>')
    if target.instead:
        return Markup(
            f'<button name="instead" value=\'{step_value(target.step)}\' class="{escape(kind)} swap" data-once{named}>'
        )
    state = ' can"' if target.can else ' cannot" aria-disabled="true" tabindex="-1"'
    return Markup(f'<button name="step" value=\'{step_value(target.step)}\' class="{escape(kind)}{state}{named}>')


def end(target: Target | None) -> Markup:
    """The closing tag."""
    return DIV if target is None else BUTTON


DIV, BUTTON = Markup("</div>"), Markup("</button>")


class Same:
    """A part of a view with its content as a key, so that drawings can be cached although it holds dicts."""

    __slots__ = ("key", "part")

    def __init__(self, part: Any) -> None:
        self.part, self.key = part, msgspec.msgpack.encode(part)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.key == other.key
