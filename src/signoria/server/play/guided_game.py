"""The guided first game: a table with a chosen shuffle, which may begin after prepared steps, and its lessons. A game may have
several parts.

Such a table is recognised by its seed. Shown lessons are not stored: they follow from the steps since the beginning.
"""

from functools import cache
from typing import Any, NamedTuple

import msgspec

from signoria.games import AnyTable, find_game
from signoria.kernel.language import per_language, say
from signoria.kernel.table import open_game
from signoria.server.errors import BadField
from signoria.server.lobby.opening import SeatRequest, TableRequest, new_table_row
from signoria.server.lobby.rematches import open_from_steps
from signoria.server.play.room import TablePosition, decode_step, encode_step
from signoria.server.play.service import TableService
from signoria.store import tables
from signoria.store.people import User
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow
from signoria.web.board import boards, find_board
from signoria.web.lessons import Beginning, due, taught
from signoria.web.models import LessonModel

GENTLE_LEVEL = "garzone"
FAR = 100
SLOWER = 2
"""Bots take this many times as long as usual, so that the learner can follow."""


class LessonProgress(NamedTuple):
    """The state of a guided game and its lessons."""

    table: AnyTable
    events: tuple[Any, ...]
    """All public events since the lessons began."""
    shown: frozenset[str]
    """The names of the lessons so far."""
    now: LessonModel | None


@cache
def guided_games() -> tuple[str, ...]:
    """The games with a guided game."""
    return tuple(name for name, board in boards().items() if board.beginning())


@cache
def parts(game: str) -> tuple[Beginning, ...]:
    """The parts of a guided game; raises `BadField` if there is none."""
    part = find_board(game).beginning() if game in guided_games() else None
    if part is None:
        raise BadField(
            "game",
            say(
                "There is no guided game of {game!r}. Guided games: {value}.",
                game=game,
                value=", ".join(guided_games()),
            ),
        )
    found = [part]
    while (part := part.then) is not None:
        found.append(part)
    return tuple(found)


def prepared(game: str, part: int = 0) -> Beginning:
    """The beginning of a part of a guided game; raises `BadField` if there is none."""
    return parts(game)[part]


def part_of(row: TableRow) -> int | None:
    """Which part of a guided game a table is; None for other tables."""
    seeds = [part.seed for part in parts(row.game)] if row.game in guided_games() else []
    return seeds.index(row.seed) if row.seed in seeds else None


def is_guided(row: TableRow) -> bool:
    """Whether a table is a guided game."""
    return part_of(row) is not None


async def open_next(service: TableService, user: User, table_id: str) -> str:
    """The id of a new table with the next part; the table of the last one is closed if it is the learner's turn there."""
    room = await service.room(table_id)
    part = part_of(room.row)
    if part is None or room.row.host_id != user.id or prepared(room.row.game, part).then is None:
        raise BadField("after", say("This table is not a lesson that continues at another table."))
    async with service.changing(room) as w:
        if room.row.state == "playing" and room.row.turn == prepared(room.row.game, part).seat:
            await tables.change(
                w.db, table_id, state="closed", turn=None, turn_at=None, due_at=None, ended_at=service.now()
            )
    return await open_guided(service, user, room.row.game, part + 1)


async def open_guided(service: TableService, user: User, game: str, part: int = 0) -> str:
    """The id of a new table with a part of a guided game; raises `BadField`."""
    ready = prepared(game, part)
    seat_requests = (
        SeatRequest("me") if seat == ready.seat else SeatRequest("bot", bot=GENTLE_LEVEL)
        for seat in range(ready.players)
    )
    table_request = TableRequest(
        game=game, options=ready.options, seats=tuple(seat_requests), rated=False, stand_in=GENTLE_LEVEL, invited=True
    )
    row = new_table_row(service, user, table_request, None)
    seats = tuple(msgspec.structs.replace(seat, salt="") for seat in row.seats)
    row = msgspec.structs.replace(row, seed=ready.seed, seats=seats, pace=SLOWER * row.pace)
    kept = [
        StepRow(n=n, seat=seat, step=step, by="house", at=service.now())
        for n, (seat, step) in enumerate(_made(game, part))
    ]
    await open_from_steps(service, user, row, kept)
    return row.id


def before_lessons(row: TableRow) -> int:
    """How many steps of a table were prepared: the learner did not see their events."""
    part = part_of(row)
    return 0 if part is None else len(prepared(row.game, part).steps)


def lesson(row: TableRow, position: TablePosition, seat: int | None) -> LessonModel | None:
    """The learner's current lesson; None at other tables, and for other people."""
    part = part_of(row)
    if part is None or seat != prepared(row.game, part).seat:
        return None
    since = position.log[len(prepared(row.game, part).steps) :]
    return lessons_after(row.game, tuple(position.entries[step.n] for step in since), part).now


@per_language(1024)
def lessons_after(game: str, steps: tuple[tuple[int, str], ...], part: int = 0) -> LessonProgress:
    """The lessons of a part after these steps: one more than those already known."""
    if len(steps) > FAR:
        lessons_after(game, steps[:-FAR], part)  # so that this never calls itself much deeper than that
    if not steps:
        return _taught(game, part, LessonProgress(_beginning(game, part), (), frozenset(), None))
    before, (seat, step) = lessons_after(game, steps[:-1], part), steps[-1]
    table = before.table.copy()
    table.make(decode_step(table.game, step), seat)
    return _taught(game, part, LessonProgress(table, before.events + table.events, before.shown, before.now))


def _taught(game: str, part: int, so_far: LessonProgress) -> LessonProgress:
    """The lesson that is due now. Forced moves teach nothing, so the last lesson stays."""
    table, seat = so_far.table, prepared(game, part).seat
    if so_far.now and table.turn == seat and table.automatic is not None:
        return so_far._replace(now=msgspec.structs.replace(so_far.now, at=()))
    board = find_board(game)
    seen = board.sight(table.view(seat), so_far.events)
    found = due(board.lessons, seen, so_far.shown, so_far.now.name if so_far.now else "")
    if found is None:
        return so_far._replace(now=None)
    return so_far._replace(shown=so_far.shown | {found.name}, now=taught(found, seen, board.texts))


@cache
def _beginning(game: str, part: int) -> AnyTable:
    ready, found = prepared(game, part), find_game(game)
    table: AnyTable = open_game(found, {**ready.options, "players": ready.players}, seed=ready.seed)
    for seat, step in ready.steps:
        table.make(_step(game, step), seat)
    return table


@cache
def _made(game: str, part: int) -> tuple[tuple[int, str], ...]:
    """The steps before the lessons begin, as rows of the database."""
    return tuple((seat, encode_step(_step(game, step))) for seat, step in prepared(game, part).steps)


def _step(game: str, step: dict[str, Any]) -> msgspec.Struct:
    made: msgspec.Struct = msgspec.convert(step, find_game(game).step_type)
    return made
