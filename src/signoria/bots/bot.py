"""The interface of a bot: it gets a view and returns a step."""

from random import Random
from threading import Event
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from signoria.batch.playing import Chooser, RoomChooser
from signoria.kernel.game import Game


class Budget(NamedTuple):
    """The limit on a bot's thinking for one decision. Its level may set a lower limit; None means no limit."""

    iterations: int | None = None
    seconds: float | None = None
    threads: int = 1
    stop: Event | None = None
    """When this is set, the bot must answer at once with the best step so far."""


FREE = Budget()
"""No limit except the bot's own level."""


class Considered(msgspec.Struct, frozen=True):
    """A step that a bot considered."""

    step: Any
    weight: float
    """How strongly the bot prefers this step, as a share of 1: the part of the search spent on it."""
    chance: float | None = None
    """The bot's estimate of its chance to win with this step."""
    points: float | None = None
    """Expected final points if the bot searched, or points gained if it only estimated the step."""


class Explanation(msgspec.Struct, frozen=True):
    """A bot's opinion of a position, in a form that a page can show."""

    seat: int
    considered: tuple[Considered, ...]
    """Best step first."""
    says: str
    """A summary in one sentence."""
    chances: tuple[float, ...]
    """Every seat's chance to win; together 1."""
    scores: tuple[float, ...]
    """Every seat's expected final points."""
    iterations: int
    """Number of games the search played for this."""
    seconds: float


class Bot(Protocol):
    """Decides for one seat, only from what that seat sees. All randomness comes from `rng`."""

    def decide(self, view: Any, rng: Random, budget: Budget) -> Any:
        """One of `view.legal`."""


@runtime_checkable
class Adviser(Protocol):
    """A bot that can explain its moves."""

    def explain(self, view: Any, rng: Random | None = None, budget: Budget = FREE) -> Explanation:
        """What the bot considered and expects; without `rng`, the same view always gives the same answer."""


@runtime_checkable
class Quick(Protocol):
    """A bot whose decisions are a compiled rule, so that millions of games can be played with it."""

    def chooser(self, game: Game[Any, Any, Any]) -> Chooser:
        """The rule."""


@runtime_checkable
class QuickOnGpu(Quick, Protocol):
    """A quick bot that can play on a GPU as well."""

    def room_chooser(self, game: Game[Any, Any, Any]) -> RoomChooser:
        """The same rule with room for the legal steps."""
