"""How the server bids for a seat: the step that follows from an automatic bid."""

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from signoria.games import AnyTable, find_game
from signoria.kernel.sealed import Lot, SealedBids
from signoria.store.sealed import SealedRow
from signoria.store.tables import TableRow


def has_auctions(game: str) -> bool:
    """Whether a game has automatic bids."""
    return find_game(game).sealed_bids is not None


def bids_of(view: Any) -> SealedBids[Any, Any]:
    """The automatic bids of the view's game, which has auctions."""
    bids = find_game(view.game).sealed_bids
    assert bids is not None
    return bids


def lots_of(view: Any) -> list[Lot]:
    """The known auctions of this round in which this seat can still bid."""
    return bids_of(view).lots(view)


def bid_limits(view: Any, sealed: SealedRow | None) -> Mapping[str, int]:
    """The server's maximum by lot; it is valid for one round."""
    return sealed.most if sealed and sealed.round == bids_of(view).round_of(view) else {}


def may_bid(table: AnyTable) -> bool:
    """Whether the player to move may be in an auction: a quick check before a closer one."""
    bids = table.game.sealed_bids
    return bids is not None and bids.may_bid(table.legal)


def automatic_step(view: Any, sealed: SealedRow | None) -> Any | None:
    """The server's move for a seat: the minimum raise up to the maximum, or a pass; None if the player has to bid.

    A player who has bid more than the maximum by hand has to bid.
    """
    return bids_of(view).answer(view, bid_limits(view, sealed))


def without_current_lot(sealed: SealedRow, view: Any) -> SealedRow:
    """The same without the current auction."""
    now = bids_of(view).lot_now(view)
    return replace(sealed, most={lot: most for lot, most in sealed.most.items() if lot != now})


def answer_time(row: TableRow, now: int, deadline: int | None, rng: Random) -> int:
    """When the server bids for a player: not before bots would, after a random time, and before the deadline."""
    answer_at = now + row.pace + rng.randrange(2 * row.pace + 1)
    return answer_at if deadline is None else min(answer_at, max(now, deadline))
