"""What follows from the orders of a seat: the step that the server makes for it, and orders that are no longer possible."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from signoria.games import AnyTable, find_game
from signoria.kernel.clauses import Refusal
from signoria.kernel.language import ENGLISH, LANGUAGES, language, say, speaking
from signoria.kernel.orders import Lot, StandingOrders
from signoria.server.play.room import decode_step, encode_step
from signoria.store.orders import OrdersRow
from signoria.store.tables import TableRow

Orders = Mapping[int, OrdersRow]
"""The orders of a table by seat."""


class OrderedStep(NamedTuple):
    """What the server does for a seat that is asked."""

    step: Any | None
    """The step that it makes; None if the player has to decide."""
    choice: str
    """The early choice that the step belongs to; empty for a bid."""
    orders: OrdersRow | None
    """The seat's orders after that."""


def has_orders(game: str) -> bool:
    """Whether players of a game can give orders."""
    return find_game(game).standing_orders is not None


def orders_of(view: Any) -> StandingOrders[Any, Any]:
    """The orders of the view's game, which has them."""
    orders = find_game(view.game).standing_orders
    assert orders is not None
    return orders


def in_this_round(view: Any, row: OrdersRow | None) -> OrdersRow | None:
    """Orders that are valid in the current round; None if there are none."""
    return row if row and row.round == orders_of(view).round_of(view.known) else None


def lots_of(view: Any) -> list[Lot]:
    """The known auctions of this round in which this seat can still bid."""
    return orders_of(view).lots(view)


def bid_limits(view: Any, row: OrdersRow | None) -> Mapping[str, int]:
    """The server's maximum by lot."""
    valid = in_this_round(view, row)
    return valid.most if valid else {}


def chosen_steps(view: Any, row: OrdersRow | None) -> dict[str, tuple[Any, ...]]:
    """What a seat has chosen in advance, by choice."""
    valid, game = in_this_round(view, row), find_game(view.game)
    return (
        {name: tuple(decode_step(game, step) for step in steps) for name, steps in valid.chosen.items()}
        if valid
        else {}
    )


# When a seat is asked


def may_answer(table: AnyTable) -> bool:
    """Whether an order may answer what is asked now: a quick check before a closer one."""
    orders = table.game.standing_orders
    return orders is not None and table.position.asked in orders.asks


def answer(table: AnyTable, seat: int, row: OrdersRow | None) -> OrderedStep:
    """The server's step for the seat to move. An early choice that is not legal any more is dropped, with a note."""
    if row is None:
        return OrderedStep(None, "", None)
    view = table.view(seat)
    if in_this_round(view, row) is None:
        return OrderedStep(None, "", row)
    orders = orders_of(view)
    choice = orders.choice_now(view)
    if choice not in row.chosen:
        return OrderedStep(orders.bid(view, row.most), "", row)
    first, *rest = row.chosen[choice]
    step = decode_step(table.game, first)
    refusal = table.why_not(step, seat)
    if refusal is not None:
        return OrderedStep(
            None,
            "",
            _dropped(
                row,
                choice,
                view,
                [step, *(decode_step(table.game, one) for one in rest)],
                lambda: table.why_not(step, seat),
            ),
        )
    return OrderedStep(step, choice, _with_choice(row, choice, rest))


def answer_time(row: TableRow, now: int, deadline: int | None, rng: Random | None) -> int:
    """When the server acts for a player: not before bots would, and before the deadline.

    With `rng` it takes a random time longer, so that nobody can tell an order from a quick player.
    """
    answer_at = now + row.pace + (rng.randrange(2 * row.pace + 1) if rng else 0)
    return answer_at if deadline is None else min(answer_at, max(now, deadline))


def is_together(table: AnyTable, choice: str) -> bool:
    """Whether everyone makes this choice at the same time."""
    orders = table.game.standing_orders
    return orders is not None and choice in orders.together


# Changing orders


def with_choice(row: OrdersRow, choice: str, steps: Sequence[Any]) -> OrdersRow:
    """The same orders with these steps for a choice; without steps, the player is asked."""
    return _with_choice(row, choice, [encode_step(step) for step in steps])


