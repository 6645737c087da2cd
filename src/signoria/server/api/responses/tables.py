"""Responses about a table: its seats, its state, its chat."""

from typing import Literal

from signoria.kernel.options import Option
from signoria.server.api.responses.common import Rating, ResponseModel


class SeatInfo(ResponseModel, frozen=True, kw_only=True):
    """A seat at a table."""

    seat: int
    title: str
    """The game's name for the seat: White, Player 2."""
    kind: Literal["empty", "person", "bot"]
    name: str
    """The player's name at this table, or the bot's; empty for an empty seat."""
    bot: str | None
    """The level of the bot in this seat."""
    mine: bool
    """Whether it is the caller's seat."""
    away: bool
    """Whether a bot plays for this person."""
    resigned: bool
    """Whether the person resigned, so a bot plays until the end."""
    time_left: int | None = None
    """Milliseconds left of a total time at the start of the seat's turn; null without one."""
    vacation_until: int | None = None
    """Until when the seat's clock stands still, because its player is on vacation; null if it does not."""
    rating: Rating | None = None


class Result(ResponseModel, frozen=True, kw_only=True):
    """The result of a game, as in its record."""

    scores: tuple[dict[str, int], ...]
    """The points of each seat, part by part, with their `total`."""
    winners: tuple[int, ...]
    """More than one if players share the win."""
    reason: str


class TableSummary(ResponseModel, frozen=True, kw_only=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Option]
    state: Literal["open", "playing", "over", "closed"]
    seats: tuple[SeatInfo, ...]
    n: int
    """Number of steps so far, including undone steps and undos: the version a step is made for."""
    turn: int | None
    """The seat to move; null unless playing."""
    choosing: tuple[int, ...]
    """The seats that have not yet made a choice that everyone makes at the same time; empty without such a choice."""
    turn_at: int | None
    """Start of the turn, in milliseconds since 1970 (UTC), like all times here."""
    clock: int
    """Seconds per move; 0 for no clock."""
    total_time: int
    """Seconds that each player has for the whole game; 0 for none."""
    increment: int
    """Seconds added to it after every turn."""
    deadline: int | None
    """When the clock of the player to move runs out; null without a clock."""
    stand_in: str
    """The bot that plays for absent players."""
    rated: bool
    invited: bool
    """Whether only people with the invite link can join."""
    created_at: int
    started_at: int | None
    ended_at: int | None


class TableList(ResponseModel, frozen=True, kw_only=True):
    """A page of a list of tables, newest first."""

    tables: tuple[TableSummary, ...]
    next: str | None
    """The value of `?after=` for the next page; null on the last page."""


class TableInfo(TableSummary, frozen=True, kw_only=True):
    """A table: everything public, and the invite link for those who may share it."""

    asked: str
    """A sentence: who has to do what."""
    event: str
    """The event id for `?after=`, to stream only events from now on."""
    invitation: str | None
    """The secret of the invite link."""
    commitment: str
    """SHA-256 of the seed, fixed before anyone sat down."""
    seed: str | None
    """Only when the game is over."""
    salts: tuple[str, ...] | None
    """The shuffle words of the seats, only when the game is over."""
    result: Result | None
    """Only when the game is over."""
    rematch: str | None
    """The id of the rematch."""


class ChatMessage(ResponseModel, frozen=True, kw_only=True):
    """A chat message; `chat` in a stream."""

    id: int
    seat: int | None
    """Null for a spectator."""
    name: str
    """Empty for a message of the server."""
    text: str
    at: int


class TableLink(ResponseModel, frozen=True, kw_only=True):
    """The table where the game continues: a rematch, or a game from a position."""

    table: str
    """The id of the table."""
