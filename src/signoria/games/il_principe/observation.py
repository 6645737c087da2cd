"""What a seat of Il Principe knows, as numbers for programs that learn.

Seats are counted clockwise from the observer, who is 0. A number that says "one of" is 1 for
that one and 0 for all others. What an attentive player remembers is included, such as the ducats of others.
"""

from typing import Any

from signoria.games.il_principe.rulebook.sight import unseen_cards
from signoria.games.il_principe.rulebook.state import (
    CITIES,
    COLOURS,
    FACE_UP,
    HIDDEN,
    KINDS,
    NONE,
    OVER,
    REGIONS,
    SEATS,
    Box,
    State,
)
from signoria.kernel.compiled import rule
from signoria.kernel.observation import Feature, Observation, from_here, starts

FEATURES = (
    Feature("asked", (KINDS,), "What is asked: over, offer, bid, found, crest, act or turn a building."),
    Feature("turn", (SEATS,), "Who is asked; all 0 when the game is over."),
    Feature("first", (SEATS,), "Who was Il Principe at the start (I3)."),
    Feature("principe", (SEATS,), "Who is Il Principe."),
    Feature("players", (1,), "The number of players."),
    Feature("options", (1,), "1 with the money variant (I5)."),
    Feature("round", (3,), "The phase, the number of the round, 1 in the last round."),
    Feature("pile", (2,), "Cards in the building pile and in the city pile."),
    Feature("acted", (1,), "How many have had their turn in phase 3."),
    Feature("colour", (COLOURS,), "The colour of the current lot or role."),
    Feature("role", (2,), "1 for a minor role in phase 4, 1 if the role is auctioned (I22)."),
    Feature("bid", (1,), "The highest bid of this auction."),
    Feature("bidder", (SEATS,), "Whose bid it is."),
    Feature("bidding", (SEATS,), "Who has not passed in this auction."),
    Feature("spoken", (SEATS,), "The last bid of each seat in this auction."),
    Feature("lot", (COLOURS,), "Cards still to be auctioned this round."),
    Feature("gone", (COLOURS,), "Cards that left the game unsold (I15)."),
    Feature("unseen", (COLOURS,), "Cards in the pile and unknown cards in hands and offers."),
    Feature("hand", (COLOURS,), "Its own hand."),
    Feature("offered", (COLOURS,), "What it has laid face down itself (I11)."),
    Feature("others_hands", (SEATS, COLOURS), "Every hand when the game is over; all 0 before."),
    Feature("cards", (SEATS,), "Cards in each hand."),
    Feature("laid", (SEATS,), "Cards that each seat has laid face down."),
    Feature("known", (SEATS, COLOURS), "Cards in each hand or offer that everyone knows."),
    Feature("bought", (SEATS, COLOURS), "Cards that each seat has won in auctions."),
    Feature("spent", (SEATS, COLOURS), "Cards that everyone has seen leave a hand."),
    Feature("up", (SEATS, COLOURS), "Buildings in play, face up."),
    Feature("down", (SEATS, COLOURS), "Buildings in play, face down."),
    Feature("ducats", (SEATS,), "Ducats of each seat."),
    Feature("points", (SEATS,), "Points of each seat."),
    Feature("region", (SEATS, REGIONS), "Crests of each seat in each region."),
    Feature("crests_left", (SEATS,), "Crests that each seat has left."),
    Feature("crests", (1,), "Crests still to be placed now."),
    Feature("holder", (2, COLOURS, SEATS), "Who holds the major and the minor role of each colour."),
    Feature("founding", (CITIES,), "The city being founded."),
    Feature("display", (FACE_UP, CITIES), "The city in each face-up place."),
    Feature("founder", (CITIES, SEATS), "Who founded each city."),
)
AT = starts(FEATURES)
(
    _ASKED,
    _TURN,
    _FIRST,
    _PRINCIPE,
    _PLAYERS,
    _OPTIONS,
    _ROUND,
    _PILE,
    _ACTED,
    _COLOUR,
    _ROLE,
    _BID,
    _BIDDER,
    _BIDDING,
    _SPOKEN,
    _LOT,
    _GONE,
    _UNSEEN,
    _HAND,
    _OFFERED,
    _OTHERS_HANDS,
    _CARDS,
    _LAID,
    _KNOWN,
    _BOUGHT,
    _SPENT,
    _UP,
    _DOWN,
    _DUCATS,
    _POINTS,
    _REGION,
    _CRESTS_LEFT,
    _CRESTS,
    _HOLDER,
    _FOUNDING,
    _DISPLAY,
    _FOUNDER,
) = AT.values()


