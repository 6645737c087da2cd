"""Responses about a game in progress, and the events of a stream."""

from typing import Generic, Literal, TypeVar

from signoria.kernel.clauses import Refusal
from signoria.server.api.responses.common import ResponseModel

Step = TypeVar("Step")
View = TypeVar("View")
GameEvent = TypeVar("GameEvent")


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


class EarlyChoices(ResponseModel, Generic[Step], frozen=True, kw_only=True):
    """What your own seat can choose before it is asked, and what it has chosen. Only you can see it."""

    possible: dict[str, tuple[tuple[Step, ...], ...]]
    """By choice: all possibilities, each with its steps. Empty if nothing can be chosen now."""
    chosen: dict[str, tuple[Step, ...]]
    """By choice: the steps that the server makes when the seat is asked for them."""
    choosing: tuple[int, ...]
    """The seats that have not yet made the choice that everyone makes at the same time; empty without one."""
    note: str
    """Why the server dropped an order in this round; empty if it dropped none."""


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
