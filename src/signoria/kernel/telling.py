"""The texts of a game for people who play in a terminal: numbered choices and what they mean."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from rich.text import Text

from signoria.kernel.language import Told, to_say
from signoria.kernel.words import Naming


class Choice(NamedTuple):
    """A line of a menu. It has one number, or a range of numbers if it stands for several steps."""

    first: int
    steps: tuple[Any, ...]
    says: str

    @property
    def numbers(self) -> str:
        """`3`, or `4-10`."""
        last = self.first + len(self.steps) - 1
        return str(self.first) if last == self.first else f"{self.first}-{last}"


def nothing_at_stake(view: Any) -> str:
    """For games whose questions say everything."""
    return ""


class Telling(NamedTuple):
    """A game's texts for its players. All of them are made from a view, so they cannot reveal anything hidden."""

    intro: Told
    """The game in a few sentences."""
    words: str
    """Help on how to type steps as words."""
    scene: Callable[[Any], object]
    """A value that changes when the table should be drawn again."""
    question: Callable[[Any], str]
    """The question for the viewer, with what they need to know to answer it."""
    draw: Callable[[Any], Text]
    """The table for a screen that is too small for the game's own drawing."""
    choices: Callable[[Any], Sequence[Choice]]
    """The legal steps with their numbers; the few without a number can be typed as words."""
    number: Callable[[Any, int], msgspec.Struct | None]
    """The step that a number stands for, even if it is not possible: a number of coins, a place."""
    tell: Callable[[Any, Any], str]
    """A step described for the player who may make it, and sees the cards."""
    retell: Callable[[Any, Any, Naming], str]
    """An event as a sentence for a player who sees the cards; takes the components, the event and what seats are called."""
    examples: Callable[[Any], Sequence[msgspec.Struct]]
    """Steps of every kind that a player might try; for those that are not possible, it is worth saying why."""
    stakes: Callable[[Any], str] = nothing_at_stake
    """What the answer to the question is about, in sentences; pages show it at the place where it is decided."""


def listed(*lines: tuple[Sequence[Any], str]) -> list[Choice]:
    """A menu numbered from 1."""
    menu: list[Choice] = []
    first = 1
    for steps, says in lines:
        menu.append(Choice(first, tuple(steps), says))
        first += len(steps)
    return menu


def plain_telling(intro: Told, draw: Callable[[Any], Text], question: Callable[[Any], str]) -> Telling:
    """The words of a game that has none of its own: its steps and events in their own sentences."""
    return Telling(
        intro=intro,
        words=to_say("the words of a choice"),
        scene=lambda view: view,
        question=question,
        draw=draw,
        choices=lambda view: listed(*(((step,), str(step)) for step in view.legal)),
        number=lambda view, typed: None,
        tell=lambda view, step: str(step),
        retell=lambda components, event, name: event.told(name),
        examples=lambda view: (),
    )
