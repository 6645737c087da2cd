"""How a state of Il Principe is described to a value network. Every state with a real choice can be judged."""

from typing import Any

from signoria.games.il_principe.bot.heuristic import narrow
from signoria.games.il_principe.rulebook.choice import legal_steps
from signoria.games.il_principe.rulebook.rounds import left_in_pile, missing_cards, missing_ducats
from signoria.games.il_principe.rulebook.scoring import BUILDINGS, TOTAL, score
from signoria.games.il_principe.rulebook.state import (
    BIDDING,
    CITIES,
    COLOURS,
    FACE_UP,
    KINDS,
    NONE,
    REGIONS,
    SEATS,
    Box,
    State,
)
from signoria.kernel.compiled import rule
from signoria.kernel.features import SETTLED, Features, put, within
from signoria.kernel.observation import Feature, from_here, starts

MONEY = 31
"""Amounts of ducats that are told apart."""
FEW = 6
"""Numbers of buildings and crests that are told apart, where two of them are compared."""
SCALE = 0.1
"""Points and ducats in the numbers are multiplied by this."""

PARTS = (
    Feature("setting", (4, 2), "The number of players, from 2, and the money variant."),
    Feature("asked", (KINDS, 5), "What is asked, and the phase."),
    Feature("round", (20,), "The number of the round."),
    Feature("last", (1,), "The last round."),
    Feature("pile", (14,), "Cards in the building pile, in groups of eight."),
    Feature("city_pile", (CITIES + 1,), "Cities in the pile."),
    Feature("acted", (SEATS, 2), "How many have had their turn in phase 3; in the last round, too."),
    Feature("ducats", (SEATS, MONEY), "Ducats."),
    Feature("cards", (SEATS, 16), "Cards in hand."),
    Feature("crests_left", (SEATS, 13), "Crests left."),
    Feature("principe", (SEATS,), "Who is Il Principe."),
    Feature("hand", (SEATS, COLOURS, 8), "Cards of each colour in hand."),
    Feature("up", (SEATS, COLOURS, 8), "Face-up buildings."),
    Feature("built", (SEATS, COLOURS, 8), "Buildings, face up or down."),
    Feature("standing", (SEATS, COLOURS, FEW, FEW), "Face-up buildings, and the most of another seat."),
    Feature("offered", (SEATS, COLOURS, 4), "Cards laid face down."),
    Feature("laid", (SEATS, 4), "How many of them."),
    Feature("region", (SEATS, REGIONS, FEW, FEW), "Crests in a region, and the most of another seat."),
    Feature("role", (2, COLOURS, SEATS), "Who holds the roles."),
    Feature("display", (CITIES,), "Face-up cities."),
    Feature(
        "missing", (SEATS, CITIES, 6, 3), "Cards and ducats that a seat lacks for a face-up city; 2 for many ducats."
    ),
    Feature("lot", (COLOURS, 8), "Cards still to be auctioned."),
    Feature("auction", (3, COLOURS, 8), "What is auctioned: a lot and its size, a major role, a minor role."),
    Feature("bidding", (SEATS,), "Who has not passed."),
    Feature("bid", (SEATS, MONEY), "The highest bid and whose it is."),
    Feature("bid_on", (3, COLOURS, 12), "The highest bid on a lot, a major role or a minor role."),
    Feature("founding", (CITIES, 4), "The city being founded, and the crests still to be placed."),
)
NUMBERS = (
    Feature("score", (SEATS, TOTAL + 2), "The parts of the score, their sum, and buildings in play."),
    Feature("money", (SEATS,), "Ducats."),
    Feature("margin", (1,), "The seat's points less the most of another seat."),
    Feature("left", (1,), "Cards in the building pile."),
)
AT = starts(PARTS)
(
    _SETTING,
    _ASKED,
    _ROUND,
    _LAST,
    _PILE,
    _CITY_PILE,
    _ACTED,
    _DUCATS,
    _CARDS,
    _CRESTS_LEFT,
    _PRINCIPE,
    _HAND,
    _UP,
    _BUILT,
    _STANDING,
    _OFFERED,
    _LAID,
    _REGION,
    _ROLE,
    _DISPLAY,
    _MISSING,
    _LOT,
    _AUCTION,
    _BIDDING,
    _BID,
    _BID_ON,
    _FOUNDING,
) = AT.values()
_SCORE, _MONEY, _MARGIN, _LEFT = starts(NUMBERS).values()
COUNT = sum(part.size for part in NUMBERS)


@rule
def settle(s: State, box: Box, luck: Any, ahead: int, steps: Any) -> int:
    """Make steps that leave no choice."""
    return int(steps[0]) if narrow(s, box, steps, legal_steps(s, box, steps)) == 1 else SETTLED


@rule
def describe(s: State, box: Box, sheet: Any, on: Any, numbers: Any) -> int:
    """Describe a state in which the seat in turn has a choice."""
    score(s, box, sheet)
    for i in range(COUNT):
        numbers[i] = 0.0
    count = describe_round(s, box, on, 0)
    best = -1000
    for seat in range(box.players):
        place = from_here(box, s.seat, seat)
        count = describe_seat(s, box, seat, place, on, count)
        count = describe_hand(s, box, seat, place, on, count)
        for part in range(TOTAL + 1):
            numbers[_SCORE + place * (TOTAL + 2) + part] = sheet[seat, part] * SCALE
        numbers[_SCORE + place * (TOTAL + 2) + TOTAL + 1] = sheet[seat, BUILDINGS] * SCALE
        numbers[_MONEY + place] = s.ducats[seat] * SCALE
        if place > 0:
            best = max(best, int(sheet[seat, TOTAL]))
    numbers[_MARGIN] = (int(sheet[s.seat, TOTAL]) - best) * SCALE
    numbers[_LEFT] = left_in_pile(s, box) * 0.02
    return describe_auction(s, box, on, count)


