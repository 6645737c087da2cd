"""Lessons of a guided game: what a lesson is, which one is due, and where the game begins."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from signoria.kernel.options import Option
from signoria.web.models import LessonModel


class Beginning(msgspec.Struct, frozen=True):
    """Where a guided game begins: near the end of a prepared game."""

    options: dict[str, Option]
    players: int
    seat: int
    """The learner's seat."""
    seed: str
    steps: tuple[tuple[int, dict[str, Any]], ...]


def read_beginning(path: Path) -> Beginning:
    """Read a beginning from a game's folder."""
    return msgspec.json.decode(path.read_bytes(), type=Beginning)


class Sight:
    """A situation as the learner sees it. Games add conditions and words for their lessons."""

    def __init__(self, view: Any, events: tuple[Any, ...]) -> None:
        self.view, self.events = view, events

    @property
    def me(self) -> int:
        """The learner's seat."""
        return self.view.seat or 0

    @property
    def asked(self) -> str:
        """What the learner has to do; `wait` during another player's turn, `over` at the end."""
        if self.view.turn is None:
            return "over"
        return self.view.asked if self.view.turn == self.view.seat else "wait"


class Lesson(NamedTuple):
    """One or two sentences for a situation."""

    name: str
    when: Callable[[Any], bool]
    """Whether the lesson fits a situation."""
    says: str
    """A text with fields of the `Sight`: `Your {s.hand} cards stay hidden.`"""
    clause: str
    at: Callable[[Any], Iterable[str]] = lambda sight: ()
    """The ids of the elements that it highlights."""
    again: bool = False
    """Whether the lesson may be shown more than once. Others are shown once, as long as their situation lasts."""


def due(lessons: Sequence[Lesson], sight: Sight, shown: frozenset[str], last: str) -> Lesson | None:
    """The first lesson for this situation that was not shown before; the last one stays if no other comes first."""
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
