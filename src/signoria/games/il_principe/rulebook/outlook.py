"""What would happen next: who would score in regions, who would take roles, in which order lots are auctioned, and what
each choice of a seat would lead to.
"""

from signoria.games.il_principe.rulebook.reasons import LEGAL
from signoria.games.il_principe.rulebook.rounds import (
    buildings_to_turn,
    can_pay,
    cities_to_end,
    may_found,
    minor_follows,
    missing_cards,
    missing_ducats,
    most_buildings,
    smallest_lot,
    used_roles,
)
from signoria.games.il_principe.rulebook.rules import refuse_crest, refuse_play, to_lay
from signoria.games.il_principe.rulebook.scoring import IN_REGIONS, Sheet, score_region
from signoria.games.il_principe.rulebook.state import (
    BIDDING,
    COLOURS,
    FACE_UP,
    MAJOR,
    MINOR,
    NONE,
    OVER,
    REGIONS,
    Box,
    State,
)
from signoria.kernel.bits import how_many, lowest
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Bytes

LACKS_DUCATS, PAYABLE, LACKS = COLOURS, COLOURS + 1, COLOURS + 2
"""Columns of `lacks` after the missing cards by colour: see `missing_for_cities`."""
MOST_CRESTS = 12
"""The crests of a family (I1)."""
TO_END, TO_TURN, OUTBID, NUMBERS = 0, 1, 2, 3
"""Columns of `numbers`: see `outlook`."""
KEEPS, PAYS = 0, 1
"""Columns of `bids`: see `if_lot_won`."""


@rule
def outlook(
    s: State,
    box: Box,
    seat: int,
    sheet: Sheet,
    regions: Bytes,
    claims: Bytes,
    lacks: Bytes,
    gains: Bytes,
    lots: Bytes,
    numbers: Bytes,
) -> int:
    """Fill in the arrays; returns 1 if cities may be founded in this round. `s` is changed, so pass a copy.

    `regions`: points of a region by seat (I40). `claims`: the seats that would take a role, as bits. `lacks`: what a
    seat still needs for each face-up city (I17); unused for spectators. `gains`: what each player would score if `seat`
    founded that city (I18). `lots`: colours in the order of their auctions (I12). `numbers`: cities to be founded until
    the game ends (I30); in an auction, the buildings that `seat` would turn face down for the role (I21), and 1 if it has
    too few ducats to bid more (I13).
    """
    numbers[TO_END] = cities_to_end(s, box)
    auctioned = s.asked == BIDDING and seat != NONE
    numbers[TO_TURN] = buildings_to_turn(s, seat) if auctioned and s.phase == 4 and s.role == MAJOR else 0
    numbers[OUTBID] = 1 if auctioned and seat != s.bidder and s.ducats[seat] <= s.bid else 0
    for region in range(REGIONS):
        points_in_region(s, box, sheet, region, regions[region])
    if seat != NONE:
        missing_for_cities(s, box, seat, lacks)
    founding_gains(s, box, seat, gains)
    order_lots(s, lots)
    claim_roles(s, box, claims)
    return 1 if may_found(s, box) else 0


@rule
def points_in_region(s: State, box: Box, sheet: Sheet, region: int, points: Bytes) -> None:
    """I40: what each player would score for a region as it stands."""
    for player in range(box.players):
        sheet[player, IN_REGIONS] = 0
    score_region(s, box, sheet, region)
    for player in range(box.players):
        points[player] = sheet[player, IN_REGIONS]


@rule
def missing_for_cities(s: State, box: Box, seat: int, lacks: Bytes) -> None:
    """I17, for every face-up city: missing cards by colour, missing ducats, and 1 if the seat could found it in this round."""
    for slot in range(FACE_UP):
        city = s.display[slot]
        if city != NONE:
            for colour in range(COLOURS):
                lacks[slot, colour] = missing_cards(s, box, seat, city, colour)
            lacks[slot, LACKS_DUCATS] = missing_ducats(s, box, seat, city)
            lacks[slot, PAYABLE] = 1 if may_found(s, box) and can_pay(s, box, seat, city) else 0


@rule
def founding_gains(s: State, box: Box, seat: int, gains: Bytes) -> None:
    """I18, for every face-up city."""
    s.seat = seat
    for slot in range(FACE_UP):
        for player in range(box.players):
            s.points[player] = 0
        if s.display[slot] != NONE:
            used_roles(s, box, s.display[slot])
        for player in range(box.players):
            gains[slot, player] = s.points[player]


@rule
def order_lots(s: State, lots: Bytes) -> None:
    """I12: the remaining lots in order, then NONE."""
    for place in range(COLOURS):
        colour = smallest_lot(s)
        lots[place] = colour
        if colour != NONE:
            s.lot[colour] = 0


