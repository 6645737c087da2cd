"""What a seat sees, with names: made from a state in which everything hidden has been hidden."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS, Components
from signoria.games.il_principe.rulebook.outlook import (
    KEEPS,
    LACKS,
    LACKS_DUCATS,
    MOST_CRESTS,
    NUMBERS,
    OUTBID,
    PAYABLE,
    TO_END,
    TO_TURN,
    outlook,
    what_if,
)
from signoria.games.il_principe.rulebook.rounds import has_acted
from signoria.games.il_principe.rulebook.rules import to_lay
from signoria.games.il_principe.rulebook.scoring import BUILDINGS
from signoria.games.il_principe.rulebook.sight import unseen_cards
from signoria.games.il_principe.rulebook.state import (
    A_COLOUR,
    BIDDING,
    COLOURS,
    FACE_UP,
    HIDDEN,
    MAJOR,
    MINOR,
    MOST_DUCATS,
    NONE,
    OVER,
    REGIONS,
    SEATS,
)
from signoria.games.il_principe.rulebook.steps import Step
from signoria.games.il_principe.words.names import ASKED, FAMILIES, ROLE_NAMES
from signoria.kernel.compiled import in_python
from signoria.kernel.game import SPECTATOR
from signoria.kernel.position import Position
from signoria.kernel.view import SeatView

Counts = dict[str, int]
"""Cards by colour, or crests by region; only what is there."""


class Auction(msgspec.Struct, frozen=True):
    """An auction that is going on."""

    what: str
    """`lot`, or the name of the role."""
    colour: str
    cards: int
    """Cards of the lot; 0 for a role."""
    bid: int
    bidder: int | None
    bidding: tuple[int, ...]
    """Who has not passed."""
    spoken: tuple[int, ...]
    """What each seat has bid last; 0 for nothing."""
    points: int
    """What the role gives its holder at the end (I41), and whenever another player founds a city with its colour (I18); 0
    for a lot."""
    turned_down: int
    """Buildings that this seat would turn face down for a major role (I21)."""
    outbid: bool
    """Whether this seat has too few ducats to bid more than the last bid (I13)."""


class Lack(msgspec.Struct, frozen=True):
    """What a seat lacks for a city (I17); nothing when it could pay for it."""

    cards: Counts
    ducats: int


class BidEffect(msgspec.Struct, frozen=True):
    """What a bid would lead to if it won the auction (I13, I14)."""

    ducats: int
    keeps: int
    """The ducats that would be left."""
    cities: tuple[str, ...]
    """Face-up cities that this seat could found then, with the cards of the lot."""


class RoleClaims(msgspec.Struct, frozen=True):
    """Who would take the roles of a colour if they were given out now; several would bid for one (I21, I22)."""

    major: tuple[int, ...]
    minor: tuple[int, ...]


class WhatIf(msgspec.Struct, frozen=True):
    """What each choice that this seat has now would lead to. Empty where it has no choice of that kind."""

    lot: dict[str, Lack]
    """In the auction of a lot: what this seat would lack for each face-up city with the cards of the lot."""
    bids: tuple[BidEffect, ...]
    """In an auction that this seat has not left: all bids above the highest that it has the ducats for."""
    offers: dict[str, tuple[tuple[str, ...], ...]]
    """By colour, for one, two or more cards laid face down: the face-up cities that then need more cards than now."""
    plays: dict[str, tuple[RoleClaims, ...]]
    """By colour, for one, two or more cards played: who would take the roles of that colour then."""
    crests: dict[str, tuple[tuple[int, ...], ...]]
    """By region, for one, two or more crests placed there: what each seat would score for it then (I40)."""


class PlayerView(msgspec.Struct, frozen=True):
    """A player as this viewer sees them."""

    seat: int
    family: str
    hand: Counts | None
    """Cards in hand by colour; None for another's."""
    cards: int
    """How many cards are in hand."""
    laid: int
    """How many are laid face down."""
    offered: Counts | None
    """What is laid face down by this viewer; None for another's."""
    up: Counts
    """Buildings in play, face up."""
    down: Counts
    """Buildings in play, face down."""
    buildings: int
    ducats: int | None
    """None where they are hidden from this viewer."""
    points: int
    crests: Counts
    """Own crests by region."""
    crests_left: int
    roles: tuple[str, ...]


