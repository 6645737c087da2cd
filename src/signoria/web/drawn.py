"""What drawings of all games are made of: marks of seats, targets that can be pressed, and the drawn whole."""

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from signoria.web.environment import step_value


class Drawn(NamedTuple):
    """A view as HTML. What can be pressed stands in `hand` and `board`, which belong into the form of steps."""

    hand: Markup
    """What the viewer holds; empty for whoever holds nothing."""
    board: Markup
    players: tuple[Markup, ...]
    """What lies before each seat."""
    remembered: Markup
    """What an attentive player knows besides; empty where the table plays without this aid."""


def mark(letters: str, seat: int, name: str) -> Markup:
    """A seat's letters in its colour."""
    return Markup('<b class="mark seat-{}" title="{}">{}</b>').format(seat, name, letters)


class Target(NamedTuple):
    """Something on the table that can be pressed. What is not possible now can be pressed too: the answer says why."""

    step: Any
    can: bool


def target(step: Any, legal: frozenset[Any], may_act: bool) -> Target | None:
    """A step's target; None where nothing can be pressed."""
    return Target(step, step in legal) if may_act else None


@lru_cache(4096)
def begin(target: Target | None, kind: str, label: str = "", name: str = "") -> Markup:
    """The tag that begins a target, or the same thing where nothing can be pressed; `name` is an id that it keeps."""
    named = Markup(' id="{}"').format(name) if name else Markup()
    if label:
        named += Markup(' aria-label="{}"').format(label)
    if target is None:
        role = Markup(' role="img"') if label else Markup()
        return Markup('<div class="{}"{}{}>').format(kind, role, named)
    state = Markup(' can"') if target.can else Markup(' cannot" aria-disabled="true" tabindex="-1"')
    return Markup('<button name="step" value=\'{}\' class="{}{}{}>').format(step_value(target.step), kind, state, named)


def end(target: Target | None) -> Markup:
    """The tag that ends it."""
    return DIV if target is None else BUTTON


DIV, BUTTON = Markup("</div>"), Markup("</button>")


class Same:
    """A view's part with its content as a key, so that drawings can be kept although it holds dicts."""

    __slots__ = ("key", "part")

    def __init__(self, part: Any) -> None:
        self.part, self.key = part, msgspec.msgpack.encode(part)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.key == other.key
