"""Standing orders: what a player decides before being asked, so that nobody has to wait for them.

There are two kinds. A limit for an auction says how far the server may raise for a player. An early choice is a list of
steps that the server makes for a player who is asked for them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from signoria.kernel.clauses import Refusal
from signoria.kernel.language import all_of, say, say_count
from signoria.kernel.view import SeatView

if TYPE_CHECKING:
    from signoria.kernel.position import Position

S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V", bound=SeatView)


class Lot(NamedTuple):
    """An auction that a seat can still bid in."""

    name: str
    now: bool
    """It is going on; the others come later in this round."""


class StandingOrders(ABC, Generic[S, V]):
    """What players of a game can decide before they are asked. An order is valid for one round."""

    asks: ClassVar[frozenset[int]]
    """Values of a state's `asked` that an order may answer, for a quick check before a closer one."""

    @abstractmethod
    def round_of(self, position: "Position") -> int:
        """The number of the round that is being played."""

    # Limits for auctions

    def coins(self, count: int) -> str:
        """A number of what is bid, as the object of a sentence."""
        return say_count("{n} coin", "{n} coins", count)

    def lots(self, view: V) -> list[Lot]:
        """The auctions of this round that the seat can still bid in, as far as they are known."""
        return []

    def lot_now(self, view: V) -> str:
        """The name of the auction that is going on; empty without one."""
        return ""

    def purse(self, view: V) -> int:
        """How much the seat can bid at most."""
        return 0

    def bid(self, view: V, most: Mapping[str, int]) -> S | None:
        """The step that follows from the most that the seat would bid, by lot: the least raise, or a pass.

        None where the seat has to be asked: it has no limit for this auction, or has bid more by hand meanwhile.
        """
        return None

    # Early choices

    together: ClassVar[frozenset[str]] = frozenset()
    """The choices that everyone makes at the same time: others may know who has chosen, but not what."""

    def choices(self, view: V) -> tuple[str, ...]:
        """The names of the choices that this seat can make now, before it is asked or while it is."""
        return ()

    def choice_now(self, view: V) -> str:
        """The name of the choice that this seat is asked for now; empty if it is not an early choice."""
        return ""

    def refuse(self, view: V, choice: str, steps: Sequence[S]) -> Refusal | None:
        """Why these steps cannot be chosen, as far as this seat can know; None if they can."""
        return Refusal("", say("There is no choice {choice!r}.", choice=choice))

    def steps(self, view: V, choice: str) -> tuple[S, ...]:
        """The steps that this choice can begin with."""
        return ()

    def plans(self, view: V, choice: str) -> list[tuple[S, ...]]:
        """Everything that can be chosen: the steps of each possibility, in the order of their numbers."""
        return []

    def in_words(self, choice: str, steps: Sequence[S]) -> str:
        """The steps of a possibility, for a button."""
        return all_of([str(step) for step in steps])

    def choosing(self, position: "Position") -> tuple[int, ...]:
        """The seats that still have to make the choice that everyone makes now; empty without one.

        It must follow from what everyone sees.
        """
        return ()
