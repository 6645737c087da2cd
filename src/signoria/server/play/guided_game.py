"""The guided first game: a table that begins near the end of a prepared game, and its lessons.

Such a table is recognised by its seed. Shown lessons are not stored: they follow from the steps since the beginning.
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import msgspec

from signoria.games import AnyTable, find_game
from signoria.kernel.table import open_game
from signoria.server.errors import BadField
from signoria.server.lobby.rematches import open_from_steps
from signoria.server.lobby.seating import SeatRequest, TableRequest, new_table_row
from signoria.server.play.room import TablePosition, decode_step, encode_step
from signoria.server.play.service import TableService
from signoria.store.people import User
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow
from signoria.web.board import boards, find_board
from signoria.web.lessons import Beginning, due, taught
from signoria.web.models import LessonModel

GENTLE_LEVEL = "apprendista"
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


def prepared(game: str) -> Beginning:
    """The beginning of a guided game; raises `BadField` if there is none."""
    beginning = find_board(game).beginning() if game in guided_games() else None
    if beginning is None:
        raise BadField("game", f"There is no guided game of {game!r}. Guided games: {', '.join(guided_games())}.")
    return beginning


def is_guided(row: TableRow) -> bool:
    """Whether a table is a guided game."""
    return row.game in guided_games() and row.seed == prepared(row.game).seed


async def open_guided(service: TableService, user: User, game: str) -> str:
    """The id of a new table with a guided game; raises `BadField`."""
    ready = prepared(game)
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
        StepRow(n=n, seat=seat, step=step, by="bot", at=service.now()) for n, (seat, step) in enumerate(_made(game))
    ]
    await open_from_steps(service, user, row, kept)
    return row.id


def before_lessons(row: TableRow) -> int:
    """How many steps of a table were prepared: the learner did not see their events."""
    return len(prepared(row.game).steps) if is_guided(row) else 0


def lesson(row: TableRow, position: TablePosition, seat: int | None) -> LessonModel | None:
    """The learner's current lesson; None at other tables, and for other people."""
    if not is_guided(row) or seat != prepared(row.game).seat:
        return None
    since = position.log[len(prepared(row.game).steps) :]
    return lessons_after(row.game, tuple(position.entries[step.n] for step in since)).now


@lru_cache(1024)
def lessons_after(game: str, steps: tuple[tuple[int, str], ...]) -> LessonProgress:
    """The lessons after these steps: one more than those already known."""
    if not steps:
        return _taught(game, LessonProgress(_beginning(game), (), frozenset(), None))
    before, (seat, step) = lessons_after(game, steps[:-1]), steps[-1]
    table = before.table.copy()
    table.make(decode_step(table.game, step), seat)
    return _taught(game, LessonProgress(table, before.events + table.events, before.shown, before.now))


def _taught(game: str, so_far: LessonProgress) -> LessonProgress:
    """The lesson that is due now. Forced moves teach nothing, so the last lesson stays."""
    table, seat = so_far.table, prepared(game).seat
    if so_far.now and table.turn == seat and table.automatic is not None:
        return so_far._replace(now=msgspec.structs.replace(so_far.now, at=()))
    board = find_board(game)
    seen = board.sight(table.view(seat), so_far.events)
    found = due(board.lessons, seen, so_far.shown, so_far.now.name if so_far.now else "")
    if found is None:
        return so_far._replace(now=None)
    return so_far._replace(shown=so_far.shown | {found.name}, now=taught(found, seen))


@cache
def _beginning(game: str) -> AnyTable:
    ready, found = prepared(game), find_game(game)
    table: AnyTable = open_game(found, {**ready.options, "players": ready.players}, seed=ready.seed)
    for seat, step in ready.steps:
        table.make(_step(game, step), seat)
    return table


@cache
def _made(game: str) -> tuple[tuple[int, str], ...]:
    """The steps before the lessons begin, as rows of the database."""
    return tuple((seat, encode_step(_step(game, step))) for seat, step in prepared(game).steps)


def _step(game: str, step: dict[str, Any]) -> msgspec.Struct:
    made: msgspec.Struct = msgspec.convert(step, find_game(game).step_type)
    return made
