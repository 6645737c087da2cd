"""Lessons of a guided first game: what one is, which one is due, how it is shown, and where such a game begins."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from signoria.kernel.game import Option
from signoria.web.models import LessonModel


class Beginning(msgspec.Struct, frozen=True):
    """Where a guided game begins: near the end of a game that was prepared."""

    options: dict[str, Option]
    players: int
    seat: int
    """The learner's."""
    seed: str
    steps: tuple[tuple[int, dict[str, Any]], ...]


def read_beginning(path: Path) -> Beginning:
    """A beginning as a game's folder keeps it."""
    return msgspec.json.decode(path.read_bytes(), type=Beginning)


class Sight:
    """A situation as the learner sees it. Games add what their lessons ask about and what their sentences tell."""

    def __init__(self, view: Any, events: tuple[Any, ...]) -> None:
        self.view, self.events = view, events

    @property
    def me(self) -> int:
        """The learner's seat."""
        return self.view.seat or 0

    @property
    def asked(self) -> str:
        """What the learner is asked for; `wait` while somebody else is, `over` at the end."""
        if self.view.turn is None:
            return "over"
        return self.view.asked if self.view.turn == self.view.seat else "wait"


class Lesson(NamedTuple):
    """One or two sentences for a situation."""

    name: str
    when: Callable[[Any], bool]
    """Whether a sight is of this situation."""
    says: str
    """With gaps that a sight fills: `Your {s.hand} cards stay hidden.`"""
    clause: str
    at: Callable[[Any], Iterable[str]] = lambda sight: ()
    """The ids of what it speaks of."""
    again: bool = False
    """It is said as often as nothing else is due; the others once, for as long as their situation lasts."""


def due(lessons: Sequence[Lesson], sight: Sight, shown: frozenset[str], last: str) -> Lesson | None:
    """The first lesson of this situation that was not shown before; the last one goes on where nothing precedes it."""
    for lesson in lessons:
        if (lesson.again or lesson.name == last or lesson.name not in shown) and lesson.when(sight):
            return lesson
    return None


def taught(lesson: Lesson, sight: Sight) -> LessonModel:
    """A lesson as the page shows it."""
    return LessonModel(
        name=lesson.name,
        says=lesson.says.format(s=sight),
        clause=lesson.clause,
        at=tuple(lesson.at(sight)),
        over=sight.asked == "over",
    )
