"""What would happen next: who would score in regions, who would take roles, and in which order lots are auctioned."""

from signoria.games.il_principe.rulebook.rounds import (
    can_pay,
    may_found,
    minor_follows,
    missing_cards,
    missing_ducats,
    most_buildings,
    smallest_lot,
    used_roles,
)
from signoria.games.il_principe.rulebook.scoring import IN_REGIONS, Sheet, score_region
from signoria.games.il_principe.rulebook.state import COLOURS, FACE_UP, MAJOR, MINOR, NONE, OVER, REGIONS, Box, State
from signoria.kernel.bits import how_many, lowest
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Bytes

LACKS_DUCATS, PAYABLE, LACKS = COLOURS, COLOURS + 1, COLOURS + 2
"""Columns of `lacks` after the missing cards by colour: see `missing_for_cities`."""


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
) -> int:
    """Fill in the arrays; returns 1 if cities may be founded in this round. `s` is changed, so pass a copy.

    `regions`: points of a region by seat (I40). `claims`: the seats that would take a role, as bits. `lacks`: what a
    seat still needs for each face-up city (I17); unused for spectators. `gains`: what each player would score if `seat`
    founded that city (I18). `lots`: colours in the order of their auctions (I12).
    """
    for region in range(REGIONS):
        for player in range(box.players):
            sheet[player, IN_REGIONS] = 0
        score_region(s, box, sheet, region)
        for player in range(box.players):
            regions[region, player] = sheet[player, IN_REGIONS]
    if seat != NONE:
        missing_for_cities(s, box, seat, lacks)
    founding_gains(s, box, seat, gains)
    order_lots(s, lots)
    claim_roles(s, box, claims)
    return 1 if may_found(s, box) else 0


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
            s.colour = colour
            s.holder[MAJOR, colour] = NONE
            leaders = most_buildings(s, box)
            claims[MAJOR, colour] = leaders
            if how_many(leaders) == 1 and minor_follows(box, 0):
                s.holder[MAJOR, colour] = lowest(leaders)
                claims[MINOR, colour] = most_buildings(s, box)
