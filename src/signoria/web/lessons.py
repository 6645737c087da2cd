"""Lessons of a guided game: what a lesson is, which one is due, and where the game begins."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from signoria.kernel.language import Texts
from signoria.kernel.options import Option
from signoria.web.models import LessonModel


class Beginning(msgspec.Struct, frozen=True):
    """Where a guided game, or a part of it, begins: at the start of a game with a chosen shuffle, or after prepared steps."""

    options: dict[str, Option]
    players: int
    seat: int
    """The learner's seat."""
    seed: str
    steps: tuple[tuple[int, dict[str, Any]], ...]
    then: "Beginning | None" = None
    """Where the next part begins, at a table of its own; None for the last part, which is played to the end."""


def read_beginning(path: Path, then: Beginning | None = None) -> Beginning:
    """Read a beginning from a game's folder; `then` is the next part."""
    return msgspec.structs.replace(msgspec.json.decode(path.read_bytes(), type=Beginning), then=then)


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

    def since_own(self, *kinds: type[Any]) -> tuple[Any, ...]:
        """The events from the learner's latest event of these kinds on; all of them if there is none."""
        for place in reversed(range(len(self.events))):
            event = self.events[place]
            if isinstance(event, kinds) and event.seat == self.me:
                return self.events[place:]
        return self.events


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
    ends: bool = False
    """Whether the next part of the guided game is offered with it."""
    tour: tuple[tuple[str, str], ...] = ()
    """Parts of the table that it introduces: the id of each element, and a sentence about it."""
    done: bool = False
    """Whether the learner knows the game after it, so that a full game is offered."""


def due(lessons: Sequence[Lesson], sight: Sight, shown: frozenset[str], last: str) -> Lesson | None:
    """The first lesson for this situation that was not shown before; the last one stays if no other comes first."""
    for lesson in lessons:
        if (lesson.again or lesson.name == last or lesson.name not in shown) and lesson.when(sight):
            return lesson
    return None


def taught(lesson: Lesson, sight: Sight, texts: Texts) -> LessonModel:
    """A lesson as the page shows it, in the language that is spoken now."""
    return LessonModel(
        name=lesson.name,
        says=texts.say(lesson.says, s=sight),
        clause=lesson.clause,
        at=tuple(lesson.at(sight)),
        tour=tuple((name, texts.say(says)) for name, says in lesson.tour),
        over=lesson.done or sight.asked == "over",
        ends=lesson.ends,
    )