class Remembered(msgspec.Struct, frozen=True):
    """What an attentive player knows beyond what lies open: nobody needs paper."""

    ducats: tuple[int, ...]
    """Everybody's: every income and every payment was public."""
    bought: tuple[Counts, ...]
    """Cards that each was seen to win in auctions."""
    spent: tuple[Counts, ...]
    """Cards that each was seen to offer, play and use."""
    known: tuple[Counts, ...]
    """Cards that each must have in hand or laid face down: a lower bound."""
    gone: Counts
    """Cards that left the game unsold."""
    unseen: Counts
    """Cards in the pile, or in a hand without anybody having seen them go there."""


class View(SeatView, frozen=True, kw_only=True):
    """All that one seat, or a spectator, sees of a table."""

    game: str = "il-principe"
    seat: int | None
    """Whose view it is; None for a spectator."""
    turn: int | None
    """The seat that is asked; None when the game is over."""
    asked: str
    """`offer`, `bid`, `found`, `crest`, `act`, `turn` or `over`."""
    round: int
    last_round: bool
    phase: int
    principe: int
    cities: tuple[str, ...]
    """The face-up cities."""
    city_pile: int
    cities_to_end: int
    """Cities that have to be founded until the game ends (I30). With 0 it ends at the end of the next phase 1, or of this
    one, without a last round."""
    pile: int
    """Building cards in the pile."""
    lots: Counts
    """Cards still to be auctioned, in the order of their auctions."""
    last_round_below: int
    """With fewer building cards in the pile when a round begins, it is the last (I31, I32)."""
    offers: int
    """Cards that everyone lays face down in a round."""
    to_lay: int
    """Cards that this seat has still to lay face down now (I11); 0 for a spectator."""
    acted: tuple[int, ...]
    """Who has had their turn in phase 3 (I16); empty in the other phases."""
    auction: Auction | None
    founding: str | None
    """The city whose crests are being placed."""
    crests: int
    """Crests still to be placed now."""
    founded: dict[str, int]
    """Who founded which city."""
    may_found: bool
    """Whether cities are founded in this round."""
    lacks: dict[str, Lack]
    """What this seat lacks for each face-up city; empty for a spectator."""
    payable: tuple[str, ...]
    """Face-up cities that this seat has the cards and ducats for (I17), in a round in which cities are founded."""
    gains: dict[str, tuple[int, ...]]
    """What each seat would score for roles if this seat founded a face-up city (I18)."""
    majorities: dict[str, tuple[int, ...]]
    """What each seat would score for a region as it stands (I40)."""
    claims: dict[str, tuple[int, ...]]
    """Every role in the game, and who would take it if roles were given out now; several would bid for it."""
    what_if: WhatIf
    """What the choices of this seat would lead to."""
    players: tuple[PlayerView, ...]
    legal: tuple[Step, ...]
    """Steps that this seat may make now."""
    components: Components
    """What is printed on the city cards."""
    remembered: Remembered | None
    """None where the table plays without this aid."""


