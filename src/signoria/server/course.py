"""The score over a finished game: what stood after every turn, noted while the game is played through once more."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from signoria.games import AnyTable
from signoria.server.room import UNDO, Position, Room, Told, add, by_known_rules, check_result, deal
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow
from signoria.web.models import CourseTurn

AT_A_STRETCH = 20
"""Steps after which others have their turn."""
APART = 40
"""Steps between two positions of a finished game that are kept."""


class Standing(NamedTuple):
    """How a game stands: points and places of every seat."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


class Course:
    """The course of a game as far as it has been played through."""

    def __init__(self, table: AnyTable) -> None:
        self._table = table
        self._deal = self._standing()
        self._ends: list[tuple[str, Standing | None]] = []
        """For every step that stands: the chapter that it was made in, and how the game stood where it ended that."""

    def made(self, chapter: str) -> None:
        """A step was made in this chapter."""
        self._ends.append((chapter, self._standing() if self._table.chapter != chapter else None))

    def undone(self) -> None:
        """The last step was taken back."""
        self._ends.pop()

    def turns(self, told: Sequence[Told]) -> tuple[CourseTurn, ...]:
        """Turn by turn, from the deal to these steps, which are all that stand."""
        turns, events = [CourseTurn(n=0, chapter="", **self._deal._asdict(), events=())], list[msgspec.Struct]()
        for n, (step, (chapter, standing)) in enumerate(zip(told, self._ends, strict=True), 1):
            events += [event for event in step.events if event.clause in self._table.game.headlines]
            if standing is not None or n == len(told):
                stood = standing or self._standing()
                turns.append(CourseTurn(n=n, chapter=chapter, **stood._asdict(), events=tuple(events)))
                events = []
        return tuple(turns)

    def _standing(self) -> Standing:
        game, sheet = self._table.game, self._table.sheet()
        return Standing(tuple(sheet[:, game.columns.index("total")].tolist()), game.places(sheet))


class Played(NamedTuple):
    """A game that was played through."""

    position: Position
    course: tuple[CourseTurn, ...] | None = None
    """Of a game that is over."""
    checkpoints: dict[int, tuple[Told | None, AnyTable]] = {}  # noqa: RUF012
    """Of a game that is over: positions on the way, by how many steps they stand after, each with the last of these."""


async def play_through(row: TableRow, rows: Sequence[StepRow]) -> Played:
    """A game as far as these steps; others have their turn meanwhile. Raises `OtherRules`."""
    with by_known_rules(row):
        played = await _play_through(row, rows)
    check_result(row, played.position.table)
    return played


async def _play_through(row: TableRow, rows: Sequence[StepRow]) -> Played:
    table = deal(row)
    course = Course(table) if row.state == "over" else None
    entries: list[tuple[int, str]] = []
    told: list[Told] = []
    checkpoints: dict[int, tuple[Told | None, AnyTable]] = {}
    for n, kept in enumerate(rows, 1):
        chapter = table.chapter if course else ""
        add(table, kept, entries, told)
        if course and kept.step == UNDO:
            course.undone()
        elif course:
            course.made(chapter)
            if len(told) % APART == 0:
                checkpoints[len(told)] = told[-1], table.copy()
        if n % AT_A_STRETCH == 0:
            await asyncio.sleep(0)
    return Played(Position(table, tuple(entries), tuple(told)), course.turns(told) if course else None, checkpoints)


def course_of(room: Room) -> tuple[CourseTurn, ...]:
    """The course of a finished game; empty while it is played."""
    if room.row.state != "over" or room.position is None:
        return ()
    if room.course is None:
        room.course = _course(room)
    return room.course


def _course(room: Room) -> tuple[CourseTurn, ...]:
    assert room.position is not None
    table, entries = deal(room.row), room.position.entries
    course = Course(table)
    for step in room.position.told:
        chapter = table.chapter
        table.make(msgspec.json.decode(entries[step.n][1], type=table.game.step_type), step.seat)
        course.made(chapter)
    return course.turns(room.position.told)
