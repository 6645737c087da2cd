"""A draft: steps tried on a copy of the game, and what must be written to save them.

It is pure: it uses no database, reads no clock and waits for nothing. `TableService` writes the result.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import msgspec

from signoria.games import AnyTable
from signoria.kernel.errors import NoUndo
from signoria.kernel.language import say, say_count
from signoria.server.errors import BadField, NotSure, StaleVersion
from signoria.server.play import ordered_steps
from signoria.server.play.clocks import (
    SLOW,
    after_choice,
    after_turn,
    before_choice,
    before_turn_ended,
    due_at,
    has_clock,
    start_of_turn,
)
from signoria.server.play.ordered_steps import OrderedStep, Orders
from signoria.server.play.room import UNDO, LogEntry, TablePosition, bot_of, encode_step, log_entry
from signoria.store.orders import OrdersRow
from signoria.store.steps import StepRow
from signoria.store.tables import SeatRow, TableRow


class NoOrder(StaleVersion):
    """The order of a step is gone."""

    def __init__(self) -> None:
        super().__init__("There is no order any more.")


class TableUpdate(NamedTuple):
    """The changes that some steps make at a table: all of them are written, or none."""

    n_before: int
    rows: tuple[StepRow, ...]
    position: TablePosition
    """The game after the steps."""
    row: TableRow
    """The table after the steps."""
    orders: Orders
    """Orders by seat, after the steps."""
    changed_orders: tuple[OrdersRow, ...]
    """Orders that have changed: steps were made, dropped or taken back."""
    relies_on: dict[int, OrdersRow | None]
    """By seat: the orders that the update relies on, None for none. It is saved only if they are unchanged."""
    act_soon: bool
    """Whether the server has to act soon after them."""
    answered: bool = False
    """Whether the player to move has given an order for this, so that nobody has to decide."""


class Draft:
    """Steps tried on a copy of the game, before they are saved; `update` returns their changes."""

    def __init__(
        self, row: TableRow, position: TablePosition, orders: Orders, now: int, rng: Random, undo_wait: int = 0
    ) -> None:
        self._row, self._now, self._rng, self._undo_wait = row, now, rng, undo_wait
        self._n_before = position.n
        self._table: AnyTable = position.table.copy()
        self._entries, self._log = list(position.entries), list(position.log)
        self._choosing_before = ordered_steps.choosing(position.table)
        self._orders_before, self._orders = orders, dict(orders)
        self._relies_on: dict[int, OrdersRow | None] = {}
        self._rows: list[StepRow] = []
        self._taken_back = False

    @property
    def position(self) -> TablePosition:
        """The game after the steps so far."""
        return TablePosition(self._table, tuple(self._entries), tuple(self._log))

    # Steps

    def make(self, step: msgspec.Struct, seat: int, by: str) -> None:
        """Make one step."""
        self._table.make(step, seat)
        self._log.append(log_entry(self._table, len(self._entries), len(self._log) + 1, seat, by))
        self._add(seat, encode_step(step), by)

    def make_all(self, steps: Sequence[msgspec.Struct], seat: int, by: str) -> None:
        """Make steps one after another; raises `BadField` if they cannot all be made together.

        No step is tried after one that reveals something. Otherwise the legality of the next step would show what was
        revealed, before anything is saved.
        """
        for place, step in enumerate(steps):
            if place and (self._reveals or self._table.turn != seat):
                raise BadField("step", _not_together(place, self._reveals))
            if (orders := self._orders.get(seat)) and orders.chosen and self._table.turn == seat:
                self._set_orders(seat, ordered_steps.without_choice_now(self._table, seat, orders))
            self.make(step, seat, by)

    def make_ordered(self, seat: int) -> None:
        """Make the steps of a seat's orders; raises `NoOrder` if there are none.

        A bid is one step. An early choice is made completely, and where everyone chooses at the same time, so are those
        of the next seats. What was revealed on the way stops it.
        """
        answer = self._answer(seat)
        if answer.step is None:
            raise NoOrder
        choice = answer.choice
        together = ordered_steps.is_together(self._table, choice)
        while answer.step is not None and answer.choice == choice:
            self._carry_out(seat, answer)
            turn = self._table.turn
            if not choice or turn is None or self._reveals or self._played_by_bot(turn):
                return
            if turn != seat and not together:
                return
            seat = turn
            answer = self._answer(seat)

    def _answer(self, seat: int) -> OrderedStep:
        return ordered_steps.answer(self._table, seat, self._orders.get(seat))

    def _carry_out(self, seat: int, answer: OrderedStep) -> None:
        assert answer.orders is not None
        assert answer.step is not None
        self.make(answer.step, seat, "person")
        self._set_orders(seat, ordered_steps.without_rest(self._table, seat, answer.orders, answer.choice))

    def _set_orders(self, seat: int, orders: OrdersRow | None) -> None:
        """Note the orders of a seat after the steps so far, and that they rely on those before."""
        self._relies_on[seat] = self._orders_before.get(seat)
        if orders is not None:
            self._orders[seat] = orders

    def make_forced_steps(self) -> None:
        """Play forced moves: a bot's, and those of people who want that."""
        while (seat := self._table.turn) is not None:
            step = self._step_without_asking(seat)
            if step is None:
                return
            self.make(step, seat, "house")

    def _step_without_asking(self, seat: int) -> msgspec.Struct | None:
        """The forced step of a bot, unless it waits. The same for people who want that, if they could undo it with the
        step before it.
        """
        step: msgspec.Struct | None
        if self._played_by_bot(seat):
            step = None if self._undo_until(seat) > self._now else self._table.obvious
        else:
            step = self._table.automatic if self._row.seats[seat].unasked else None
        return step

    def check_confirmed(self, seat: int) -> None:
        """Raise `NotSure` if the steps cannot be undone any more, or if they end the turn.

        The first is checked first, because after a reveal the next player may depend on what was hidden.
        """
        if self._reveals:
            raise NotSure(say("You cannot undo this. Press again to confirm."))
        if self._table.turn != seat or self._table.may_undo != seat:
            raise NotSure(say("This ends your turn. Press again to confirm."))

    def undo(self, seat: int) -> None:
        """Undo the last step that the seat chose, with the forced moves after it; raises `NoUndo`."""
        if not any(entry.by != "house" for entry in last_steps_of(self._log, seat)):
            raise NoUndo(say("You have no move to undo."))
        while not self._taken_back:
            self._table.undo(seat)
            self._taken_back = self._log.pop().by != "house"
            self._add(seat, UNDO, "person")
        row = self._row
        had = 1000 * row.clock
        if row.total_time:
            had = self._before_last_step(row.seats[seat]).time_left or 0
        if has_clock(row) and row.turn != seat and self._now - self._since_before(seat) >= had:
            raise NoUndo(say("Your time for that move is up, so you cannot undo it."))

    def make_instead(self, step: msgspec.Struct, seat: int) -> None:
        """Undo the last steps of the seat to move as far as this step needs it, and make it; raises `IllegalStep`.

        If the step was not legal before any of them either, the error is that of the current position.
        """
        if self._table.turn != seat or not self._was_legal(step, seat):
            self._table.make(step, seat)  # raises the reason
        while self._table.why_not(step, seat) is not None:
            self._taken_back = False
            self.undo(seat)
        self._taken_back = False  # the step follows, so the clock goes on as after any other
        self.make(step, seat, "person")

    def _was_legal(self, step: msgspec.Struct, seat: int) -> bool:
        """Whether a step is legal, or was before the last steps that the seat can undo."""
        earlier = self._table.copy()
        while earlier.why_not(step, seat) is not None:
            if earlier.may_undo != seat:
                return False
            earlier.undo(seat)
        return True

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
        answer: OrderedStep | None = None
        if turn is None:
            row, act_soon = self._over(), False
            self._orders.clear()
        else:
            self._drop_impossible_orders()
            act_soon = self._played_by_bot(turn)
            answer = None if act_soon else self._answer_to(turn)
            row = self._going_on(turn)
            if answer is not None:
                rng = None if ordered_steps.is_together(self._table, answer.choice) else self._rng
                answer_at = ordered_steps.answer_time(self._row, self._now, row.due_at, rng)
                row, act_soon = msgspec.structs.replace(row, due_at=answer_at), True
        changed = tuple(after for seat, after in self._orders.items() if after != self._orders_before.get(seat))
        return TableUpdate(
            n_before=self._n_before,
            rows=tuple(self._rows),
            position=self.position,
            row=row,
            orders={seat: after for seat, after in self._orders.items() if not after.empty},  # as they are stored
            changed_orders=changed,
            relies_on=self._relies_on,
            act_soon=act_soon,
            answered=answer is not None,
        )

    def _over(self) -> TableRow:
        return msgspec.structs.replace(
            self._row, n=len(self._entries), turn=None, turn_at=None, due_at=None, touched_at=self._now, state="over",
            result=self._table.record.result, ended_at=self._now, revision=self._row.revision + 1, choosing=0,
        )  # fmt: skip

    def _going_on(self, turn: int) -> TableRow:
        turn_at, used_before = self._time_of(turn)
        choosing = ordered_steps.as_bits(ordered_steps.still_to_choose(self._table, self._orders))
        row = msgspec.structs.replace(self._row, seats=self._seats_after(turn_at, choosing), choosing=choosing)
        return msgspec.structs.replace(
            row, n=len(self._entries), turn=turn, turn_at=turn_at, used_before=used_before, touched_at=self._now,
            due_at=max(due_at(row, turn, turn_at, self._now), self._undo_until(turn)),
        )  # fmt: skip

    def _seats_after(self, turn_at: int, choosing: int) -> tuple[SeatRow, ...]:
        """The seats with what they have left of a total time; `choosing` are the seats that still choose."""
        row, turn, now = self._row, self._row.turn, self._now
        if not row.total_time or turn is None:
            return row.seats
        if self._taken_back and not self._within_choice:
            back = self._table.turn
            taken_back = back if back != turn else None
            return tuple(before_turn_ended(row, seat) if seat.seat == taken_back else seat for seat in row.seats)
        if self._choosing_before:  # who has chosen in advance, has used no time since
            return tuple(after_choice(row, seat, choosing, now) for seat in row.seats)
        used, ended = max(0, now - (row.turn_at or now)), turn_at != row.turn_at
        return tuple(after_turn(row, seat, used) if ended and seat.seat == turn else seat for seat in row.seats)

    def _undo_until(self, turn: int) -> int:
        """How long a bot waits with its move, so that a person can undo theirs."""
        undoes = self._table.may_undo
        waits = undoes is not None and self._played_by_bot(turn) and not self._played_by_bot(undoes)
        return self._now + self._undo_wait if waits else 0

    def _time_of(self, turn: int) -> tuple[int, int]:
        """Since when the seat to move uses its time, and how much the seat before it has used.

        A turn has one clock, however many steps it has. A player who undoes the step that ended the turn continues with
        the time that was left, less the time until the undo. Where everyone chooses at the same time, everyone's clock
        has run since the choice was opened; not for players on one device, who choose one after another.
        """
        row = self._row
        since = self._now if row.turn_at is None else row.turn_at
        together = bool(ordered_steps.choosing(self._table)) and not self._shares_device(turn)
        opened = together and not self._choosing_before
        if turn == row.turn and not opened and all(made.seat == turn for made in self._rows):
            return since, row.used_before
        if self._taken_back:
            return self._since_before(turn), 0
        if together and not opened:
            return since, 0
        until = self._now if row.turn is None else start_of_turn(row, row.turn, self._now)
        choosing = ordered_steps.choosing(self._table) if together else ()
        return start_of_turn(row, turn, self._now, choosing), max(0, until - since)

    def _since_before(self, seat: int) -> int:
        """Since when a seat uses its time that takes back the step that ended its turn.

        What it used before that step counts, and the time since then, even if the next player is on vacation and has
        used none of it. The clock of a player on vacation stands still.
        """
        row = self._row
        if self._within_choice and row.turn_at is not None:
            return row.turn_at - row.used_before
        begins_at = start_of_turn(row, seat, self._now)
        if begins_at == self._now:
            begins_at = self._now if row.turn_at is None else row.turn_at
            begins_at = min(begins_at, row.touched_at) if row.clock >= SLOW else begins_at
        return begins_at - row.used_before

    def _before_last_step(self, seat: SeatRow) -> SeatRow:
        """A seat as it was before the step that is taken back."""
        row = self._row
        return before_choice(row, seat, self._now) if self._within_choice else before_turn_ended(row, seat)

    @property
    def _within_choice(self) -> bool:
        """Whether everyone's clock runs since the same choice before the steps and after them."""
        turn, together = self._row.turn, self._choosing_before and ordered_steps.choosing(self._table)
        return bool(together) and turn is not None and not self._shares_device(turn)

    def _shares_device(self, seat: int) -> bool:
        """Whether the player in a seat cannot choose in advance, because others play on the same device."""
        user_id = self._row.seats[seat].user_id
        return user_id is not None and sum(other.user_id == user_id for other in self._row.seats) > 1

    def _drop_impossible_orders(self) -> None:
        """Drop early choices that these steps have made impossible."""
        for seat, orders in list(self._orders.items()):
            if orders.chosen and (after := ordered_steps.still_possible(self._table, seat, orders)) != orders:
                self._set_orders(seat, after)

    def _answer_to(self, turn: int) -> OrderedStep | None:
        """What the server does for the player to move; None if it has no order for this.

        After an undo the player has to decide again, even if they gave an order for this.
        """
        if not ordered_steps.may_answer(self._table):
            return None
        self._set_orders(turn, None)
        answer = self._answer(turn)
        if answer.step is None:
            self._set_orders(turn, answer.orders)  # without an order that cannot be carried out
            return None
        if self._taken_back:
            self._set_orders(turn, ordered_steps.without_what_is_asked(self._table, turn, self._orders[turn]))
            return None
        return answer


def _not_together(place: int, reveals: bool) -> str:
    """Why the moves after the first few cannot be sent together with them, and what is possible."""
    if reveals:
        return say_count(
            "Nothing was played: your first move reveals something new. Send it alone.",
            "Nothing was played: your first {n} moves reveal something new. Send only those.",
            place,
        )
    return say_count(
        "Nothing was played: your first move ends your turn. Send it alone.",
        "Nothing was played: your first {n} moves end your turn. Send only those.",
        place,
    )


def last_steps_of(log: Sequence[LogEntry], seat: int) -> list[LogEntry]:
    """The last consecutive steps of one seat."""
    own: list[LogEntry] = []
    for step in reversed(log):
        if step.seat != seat:
            break
        own.append(step)
    return own
