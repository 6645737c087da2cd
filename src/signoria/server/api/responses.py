"""Response models: every response of the API, field by field."""

from typing import Generic, Literal, TypeVar

import msgspec

from signoria.kernel.clauses import Refusal
from signoria.kernel.options import Option

Step = TypeVar("Step")
View = TypeVar("View")
GameEvent = TypeVar("GameEvent")
Known = TypeVar("Known")


class ResponseModel(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a response."""


class OptionChoice(ResponseModel, frozen=True, kw_only=True):
    """A value that an option can have."""

    value: Option
    says: str
    """Its label."""


class OptionInfo(ResponseModel, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    title: str
    says: str
    """A description in a sentence."""
    clause: str
    choices: tuple[OptionChoice, ...]
    """The default comes first."""


class GameInfo(ResponseModel, frozen=True, kw_only=True):
    """A game on this server."""

    name: str
    title: str
    rules: str
    """The version of the rules."""
    intro: str
    seats: tuple[int, ...]
    """Possible numbers of players."""
    options: tuple[OptionInfo, ...]


class LevelInfo(ResponseModel, frozen=True, kw_only=True):
    """A bot to play against."""

    id: str
    title: str
    says: str


class ClockInfo(ResponseModel, frozen=True, kw_only=True):
    """A clock for a table."""

    seconds: int
    """Seconds per move; 0 for no clock."""
    says: str


class Catalogue(ResponseModel, frozen=True, kw_only=True):
    """The games, bots and clocks for a new table."""

    games: tuple[GameInfo, ...]
    levels: tuple[LevelInfo, ...]
    clocks: tuple[ClockInfo, ...]


class Rating(ResponseModel, frozen=True, kw_only=True):
    """A player's rating: the mean and its margin of error (95%)."""

    mean: float
    reach: float
    games: int
    """Number of rated games."""


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
    turn_at: int | None
    """Start of the turn, in milliseconds since 1970 (UTC), like all times here."""
    clock: int
    """Seconds per move; 0 for no clock."""
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


class PositionView(ResponseModel, Generic[View], frozen=True, kw_only=True):
    """A view of a game."""

    n: int
    """Number of steps so far: the version a step is made for."""
    turn: int | None
    """The seat to move; null when the game is over."""
    asked: str
    """A sentence: what it has to do."""
    view: View
    """The game's own view of the table."""


class LegalSteps(ResponseModel, Generic[Step], frozen=True, kw_only=True):
    """The legal steps of a seat."""

    n: int
    """The version that a step is made for."""
    turn: int | None
    """The seat to move."""
    asked: str
    """A sentence: what it has to do."""
    legal: tuple[Step, ...]
    """Empty if it is not this seat's turn, or a bot plays for it."""


class SealedBidInfo(ResponseModel, frozen=True, kw_only=True):
    """The automatic bids of your own seat in this round."""

    lots: tuple[str, ...]
    """Auctions in which the seat can still bid: the current one, and later ones."""
    most: dict[str, int]
    """By lot: the server bids the minimum up to this, then passes; 0: it passes immediately. You bid yourself in the others."""


class StepCheck(ResponseModel, frozen=True, kw_only=True):
    """Whether a step is legal now."""

    refusal: Refusal | None
    """The clause that forbids it, with a sentence; null if the step is legal."""


class StepResult(ResponseModel, Generic[GameEvent], frozen=True, kw_only=True):
    """A step that was saved, and its effects."""

    n: int
    """Number of steps so far: the version the next step is made for."""
    state: Literal["playing", "over"]
    turn: int | None
    """The seat to move now; null when the game is over."""
    asked: str
    """A sentence: what it has to do."""
    events: tuple[GameEvent, ...]
    """Events of the step and of forced moves that the server played after it. Empty for an undo, or if the step has
    been undone since."""


class StepEvent(ResponseModel, Generic[GameEvent], frozen=True, kw_only=True):
    """`step` in a stream: a step that was saved."""

    n: int
    """Number of steps so far, including this one."""
    seat: int
    """The seat that made it."""
    by: str
    """Who made it: `person`, `bot`, or `house` if the server played a forced move."""
    at: int
    """When, in milliseconds since 1970 (UTC)."""
    turn: int | None
    """The seat to move after it; null when the game was over."""
    asked: str
    """A sentence: what it had to do."""
    events: tuple[GameEvent, ...]
    """Its events."""


class UndoEvent(ResponseModel, frozen=True, kw_only=True):
    """`undo` in a stream: the last step was undone."""

    n: int
    """Number of steps so far, including the undo."""
    seat: int
    at: int
    turn: int | None
    asked: str


class TurnEvent(ResponseModel, Generic[Step], frozen=True, kw_only=True):
    """`turn` in a stream: it is your own seat's turn."""

    n: int
    """The version a step is made for."""
    seat: int
    asked: str
    legal: tuple[Step, ...]


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


class BlockCount(ResponseModel, frozen=True, kw_only=True):
    """A person was blocked, now or earlier."""

    blocked: int
    """How many people you have blocked; `/api/v1/blocks` lists them."""


class Block(ResponseModel, frozen=True, kw_only=True):
    """A person you have blocked."""

    id: str
    """The id of the block, for unblocking."""
    name: str
    """Their current name."""
    since: int


class BlockList(ResponseModel, frozen=True, kw_only=True):
    """The people you have blocked."""

    blocks: tuple[Block, ...]
    """The latest first."""


class RankedPlayer(Rating, frozen=True, kw_only=True):
    """A line of a ranking."""

    place: int
    name: str
    bot: str | None
    """The level of a bot; null for a person."""


class Ranking(ResponseModel, frozen=True, kw_only=True):
    """The ranking of a game."""

    game: str
    ratings: tuple[RankedPlayer, ...]


class Me(ResponseModel, frozen=True, kw_only=True):
    """The caller."""

    id: str
    name: str
    guest: bool
    """Has no password."""
    ratings: dict[str, Rating]
    """Ratings by game."""