def view(
    known: Position,
    shown: Position,
    components: Components,
    seat: int,
    legal: Sequence[Step],
    memory_aid: bool,
) -> View:
    """The view of a seat, from what it could remember and what lies open before it now."""
    s, box = shown.in_lists()
    sheet = shown.sheet()
    buildings = sheet[:, BUILDINGS].tolist()
    ahead = _look_ahead(shown, seat, sheet)
    over = s.asked == OVER
    display = [(place, city) for place, city in enumerate(s.display) if city != NONE]
    return View(
        seat=None if seat == SPECTATOR else seat,
        turn=None if over else s.seat,
        asked=ASKED[s.asked],
        round=s.round_number,
        last_round=bool(s.last),
        phase=s.phase,
        principe=s.principe,
        cities=tuple(CITY_IDS[city] for _, city in display),
        city_pile=box.cities - s.turned_up,
        cities_to_end=ahead.numbers[TO_END],
        pile=box.buildings - s.drawn,
        lots={COLOUR_IDS[colour]: s.lot[colour] for colour in ahead.lots if colour != NONE},
        last_round_below=box.last_round_below,
        offers=box.offers,
        to_lay=0 if seat == SPECTATOR else in_python(to_lay)(s, box, seat),
        acted=tuple(player for player in range(box.players) if in_python(has_acted)(s, box, player)),
        auction=_auction(s, box, ahead.numbers) if s.asked == BIDDING else None,
        founding=CITY_IDS[s.founding] if s.founding != NONE else None,
        crests=s.crests,
        founded={CITY_IDS[city]: founder for city, founder in enumerate(s.founder) if founder != NONE},
        may_found=ahead.may_found,
        lacks={} if seat == SPECTATOR else {CITY_IDS[c]: _lack(ahead.lacks[i]) for i, c in display},
        payable=() if seat == SPECTATOR else tuple(CITY_IDS[c] for i, c in display if ahead.lacks[i][PAYABLE]),
        gains={CITY_IDS[c]: tuple(ahead.gains[i][: box.players]) for i, c in display},
        majorities={region: tuple(ahead.regions[r][: box.players]) for r, region in enumerate(REGION_IDS)},
        claims=_claims(ahead.claims, box),
        what_if=NOTHING if seat == SPECTATOR or over else _what_if(shown, seat, sheet, s, box),
        players=tuple(_player_view(s, buildings[player], player) for player in range(box.players)),
        legal=tuple(legal),
        components=components,
        remembered=_remembered(known) if memory_aid else None,
    )


NOTHING = WhatIf({}, (), {}, {}, {})
"""There is no choice to make."""


class _Ahead(NamedTuple):
    """What `outlook` found."""

    may_found: bool
    regions: list[list[int]]
    claims: list[list[int]]
    lacks: list[list[int]]
    gains: list[list[int]]
    lots: list[int]
    numbers: list[int]


def _look_ahead(shown: Position, seat: int, sheet: Any) -> _Ahead:
    regions, gains = np.empty((REGIONS, SEATS), np.int8), np.empty((FACE_UP, SEATS), np.int8)
    claims, lots = np.empty((2, COLOURS), np.int8), np.empty(COLOURS, np.int8)
    lacks = np.empty((FACE_UP, LACKS), np.int8)
    numbers = np.empty(NUMBERS, np.int8)
    may_found = shown.copy().call(outlook, seat, sheet, regions, claims, lacks, gains, lots, numbers)
    tables: tuple[Any, ...] = tuple(array.tolist() for array in (regions, claims, lacks, gains, lots, numbers))
    return _Ahead(bool(may_found), *tables)


def _what_if(shown: Position, seat: int, sheet: Any, s: Any, box: Any) -> WhatIf:
    """What each possible choice would lead to. Rows of the arrays that stay NONE are choices that do not exist."""
    lacks, bids = np.full((FACE_UP, LACKS), NONE, np.int8), np.full((MOST_DUCATS, 2), NONE, np.int8)
    offers, plays = np.full((COLOURS, A_COLOUR), NONE, np.int8), np.full((COLOURS, A_COLOUR, 2), NONE, np.int8)
    crests = np.full((REGIONS, MOST_CRESTS, SEATS), NONE, np.int8)
    shown.copy().call(what_if, seat, sheet, lacks, bids, offers, plays, crests)
    possible = np.flatnonzero(bids[:, KEEPS] != NONE)

    def cities(slots: int) -> tuple[str, ...]:
        return tuple(CITY_IDS[city] for slot, city in enumerate(s.display) if slots >> slot & 1)

    return WhatIf(
        lot={CITY_IDS[c]: _lack(row) for c, row in zip(s.display, lacks.tolist(), strict=True) if row[0] != NONE},
        bids=tuple(
            BidEffect(row + 1, keeps, cities(pays))
            for row, (keeps, pays) in zip(possible.tolist(), bids[possible].tolist(), strict=True)
        ),
        offers={
            colour: tuple(cities(slots) for slots in row if slots != NONE)
            for colour, row in zip(COLOUR_IDS, offers.tolist(), strict=True)
            if row[0] != NONE
        },
        plays={
            colour: tuple(RoleClaims(_seats(major, box), _seats(minor, box)) for major, minor in row if major != NONE)
            for colour, row in zip(COLOUR_IDS, plays.tolist(), strict=True)
            if row[0][MAJOR] != NONE
        },
        crests={
            region: tuple(tuple(points[: box.players]) for points in row if points[0] != NONE)
            for region, row in zip(REGION_IDS, crests.tolist(), strict=True)
            if row[0][0] != NONE
        },
    )


