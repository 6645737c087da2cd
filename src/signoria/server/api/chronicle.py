"""A game told step by step as it was made, those that were taken back and the taking back included.

What a table keeps in memory is the game as it stands. Whoever listens hears how it came about, and the same whenever
they listen; so the steps are told once more from the store, once for all who listen to a table.
"""

import asyncio
import weakref

import msgspec

from signoria.server.api.answers import TakenBack, Told
from signoria.server.api.happenings import happenings
from signoria.server.api.writing import encoded
from signoria.server.house import House
from signoria.server.room import UNDO, Room, deal
from signoria.store import steps
from signoria.store.steps import StepRow

BREATH = 10
"""Steps that are told at a stretch."""


class Chronicle:
    """Every step of one game, as it is sent: the name of the event and its JSON."""

    def __init__(self, room: Room) -> None:
        self.told: list[tuple[str, str]] = []
        self._table = deal(room.row)
        self._lock = asyncio.Lock()

    async def catch_up(self, house: House, room: Room) -> None:
        """Tell what has been kept since."""
        if len(self.told) >= room.n:
            return
        async with self._lock:
            async with house.database.read() as db:
                rows = await steps.steps_of(db, room.row.id, after=len(self.told))
            for row in rows:
                self.told.append(self._tell(row))
                if len(self.told) % BREATH == 0:
                    await asyncio.sleep(0)  # a long game: let others have their turn

    def _tell(self, row: StepRow) -> tuple[str, str]:
        table, n = self._table, row.n + 1
        if row.step == UNDO:
            table.undo(row.seat)
            back = TakenBack(n=n, seat=row.seat, at=row.at, turn=table.turn, asked=table.asked)
            return "undo", encoded(back).decode()
        table.make(msgspec.json.decode(row.step, type=table.game.step_type), row.seat)
        told = Told(
            n=n,
            seat=row.seat,
            by=row.by,
            at=row.at,
            turn=table.turn,
            asked=table.asked,
            events=happenings(table.events),
        )
        return "step", encoded(told).decode()


_chronicles: "weakref.WeakKeyDictionary[Room, weakref.ref[Chronicle]]" = weakref.WeakKeyDictionary()


def chronicle_of(room: Room) -> Chronicle:
    """The chronicle of a table, shared by all who hold it, and gone with the last of them."""
    held = _chronicles.get(room)
    chronicle = held() if held else None
    if chronicle is None:
        chronicle = Chronicle(room)
        _chronicles[room] = weakref.ref(chronicle)
    return chronicle
