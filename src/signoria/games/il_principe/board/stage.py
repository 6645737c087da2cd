"""The current phase: the round's track, the lots, what each player has laid, bid or done, and the bids of the viewer."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from signoria.games.il_principe.board.page import page
from signoria.games.il_principe.rulebook.steps import Bid, Pass, Step
from signoria.games.il_principe.view import Auction, BidEffect, PlayerView, View
from signoria.games.il_principe.words.effects import tell_bids, tell_crests, tell_lot, tell_offers, tell_plays
from signoria.games.il_principe.words.telling import role_stakes
from signoria.kernel.language import per_language
from signoria.web.drawn import Target

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
    name: str
    """The player's own name; empty if there is none."""


class Bids(NamedTuple):
    """Legal bids of the viewer."""

    least: int
    most: int
    quick: tuple[BidEffect, ...]
    """Bids with their own button; the last one is the maximum."""
    first: str
    """What the least bid would leave, in a sentence."""
    says: str
    """The same for each bid from the least on, as a list in JSON."""


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
    effects: tuple[tuple[str, str], ...]
    """What each choice of the viewer would lead to: a colour or a region, and a sentence."""
    lot_effect: str
    """What winning the lot would do for the viewer; empty where nothing can be said."""
    stakes: tuple[str, ...]
    """What a role gives and what it costs, in sentences; nothing for a lot."""
    bids: Bids | None
    nothing: tuple[Target, ...]
    """How to leave the auction."""


def draw_stage(view: View, legal: frozenset[Step], names: Sequence[str] = ()) -> Markup:
    """The current phase."""
    return _draw_stage(
        Stage(
            view.round,
            view.last_round,
            view.phase,
            view.asked,
            view.auction,
            lots=tuple(view.lots.items()),
            voices=tuple([_voice(view, player, names) for player in view.players]),
            offers=view.offers,
            may_found=view.may_found,
            turn=view.turn,
            founding=view.founding,
            crests=view.crests,
            effects=_effects(view),
            lot_effect=tell_lot(view),
            stakes=role_stakes(view.auction, view.seat) if view.auction else (),
            bids=bids(view, legal),
            nothing=(Target(Pass(), True),) if view.auction and Pass() in legal else (),
        )
    )


@per_language(2048)
def _draw_stage(stage: Stage) -> Markup:
    return Markup(page().stage(stage))


def _voice(view: View, player: PlayerView, names: Sequence[str]) -> Voice:
    seat, auction, bid = player.seat, view.auction, 0
    if auction:
        bid = auction.spoken[seat]
        state = "out" if seat not in auction.bidding else "highest" if seat == auction.bidder else "in"
    elif view.phase == 3 and view.turn is not None:
        state = "done" if seat in view.acted else "now" if seat == view.turn else "next"
    else:
        state = "in"
    name = names[seat] if names else ""
    return Voice(seat, player.laid, bid, state, seat == view.turn, seat == view.principe, player.points, name)


def _effects(view: View) -> tuple[tuple[str, str], ...]:
    told = view.what_if
    if told.offers:
        return tuple(tell_offers(view).items())
    if told.plays:
        return tuple(tell_plays(view).items())
    return tuple(tell_crests(view).items())


def bids(view: View, legal: frozenset[Step]) -> Bids | None:
    """Legal bids of the viewer and what each would leave; None if there are none."""
    possible = [effect for effect in view.what_if.bids if Bid(effect.ducats) in legal]
    if not possible:
        return None
    quick = (*possible[:RAISES], *possible[RAISES:][-1:])
    says = tell_bids(view)
    return Bids(possible[0].ducats, possible[-1].ducats, quick, says[0], msgspec.json.encode(says).decode())
