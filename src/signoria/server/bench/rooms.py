"""Rooms without a server or a database: a game played here, to render pages from."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import msgspec

from signoria.games import AnyTable, find_game
from signoria.kernel.table import open_game
from signoria.server.play.page_models import table_page
from signoria.server.play.room import LogEntry, Room, TablePosition, apply_row, encode_step
from signoria.store.people import User
from signoria.store.steps import StepRow
from signoria.store.tables import SeatRow, TableRow
from signoria.web.models import TablePage

NAMES = ("Lucrezia", "Cosimo", "Bianca", "Dante", "Elena")
SERVICE: Any = SimpleNamespace(now=lambda: 0)
"""A page asks its server only for the time."""


def rooms(game: str, options: dict[str, Any], seed: str, decide: Callable[[AnyTable], Any]) -> Iterator[Room]:
    """A whole game, position by position, with fixed names."""
    table = open_game(find_game(game), options, seed=seed)
    entries: list[tuple[int, str]] = []
    log: list[LogEntry] = []
    row = _row(table, seed)
    yield Room(row, TablePosition(table, (), ()), [], {})
    while table.turn is not None:
        made = StepRow(len(entries), table.turn, encode_step(decide(table)), "person", 0)
        apply_row(table, made, entries, log)
        now: dict[str, Any] = {"n": len(entries), "turn": table.turn}
        if table.over:
            now |= {"state": "over", "result": table.record.result}
        yield Room(msgspec.structs.replace(row, **now), TablePosition(table, tuple(entries), tuple(log)), [], {})


def _row(table: AnyTable, seed: str) -> TableRow:
    players = range(table.options.players)
    return TableRow(
        id="t", game=table.game.name, rules=table.game.version, options=msgspec.to_builtins(table.options),
        state="playing", host_id="0", invitation=None, clock=0, stand_in="muratore", pace=0, rated=False, seed=seed, n=0,
        turn=table.turn, turn_at=0, due_at=None, revision=0, result=None, origin_id=None, rematch_id=None, created_at=0,
        started_at=0, ended_at=None, touched_at=0,
        seats=tuple(SeatRow("t", seat, user_id=str(seat), name=NAMES[seat]) for seat in players),
    )  # fmt: skip


def seen(room: Room) -> TablePage:
    """The page as the player to move sees it, or the first seat if the game is over."""
    seat = room.row.turn or 0
    return table_page(SERVICE, room, User(id=str(seat), name=NAMES[seat], guest=False, created_at=0, seen_at=0), None)
