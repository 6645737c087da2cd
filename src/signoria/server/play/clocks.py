"""Clocks: when a bot's step is due and when a player's time is up.

A clock is per move (`clock`), or a total time for the whole game to which every turn adds an increment (`total_time`).
A seat's `time_left` is what it had at the start of its turn, so that its time is up `time_left` after `turn_at`.
"""

from collections.abc import Iterable

import msgspec

from signoria.kernel.language import say, say_count, to_say
from signoria.server.play.room import bot_of
from signoria.store.tables import SeatRow, TableRow

MINUTE = 60
HOUR = 3600
DAY = 24 * HOUR
CLOCKS: tuple[tuple[int, str], ...] = (
    (0, to_say("no clock")),
    (MINUTE, to_say("1 minute per move")),
    (3 * MINUTE, to_say("3 minutes per move")),
    (10 * MINUTE, to_say("10 minutes per move")),
    (HOUR, to_say("1 hour per move")),
    (DAY, to_say("1 day per move")),
    (3 * DAY, to_say("3 days per move")),
    (7 * DAY, to_say("7 days per move")),
)
"""Possible clocks in seconds per move, with their labels."""
TOTAL_CLOCKS: tuple[tuple[int, int], ...] = (
    (5 * MINUTE, 5),
    (10 * MINUTE, 10),
    (15 * MINUTE, 15),
    (30 * MINUTE, 20),
    (HOUR, 30),
)
"""Possible total times with their increments, in seconds."""
SLOW = DAY
"""Seconds per move from which a vacation stops the clock."""
WITHOUT_CLOCK = 30 * DAY
"""Seconds after which a bot plays for a player at a table without a clock, so that no game waits forever."""
MISSED = 180
"""Seconds after which other players may call a stand-in at a table without a clock."""
AGAIN = 0.4
"""The share of the pace that a bot waits before the next step of its turn."""