def _claims(claims: list[list[int]], box: Any) -> dict[str, tuple[int, ...]]:
    roles = (MAJOR, MINOR) if box.minors else (MAJOR,)
    return {
        ROLE_NAMES[role][colour]: _seats(claims[role][colour], box)
        for role in roles
        for colour in range(len(COLOUR_IDS))
    }


def _seats(bits: int, box: Any) -> tuple[int, ...]:
    return tuple(seat for seat in range(box.players) if bits >> seat & 1)


def _lack(told: list[int]) -> Lack:
    return Lack(_counts(told[:COLOURS], COLOUR_IDS), told[LACKS_DUCATS])


def _counts(numbers: list[int], names: tuple[str, ...]) -> Counts:
    return {name: count for name, count in zip(names, numbers, strict=True) if count}


def _shown(numbers: list[int]) -> Counts | None:
    return None if HIDDEN in numbers else _counts(numbers, COLOUR_IDS)


def _auction(s: Any, box: Any, numbers: list[int]) -> Auction:
    lot, worth = s.phase == 2, box.major_points if s.role == MAJOR else box.minor_points
    return Auction(
        what="lot" if lot else ROLE_NAMES[s.role][s.colour],
        colour=COLOUR_IDS[s.colour],
        cards=s.lot[s.colour] if lot else 0,
        bid=s.bid,
        bidder=None if s.bidder == NONE else s.bidder,
        bidding=_seats(s.bidding, box),
        spoken=tuple(s.spoken[: box.players]),
        points=0 if lot else worth,
        turned_down=numbers[TO_TURN],
        outbid=bool(numbers[OUTBID]),
    )


def _player_view(s: Any, buildings: int, seat: int) -> PlayerView:
    return PlayerView(
        seat=seat,
        family=FAMILIES[seat],
        hand=_shown(s.hand[seat]),
        cards=s.cards[seat],
        laid=s.laid[seat],
        offered=_shown(s.offered[seat]),
        up=_counts(s.up[seat], COLOUR_IDS),
        down=_counts(s.down[seat], COLOUR_IDS),
        buildings=buildings,
        ducats=None if s.ducats[seat] == HIDDEN else s.ducats[seat],
        points=s.points[seat],
        crests=_counts(s.region[seat], REGION_IDS),
        crests_left=s.crests_left[seat],
        roles=tuple(
            ROLE_NAMES[role][colour]
            for role in (MAJOR, MINOR)
            for colour in range(len(COLOUR_IDS))
            if s.holder[role][colour] == seat
        ),
    )


def _remembered(known: Position) -> Remembered:
    s, box = known.in_lists()
    seats, unseen = range(box.players), known.call(unseen_cards)
    return Remembered(
        ducats=tuple(s.ducats[: box.players]),
        bought=tuple(_counts(s.bought[seat], COLOUR_IDS) for seat in seats),
        spent=tuple(_counts(s.spent[seat], COLOUR_IDS) for seat in seats),
        known=tuple(_counts(s.known[seat], COLOUR_IDS) for seat in seats),
        gone=_counts(s.gone, COLOUR_IDS),
        unseen={colour: unseen >> 8 * c & 255 for c, colour in enumerate(COLOUR_IDS)},
    )