@rule
def claim_roles(s: State, box: Box, claims: Bytes) -> None:
    """I21, I22: who would take each role that is still to be assigned this round; several seats would bid for it."""
    first = 0 if s.phase < 4 else s.colour + 1
    for colour in range(COLOURS):
        claims[MAJOR, colour] = 0
        claims[MINOR, colour] = 0
        if colour >= first and s.asked != OVER:
            claim_role(s, box, colour, claims[:, colour])


@rule
def claim_role(s: State, box: Box, colour: int, claims: Bytes) -> None:
    """I21, I22: who would take the major and the minor role of a colour with the buildings that are face up."""
    s.colour = colour
    s.holder[MAJOR, colour] = NONE
    leaders = most_buildings(s, box)
    claims[MAJOR] = leaders
    claims[MINOR] = 0
    if how_many(leaders) == 1 and minor_follows(box, 0):
        s.holder[MAJOR, colour] = lowest(leaders)
        claims[MINOR] = most_buildings(s, box)


# What each choice of a seat would lead to


@rule
def what_if(
    s: State,
    box: Box,
    seat: int,
    sheet: Sheet,
    lacks: Bytes,
    bids: Bytes,
    offers: Bytes,
    plays: Bytes,
    crests: Bytes,
) -> None:
    """Fill in the arrays for the choices that the seat has now, and leave the others as they are. `s` is changed, so pass
    a copy.

    `lacks`, `bids`: see `if_lot_won`. `offers`: see `if_offered`. `plays`: see `if_played`. `crests`: see `if_placed`.
    """
    if s.asked == BIDDING and int(s.bidding) >> seat & 1:
        if_lot_won(s, box, seat, lacks, bids)
    for colour in range(COLOURS):
        if_offered(s, box, seat, colour, offers)
        if s.seat == seat:
            if_played(s, box, colour, plays)
    for region in range(REGIONS):
        if s.seat == seat:
            if_placed(s, box, sheet, region, crests)


@rule
def if_lot_won(s: State, box: Box, seat: int, lacks: Bytes, bids: Bytes) -> None:
    """I14, I17: with the cards of the lot, what a seat still needs for each face-up city before it pays for the lot. And
    for every bid, in the row of one less, the ducats it would keep and the cities it could found then, as bits.
    """
    ducats, cards, pays = int(s.ducats[seat]), int(s.hand[seat, s.colour]), s.phase == 2 and may_found(s, box)
    if s.phase == 2:
        s.hand[seat, s.colour] = cards + s.lot[s.colour]
        missing_for_cities(s, box, seat, lacks)
    for bid in range(int(s.bid) + 1, ducats + 1):
        s.ducats[seat] = ducats - bid
        bids[bid - 1, KEEPS] = s.ducats[seat]
        bids[bid - 1, PAYS] = 0
        for slot in range(FACE_UP):
            if pays and s.display[slot] != NONE and can_pay(s, box, seat, s.display[slot]):
                bids[bid - 1, PAYS] += 1 << slot
    s.ducats[seat] = ducats
    s.hand[seat, s.colour] = cards


@rule
def if_offered(s: State, box: Box, seat: int, colour: int, offers: Bytes) -> None:
    """I11, I17: for every number of cards of a colour that a seat may offer, in the row of one less, the face-up cities for
    which it would then need more cards than now, as bits.
    """
    cards = int(s.hand[seat, colour])
    for count in range(1, min(cards, to_lay(s, box, seat)) + 1):
        offers[colour, count - 1] = 0
        for slot in range(FACE_UP):
            if s.display[slot] != NONE:
                now = missing_cards(s, box, seat, s.display[slot], colour)
                s.hand[seat, colour] = cards - count
                if missing_cards(s, box, seat, s.display[slot], colour) > now:
                    offers[colour, count - 1] += 1 << slot
                s.hand[seat, colour] = cards


@rule
def if_played(s: State, box: Box, colour: int, plays: Bytes) -> None:
    """I16, I21: for every number of cards of a colour that the seat in turn may play, in the row of one less, who would
    take the major and the minor role of that colour then, as bits.
    """
    up = int(s.up[s.seat, colour])
    for count in range(1, int(s.hand[s.seat, colour]) + 1):
        if refuse_play(s, colour, count) == LEGAL:
            s.up[s.seat, colour] = up + count
            claim_role(s, box, colour, plays[colour, count - 1])
            s.up[s.seat, colour] = up


@rule
def if_placed(s: State, box: Box, sheet: Sheet, region: int, crests: Bytes) -> None:
    """I17, I23, I40: for every number of crests that the seat in turn may place now, in the row of one less, what each
    player would score for a region with all of them there.
    """
    before = int(s.region[s.seat, region])
    if refuse_crest(s, box, region) == LEGAL:
        for count in range(1, min(int(s.crests), MOST_CRESTS) + 1):
            s.region[s.seat, region] = before + count
            points_in_region(s, box, sheet, region, crests[region, count - 1])
        s.region[s.seat, region] = before
