"""What a bot is: it is shown a view, and says which step it makes."""

from random import Random
from threading import Event
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from signoria.batch.playing import Chooser
from signoria.kernel.game import Game


class Budget(NamedTuple):
    """The most that a bot may think about one decision. Its level may ask for less; what is None is not limited."""

    iterations: int | None = None
    seconds: float | None = None
    threads: int = 1
    stop: Event | None = None
    """Once set, the best answer so far is wanted at once."""


FREE = Budget()
"""As long as the bot's own level says."""


class Considered(msgspec.Struct, frozen=True):
    """A step that a bot looked at."""

    step: Any
    weight: float
    """How much it speaks for the step, of 1 in all: the share of the search that went there."""
    chance: float | None = None
    """To win after it, as the bot sees it."""
    points: float | None = None
    """What it promises: in final points where there was a search, in points gained where there was only a look."""


class Explanation(msgspec.Struct, frozen=True):
    """What a bot thinks of a position, in a form that a page can draw."""

    seat: int
    considered: tuple[Considered, ...]
    """The best first."""
    says: str
    """The gist, in a sentence."""
    chances: tuple[float, ...]
    """Everyone's chance to win, seat by seat; 1 in all."""
    scores: tuple[float, ...]
    """Everyone's expected final points."""
    iterations: int
    """Games imagined for this."""
    seconds: float


class Bot(Protocol):
    """Decides for one seat from what that seat sees, nothing else. Luck comes from `rng` alone."""

    def decide(self, view: Any, rng: Random, budget: Budget) -> Any:
        """One of `view.legal`."""


@runtime_checkable
class Adviser(Protocol):
    """A bot that can say what it thinks."""

    def explain(self, view: Any, rng: Random | None = None, budget: Budget = FREE) -> Explanation:
        """What it considered, and what it expects; without an `rng` always the same for the same view."""


@runtime_checkable
class Quick(Protocol):
    """A bot whose decisions are one rule, so that games between its like are played by the million."""

    def chooser(self, game: Game[Any, Any, Any]) -> Chooser:
        """The rule."""
