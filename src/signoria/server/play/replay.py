"""Replaying a game from its stored steps: its position, its score after every turn, and records for export."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

import msgspec

from signoria.games import AnyTable
from signoria.kernel.errors import SignoriaError
from signoria.kernel.language import Told
from signoria.kernel.record import Record
from signoria.server.play.room import (
    UNDO,
    LogEntry,
    Room,
    TablePosition,
    apply_row,
    by_known_rules,
    check_result,
    deal,
    decode_step,
)
from signoria.store import steps, tables
from signoria.store.database import Database
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow
from signoria.web.models import CourseTurn

AT_A_STRETCH = 20
"""Steps after which other tasks may run."""
APART = 40
"""Steps between two cached positions of a finished game."""


class TurnScore(NamedTuple):
    """The score of a game: points and places of every seat."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


class Chapter(NamedTuple):
    """The chapter that is being played, in all its forms (`CourseTurn`)."""

    chapter: Told = ""
    brief_chapter: Told = ""
    chapter_group: Told = ""


class ScoreHistory:
    """The score after every turn of a game, recorded while it is replayed."""

    def __init__(self, table: AnyTable) -> None:
        self._table = table
        self._deal = self._standing()
        self._ends: list[tuple[Chapter, TurnScore | None]] = []
        """For every step: its chapter, and the score if the step ended it."""

    def chapter(self) -> Chapter:
        """The chapter that is being played."""
        game, position = self._table.game, self._table.position
        return Chapter(game.chapter(position), game.brief_chapter(position), game.chapter_group(position))

    def made(self, chapter: Chapter) -> None:
        """Record a step of this chapter."""
        now = self._table.game.chapter(self._table.position)
        self._ends.append((chapter, self._standing() if now != chapter.chapter else None))

    def undone(self) -> None:
        """Remove the last step, because it was undone."""
        self._ends.pop()

    def turns(self, log: Sequence[LogEntry]) -> tuple[CourseTurn, ...]:
        """The score turn by turn, from the deal to these steps."""
        turns, events = (
            [CourseTurn(n=0, **Chapter()._asdict(), **self._deal._asdict(), events=())],
            list[msgspec.Struct](),
        )
        for n, (step, (chapter, standing)) in enumerate(zip(log, self._ends, strict=True), 1):
            events += [event for event in step.events if event.clause in self._table.game.headlines]
            if standing is not None or n == len(log):
                stood = standing or self._standing()
                turns.append(CourseTurn(n=n, **chapter._asdict(), **stood._asdict(), events=tuple(events)))
                events = []
        return tuple(turns)

    def _standing(self) -> TurnScore:
        game, sheet = self._table.game, self._table.sheet()
        return TurnScore(tuple(sheet[:, game.columns.index("total")].tolist()), game.places(sheet))


class ReplayedGame(NamedTuple):
    """A replayed game."""

    position: TablePosition
    score_history: tuple[CourseTurn, ...] | None = None
    """Only for a finished game."""
    checkpoints: dict[int, tuple[LogEntry | None, AnyTable]] = {}  # noqa: RUF012
    """Only for a finished game: positions by number of steps, each with its last step."""


async def replay_game(row: TableRow, rows: Sequence[StepRow]) -> ReplayedGame:
    """Replay a game from these steps, letting other tasks run; raises `OtherRules`."""
    with by_known_rules(row):
        played = await _replay_game(row, rows)
    check_result(row, played.position.table)
    return played


async def _replay_game(row: TableRow, rows: Sequence[StepRow]) -> ReplayedGame:
    table = deal(row)
    score_history = ScoreHistory(table) if row.state == "over" else None
    entries: list[tuple[int, str]] = []
    log: list[LogEntry] = []
    checkpoints: dict[int, tuple[LogEntry | None, AnyTable]] = {}
    for n, kept in enumerate(rows, 1):
        chapter = score_history.chapter() if score_history else Chapter()
        apply_row(table, kept, entries, log)
        if score_history and kept.step == UNDO:
            score_history.undone()
        elif score_history:
            score_history.made(chapter)
            if len(log) % APART == 0:
                checkpoints[len(log)] = log[-1], table.copy()
        if n % AT_A_STRETCH == 0:
            await asyncio.sleep(0)
    return ReplayedGame(
        TablePosition(table, tuple(entries), tuple(log)),
        score_history.turns(log) if score_history else None,
        checkpoints,
    )


def score_history_of(room: Room) -> tuple[CourseTurn, ...]:
    """The score history of a finished game; empty while it is being played."""
    if room.row.state != "over" or room.position is None:
        return ()
    if room.score_history is None:
        room.score_history = _score_history(room)
    return room.score_history


def _score_history(room: Room) -> tuple[CourseTurn, ...]:
    assert room.position is not None
    table, entries = deal(room.row), room.position.entries
    score_history = ScoreHistory(table)
    for step in room.position.log:
        chapter = score_history.chapter()
        table.make(decode_step(table.game, entries[step.n][1]), step.seat)
        score_history.made(chapter)
    return score_history.turns(room.position.log)


Exported = tuple[str, Record | str]
"""A table's id, and its record or why there is none."""


async def export_records(database: Database) -> AsyncIterator[Exported]:
    """Every finished game, oldest first, rebuilt from its steps."""
    async with database.read() as db:
        async for table_id in tables.finished_ids(db):
            row = await tables.find_table(db, table_id)
            if row is None:
                continue  # deleted in the meantime
            try:
                yield table_id, (await replay_game(row, await steps.steps_of(db, table_id))).position.table.record
            except SignoriaError as error:
                yield table_id, str(error)
