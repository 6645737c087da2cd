"""What somebody has told the house to bid for them, and what follows from it when they are asked."""

from collections.abc import Mapping
from secrets import randbelow
from typing import NamedTuple

from msgspec.structs import replace

from signoria.games import AnyTable
from signoria.games.il_principe.rulebook.steps import Bid, Pass, Step
from signoria.games.il_principe.view import Auction, View
from signoria.store.sealed import SealedRow
from signoria.store.tables import TableRow

GAME = "il-principe"
"""The game that has auctions."""


class Lot(NamedTuple):
    """An auction that a seat can still bid in."""

    name: str
    """A colour, or a role."""
    now: bool
    """It is going on; the others come later in this round."""


def name_of(auction: Auction) -> str:
    """An auction among those of its round."""
    return auction.colour if auction.what == "lot" else auction.what


def lots_of(view: View) -> list[Lot]:
    """The auctions of this round that this seat can still bid in, as far as they are known."""
    auction = view.auction
    now = name_of(auction) if auction else ""
    present = [Lot(now, True)] if auction and view.seat in auction.bidding else []
    return present + [Lot(colour, False) for colour in view.lots if colour != now]


def limits_of(view: View, sealed: SealedRow | None) -> Mapping[str, int]:
    """The most that the house bids, by lot: what was sealed holds for one round."""
    return sealed.most if sealed and sealed.round == view.round else {}


def may_bid(table: AnyTable) -> bool:
    """Whether whoever is asked may pass, as in every auction: a quick look before a closer one."""
    return table.game.name == GAME and Pass() in table.legal


def answer(view: View, sealed: SealedRow | None) -> Step | None:
    """What the house does for a seat that is asked: the least raise up to the maximum, or a pass; None: it asks.

    Whoever has bid more than that by hand meanwhile is asked.
    """
    auction = view.auction
    if auction is None or view.seat is None:
        return None
    most = limits_of(view, sealed).get(name_of(auction))
    if most is None or auction.spoken[view.seat] > most:
        return None
    raises = [step for step in view.legal if isinstance(step, Bid) and step.ducats <= most]
    return min(raises, key=lambda step: step.ducats) if raises else Pass()


def without(sealed: SealedRow, view: View) -> SealedRow:
    """The same without the auction that goes on."""
    now = name_of(view.auction) if view.auction else ""
    return replace(sealed, most={lot: most for lot, most in sealed.most.items() if lot != now})


def soon(row: TableRow, now: int, deadline: int | None) -> int:
    """When the house answers for somebody: not sooner than bots do, never after the same time, and on time."""
    answer_at = now + row.pace + randbelow(2 * row.pace + 1)
    return answer_at if deadline is None else min(answer_at, max(now, deadline))
