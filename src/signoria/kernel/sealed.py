"""Sealed bids: a player sets a maximum for an auction in advance, and does not have to be there for every raise."""

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
    """The auctions of a game for which players can seal bids. A sealed bid is valid for one round."""

    coin: ClassVar[str] = "coin"
    """The unit of a bid, in the singular."""

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
