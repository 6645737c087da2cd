"""A draft: steps tried on a copy of the game, and what must be written to save them.

It is pure: it uses no database, reads no clock and waits for nothing. `TableService` writes the result.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from signoria.games import AnyTable
from signoria.kernel.errors import NoUndo
from signoria.server.errors import BadField, NotSure, StaleVersion
from signoria.server.play import auto_bidding
from signoria.server.play.clocks import due_at
from signoria.server.play.room import UNDO, LogEntry, TablePosition, bot_of, encode_step, log_entry
from signoria.store.sealed import SealedRow
from signoria.store.steps import StepRow
from signoria.store.tables import TableRow


class NothingSealed(StaleVersion):
    """The automatic bid of a step is gone."""

    def __init__(self) -> None:
        super().__init__("There is no automatic bid any more.")


class TableUpdate(NamedTuple):
    """The changes that some steps make at a table: all of them are written, or none."""

    n_before: int
    rows: tuple[StepRow, ...]
    position: TablePosition
    """The game after the steps."""
    row: TableRow
    """The table after the steps."""
    sealed: Mapping[int, SealedRow]
    """Automatic bids by seat, after the steps."""
    resealed: tuple[SealedRow, ...]
    """Automatic bids that have changed."""
    relies_on: Mapping[int, SealedRow | None]
    """By seat: the automatic bids that the update relies on, None for none. It is saved only if they are unchanged."""
    act_soon: bool
    """Whether the server has to act soon after them."""


class Draft:
    """Steps tried on a copy of the game, before they are saved; `update` returns their changes."""

    def __init__(
        self, row: TableRow, position: TablePosition, sealed: Mapping[int, SealedRow], now: int, rng: Random
    ) -> None:
        self._row, self._now, self._rng = row, now, rng
        self._n_before = position.n
        self._table: AnyTable = position.table.copy()
        self._entries, self._log = list(position.entries), list(position.log)
        self._sealed = sealed
        self._relies_on: dict[int, SealedRow | None] = {}
        self._rows: list[StepRow] = []
        self._taken_back = False

    @property
    def position(self) -> TablePosition:
        """The game after the steps so far."""
        return TablePosition(self._table, tuple(self._entries), tuple(self._log))

    # Steps

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

    def make_sealed(self, seat: int) -> None:
        """Make the step of a seat's automatic bid; raises `NothingSealed` if there is none."""
        sealed = self._sealed.get(seat)
        step = auto_bidding.automatic_step(self._table.view(seat), sealed)
        if step is None:
            raise NothingSealed
        self._relies_on[seat] = sealed
        self.make(step, seat, "person")

    def make_forced_steps(self) -> None:
        """Play forced moves: a bot's, and those of people who want that."""
        while (seat := self._table.turn) is not None:
            step = self._step_without_asking(seat)
            if step is None:
                return
            self.make(step, seat, "house")

    def _step_without_asking(self, seat: int) -> msgspec.Struct | None:
        """The forced step of a bot. The same for people who want that, if they could undo it with the step before it."""
        step: msgspec.Struct | None
        if self._played_by_bot(seat):
            step = self._table.obvious
        else:
            step = self._table.automatic if self._row.seats[seat].unasked else None
        return step

    def check_confirmed(self, seat: int) -> None:
        """Raise `NotSure` if the steps cannot be undone any more, or if they end the turn.

        The first is checked first, because after a reveal the next player may depend on what was hidden.
        """
        if self._reveals:
            raise NotSure("You cannot undo this. Press again to confirm.")
        if self._table.turn != seat or self._table.may_undo != seat:
            raise NotSure("This ends your turn. Press again to confirm.")

    def undo(self, seat: int) -> None:
        """Undo the last step that the seat chose, with the forced moves after it; raises `NoUndo`."""
        if not any(entry.by != "house" for entry in last_steps_of(self._log, seat)):
            raise NoUndo("You have no move to undo.")
        while not self._taken_back:
            self._table.undo(seat)
            self._taken_back = self._log.pop().by != "house"
            self._add(seat, UNDO, "person")
        row = self._row
        used = row.used_before + max(0, self._now - (row.turn_at or self._now))
        if row.clock and row.turn != seat and used >= 1000 * row.clock:
            raise NoUndo("Your time for that move is up, so you cannot undo it.")

    def _add(self, seat: int, step: str, by: str) -> None:
        self._rows.append(StepRow(n=len(self._entries), seat=seat, step=step, by=by, at=self._now))
        self._entries.append((seat, step))

    @property
    def _reveals(self) -> bool:
        """Whether the last step revealed something hidden, so that no step can be undone any more.

        Everyone can tell beforehand whether a step will do that (`Game.revealed`).
        """
        return self._table.may_undo is None

    def _played_by_bot(self, seat: int) -> bool:
        return bot_of(self._row, self._row.seats[seat]) is not None

    # Their changes

    def update(self) -> TableUpdate:
        """The changes to write to save these steps."""
        turn = self._table.turn
        update = TableUpdate(
            n_before=self._n_before,
            rows=tuple(self._rows),
            position=self.position,
            row=self._over() if turn is None else self._going_on(turn),
            sealed={} if turn is None else self._sealed,
            resealed=(),
            relies_on=self._relies_on,
            act_soon=turn is not None and self._played_by_bot(turn),
        )
        return update if turn is None or update.act_soon else self._with_sealed_bid(update, turn)

    def _over(self) -> TableRow:
        return msgspec.structs.replace(
            self._row, n=len(self._entries), turn=None, turn_at=None, due_at=None, touched_at=self._now, state="over",
            result=self._table.record.result, ended_at=self._now, revision=self._row.revision + 1,
        )  # fmt: skip

    def _going_on(self, turn: int) -> TableRow:
        turn_at, used_before = self._time_of(turn)
        return msgspec.structs.replace(
            self._row, n=len(self._entries), turn=turn, turn_at=turn_at, used_before=used_before, touched_at=self._now,
            due_at=due_at(self._row, turn, turn_at, self._now),
        )  # fmt: skip

    def _time_of(self, turn: int) -> tuple[int, int]:
        """Since when the seat to move uses its time, and how much the seat before it has used.

        A turn has one clock, however many steps it has. A player who undoes the step that ended the turn continues with
        the time that was left, less the time until the undo.
        """
        row = self._row
        since = self._now if row.turn_at is None else row.turn_at
        if turn == row.turn and all(made.seat == turn for made in self._rows):
            return since, row.used_before
        if self._taken_back:
            return since - row.used_before, 0
        return self._now, max(0, self._now - since)

    def _with_sealed_bid(self, update: TableUpdate, turn: int) -> TableUpdate:
        """The same update, but the server acts soon if the player to move has an automatic bid.

        After an undo the player has to bid again, whatever their automatic bid in this auction.
        """
        if not auto_bidding.may_bid(self._table):
            return update
        sealed = self._sealed.get(turn)
        update = update._replace(relies_on={turn: sealed, **self._relies_on})
        if sealed is None:
            return update
        view = self._table.view(turn)
        if auto_bidding.automatic_step(view, sealed) is None:
            return update
        if self._taken_back:
            again = auto_bidding.without_current_lot(sealed, view)
            after = {**self._sealed, turn: again}
            return update._replace(
                sealed={seat: row for seat, row in after.items() if row.most}, resealed=(again,)
            )  # as the database stores them: without empty ones
        answer_at = auto_bidding.answer_time(self._row, self._now, update.row.due_at, self._rng)
        return update._replace(row=msgspec.structs.replace(update.row, due_at=answer_at), act_soon=True)


def _not_together(place: int, reveals: bool) -> str:
    """Why the moves after the first few cannot be sent together with them, and what is possible."""
    if place == 1:
        first = "your first move " + ("reveals something new" if reveals else "ends your turn")
        return f"Nothing was played: {first}. Send it alone."
    first = f"your first {place} moves " + ("reveal something new" if reveals else "end your turn")
    return f"Nothing was played: {first}. Send only those."


def last_steps_of(log: Sequence[LogEntry], seat: int) -> list[LogEntry]:
    """The last consecutive steps of one seat."""
    own: list[LogEntry] = []
    for step in reversed(log):
        if step.seat != seat:
            break
        own.append(step)
    return own