def total_words(total_time: int, increment: int) -> str:
    """A total time with its increment in words."""
    return say(
        "{time} in total, {more} more after each turn",
        time=say_count("{n} minute", "{n} minutes", total_time // MINUTE),
        more=say_count("{n} second", "{n} seconds", increment),
    )


def per_move_words(seconds: int) -> str:
    """A clock per move in words."""
    label = dict(CLOCKS).get(seconds)
    return say(label) if label else say_count("{n} second per move", "{n} seconds per move", seconds)


def clock_words(row: TableRow) -> str:
    """The clock of a table in words."""
    return total_words(row.total_time, row.increment) if row.total_time else per_move_words(row.clock)


def has_clock(row: TableRow) -> bool:
    """Whether the players of a table have limited time."""
    return row.clock > 0 or row.total_time > 0


def time_for(row: TableRow, seat: int) -> int | None:
    """Milliseconds that a seat has from the start of its turn; None without a clock."""
    if row.total_time:
        return row.seats[seat].time_left or 0
    return 1000 * row.clock or None


# A total time


def with_full_time(row: TableRow) -> TableRow:
    """A table at the start of its game: every seat has its whole total time."""
    if not row.total_time:
        return row
    full = tuple(msgspec.structs.replace(seat, time_left=1000 * row.total_time) for seat in row.seats)
    return msgspec.structs.replace(row, seats=full)


def after_turn(row: TableRow, seat: SeatRow, used: int) -> SeatRow:
    """A seat at the end of a turn: the milliseconds used are subtracted from its time, and the increment is added.

    A turn played by a bot uses no time. After it a player who had less than the increment has the increment, and so can
    come back.
    """
    if not row.total_time:
        return seat
    left, increment = seat.time_left or 0, 1000 * row.increment
    left = max(left, increment) if bot_of(row, seat) else max(0, left - used) + increment
    return msgspec.structs.replace(seat, time_left=left)


def before_turn_ended(row: TableRow, seat: SeatRow) -> SeatRow:
    """The seat that ended the previous turn, as it was before `after_turn`: for an undo."""
    if not row.total_time:
        return seat
    left = (seat.time_left or 0) - 1000 * row.increment + row.used_before
    return msgspec.structs.replace(seat, time_left=max(0, left))


def after_choice(row: TableRow, seat: SeatRow, waiting: int, now: int) -> SeatRow:
    """A seat that has chosen before being asked, or has taken its choice back; `waiting` are the seats that have not.

    Everyone's time runs from the moment when the choice was opened until they have chosen. The time between a choice and
    taking it back does not count.
    """
    was, waits = row.choosing >> seat.seat & 1, waiting >> seat.seat & 1
    if not row.total_time or was == waits:
        return seat
    return after_turn(row, seat, max(0, now - (row.turn_at or now))) if was else before_choice(row, seat, now)


def before_choice(row: TableRow, seat: SeatRow, now: int) -> SeatRow:
    """A seat that takes back what it has chosen while others still choose: the time in between does not count."""
    if not row.total_time:
        return seat
    used = max(0, now - (row.turn_at or now))
    return msgspec.structs.replace(seat, time_left=max(0, (seat.time_left or 0) - 1000 * row.increment) + used)


def handed_over(row: TableRow, seat: SeatRow, now: int) -> SeatRow:
    """A seat whose player hands it to a bot now: the time used in this turn is gone from its total time."""
    if not row.total_time or not row.awaits(seat.seat) or bot_of(row, row.seats[seat.seat]):
        return seat
    used = max(0, now - (row.turn_at or now))
    return msgspec.structs.replace(seat, time_left=max(0, (seat.time_left or 0) - used))


def come_back_to(row: TableRow, seat: SeatRow, now: int) -> SeatRow:
    """A seat whose player takes it back: the time of this turn while the bot had the seat does not count.

    The turn of a paused game begins again, with at least the increment, as after a bot's turn.
    """
    if not row.total_time or not row.awaits(seat.seat):
        return seat
    left = seat.time_left or 0
    if is_paused(row) and row.turn == seat.seat:
        return msgspec.structs.replace(seat, time_left=max(left, 1000 * row.increment))
    return msgspec.structs.replace(seat, time_left=left + max(0, now - (row.turn_at or now)))


# Vacations


def start_of_turn(row: TableRow, turn: int, now: int, choosing: Iterable[int] = ()) -> int:
    """When the clock of a turn starts that begins now: in a slow game, not before the player's vacation ends.

    If everyone chooses at the same time, it starts for all of these seats when none of them is on vacation.
    """
    if row.clock < SLOW:
        return now
    people = [row.seats[seat] for seat in (turn, *choosing) if bot_of(row, row.seats[seat]) is None]
    return max([now, *(seat.vacation_until or now for seat in people)])


def shifted(row: TableRow, user_id: str | None, now: int, milliseconds: int) -> int:
    """When a turn of a slow game began that waits for a person, if their vacation takes so much more time, or less.

    A turn that also waits for another person on vacation does not begin before that vacation ends.
    """
    before = row.turn_at or now
    if before > now and milliseconds > 0:
        return max(before, now + milliseconds)
    others = [row.seats[seat] for seat in row.awaited if row.seats[seat].user_id != user_id]
    ends_at = max([0, *(seat.vacation_until or 0 for seat in others if bot_of(row, seat) is None)])
    return max(before + milliseconds, min(ends_at, before))


def is_on_vacation(row: TableRow, seat: SeatRow, now: int) -> bool:
    """Whether the clock of a seat stands still in a slow game because its player is on vacation."""
    slow = row.state == "playing" and row.clock >= SLOW and bot_of(row, seat) is None
    return slow and seat.vacation_until is not None and seat.vacation_until > now


# What is due


def due_at(row: TableRow, turn: int, turn_at: int, now: int) -> int:
    """When the server has to act if nobody else does."""
    if bot_of(row, row.seats[turn]):
        return now + (row.pace if turn_at == now else int(row.pace * AGAIN))
    time = time_for(row, turn)
    return turn_at + (1000 * WITHOUT_CLOCK if time is None else time)


def time_is_up(row: TableRow, seat: int, now: int) -> bool:
    """Whether a seat has used up its time; without a clock, the time after which it may be replaced."""
    if row.turn != seat:
        return False
    if row.total_time and bot_of(row, row.seats[seat]):
        return not row.seats[seat].time_left  # it was counted when the bot took over
    time = time_for(row, seat)
    return now - (row.turn_at or now) >= (1000 * MISSED if time is None else time)


def is_paused(row: TableRow) -> bool:
    """Whether a game is paused because the server crashed several times while handling the table."""
    return row.state == "playing" and row.due_at is None


def deadline(row: TableRow) -> int | None:
    """When the clock of the player to move runs out; None without a clock, or if it is a bot's turn."""
    if row.state != "playing" or row.turn is None or bot_of(row, row.seats[row.turn]):
        return None
    time = time_for(row, row.turn)
    return None if time is None else (row.turn_at or 0) + time
