"""Steps tried on a copy of the game, and what must be written to save them."""

from collections.abc import Sequence

import msgspec

from signoria.games import AnyTable
from signoria.kernel.errors import NoUndo
from signoria.server.errors import BadField, NotSure
from signoria.server.people.ratings import rate_game
from signoria.server.play import auto_bidding
from signoria.server.play.clocks import due_at
from signoria.server.play.room import UNDO, LogEntry, Room, TablePosition, encode_step, log_entry
from signoria.store import tables
from signoria.store.database import Write
from signoria.store.sealed import SealedRow, drop_sealed, find_sealed, put_sealed
from signoria.store.steps import StepExists, StepRow
from signoria.store.tables import TableRow


class PendingSteps:
    """Steps tried on a copy of the game, before they are saved."""

    def __init__(self, room: Room, position: TablePosition, now: int) -> None:
        self._now, self._room = now, room
        self._before = position
        self._table: AnyTable = position.table.copy()
        self._entries, self._log = list(position.entries), list(position.log)
        self.rows: list[StepRow] = []
        self.follows: SealedRow | None = None
        """The automatic bid that the step follows from: it is saved only if that bid is unchanged."""
        self.sealed = dict(room.sealed)
        """Automatic bids after it."""
        self.act_soon = False
        """Whether the server has to act soon after it."""
        self._taken_back = False

    @property
    def position(self) -> TablePosition:
        """The game after it."""
        return TablePosition(self._table, tuple(self._entries), tuple(self._log))

    def make(self, step: msgspec.Struct, seat: int, by: str) -> None:
        """Make one step."""
        chapter = self._table.chapter
        self._table.make(step, seat)
        self._log.append(log_entry(self._table, len(self._entries), len(self._log) + 1, seat, chapter, by))
        self._add(seat, encode_step(step), by)

    def make_all(self, steps: Sequence[msgspec.Struct], seat: int, by: str) -> None:
        """Make steps one after another; raises `BadField` if they cannot all be made together.

        No step is tried after one that reveals something. Otherwise the legality of the next step would show what was
        revealed, before anything is saved.
        """
        for place, step in enumerate(steps):
            if place and (self._reveals or self._table.turn != seat):
                raise BadField("step", _not_together(place, self._reveals))
            self.make(step, seat, by)

    @property
    def _reveals(self) -> bool:
        """Whether the last step revealed something hidden, so that no step can be undone any more.

        Everyone can tell beforehand whether a step will do that (`Game.revealed`).
        """
        return self._table.may_undo is None

    def make_forced_steps(self) -> None:
        """Play forced moves.

        A person still makes a step that could not be undone together with the one before it, and can choose to play
        every move themselves.
        """
        while (step := self._table.obvious) is not None:
            seat = self._table.turn
            assert seat is not None
            person = self._room.played_by_bot(seat) is None
            if person and not self._room.row.seats[seat].unasked:
                return
            if person and not is_forced(self._table):
                return
            self.make(step, seat, "house")

    def check_confirmed(self, seat: int) -> None:
        """Raise `NotSure` if the steps cannot be undone any more, or if they end the turn.

        The first is checked first, because after a reveal the next player may depend on what was hidden.
        """
        if self._reveals:
            raise NotSure("You cannot undo this. Press again to confirm.")
        if self._table.turn != seat or self._table.may_undo != seat:
            raise NotSure("This ends your turn. Press again to confirm.")

    def undo(self, seat: int) -> None:
        """Undo the last step that the seat chose."""
        if not any(entry.by != "house" for entry in last_steps_of(self._log, seat)):
            raise NoUndo("You have no move to undo.")
        while True:
            self._table.undo(seat)
            taken_back = self._log.pop()
            self._add(seat, UNDO, "person")
            if taken_back.by != "house":
                self._taken_back = True
                return

    def _add(self, seat: int, step: str, by: str) -> None:
        self.rows.append(StepRow(n=len(self._entries), seat=seat, step=step, by=by, at=self._now))
        self._entries.append((seat, step))

    async def advance(self, w: Write) -> TableRow:
        """Write the new state of the game together with its steps; returns the new row."""
        row, turn, n = self._room.row, self._table.turn, len(self._entries)
        used_before = row.used_before
        if turn is None:
            turn_at = due = None
        else:
            turn_at, used_before = self._time_of(turn)
            due = due_at(row, turn, turn_at, self._now)
        if not await tables.advance(
            w.db, row.id, n_before=self._before.n, n=n, turn=turn, turn_at=turn_at, due_at=due,
            touched_at=self._now, used_before=used_before, revision=row.revision,
        ):  # fmt: skip
            raise StepExists(f"Table {row.id} has moved on.")
        if auto_bidding.has_auctions(row.game):
            due = await self._by_what_is_sealed(w, turn, due)
        row = msgspec.structs.replace(
            row, n=n, turn=turn, turn_at=turn_at, due_at=due, touched_at=self._now, used_before=used_before
        )
        if turn is not None:
            return row
        result = self._table.record.result
        await tables.finish(w.db, row.id, result, self._now)
        await rate_game(w.db, row, self._table)
        return msgspec.structs.replace(row, state="over", result=result, ended_at=self._now, revision=row.revision + 1)

    def _time_of(self, turn: int) -> tuple[int, int]:
        """Since when the seat to move uses its time, and how much the seat before it has used.

        A turn has one clock, however many steps it has. A player who undoes the step that ended the turn continues with
        the time that was left, less the time until the undo.
        """
        row = self._room.row
        since = self._now if row.turn_at is None else row.turn_at
        if turn == row.turn and all(made.seat == turn for made in self.rows):
            return since, row.used_before
        if self._taken_back:
            return since - row.used_before, 0
        return self._now, max(0, self._now - since)

    async def _by_what_is_sealed(self, w: Write, turn: int | None, due: int | None) -> int | None:
        """When the server has to act, now that the table is locked: soon if there is an automatic bid.

        After an undo the player has to bid again, whatever their automatic bid in this auction.
        """
        row = self._room.row
        if self.follows and await find_sealed(w.db, row.id, self.follows.seat) != self.follows:
            raise StepExists(f"The automatic bid of seat {self.follows.seat} at table {row.id} has changed.")
        if turn is None:
            await drop_sealed(w.db, row.id)
            self.sealed = {}
            return None
        self.act_soon = self._room.played_by_bot(turn) is not None
        if self.act_soon or not auto_bidding.may_bid(self._table):
            return due
        view, kept = self._table.view(turn), await find_sealed(w.db, row.id, turn)
        if kept is None or auto_bidding.automatic_step(view, kept) is None:
            return due
        if self._taken_back:
            self.sealed[turn] = auto_bidding.without_current_lot(kept, view)
            await put_sealed(w.db, self.sealed[turn])
            return due
        self.act_soon, due = True, auto_bidding.answer_time(row, self._now, due)
        await tables.set_due(w.db, row.id, due)
        return due


def _not_together(place: int, reveals: bool) -> str:
    """Why the moves after the first few cannot be sent together with them, and what is possible."""
    if place == 1:
        first = "your first move " + ("reveals something new" if reveals else "ends your turn")
        return f"Nothing was played: {first}. Send it alone."
    first = f"your first {place} moves " + ("reveal something new" if reveals else "end your turn")
    return f"Nothing was played: {first}. Send only those."


def last_steps_of(log: list[LogEntry], seat: int) -> list[LogEntry]:
    """The last consecutive steps of one seat."""
    own: list[LogEntry] = []
    for step in reversed(log):
        if step.seat != seat:
            break
        own.append(step)
    return own


def is_forced(table: AnyTable) -> bool:
    """Whether the player to move has only one legal step, and could still undo the step before it."""
    step = table.obvious
    if step is None or table.may_undo != table.turn:
        return step is not None
    ahead = table.copy()
    ahead.make(step)
    return ahead.may_undo is not None
