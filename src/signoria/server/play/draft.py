"""A draft: steps tried on a copy of a game, and all that has to be written to keep them.

It is pure: it knows no database, reads no clock and waits for nothing. `TableService` writes what comes of it.
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
    """A step was to follow from a sealed bid, and none does any more."""

    def __init__(self) -> None:
        super().__init__("There is nothing sealed any more.")


class TableUpdate(NamedTuple):
    """What some steps change at a table: all of it is written, or nothing."""

    n_before: int
    rows: tuple[StepRow, ...]
    position: TablePosition
    """The game after the steps."""
    row: TableRow
    """The table after the steps."""
    sealed: Mapping[int, SealedRow]
    """By seat: what is sealed after the steps."""
    resealed: tuple[SealedRow, ...]
    """What is sealed anew."""
    relies_on: Mapping[int, SealedRow | None]
    """By seat: what was sealed, or that nothing was. The update holds only as long as the database says the same."""
    act_soon: bool
    """Whether the server is to act soon."""


class Draft:
    """Steps that are tried one after another; `update` says what keeping them would change."""

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
        """Make steps one after another; raises `BadField` where not all of them can be made together.

        Nothing is tried after a step that reveals something: what it reveals would be told by whether the next step is
        possible, before anything is kept.
        """
        for place, step in enumerate(steps):
            if place and (self._reveals or self._table.turn != seat):
                raise BadField("step", _not_together(place, self._reveals))
            self.make(step, seat, by)

    def make_sealed(self, seat: int) -> None:
        """Make the step that follows from what the player of a seat has sealed; raises `NothingSealed`."""
        sealed = self._sealed.get(seat)
        step = auto_bidding.automatic_step(self._table.view(seat), sealed)
        if step is None:
            raise NothingSealed
        self._relies_on[seat] = sealed
        self.make(step, seat, "person")

    def make_forced_steps(self) -> None:
        """Make the steps that leave no choice, as far as they may be made without asking."""
        while (seat := self._table.turn) is not None:
            step = self._step_without_asking(seat)
            if step is None:
                return
            self.make(step, seat, "house")

    def _step_without_asking(self, seat: int) -> msgspec.Struct | None:
        """The forced step of a bot; of people too who want that, if they can still take back what they did before it."""
        step: msgspec.Struct | None
        if self._played_by_bot(seat):
            step = self._table.obvious
        else:
            step = self._table.automatic if self._row.seats[seat].unasked else None
        return step

    def check_confirmed(self, seat: int) -> None:
        """Raise `NotSure` where what was made cannot be taken back any more, or somebody else is asked now.

        The first is looked at first: who is asked after something was revealed may depend on what was hidden.
        """
        if self._reveals:
            raise NotSure("You cannot undo this. Press again to confirm.")
        if self._table.turn != seat or self._table.may_undo != seat:
            raise NotSure("This ends your turn. Press again to confirm.")

    def undo(self, seat: int) -> None:
        """Take back the last step that the seat chose, with the forced ones after it; raises `NoUndo`."""
        if not any(entry.by != "house" for entry in last_steps_of(self._log, seat)):
            raise NoUndo(f"There is no step of yours to take back{'' if self._log else ': nothing has been done yet'}.")
        while not self._taken_back:
            self._table.undo(seat)
            self._taken_back = self._log.pop().by != "house"
            self._add(seat, UNDO, "person")
        row = self._row
        used = row.used_before + max(0, self._now - (row.turn_at or self._now))
        if row.clock and row.turn != seat and used >= 1000 * row.clock:
            raise NoUndo("Your time for that move is up, so it cannot be taken back.")

    def _add(self, seat: int, step: str, by: str) -> None:
        self._rows.append(StepRow(n=len(self._entries), seat=seat, step=step, by=by, at=self._now))
        self._entries.append((seat, step))

    @property
    def _reveals(self) -> bool:
        """Whether the last step showed something that was hidden: then no step can be taken back any more.

        Everybody can tell beforehand whether a step will (`Game.revealed`), whatever is hidden.
        """
        return self._table.may_undo is None

    def _played_by_bot(self, seat: int) -> bool:
        return bot_of(self._row, self._row.seats[seat]) is not None

    # What follows from them

    def update(self) -> TableUpdate:
        """What keeping these steps would change."""
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
        """Since when the seat that is asked now uses its time, and how much the one asked before it has used.

        A turn has one clock, however many steps it has. Whoever takes back the step that ended it goes on with the
        time that was left, less the time until it was taken back.
        """
        row = self._row
        since = self._now if row.turn_at is None else row.turn_at
        if turn == row.turn and all(made.seat == turn for made in self._rows):
            return since, row.used_before
        if self._taken_back:
            return since - row.used_before, 0
        return self._now, max(0, self._now - since)

    def _with_sealed_bid(self, update: TableUpdate, turn: int) -> TableUpdate:
        """The same where the player to move may have sealed a bid: then the server answers for them, soon.

        Players who take a step back are asked again, whatever they had sealed for this auction.
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
            )  # as the database keeps them: without empty ones
        answer_at = auto_bidding.answer_time(self._row, self._now, update.row.due_at, self._rng)
        return update._replace(row=msgspec.structs.replace(update.row, due_at=answer_at), act_soon=True)


def _not_together(place: int, reveals: bool) -> str:
    """Why moves after the first so many cannot be sent together with them, and what can be done."""
    if place == 1:
        first = "your first move " + ("reveals something new" if reveals else "ends your turn")
        return f"Nothing was played: {first}. Send it alone."
    first = f"your first {place} moves " + ("reveal something new" if reveals else "end your turn")
    return f"Nothing was played: {first}. Send only those."


def last_steps_of(log: Sequence[LogEntry], seat: int) -> list[LogEntry]:
    """The last steps of a game as far as they are all one seat's."""
    own: list[LogEntry] = []
    for step in reversed(log):
        if step.seat != seat:
            break
        own.append(step)
    return own
