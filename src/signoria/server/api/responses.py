"""Response models: everything the API answers, field by field."""

from typing import Generic, Literal, TypeVar

import msgspec

from signoria.kernel.game import Option, Refusal

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
    """In words."""


class OptionInfo(ResponseModel, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    title: str
    says: str
    """What it means, in a sentence."""
    clause: str
    choices: tuple[OptionChoice, ...]
    """The usual one first."""


class GameInfo(ResponseModel, frozen=True, kw_only=True):
    """A game that can be played here."""

    name: str
    title: str
    rules: str
    """The version of the rules."""
    intro: str
    seats: tuple[int, ...]
    """How many may play."""
    options: tuple[OptionInfo, ...]


class LevelInfo(ResponseModel, frozen=True, kw_only=True):
    """A bot that one can play against."""

    id: str
    title: str
    says: str


class ClockInfo(ResponseModel, frozen=True, kw_only=True):
    """A clock that a table can agree on."""

    seconds: int
    """A move; 0 for no clock."""
    says: str


class Catalogue(ResponseModel, frozen=True, kw_only=True):
    """What can be chosen when a table is opened."""

    games: tuple[GameInfo, ...]
    levels: tuple[LevelInfo, ...]
    clocks: tuple[ClockInfo, ...]


class Rating(ResponseModel, frozen=True, kw_only=True):
    """How strong somebody plays: the mean, and how far the truth is likely to be from it (95%)."""

    mean: float
    reach: float
    games: int
    """Games that it rests on."""


class SeatInfo(ResponseModel, frozen=True, kw_only=True):
    """A seat at a table."""

    seat: int
    title: str
    """As the game calls it: White, Player 2."""
    kind: Literal["empty", "person", "bot"]
    name: str
    """The person's name here, or the bot's; empty for an empty seat."""
    bot: str | None
    """The level of the bot that was given this seat."""
    mine: bool
    """Whether it belongs to whoever asks."""
    away: bool
    """A bot stands in for this person."""
    resigned: bool
    """And will to the end."""
    rating: Rating | None = None


class Result(ResponseModel, frozen=True, kw_only=True):
    """How a game ended, as in its record."""

    scores: tuple[dict[str, int], ...]
    """Each seat's points, part by part, and their `total`."""
    winners: tuple[int, ...]
    """Several, if the victory is shared."""
    reason: str


class TableSummary(ResponseModel, frozen=True, kw_only=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Option]
    state: Literal["open", "playing", "over", "closed"]
    seats: tuple[SeatInfo, ...]
    n: int
    """Steps so far, those taken back and the taking back included: the version that a step is made for."""
    turn: int | None
    """The seat that is asked; null unless playing."""
    turn_at: int | None
    """Since when, in milliseconds since 1970 (UTC), as all times here."""
    clock: int
    """Seconds a move; 0 for no clock."""
    deadline: int | None
    """When the clock of whoever is asked runs out; null without one."""
    stand_in: str
    """The bot that plays for whoever is absent."""
    rated: bool
    invited: bool
    """Only for those who have the invitation."""
    created_at: int
    started_at: int | None
    ended_at: int | None


class TableList(ResponseModel, frozen=True, kw_only=True):
    """A page of a list of tables, the newest first."""

    tables: tuple[TableSummary, ...]
    next: str | None
    """Where the next page begins (`?after=`); null on the last."""


class TableInfo(TableSummary, frozen=True, kw_only=True):
    """A table: all that is public, and the invitation for those who may pass it on."""

    asked: str
    """What is asked, of whom, in a sentence."""
    event: str
    """The id that a stream begins after (`?after=`) to tell what happens from now on."""
    invitation: str | None
    """The secret that lets others sit down."""
    commitment: str
    """SHA-256 of the seed: the deal was settled before anybody sat down."""
    seed: str | None
    """Once the game is over."""
    salts: tuple[str, ...] | None
    """What each seat added to the shuffle, once the game is over."""
    result: Result | None
    """Once the game is over."""
    rematch: str | None
    """The table where the same people meet again."""


class PositionView(ResponseModel, Generic[View], frozen=True, kw_only=True):
    """What somebody sees of a game."""

    n: int
    """Steps so far: the version that a step is made for."""
    turn: int | None
    """The seat that is asked; null when the game is over."""
    asked: str
    """What is asked, in a sentence."""
    view: View
    """The table through these eyes."""


class LegalSteps(ResponseModel, Generic[Step], frozen=True, kw_only=True):
    """What a seat may do now."""

    n: int
    """The version that a step is made for."""
    turn: int | None
    """The seat that is asked."""
    asked: str
    """What is asked, in a sentence."""
    legal: tuple[Step, ...]
    """Empty when this seat is not asked, or a bot stands in for it."""


class SealedBidInfo(ResponseModel, frozen=True, kw_only=True):
    """What the server is to bid for one's own seat in this round."""

    lots: tuple[str, ...]
    """Auctions that the seat can still bid in: the present one, and those to come."""
    most: dict[str, int]
    """By lot: it makes the least raise up to this, or passes; 0: it passes at once. It asks about the others."""


class StepCheck(ResponseModel, frozen=True, kw_only=True):
    """Whether a step is possible now."""

    refusal: Refusal | None
    """The clause that forbids it and a sentence; null when nothing does."""


class StepResult(ResponseModel, Generic[GameEvent], frozen=True, kw_only=True):
    """A step that is kept, and what it brought about."""

    n: int
    """Steps so far: the version that the next step is made for."""
    state: Literal["playing", "over"]
    turn: int | None
    """The seat that is asked now; null when the game is over."""
    asked: str
    """What is asked now, in a sentence."""
    events: tuple[GameEvent, ...]
    """What the step brought about, with those that the server made after it because nothing else was possible.
    Empty where the step was taken back meanwhile, and for taking one back."""


class StepEvent(ResponseModel, Generic[GameEvent], frozen=True, kw_only=True):
    """`step` in a stream: a step that was kept."""

    n: int
    """Steps so far, this one included."""
    seat: int
    """Whose step it was."""
    by: str
    """Who made it: `person`, `bot`, or `house` where only one was possible."""
    at: int
    """When, in milliseconds since 1970 (UTC)."""
    turn: int | None
    """The seat that was asked then; null when the game was over."""
    asked: str
    """What was asked then, in a sentence."""
    events: tuple[GameEvent, ...]
    """What it brought about."""


class UndoEvent(ResponseModel, frozen=True, kw_only=True):
    """`undo` in a stream: the last step that stood was taken back."""

    n: int
    """Steps so far, the taking back included."""
    seat: int
    at: int
    turn: int | None
    asked: str


class TurnEvent(ResponseModel, Generic[Step], frozen=True, kw_only=True):
    """`turn` in a stream for one's own seat: it is asked."""

    n: int
    """The version that a step is made for."""
    seat: int
    asked: str
    legal: tuple[Step, ...]


class ChatMessage(ResponseModel, frozen=True, kw_only=True):
    """Something that was said at a table; `chat` in a stream."""

    id: int
    seat: int | None
    """Null for somebody who watches."""
    name: str
    """Empty where the server speaks."""
    text: str
    at: int


class TableLink(ResponseModel, frozen=True, kw_only=True):
    """Where it goes on: with the same people, or from a position."""

    table: str
    """The id of the table."""


class BlockCount(ResponseModel, frozen=True, kw_only=True):
    """Somebody was blocked, or was blocked already."""

    blocked: int
    """How many people you have blocked; `/api/v1/blocks` lists them."""


class Block(ResponseModel, frozen=True, kw_only=True):
    """Somebody whom you have blocked."""

    id: str
    """The id of the block, to take it back with."""
    name: str
    """How they are called now."""
    since: int


class BlockList(ResponseModel, frozen=True, kw_only=True):
    """Whom you have blocked."""

    blocks: tuple[Block, ...]
    """The last one first."""


class RankedPlayer(Rating, frozen=True, kw_only=True):
    """A line of a ranking."""

    place: int
    name: str
    bot: str | None
    """The level of a bot; null for a person."""


class Ranking(ResponseModel, frozen=True, kw_only=True):
    """Who plays a game best."""

    game: str
    ratings: tuple[RankedPlayer, ...]


class Me(ResponseModel, frozen=True, kw_only=True):
    """Whoever asks."""

    id: str
    name: str
    guest: bool
    """Without a password."""
    ratings: dict[str, Rating]
    """By game."""
