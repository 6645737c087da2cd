"""Lessons of a guided first game: what the coach says when a situation first comes up, and what it points at."""

from collections.abc import Callable
from typing import Any

from signoria.web.lessons import il_principe, patrician
from signoria.web.lessons.lesson import Lesson, Sight, due, taught

__all__ = ["LESSONS", "Sight", "due", "sight", "taught"]

LESSONS: dict[str, tuple[Lesson, ...]] = {"patrician": patrician.LESSONS, "il-principe": il_principe.LESSONS}
"""The lessons of each game that has a guided one."""
SIGHTS: dict[str, Callable[[Any, tuple[Any, ...]], Sight]] = {
    "patrician": patrician.Seen,
    "il-principe": il_principe.Seen,
}


def sight(game: str, view: Any, events: tuple[Any, ...]) -> Sight:
    """What the lessons of a game judge a situation by: a view, and everything public that happened since they began."""
    return SIGHTS[game](view, events)
