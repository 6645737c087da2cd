"""Players who leave, resign, are missing or run out of time: bots play for them and give the seat back."""

import msgspec

from signoria.kernel.language import later, say
from signoria.server.errors import Conflict, NotAllowed
from signoria.server.lobby.catalogue import level_title
from signoria.server.play.clocks import (
    MISSED,
    after_choice,
    come_back_to,
    deadline,
    due_at,
    handed_over,
    has_clock,
    is_on_vacation,
    is_paused,
    shifted,
    start_of_turn,
    time_is_up,
)
from signoria.server.play.ordered_steps import as_bits, has_chosen, still_to_choose
from signoria.server.play.room import RESIGNED, Room, bot_of
from signoria.server.play.service import TableService
from signoria.store import tables
from signoria.store.database import Write
from signoria.store.orders import drop_orders, orders_at
from signoria.store.people import User
from signoria.store.tables import SeatRow, TableRow


def _in_play(room: Room) -> None:
    if room.row.state != "playing":
        raise Conflict(say("The game is over.") if room.row.state == "over" else say("The game has not begun."))


async def _hand(service: TableService, room: Room, w: Write, seat: SeatRow) -> None:
    """Store who plays a seat from now on, and when the server must act.

    `turn_at` stays as it is: time used for a turn stays used, even if a bot takes over. Only a person who returns to a
    paused game gets the full time for this turn, because nobody could play in the meantime. Clocks stand still for a
    person on vacation, and not for the bot.
    """
    row, now = room.row, service.now()
    paused = is_paused(row)
    columns: dict[str, int] = {"touched_at": now}
    if not paused and (turn_at := _turn_at(row, seat, now)) != row.turn_at:
        columns["turn_at"] = turn_at
        if row.due_at == (ends_at := deadline(row)) and ends_at is not None:
            columns["due_at"] = ends_at + turn_at - (row.turn_at or now)
    if seat.away:
        await drop_orders(w.db, row.id, seat.seat)
        if room.position is not None and room.n == row.n:
            choosing = as_bits(still_to_choose(room.position.table, await orders_at(w.db, row.id)))
            columns["choosing"] = choosing
            seat = after_choice(row, seat, choosing, now)  # what they had chosen is dropped
            row = msgspec.structs.replace(row, choosing=choosing)
    seat = handed_over(row, seat, now) if seat.away else come_back_to(row, seat, now)
    await tables.set_seat(w.db, seat)
    seats = tuple(seat if old.seat == seat.seat else old for old in row.seats)
    row = msgspec.structs.replace(row, seats=seats)
    if row.turn == seat.seat and bot_of(row, seat):
        columns |= {} if paused else {"due_at": now + row.pace}
    elif row.turn == seat.seat:
        turn_at = start_of_turn(row, seat.seat, now) if paused else columns.get("turn_at", row.turn_at or now)
        columns |= {"turn_at": turn_at, "due_at": due_at(row, seat.seat, turn_at, now)}
        columns |= {"attempts": 0} if paused else {}
    await tables.change(w.db, row.id, **columns)


def _turn_at(row: TableRow, seat: SeatRow, now: int) -> int:
    """When the turn began for which a person on vacation hands a seat over, or takes it back."""
    before, ends_at = row.turn_at or now, deadline(row)
    person = row.seats[seat.seat] if seat.away else seat
    if not row.awaits(seat.seat) or not is_on_vacation(row, person, now) or (ends_at is not None and ends_at <= now):
        return before
    rest = (seat.vacation_until or now) - now
    return shifted(row, seat.user_id, now, -rest if seat.away else rest)


async def leave(service: TableService, room: Room, user: User, seat: int, resign: bool = False) -> None:
    """Let a bot play your seat: until you return, or for good."""
    async with service.changing(room) as w:
        _in_play(room)
        found = room.own_seat(user.id, seat)
        if found.resigned or (found.away and not resign):
            return
        await _hand(service, room, w, msgspec.structs.replace(found, away=True, resigned=resign))
        who = {"player": found.name, "bot": level_title(room.row.stand_in)}
        resigned = later("{player} resigned. {bot} (bot) plays on.", **who)
        left = later("{player} left for now. {bot} (bot) plays on.", **who)
        await service.announce(w, room, resigned if resign else left, seat)


async def come_back(service: TableService, room: Room, user: User, seat: int) -> None:
    """Take your seat back from the bot; raises `Conflict` while it plays a turn for which your time is up.

    In a paused game no bot plays that turn, so its player can always return.
    """
    async with service.changing(room) as w:
        _in_play(room)
        found = room.own_seat(user.id, seat)
        if found.resigned:
            raise Conflict(say(RESIGNED))
        if not found.away:
            return
        paused = is_paused(room.row)
        if not paused and time_is_up(room.row, seat, service.now()):
            raise Conflict(
                say("Your time for this move is up, so the bot finishes your turn. You can come back after that.")
            )
        await _hand(service, room, w, msgspec.structs.replace(found, away=False))
        goes_on = paused and room.row.turn == seat
        who = {"player": found.name}
        continues = later("{player} is back, and the game continues.", **who)
        await service.announce(w, room, continues if goes_on else later("{player} is back.", **who), seat)


async def stand_in(service: TableService, room: Room, user: User, seat: int) -> None:
    """Let a bot play for a player who has not moved for a while, at a table without a clock."""
    async with service.changing(room) as w:
        _in_play(room)
        if not room.seats_of(user.id):
            raise NotAllowed(say("Only players at this table can do that."))
        if not may_replace(room, seat, service.now()):
            raise Conflict(
                say("You can do that once a player has not moved for {minutes} minutes.", minutes=MISSED // 60)
            )
        found = room.seat(seat)
        await _hand(service, room, w, msgspec.structs.replace(found, away=True))
        bot = level_title(room.row.stand_in)
        says = later("{player} is away. {bot} (bot) plays until they return.", player=found.name, bot=bot)
        await service.announce(w, room, says, seat)


def may_replace(room: Room, seat: int, now: int) -> bool:
    """Whether the other players may call a stand-in for a seat: not if it has chosen in advance."""
    chosen = has_chosen(room.position.table, room.orders) if room.position else frozenset()
    return seat not in chosen and missed(room.row, seat, now)


def missed(row: TableRow, seat: int, now: int) -> bool:
    """Whether a seat at a table without a clock has not moved for a while."""
    if row.state != "playing" or has_clock(row) or row.turn != seat or bot_of(row, row.seats[seat]):
        return False
    return now - (row.turn_at or now) >= 1000 * MISSED


async def clock_out(service: TableService, room: Room, n: int) -> bool:
    """Hand the seat to move to a bot because the clock ran out at step `n`; returns whether it did."""
    async with service.changing(room) as w:
        row, now = room.row, service.now()
        if row.state != "playing" or row.n != n or row.turn is None or bot_of(row, row.seats[row.turn]):
            return False
        if due_at(row, row.turn, row.turn_at or now, now) > now:
            return False  # a bot's turn was due, and its seat was taken back just now
        seat = row.seats[row.turn]
        await _hand(service, room, w, msgspec.structs.replace(seat, away=True))
        bot = level_title(row.stand_in)
        says = later("{player} ran out of time. {bot} (bot) plays until they return.", player=seat.name, bot=bot)
        await service.announce(w, room, says, seat.seat)
    return True
