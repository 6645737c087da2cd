"""How the server bids for a seat: the step that follows from a sealed bid."""

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from signoria.games import AnyTable, find_game
from signoria.kernel.sealed import Lot, SealedBids
from signoria.store.sealed import SealedRow
from signoria.store.tables import TableRow


def has_auctions(game: str) -> bool:
    """Whether bids can be sealed in a game."""
    return find_game(game).sealed_bids is not None


def bids_of(view: Any) -> SealedBids[Any, Any]:
    """How bids are sealed in the game of a view, which has auctions."""
    bids = find_game(view.game).sealed_bids
    assert bids is not None
    return bids


def lots_of(view: Any) -> list[Lot]:
    """The auctions of this round that this seat can still bid in, as far as they are known."""
    return bids_of(view).lots(view)


def bid_limits(view: Any, sealed: SealedRow | None) -> Mapping[str, int]:
    """The most that the server bids, by lot: what was sealed holds for one round."""
    return sealed.most if sealed and sealed.round == bids_of(view).round_of(view) else {}


def may_bid(table: AnyTable) -> bool:
    """Whether whoever is asked may be in an auction: a quick look before a closer one."""
    bids = table.game.sealed_bids
    return bids is not None and bids.may_bid(table.legal)


def automatic_step(view: Any, sealed: SealedRow | None) -> Any | None:
    """What the server does for a seat that is asked: the least raise up to the maximum, or a pass; None: it asks.

    Whoever has bid more than that by hand meanwhile is asked.
    """
    return bids_of(view).answer(view, bid_limits(view, sealed))


def without_current_lot(sealed: SealedRow, view: Any) -> SealedRow:
    """The same without the auction that goes on."""
    now = bids_of(view).lot_now(view)
    return replace(sealed, most={lot: most for lot, most in sealed.most.items() if lot != now})


def answer_time(row: TableRow, now: int, deadline: int | None, rng: Random) -> int:
    """When the server answers for somebody: not sooner than bots do, never after the same time, and on time."""
    answer_at = now + row.pace + rng.randrange(2 * row.pace + 1)
    return answer_at if deadline is None else min(answer_at, max(now, deadline))