def _with_choice(row: OrdersRow, choice: str, steps: Sequence[str]) -> OrdersRow:
    others = {name: kept for name, kept in row.chosen.items() if name != choice}
    return replace(row, chosen=others | ({choice: tuple(steps)} if steps else {}))


def _dropped(
    row: OrdersRow, choice: str, view: Any, steps: Sequence[Any], refuse: Callable[[], Refusal | None]
) -> OrdersRow:
    """The same orders without a choice, with a note in every language: nobody knows yet which one its player will read."""
    notes = {}
    for name in LANGUAGES:
        with speaking(name):
            told = orders_of(view).in_words(choice, steps)
            notes[name] = say("Your order was dropped: {step}. {refusal}", step=told, refusal=refuse())
    return replace(_with_choice(row, choice, ()), note=msgspec.json.encode(notes).decode())


def note_of(row: OrdersRow | None) -> str:
    """Why the server dropped an order, in the language that is spoken now; empty if it did not."""
    if row is None or not row.note:
        return ""
    notes: dict[str, str] = msgspec.json.decode(row.note)
    return notes.get(language(), notes[ENGLISH])


def without_what_is_asked(table: AnyTable, seat: int, row: OrdersRow) -> OrdersRow:
    """The same orders for a player who wants to decide now what is asked."""
    view = table.view(seat)
    orders = orders_of(view)
    choice, lot = orders.choice_now(view), orders.lot_now(view)
    return replace(_with_choice(row, choice, ()), most={name: most for name, most in row.most.items() if name != lot})


def without_choice_now(table: AnyTable, seat: int, row: OrdersRow) -> OrdersRow:
    """The same orders without the early choice that the seat is asked for."""
    view = table.view(seat)
    return _with_choice(row, orders_of(view).choice_now(view), ())


def without_rest(table: AnyTable, seat: int, row: OrdersRow, choice: str) -> OrdersRow:
    """The same orders without the remaining steps of a choice, if the seat is not asked for more of them."""
    if choice not in row.chosen:
        return row
    view = table.view(seat)
    asked = table.turn == seat and orders_of(view).choice_now(view) == choice
    return row if asked else _with_choice(row, choice, ())


def still_possible(table: AnyTable, seat: int, row: OrdersRow) -> OrdersRow:
    """The same orders without early choices that have become impossible; the player gets a note about those."""
    view = table.view(seat)
    if in_this_round(view, row) is None:
        return row
    orders = orders_of(view)
    asked = orders.choice_now(view) if table.turn == seat else ""
    for choice, steps in chosen_steps(view, row).items():
        if choice == asked:
            continue
        if choice not in orders.choices(view):
            row = _with_choice(row, choice, ())
        elif orders.refuse(view, choice, steps):
            row = _dropped(row, choice, view, steps, partial(orders.refuse, view, choice, steps))
    return row


# Choices that everyone makes at the same time


def has_chosen(table: AnyTable, rows: Orders) -> frozenset[int]:
    """The seats that have already made the choice that everyone makes now, before being asked. This is public."""
    orders = table.game.standing_orders
    if orders is None or not rows:
        return frozenset()
    number = orders.round_of(table.position)
    waiting = orders.choosing(table.position)
    return frozenset(
        seat for seat in waiting
        if (row := rows.get(seat)) and row.round == number and not orders.together.isdisjoint(row.chosen)
    )  # fmt: skip


def choosing(table: AnyTable) -> tuple[int, ...]:
    """The seats that have not yet made the choice that everyone makes now by the rules; empty without such a choice."""
    orders = table.game.standing_orders
    return () if orders is None else orders.choosing(table.position)


def still_to_choose(table: AnyTable, rows: Orders) -> tuple[int, ...]:
    """The seats that this choice waits for: they have not chosen in advance either."""
    chosen = has_chosen(table, rows)
    return tuple(seat for seat in choosing(table) if seat not in chosen)


def as_bits(seats: Sequence[int]) -> int:
    """Seats as a number."""
    return sum(1 << seat for seat in seats)
