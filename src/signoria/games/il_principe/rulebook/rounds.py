"""What happens between decisions: income, lots, the end of auctions, new cities, roles. Each stage is a function.

`go_on` runs the next stage. A stage either asks a player or sets the stage that follows it, so there is no recursion,
however many roles and rounds follow each other.
"""

from signoria.games.il_principe.rulebook.state import (
    ACTING,
    ACTORS,
    BIDDING,
    BLUE,
    COLOURS,
    CRESTING,
    FACE_UP,
    FOUNDED,
    FOUNDING,
    GREEN,
    HAMMER,
    INCOME,
    LOTS,
    MAJOR,
    MAJORS,
    MINOR,
    MINORS,
    NOBODY,
    NONE,
    OFFERING,
    OVER,
    RED,
    REVEAL,
    ROUND_END,
    TURNING,
    WHITE,
    YELLOW,
    Box,
    State,
)
from signoria.kernel.bits import how_many, lowest
from signoria.kernel.compiled import rule


@rule
def go_on(s: State, box: Box) -> None:
    """Run the next stage."""
    if s.stage == INCOME:
        income(s, box)
    elif s.stage == REVEAL:
        reveal(s, box)
    elif s.stage == LOTS:
        next_lot(s, box)
    elif s.stage == HAMMER:
        hammer(s, box)
    elif s.stage == FOUNDED:
        founded(s, box)
    elif s.stage == ACTORS:
        next_actor(s, box)
    elif s.stage == ROUND_END:
        end_round(s)
    elif s.stage == MAJORS:
        major_role(s, box)
    else:
        minor_role(s, box)


@rule
def ask(s: State, kind: int, seat: int) -> None:
    """Ask a player."""
    s.asked = kind
    s.seat = seat


@rule
def then(s: State, stage: int) -> None:
    """Ask nobody; this stage comes next."""
    s.asked = NOBODY
    s.stage = stage


@rule
def clockwise(box: Box, seat: int) -> int:
    """The next seat."""
    return seat + 1 if seat + 1 < box.players else 0


# I10, I11, I31, I32: phase 1


@rule
def income(s: State, box: Box) -> None:
    """I10: everyone draws cards and takes ducats; I31, I32: only ducats if the pile is too small, and this is the last round."""
    s.phase = 1
    s.round_number += 1
    s.last = 1 if left_in_pile(s, box) < box.last_round_below else 0
    seat = s.principe
    for _ in range(box.players):
        s.ducats[seat] += box.income
        if s.last == 0:
            for _ in range(box.draws):
                draw_card(s, seat)
        seat = clockwise(box, seat)
    if s.last == 0:
        ask(s, OFFERING, s.principe)
    else:
        then(s, REVEAL)


@rule
def left_in_pile(s: State, box: Box) -> int:
    """The number of building cards in the pile."""
    return int(box.buildings) - int(s.drawn)


@rule
def draw_colour(s: State) -> int:
    """Remove the next card from the pile."""
    colour = int(s.pile[s.drawn])
    s.pile[s.drawn] = NONE
    s.drawn += 1
    return colour


@rule
def draw_card(s: State, seat: int) -> None:
    """Move a card from the pile to a hand, unseen by the others."""
    s.hand[seat, draw_colour(s)] += 1
    s.cards[seat] += 1


# I12, I30, I31: from phase 1 to phase 2


@rule
def reveal(s: State, box: Box) -> None:
    """I12: turn up the offered cards as lots; I31, I32: in the last round the cards come from the pile.

    I30: with fewer than four cities face up the game is over before that.
    """
    if cities_face_up(s) < FACE_UP:
        s.asked = OVER
        return
    s.phase = 2
    if s.last == 1 and left_in_pile(s, box) < box.last_lots:
        s.asked = OVER
        return
    if s.last == 1:
        count = int(box.last_lots) if box.last_lots > 0 else left_in_pile(s, box)
        for _ in range(count):
            s.lot[draw_colour(s)] += 1
    for seat in range(box.players):
        for colour in range(COLOURS):
            s.lot[colour] += s.offered[seat, colour]
            see_leave(s, seat, colour, s.offered[seat, colour])
            s.offered[seat, colour] = 0
        s.laid[seat] = 0
    then(s, LOTS)


@rule
def see_leave(s: State, seat: int, colour: int, count: int) -> None:
    """Note that everyone has seen cards of a colour leave a hand, so fewer cards in it are known."""
    s.spent[seat, colour] += count
    left = s.known[seat, colour] - count
    s.known[seat, colour] = left if left > 0 else 0


@rule
def cities_face_up(s: State) -> int:
    """The number of face-up city cards."""
    count = 0
    for slot in range(FACE_UP):
        if s.display[slot] != NONE:
            count += 1
    return count


@rule
def cities_to_end(s: State, box: Box) -> int:
    """I30: how many more cities have to be founded until fewer than four lie face up; 0 if that is so already."""
    return max(0, int(box.cities) - int(s.turned_up) + cities_face_up(s) - FACE_UP + 1)