@rule
def write(s: State, box: Box, seat: int, row: Any) -> None:
    """Fill a row of zeros with what a seat knows."""
    write_round(s, box, seat, row)
    write_auction(s, box, seat, row)
    for other in range(box.players):
        write_seat(s, box, other, from_here(box, seat, other), row)
    if seat >= 0:
        for colour in range(COLOURS):
            row[_HAND + colour] = s.hand[seat, colour]
            row[_OFFERED + colour] = s.offered[seat, colour]
    write_cities(s, box, seat, row)


@rule
def write_round(s: State, box: Box, seat: int, row: Any) -> None:
    """Write the options and what is asked."""
    row[_ASKED + int(s.asked)] = 1
    if s.asked != OVER:
        row[_TURN + from_here(box, seat, s.seat)] = 1
    row[_FIRST + from_here(box, seat, s.first)] = 1
    row[_PRINCIPE + from_here(box, seat, s.principe)] = 1
    row[_PLAYERS] = box.players
    row[_OPTIONS] = box.variant
    row[_ROUND] = s.phase
    row[_ROUND + 1] = s.round_number
    row[_ROUND + 2] = s.last
    row[_PILE] = box.buildings - s.drawn
    row[_PILE + 1] = box.cities - s.turned_up
    row[_ACTED] = s.acted
    row[_CRESTS] = s.crests


@rule
def write_auction(s: State, box: Box, seat: int, row: Any) -> None:
    """Write the auction, and the cards that nobody has in hand."""
    if s.colour != NONE:
        row[_COLOUR + int(s.colour)] = 1
    row[_ROLE] = s.role
    row[_ROLE + 1] = s.contested
    row[_BID] = s.bid
    if s.bidder != NONE:
        row[_BIDDER + from_here(box, seat, s.bidder)] = 1
    unseen = 0 if s.asked == OVER else unseen_cards(s, box)
    for colour in range(COLOURS):
        row[_LOT + colour] = s.lot[colour]
        row[_GONE + colour] = s.gone[colour]
        row[_UNSEEN + colour] = unseen >> 8 * colour & 255


@rule
def write_seat(s: State, box: Box, other: int, place: int, row: Any) -> None:
    """Write what is known of a seat; `place` is where it stands, counted from the one that looks on."""
    row[_BIDDING + place] = s.bidding >> other & 1
    row[_SPOKEN + place] = s.spoken[other]
    row[_CARDS + place] = s.cards[other]
    row[_LAID + place] = s.laid[other]
    row[_DUCATS + place] = s.ducats[other]
    row[_POINTS + place] = s.points[other]
    row[_CRESTS_LEFT + place] = s.crests_left[other]
    for colour in range(COLOURS):
        at = place * COLOURS + colour
        row[_KNOWN + at] = s.known[other, colour]
        row[_BOUGHT + at] = s.bought[other, colour]
        row[_SPENT + at] = s.spent[other, colour]
        row[_UP + at] = s.up[other, colour]
        row[_DOWN + at] = s.down[other, colour]
        if s.asked == OVER and s.hand[other, colour] != HIDDEN:
            row[_OTHERS_HANDS + at] = s.hand[other, colour]
        for role in range(2):
            if s.holder[role, colour] == other:
                row[_HOLDER + (role * COLOURS + colour) * SEATS + place] = 1
    for region in range(REGIONS):
        row[_REGION + place * REGIONS + region] = s.region[other, region]


@rule
def write_cities(s: State, box: Box, seat: int, row: Any) -> None:
    """Write the cities that are face up and those that were founded."""
    if s.founding != NONE:
        row[_FOUNDING + int(s.founding)] = 1
    for slot in range(FACE_UP):
        if s.display[slot] != NONE:
            row[_DISPLAY + slot * CITIES + int(s.display[slot])] = 1
    for city in range(s.founder.shape[0]):
        if s.founder[city] != NONE:
            row[_FOUNDER + city * SEATS + from_here(box, seat, s.founder[city])] = 1


OBSERVATION = Observation(FEATURES, write)
