"""Giving orders: a player decides before being asked, and the server makes the steps when it is the player's turn."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from signoria.games import AnyTable
from signoria.kernel.errors import IllegalStep
from signoria.kernel.language import say
from signoria.server.errors import BadField, Conflict, StaleVersion
from signoria.server.play import ordered_steps
from signoria.server.play.clocks import after_choice, due_at
from signoria.server.play.ordered_steps import as_bits, has_orders, in_this_round, lots_of, orders_of, with_choice
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import duties, tables
from signoria.store.database import Write
from signoria.store.orders import OrdersRow, orders_at, put_orders
from signoria.store.people import User
from signoria.store.tables import TableRow

Change = Callable[[AnyTable, Any, OrdersRow], OrdersRow]
"""Makes the new orders of a seat from the table, the seat's view and its orders so far."""


async def seal(service: TableService, room: Room, user: User, seat: int, lot: str, most: int | None) -> None:
    """Let the server bid the minimum up to `most` for a lot, or pass if it is 0; None cancels it.

    It is valid for this round's auction of the lot, can be set at any time, and nobody else can see it.
    """

    def change(_: AnyTable, view: Any, row: OrdersRow) -> OrdersRow:
        _check_lot(view, lot, most)
        others = {name: of for name, of in row.most.items() if name != lot}
        return replace(row, most=others if most is None else others | {lot: most})

    await _change(service, room, user, seat, change)


async def choose(service: TableService, room: Room, user: User, seat: int, choice: str, steps: Sequence[Any]) -> None:
    """Let the server make these steps when the seat is asked for this choice; without steps, the player is asked.

    It is valid in this round and can be changed until the steps are made. Nobody else can see the steps. Raises
    `IllegalStep` or `Conflict`.
    """

    def change(table: AnyTable, view: Any, row: OrdersRow) -> OrdersRow:
        return with_choice(row, choice, _checked(table, view, choice, steps))

    await _change(service, room, user, seat, change)


async def _change(service: TableService, room: Room, user: User, seat: int, change: Change) -> None:
    _check(room, user, seat)
    table_id = room.row.id
    async with room.lock:
        try:
            async with service.database.write() as w:
                row, table = await _held(w, room)
                _check(room, user, seat)  # a bot may have taken over since
                view, kept = table.view(seat), await orders_at(w.db, table_id)
                number = orders_of(view).round_of(view.known)
                valid = in_this_round(view, kept.get(seat)) or OrdersRow(table_id, seat, user.id, number)
                given = change(table, view, replace(valid, user_id=user.id, note=""))
                await put_orders(w.db, given)
                waiting = as_bits(ordered_steps.still_to_choose(table, kept | {seat: given}))
                timed = after_choice(row, row.seats[seat], waiting, service.now())
                if timed != row.seats[seat]:
                    await tables.set_time_left(w.db, table_id, {seat: timed.time_left})
                    row = replace(row, seats=tuple(timed if old.seat == seat else old for old in row.seats))
                if row.turn == seat:
                    await _set_due(service, w, row, table, given)
                if waiting != row.choosing:  # everyone may know who has chosen
                    await tables.change(w.db, table_id, choosing=waiting)
                w.tell(f"table:{table_id}")
            await service.catch_up(room)
        except BaseException:
            service.reload_table(table_id)  # it may have been saved all the same
            raise
    service.due.set()


async def _held(w: Write, room: Room) -> tuple[TableRow, AnyTable]:
    """The table, locked until everything is written; raises `StaleVersion`."""
    row = await tables.hold_table(w.db, room.row.id)
    if row is None or room.position is None or row.n != room.n:
        raise StaleVersion
    room.row = row
    return row, room.position.table


async def _set_due(service: TableService, w: Write, row: TableRow, table: AnyTable, given: OrdersRow) -> None:
    assert row.turn is not None
    now = service.now()
    due = due_at(row, row.turn, row.turn_at or now, now)
    answer = ordered_steps.answer(table, row.turn, given)
    if answer.step is not None:
        rng = None if ordered_steps.is_together(table, answer.choice) else service.rng
        due = ordered_steps.answer_time(row, now, due, rng)
    await duties.set_due(w.db, row.id, due)


def _check(room: Room, user: User, seat: int) -> None:
    """Check that a person may give orders for a seat; raises `NotAllowed` or `Conflict`."""
    room.acting_seat(user.id, seat)
    if not has_orders(room.row.game):
        raise Conflict(
            say("In this game nothing can be decided in advance: it has no auctions and no simultaneous choices.")
        )
    if room.row.state != "playing":
        over = room.row.state == "over"
        raise Conflict(say("The game is over.") if over else say("The game has not started."))
    if len(room.seats_of(user.id)) > 1:
        raise Conflict(say("Several people share this device, so orders would not stay secret."))


def _check_lot(view: Any, lot: str, most: int | None) -> None:
    """Check that this bid can be set now; raises `Conflict` or `BadField`."""
    open_lots = [known.name for known in lots_of(view)]
    if lot not in open_lots:
        raise Conflict(
            say("You cannot bid for {lot!r} now or later in this round.", lot=lot[:40]),
            field="lot",
            possible=", ".join(open_lots) or say("no auctions now"),
        )
    orders = orders_of(view)
    purse = orders.purse(view)
    if most is not None and not 0 <= most <= purse:
        raise BadField(
            "most",
            say("You have {coins}. Enter a number from 0 to {most}.", coins=orders.coins(purse), most=purse),
        )


def _checked(table: AnyTable, view: Any, choice: str, steps: Sequence[Any]) -> Sequence[Any]:
    """The steps of a choice in the order of their numbers; raises `Conflict`, or `IllegalStep` if they are impossible."""
    orders = orders_of(view)
    possible = orders.choices(view)
    if choice not in possible:
        raise Conflict(
            say("You cannot choose {choice!r} in advance now.", choice=choice[:40]),
            field="choice",
            possible=", ".join(possible) or say("nothing now"),
        )
    steps = sorted(steps, key=table.game.number_of)
    refusal = orders.refuse(view, choice, steps) if steps else None
    if steps and refusal is None and table.turn == view.seat and orders.choice_now(view) == choice:
        refusal = table.why_not(steps[0])  # it would be made at once
    if refusal is not None:
        raise IllegalStep(refusal.says, refusal.clause)
    return steps
