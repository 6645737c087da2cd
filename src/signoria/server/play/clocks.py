"""Clocks: when a bot's step is due and when a player's time is up."""

from signoria.server.play.room import bot_of
from signoria.store.tables import TableRow

DAY = 24 * 3600
CLOCKS: tuple[tuple[int, str], ...] = (
    (0, "no clock"),
    (60, "1 minute per move"),
    (180, "3 minutes per move"),
    (600, "10 minutes per move"),
    (3600, "1 hour per move"),
    (DAY, "1 day per move"),
    (3 * DAY, "3 days per move"),
    (7 * DAY, "7 days per move"),
)
"""Possible clocks in seconds per move, with their labels."""
WITHOUT_CLOCK = 30 * DAY
"""Seconds after which a bot plays for a player at a table without a clock, so that no game waits forever."""
MISSED = 180
"""Seconds after which other players may call a stand-in at a table without a clock."""
AGAIN = 0.4
"""The share of the pace that a bot waits before the next step of its turn."""


def clock_words(seconds: int) -> str:
    """A clock in words."""
    return dict(CLOCKS).get(seconds, f"{seconds} seconds per move")


def due_at(row: TableRow, turn: int, turn_at: int, now: int) -> int:
    """When the server has to act if nobody else does."""
    if bot_of(row, row.seats[turn]):
        return now + (row.pace if turn_at == now else int(row.pace * AGAIN))
    return turn_at + 1000 * (row.clock or WITHOUT_CLOCK)


def time_is_up(row: TableRow, seat: int, now: int) -> bool:
    """Whether a seat has used up its time; without a clock, the time after which it may be replaced."""
    return row.turn == seat and now - (row.turn_at or now) >= 1000 * (row.clock or MISSED)


def is_paused(row: TableRow) -> bool:
    """Whether a game is paused because the server crashed several times while handling the table."""
    return row.state == "playing" and row.due_at is None


def deadline(row: TableRow) -> int | None:
    """When the clock of the player to move runs out; None without a clock, or if it is a bot's turn."""
    if row.state != "playing" or not row.clock or row.turn is None or bot_of(row, row.seats[row.turn]):
        return None
    return (row.turn_at or 0) + 1000 * row.clock