# I12, I13, I14, I15: lots


@rule
def next_lot(s: State, box: Box) -> None:
    """I12: auction the smallest lot, in a tie the first in the order of colours; after the last lot comes phase 3."""
    s.colour = smallest_lot(s)
    if s.colour == NONE:
        s.phase = 3
        s.acted = 0
        ask(s, ACTING, s.principe)
    else:
        open_auction(s, box, (1 << int(box.players)) - 1)


@rule
def smallest_lot(s: State) -> int:
    """I12: the colour with the fewest cards to auction, in a tie the first; NONE if there are no lots left."""
    smallest = NONE
    for colour in range(COLOURS - 1, -1, -1):
        if s.lot[colour] > 0 and (smallest == NONE or s.lot[colour] <= s.lot[smallest]):
            smallest = colour
    return smallest


@rule
def open_auction(s: State, box: Box, bidding: int) -> None:
    """I13, I22: open an auction for these bidders; the first of them, clockwise from Il Principe, bids first."""
    s.bid = 0
    s.bidder = NONE
    s.bidding = bidding
    for seat in range(box.players):
        s.spoken[seat] = 0
    ask(s, BIDDING, speaker(s, box, s.principe))


@rule
def speaker(s: State, box: Box, seat: int) -> int:
    """I13: the first bidder who has not passed, clockwise from a seat."""
    while not s.bidding >> seat & 1:
        seat = clockwise(box, seat)
    return seat


@rule
def hammer(s: State, box: Box) -> None:
    """I13: end an auction. I14, I22: the highest bidder pays and becomes Il Principe; I15: nobody bid."""
    if s.bidder != NONE:
        s.ducats[s.bidder] -= s.bid
        s.principe = s.bidder
    if s.phase == 2:
        lot_won(s, box)
    elif s.bidder != NONE:
        take_role(s, box, s.bidder)
    else:
        then(s, MAJORS)
    s.bidding = 0


@rule
def lot_won(s: State, box: Box) -> None:
    """I14: the winner takes the cards and may found a city; I15: unsold cards are removed from the game."""
    count = s.lot[s.colour]
    s.lot[s.colour] = 0
    then(s, LOTS)
    if s.bidder == NONE:
        s.gone[s.colour] += count
        return
    s.hand[s.bidder, s.colour] += count
    s.known[s.bidder, s.colour] += count
    s.bought[s.bidder, s.colour] += count
    s.cards[s.bidder] += count
    if may_found_at_once(s, box, s.bidder):
        ask(s, FOUNDING, s.bidder)


@rule
def may_found_at_once(s: State, box: Box, seat: int) -> bool:
    """I14: whether a seat that wins a lot is asked to found a city."""
    return may_found(s, box) and can_pay_any(s, box, seat)


@rule
def may_found(s: State, box: Box) -> bool:
    """I14, I16, I5: whether cities may be founded: from round 2 on, with the variant from round 1."""
    return s.round_number > 1 or box.variant == 1


@rule
def can_pay(s: State, box: Box, seat: int, city: int) -> bool:
    """I17: whether a seat has the building cards in hand and the ducats that a city costs."""
    enough = missing_ducats(s, box, seat, city) == 0
    for colour in range(COLOURS):
        enough = enough and missing_cards(s, box, seat, city, colour) == 0
    return enough


@rule
def missing_cards(s: State, box: Box, seat: int, city: int, colour: int) -> int:
    """I17: how many building cards of a colour a seat still needs for a city."""
    return max(0, int(box.cards[city, colour]) - int(s.hand[seat, colour]))


@rule
def missing_ducats(s: State, box: Box, seat: int, city: int) -> int:
    """I17: how many ducats a seat still needs for a city."""
    return max(0, int(box.ducats[city]) - int(s.ducats[seat]))


@rule
def can_pay_any(s: State, box: Box, seat: int) -> bool:
    """I17: whether a seat can pay for one of the face-up cities."""
    payable = False
    for slot in range(FACE_UP):
        payable = payable or (s.display[slot] != NONE and can_pay(s, box, seat, s.display[slot]))
    return payable


# I16, I18, I19: foundings, phase 3


@rule
def founded(s: State, box: Box) -> None:
    """I18: all other players score for roles in the colours used; I19: turn up the next city."""
    used_roles(s, box, s.founding)
    for slot in range(FACE_UP):
        if s.display[slot] == s.founding:
            s.display[slot] = NONE
            if s.turned_up < box.cities:
                s.display[slot] = s.city_pile[s.turned_up]
                s.city_pile[s.turned_up] = NONE
                s.turned_up += 1
    s.founding = NONE
    then(s, LOTS if s.phase == 2 else ACTORS)


