"""The current phase: the round's track, the lots, and what each player has laid, bid or done."""

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.rulebook.steps import Bid, Step
from signoria.games.il_principe.view import Auction, PlayerView, View

RAISES = 4
"""How many of the next bids have their own button."""


class Voice(NamedTuple):
    """A family at the table, and what it has done in this phase."""

    seat: int
    laid: int
    bid: int
    state: str
    """`out`, `highest`, `in`, `done`, `now` or `next`."""
    now: bool
    prince: bool
    points: int


class Bids(NamedTuple):
    """Legal bids of the viewer."""

    least: int
    most: int
    quick: tuple[int, ...]
    """Bids with their own button; the last one is the maximum."""


class Stage(NamedTuple):
    """The current phase as it is drawn."""

    round: int
    last_round: bool
    phase: int
    asked: str
    auction: Auction | None
    lots: tuple[tuple[str, int], ...]
    """In the order of the auctions."""
    voices: tuple[Voice, ...]
    offers: int
    may_found: bool
    turn: int | None
    founding: str | None
    """The city whose crests are being placed."""
    crests: int
    """Crests still to be placed."""


def draw_stage(view: View) -> Markup:
    """The current phase."""
    lots = tuple(view.lots.items())
    voices = tuple([_voice(view, player) for player in view.players])
    phase = view.round, view.last_round, view.phase, view.asked
    city = view.turn, view.founding, view.crests
    return _draw_stage(Stage(*phase, view.auction, lots, voices, view.offers, view.may_found, *city))


@lru_cache(2048)
def _draw_stage(stage: Stage) -> Markup:
    return Markup(page().stage(stage))


def _voice(view: View, player: PlayerView) -> Voice:
    seat, auction, bid = player.seat, view.auction, 0
    if auction:
        bid = auction.spoken[seat]
        state = "out" if seat not in auction.bidding else "highest" if seat == auction.bidder else "in"
    elif view.phase == 3 and view.turn is not None:
        state = "done" if seat in view.acted else "now" if seat == view.turn else "next"
    else:
        state = "in"
    return Voice(seat, player.laid, bid, state, seat == view.turn, seat == view.principe, player.points)


def bids(legal: frozenset[Step]) -> Bids | None:
    """Legal bids of the viewer; None if there are none."""
    possible = sorted(step.ducats for step in legal if isinstance(step, Bid))
    if not possible:
        return None
    quick = tuple(possible[:RAISES])
    return Bids(possible[0], possible[-1], quick if possible[-1] in quick else (*quick, possible[-1]))
