"""Bids that are sealed in advance for the auctions of a round (I13, I22)."""

from collections.abc import Mapping, Sequence
from typing import Any

from signoria.games.il_principe.rulebook.steps import Bid, Pass, Step
from signoria.games.il_principe.view import Auction, View
from signoria.kernel.sealed import Lot, SealedBids


class AuctionBids(SealedBids[Step, View]):
    """A lot is named by its colour, a role by its name."""

    coin = "ducat"

    def round_of(self, view: View) -> int:
        """Rounds are counted from 1."""
        return view.round

    def lots(self, view: View) -> list[Lot]:
        """The auction that goes on, if the seat is still in it, and the lots that come later."""
        auction, now = view.auction, self.lot_now(view)
        present = [Lot(now, True)] if auction and view.seat in auction.bidding else []
        return present + [Lot(colour, False) for colour in view.lots if colour != now]

    def lot_now(self, view: View) -> str:
        """The colour or the role that is auctioned."""
        return _name_of(view.auction) if view.auction else ""

    def purse(self, view: View) -> int:
        """The seat's ducats."""
        return view.players[view.seat or 0].ducats or 0

    def may_bid(self, legal: Sequence[Any]) -> bool:
        """A player in an auction may always pass."""
        return Pass() in legal

    def answer(self, view: View, most: Mapping[str, int]) -> Step | None:
        """The least raise up to the maximum, or a pass."""
        if view.auction is None or view.seat is None:
            return None
        limit = most.get(_name_of(view.auction))
        if limit is None or view.auction.spoken[view.seat] > limit:
            return None
        raises = [step for step in view.legal if isinstance(step, Bid) and step.ducats <= limit]
        return min(raises, key=lambda step: step.ducats) if raises else Pass()


def _name_of(auction: Auction) -> str:
    return auction.colour if auction.what == "lot" else auction.what