@rule
def describe_round(s: State, box: Box, on: Any, count: int) -> int:
    """Describe how far the game is."""
    count = put(on, count, _SETTING + (int(box.players) - 2) * 2 + int(box.variant))
    count = put(on, count, _ASKED + int(s.asked) * 5 + int(s.phase))
    count = put(on, count, _ROUND + min(19, int(s.round_number)))
    if s.last == 1:
        count = put(on, count, _LAST)
    count = put(on, count, _PILE + left_in_pile(s, box) // 8)
    count = put(on, count, _CITY_PILE + int(box.cities) - int(s.turned_up))
    if s.phase == 3:
        count = put(on, count, _ACTED + int(s.acted) * 2 + int(s.last))
    if s.founding != NONE:
        count = put(on, count, _FOUNDING + int(s.founding) * 4 + min(3, int(s.crests)))
    for slot in range(FACE_UP):
        if s.display[slot] != NONE:
            count = put(on, count, _DISPLAY + int(s.display[slot]))
    return count


@rule
def describe_seat(s: State, box: Box, seat: int, place: int, on: Any, count: int) -> int:
    """Describe what a seat has in front of it."""
    count = put(on, count, _DUCATS + place * MONEY + min(MONEY - 1, int(s.ducats[seat])))
    count = put(on, count, _CARDS + place * 16 + min(15, int(s.cards[seat])))
    count = put(on, count, _CRESTS_LEFT + place * 13 + min(12, int(s.crests_left[seat])))
    if s.principe == seat:
        count = put(on, count, _PRINCIPE + place)
    if s.laid[seat] > 0:
        count = put(on, count, _LAID + place * 4 + min(3, int(s.laid[seat])))
    for colour in range(COLOURS):
        up, at = int(s.up[seat, colour]), place * COLOURS + colour
        built, most = up + int(s.down[seat, colour]), 0
        for other in range(box.players):
            if other != seat:
                most = max(most, int(s.up[other, colour]))
        if up > 0:
            count = put(on, count, _UP + at * 8 + min(7, up))
        if built > 0:
            count = put(on, count, _BUILT + at * 8 + min(7, built))
        if up + most > 0:
            count = put(on, count, _STANDING + (at * FEW + min(FEW - 1, up)) * FEW + min(FEW - 1, most))
        for role in range(2):
            if s.holder[role, colour] == seat:
                count = put(on, count, _ROLE + (role * COLOURS + colour) * SEATS + place)
    for region in range(REGIONS):
        crests, most = int(s.region[seat, region]), 0
        for other in range(box.players):
            if other != seat:
                most = max(most, int(s.region[other, region]))
        if crests + most > 0:
            at = ((place * REGIONS + region) * FEW + min(FEW - 1, crests)) * FEW
            count = put(on, count, _REGION + at + min(FEW - 1, most))
    return count


@rule
def describe_hand(s: State, box: Box, seat: int, place: int, on: Any, count: int) -> int:
    """Describe the cards of a seat, and what it lacks for each face-up city."""
    for colour in range(COLOURS):
        at = place * COLOURS + colour
        if s.hand[seat, colour] > 0:
            count = put(on, count, _HAND + at * 8 + min(7, int(s.hand[seat, colour])))
        if s.offered[seat, colour] > 0:
            count = put(on, count, _OFFERED + at * 4 + min(3, int(s.offered[seat, colour])))
    for slot in range(FACE_UP):
        city = int(s.display[slot])
        if city != NONE:
            cards = 0
            for colour in range(COLOURS):
                cards += missing_cards(s, box, seat, city, colour)
            ducats = min(2, (missing_ducats(s, box, seat, city) + 2) // 3)
            count = put(on, count, _MISSING + ((place * CITIES + city) * 6 + min(5, cards)) * 3 + ducats)
    return count


@rule
def describe_auction(s: State, box: Box, on: Any, count: int) -> int:
    """Describe the lots and the current auction."""
    for colour in range(COLOURS):
        if s.lot[colour] > 0:
            count = put(on, count, _LOT + colour * 8 + min(7, int(s.lot[colour])))
    if s.colour == NONE or s.phase == 3:
        return count
    kind = 0 if s.phase == 2 else 1 + int(s.role)
    auction = kind * COLOURS + int(s.colour)
    count = put(on, count, _AUCTION + auction * 8 + (min(7, int(s.lot[s.colour])) if kind == 0 else 0))
    if s.asked == BIDDING:
        count = put(on, count, _BID_ON + auction * 12 + within(int(s.bid), 0, 11))
        for seat in range(box.players):
            place = from_here(box, s.seat, seat)
            if s.bidding >> seat & 1:
                count = put(on, count, _BIDDING + place)
            if s.bidder == seat:
                count = put(on, count, _BID + place * MONEY + min(MONEY - 1, int(s.bid)))
    return count


FEATURES = Features(PARTS, NUMBERS, 192, describe, settle)
