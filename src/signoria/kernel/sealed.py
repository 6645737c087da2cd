"""Sealed bids: a player says in advance how much they would bid in an auction, and need not be there for every raise."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from signoria.kernel.view import SeatView

S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V", bound=SeatView)


class Lot(NamedTuple):
    """An auction that a seat can still bid in."""

    name: str
    now: bool
    """It is going on; the others come later in this round."""


class SealedBids(ABC, Generic[S, V]):
    """The auctions of a game, as far as bids can be sealed for them. What is sealed holds for one round."""

    coin: ClassVar[str] = "coin"
    """What is bid, in the singular."""

    @abstractmethod
    def round_of(self, view: V) -> int:
        """The number of the round that is being played."""

    @abstractmethod
    def lots(self, view: V) -> list[Lot]:
        """The auctions of this round that the seat can still bid in, as far as they are known."""

    @abstractmethod
    def lot_now(self, view: V) -> str:
        """The name of the auction that is going on; empty without one."""

    @abstractmethod
    def purse(self, view: V) -> int:
        """How much the seat can bid at most."""

    @abstractmethod
    def may_bid(self, legal: Sequence[Any]) -> bool:
        """Whether these legal steps may be those of an auction: a quick look before a closer one."""

    @abstractmethod
    def answer(self, view: V, most: Mapping[str, int]) -> S | None:
        """The step that follows from the most that the seat would bid, by lot: the least raise, or a pass.

        None where the seat has to be asked: nothing is sealed for this auction, or it has bid more by hand meanwhile.
        """
