"""What a game tells somebody who plays it by reading and typing: choices with numbers, and what they mean."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from rich.text import Text


class Choice(NamedTuple):
    """A line of a menu. It has one number, or as many as there are steps in it, counted on from the first."""

    first: int
    steps: tuple[Any, ...]
    says: str

    @property
    def numbers(self) -> str:
        """`3`, or `4-10`."""
        last = self.first + len(self.steps) - 1
        return str(self.first) if last == self.first else f"{self.first}-{last}"


class Telling(NamedTuple):
    """A game's words for its players. All of them are made from a view, so nothing hidden can be told."""

    intro: str
    """The game in a few sentences."""
    words: str
    """Steps as they may be typed."""
    scene: Callable[[Any], object]
    """Another value when it is time to draw the table again."""
    question: Callable[[Any], str]
    """What is asked of the viewer, and what there is to know about it."""
    draw: Callable[[Any], Text]
    """The table for a screen that is too low for the game's own drawing."""
    choices: Callable[[Any], Sequence[Choice]]
    """The legal steps with numbers of their own; the few without one can be typed in words."""
    number: Callable[[Any, int], msgspec.Struct | None]
    """The step that a number means even where it is not possible: so many ducats, that site."""
    tell: Callable[[Any, Any], str]
    """A step as it looks to whoever may make it, and sees the cards."""
    retell: Callable[[Any, Any], str]
    """An event in a sentence for whoever sees the cards: from what lies on the table, and the event."""
    examples: Callable[[Any], Sequence[msgspec.Struct]]
    """Steps that somebody might think of, of every kind: what is not possible among them is worth a reason."""


def listed(*lines: tuple[Sequence[Any], str]) -> list[Choice]:
    """A menu counted from 1."""
    menu: list[Choice] = []
    first = 1
    for steps, says in lines:
        menu.append(Choice(first, tuple(steps), says))
        first += len(steps)
    return menu


def plain_telling(intro: str, draw: Callable[[Any], Text]) -> Telling:
    """The words of a game that has none of its own: its steps and events in their own sentences."""
    return Telling(
        intro=intro,
        words="the words of a choice",
        scene=lambda view: view,
        question=lambda view: "What do you do?",
        draw=draw,
        choices=lambda view: listed(*(((step,), str(step)) for step in view.legal)),
        number=lambda view, typed: None,
        tell=lambda view, step: str(step),
        retell=lambda components, event: str(event),
        examples=lambda view: (),
    )
