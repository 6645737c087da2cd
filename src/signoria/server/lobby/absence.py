"""Players who leave, resign, are missing or run out of time: bots play for them and give the seat back."""

import msgspec

from signoria.server.errors import Conflict, NotAllowed
from signoria.server.lobby.catalogue import level_title
from signoria.server.play.clocks import MISSED, due_at, is_paused, time_is_up
from signoria.server.play.room import RESIGNED, Room, bot_of
from signoria.server.play.service import TableService
from signoria.store import tables
from signoria.store.database import Write
from signoria.store.people import User
from signoria.store.sealed import drop_sealed
from signoria.store.tables import SeatRow, TableRow


def _in_play(room: Room) -> None:
    if room.row.state != "playing":
        raise Conflict("The game is over." if room.row.state == "over" else "The game has not begun.")


async def _hand(service: TableService, room: Room, w: Write, seat: SeatRow) -> None:
    """Store who plays a seat from now on, and when the server must act.

    `turn_at` stays as it is: time used for a turn stays used, whoever plays the seat. Only a person who returns to a
    paused game gets the full time for this turn, because nobody could play in the meantime.
    """
    row, now = room.row, service.now()
    paused = is_paused(row)
    await tables.set_seat(w.db, seat)
    if seat.away:
        await drop_sealed(w.db, row.id, seat.seat)
    seats = tuple(seat if old.seat == seat.seat else old for old in row.seats)
    row = msgspec.structs.replace(row, seats=seats)
    columns: dict[str, int] = {"touched_at": now}
    if row.turn == seat.seat and bot_of(row, seat):
        columns |= {} if paused else {"due_at": now + row.pace}
    elif row.turn == seat.seat:
        turn_at = now if paused else row.turn_at or now
        columns |= {"turn_at": turn_at, "due_at": due_at(row, seat.seat, turn_at, now)}
        columns |= {"attempts": 0} if paused else {}
    await tables.change(w.db, row.id, **columns)


async def leave(service: TableService, room: Room, user: User, seat: int, resign: bool = False) -> None:
    """Let a bot play your seat: until you return, or for good."""
    async with service.changing(room) as w:
        _in_play(room)
        found = room.own_seat(user.id, seat)
        if found.resigned or (found.away and not resign):
            return
        await _hand(service, room, w, msgspec.structs.replace(found, away=True, resigned=resign))
        verb = "resigned" if resign else "left for now"
        await service.announce(w, room, f"{found.name} {verb}. {level_title(room.row.stand_in)} (bot) plays on.", seat)


async def come_back(service: TableService, room: Room, user: User, seat: int) -> None:
    """Take your seat back from the bot; raises `Conflict` while it plays a turn for which your time is up.

    In a paused game no bot plays that turn, so its player can always return.
    """
    async with service.changing(room) as w:
        _in_play(room)
        found = room.own_seat(user.id, seat)
        if found.resigned:
            raise Conflict(RESIGNED)
        if not found.away:
            return
        paused = is_paused(room.row)
        if not paused and time_is_up(room.row, seat, service.now()):
            raise Conflict(
                "Your time for this move is up, so the bot finishes your turn. You can come back after that."
            )
        await _hand(service, room, w, msgspec.structs.replace(found, away=False))
        goes_on = paused and room.row.turn == seat
        await service.announce(w, room, f"{found.name} is back{', and the game continues' if goes_on else ''}.", seat)


async def stand_in(service: TableService, room: Room, user: User, seat: int) -> None:
    """Let a bot play for a player who has not moved for a while, at a table without a clock."""
    async with service.changing(room) as w:
        _in_play(room)
        if not room.seats_of(user.id):
            raise NotAllowed("Only players at this table can do that.")
        if not missed(room.row, seat, service.now()):
            raise Conflict(f"You can do that once a player has not moved for {MISSED // 60} minutes.")
        found = room.seat(seat)
        await _hand(service, room, w, msgspec.structs.replace(found, away=True))
        says = f"{found.name} is away. {level_title(room.row.stand_in)} (bot) plays until they return."
        await service.announce(w, room, says, seat)


def missed(row: TableRow, seat: int, now: int) -> bool:
    """Whether the other players may call a stand-in for a seat."""
    if row.state != "playing" or row.clock or row.turn != seat or bot_of(row, row.seats[seat]):
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
        says = f"{seat.name} ran out of time. {level_title(row.stand_in)} (bot) plays until they return."
        await service.announce(w, room, says, seat.seat)
    return True