@rule
def used_roles(s: State, box: Box, city: int) -> None:
    """I18: after the seat in turn has founded a city, all others score for roles in the colours that the city costs."""
    for colour in range(COLOURS):
        for role in range(2):
            points = role_points(s, box, s.seat, city, role, colour)
            if points > 0:
                s.points[s.holder[role, colour]] += points


@rule
def role_points(s: State, box: Box, founder: int, city: int, role: int, colour: int) -> int:
    """I18: what the holder of a role scores if a seat founds a city; 0 for the founder, and for colours not used."""
    holder = s.holder[role, colour]
    if box.cards[city, colour] > 0 and holder != NONE and holder != founder:
        return int(box.major_points) if role == MAJOR else int(box.minor_points)
    return 0


@rule
def next_actor(s: State, box: Box) -> None:
    """I16: the next player clockwise acts; after the last, phase 4 begins and all roles are returned (I20)."""
    s.acted += 1
    if s.acted < box.players:
        ask(s, ACTING, clockwise(box, s.seat))
        return
    s.phase = 4
    s.colour = NONE
    for colour in range(COLOURS):
        s.holder[MAJOR, colour] = NONE
        s.holder[MINOR, colour] = NONE
    then(s, MAJORS)


@rule
def has_acted(s: State, box: Box, seat: int) -> bool:
    """I16: whether a seat has had its turn in phase 3, which goes clockwise from Il Principe."""
    return s.phase == 3 and (seat - s.principe) % box.players < s.acted


# I20, I21, I22, I23: phase 4


@rule
def major_role(s: State, box: Box) -> None:
    """I20, I21: the major role of the next colour goes to the player with the most face-up buildings; I22: a tie is auctioned."""
    s.colour += 1
    s.role = MAJOR
    if s.colour == COLOURS:
        s.colour = NONE
        then(s, ROUND_END)
    else:
        give_role(s, box, most_buildings(s, box))


@rule
def minor_role(s: State, box: Box) -> None:
    """I21: the minor role goes to the player with the second most; I22: a tie is auctioned among the tied players."""
    s.role = MINOR
    give_role(s, box, most_buildings(s, box))


@rule
def give_role(s: State, box: Box, leaders: int) -> None:
    """I21, I22: give a role to the only leader, or auction it among several; without a leader nobody takes it."""
    s.contested = 1 if how_many(leaders) > 1 else 0
    if leaders == 0:
        then(s, MAJORS)
    elif s.contested == 1:
        open_auction(s, box, leaders)
    else:
        take_role(s, box, lowest(leaders))


@rule
def most_buildings(s: State, box: Box) -> int:
    """I21: the seats with the most face-up buildings of the colour (at least one), as bits; without the holder of the major role."""
    most, leaders = 1, 0
    for seat in range(box.players):
        if seat != s.holder[MAJOR, s.colour]:
            buildings = int(s.up[seat, s.colour])
            if buildings > most:
                most, leaders = buildings, 0
            if buildings == most:
                leaders |= 1 << seat
    return leaders


@rule
def take_role(s: State, box: Box, seat: int) -> None:
    """I21, I23: take a role: the major role turns half of its buildings down, rounded up; then the ability is used.

    The minor role comes after a major that was not auctioned (I22), where there are minor roles (I4).
    """
    s.holder[s.role, s.colour] = seat
    if s.role == MAJOR:
        half = buildings_to_turn(s, seat)
        s.up[seat, s.colour] -= half
        s.down[seat, s.colour] += half
    then(s, MINORS if s.role == MAJOR and minor_follows(box, s.contested) else MAJORS)
    do_ability(s, box, seat)


@rule
def buildings_to_turn(s: State, seat: int) -> int:
    """I21: how many buildings of the colour a seat turns face down for the major role: half of them, rounded up."""
    return (int(s.up[seat, s.colour]) + 1) // 2


@rule
def minor_follows(box: Box, contested: int) -> bool:
    """I22: whether the minor role is assigned: not if the major role is auctioned; I4: with two players there is none."""
    return contested == 0 and box.minors == 1


@rule
def do_ability(s: State, box: Box, seat: int) -> None:
    """I23: green turns a card up, white scores points, red draws a card, blue places a crest, yellow takes ducats."""
    if s.colour == GREEN:
        for colour in range(COLOURS):
            if colour != GREEN and s.down[seat, colour] > 0:
                ask(s, TURNING, seat)
    elif s.colour == WHITE:
        s.points[seat] += box.white_points
    elif s.colour == RED:
        if left_in_pile(s, box) > 0:
            draw_card(s, seat)
    elif s.colour == BLUE:
        if s.crests_left[seat] > 0:
            s.crests = 1
            ask(s, CRESTING, seat)
    elif s.colour == YELLOW:
        s.ducats[seat] += box.yellow_ducats


@rule
def end_round(s: State) -> None:
    """End the round; another one follows unless it was the last (I31, I32)."""
    if s.last == 1:
        s.asked = OVER
    else:
        then(s, INCOME)
