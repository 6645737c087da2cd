"""The score over a finished game: the game is played through once more, and what stood after every turn is kept."""

import msgspec

from signoria.games import AnyTable
from signoria.server.room import Room, Told, deal
from signoria.web.models import CourseTurn


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
    turns, events = [_turn(table, 0, "", [])], []
    told = room.position.told
    for n, step in enumerate(told, 1):
        chapter = table.chapter
        table.make(msgspec.json.decode(entries[step.n][1], type=table.game.step_type), step.seat)
        events += _headlines(table, step)
        if n == len(told) or table.chapter != chapter:
            turns.append(_turn(table, n, chapter, events))
            events = []
    return tuple(turns)


def _turn(table: AnyTable, n: int, chapter: str, events: list[msgspec.Struct]) -> CourseTurn:
    totals = table.sheet()[:, table.game.columns.index("total")]
    return CourseTurn(n=n, chapter=chapter, totals=tuple(totals.tolist()), events=tuple(events))


def _headlines(table: AnyTable, step: Told) -> list[msgspec.Struct]:
    return [event for event in step.events if event.clause in table.game.headlines]
