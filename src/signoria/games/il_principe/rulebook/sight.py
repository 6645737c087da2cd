"""What a seat knows: `see` keeps what it can remember, `forget` keeps what is visible now, `redeal` fills in the rest.

All three change the state, so callers pass a copy. A seat of NONE is a spectator. The colours of a hand or an
offer that is not known are HIDDEN; how many cards it holds is always known. When the game is over nothing is hidden.
"""

from typing import Any

from signoria.games.il_principe.rulebook.rounds import can_pay_any
from signoria.games.il_principe.rulebook.state import COLOURS, FACE_UP, FOUNDING, HIDDEN, NONE, OVER, Box, State
from signoria.kernel.compiled import rule
from signoria.kernel.luck import below

TRIES = 100
"""How many random hands are tried for a player who must be able to pay for a city, before one is constructed."""


@rule
def see(s: State, box: Box, seat: int) -> None:
    """Hide what this seat cannot know: both piles, other hands, and what others have laid face down (I11).

    Ducats are not among it: every income and every payment is public. Nor is `known`: cards that were seen to go
    into a hand and not to leave it.
    """
    if s.asked == OVER:
        return
    for i in range(s.drawn, box.buildings):
        s.pile[i] = HIDDEN
    for i in range(s.turned_up, box.cities):
        s.city_pile[i] = HIDDEN
    for other in range(box.players):
        if other != seat:
            for colour in range(COLOURS):
                s.hand[other, colour] = HIDDEN
                s.offered[other, colour] = HIDDEN if s.laid[other] > 0 else 0


@rule
def forget(s: State, box: Box, seat: int) -> None:
    """Hide also what is not visible now: the ducats of others (I10), and the cards that were seen to go to hands or the box."""
    if s.asked == OVER:
        return
    for colour in range(COLOURS):
        s.gone[colour] = HIDDEN
    for other in range(box.players):
        if other != seat:
            s.ducats[other] = HIDDEN
            for colour in range(COLOURS):
                s.known[other, colour] = HIDDEN
                s.bought[other, colour] = HIDDEN
                s.spent[other, colour] = HIDDEN


@rule
def redeal(s: State, box: Box, luck: Any) -> None:
    """Replace what `see` hid with cards that are possible for all this seat knows: hands, offers, both piles."""
    if s.asked == OVER:
        return
    unseen = unseen_cards(s, box)
    if s.asked == FOUNDING and s.hand[s.seat, 0] == HIDDEN:
        unseen = redeal_founder(s, box, unseen, luck)
    for seat in range(box.players):
        if s.hand[seat, 0] == HIDDEN:
            unseen = redeal_hand(s, seat, sure_cards(s, seat), unseen, luck)
    for place in range(s.drawn, box.buildings):
        colour = draw_one(unseen, luck)
        unseen -= 1 << 8 * colour
        s.pile[place] = colour
    redeal_cities(s, box, luck)


@rule
def unseen_cards(s: State, box: Box) -> int:
    """Cards in the pile, and unknown cards in hands and offers; one byte per colour."""
    unseen = 0
    for colour in range(COLOURS):
        count = int(box.a_colour) - int(s.lot[colour]) - int(s.gone[colour])
        for seat in range(box.players):
            count -= int(s.up[seat, colour]) + int(s.down[seat, colour])
            if s.hand[seat, 0] == HIDDEN:
                count -= int(s.known[seat, colour])
            else:
                count -= int(s.hand[seat, colour]) + int(s.offered[seat, colour])
        unseen += count << 8 * colour
    return unseen


@rule
def draw_one(cards: int, luck: Any) -> int:
    """The colour of a random card, all equally likely; `cards` has one byte per colour."""
    total = 0
    for colour in range(COLOURS):
        total += cards >> 8 * colour & 255
    place = below(luck, total)
    for colour in range(COLOURS):
        place -= cards >> 8 * colour & 255
        if place < 0:
            return colour
    return NONE


@rule
def sure_cards(s: State, seat: int) -> int:
    """Cards that a seat must have; one byte per colour."""
    sure = 0
    for colour in range(COLOURS):
        sure += int(s.known[seat, colour]) << 8 * colour
    return sure


@rule
def redeal_hand(s: State, seat: int, sure: int, unseen: int, luck: Any) -> int:
    """Give a seat its known cards and random unseen ones, some of them laid face down; returns the cards still unseen."""
    holds, count = sure, 0
    for colour in range(COLOURS):
        count += sure >> 8 * colour & 255
    for _ in range(int(s.cards[seat]) + int(s.laid[seat]) - count):
        card = 1 << 8 * draw_one(unseen, luck)
        unseen -= card
        holds += card
    for colour in range(COLOURS):
        s.offered[seat, colour] = 0
    for _ in range(s.laid[seat]):
        colour = draw_one(holds, luck)
        holds -= 1 << 8 * colour
        s.offered[seat, colour] += 1
    for colour in range(COLOURS):
        s.hand[seat, colour] = holds >> 8 * colour & 255
    return unseen


@rule
def redeal_founder(s: State, box: Box, unseen: int, luck: Any) -> int:
    """I14: a player who is asked to found a city can pay for one, so draw hands until that is true; returns the cards still unseen.

    If luck does not find such a hand soon, it is given the cards of the first city that it could have.
    """
    sure = sure_cards(s, s.seat)
    for _ in range(TRIES):
        left = redeal_hand(s, s.seat, sure, unseen, luck)
        if can_pay_any(s, box, s.seat):
            return left
    cards = cards_for_a_city(s, box, sure, unseen)
    return redeal_hand(s, s.seat, sure + cards, unseen - cards, luck)


@rule
def cards_for_a_city(s: State, box: Box, sure: int, unseen: int) -> int:
    """Cards that the seat in turn needs for the first city that it may be able to pay for; one byte per colour."""
    for slot in range(FACE_UP):
        city = s.display[slot]
        if city == NONE or s.ducats[s.seat] < box.ducats[city]:
            continue
        lacks, count, possible = 0, 0, True
        for colour in range(COLOURS):
            has = sure >> 8 * colour & 255
            need = max(0, int(box.cards[city, colour]) - has)
            possible = possible and need <= unseen >> 8 * colour & 255
            lacks += need << 8 * colour
            count += has + need
        if possible and count <= s.cards[s.seat]:
            return lacks
    return 0


@rule
def redeal_cities(s: State, box: Box, luck: Any) -> None:
    """Put the cities that nobody has seen into the pile in random order; with two players some are not used (I4)."""
    unseen, count = 0, 0
    for city in range(s.founder.shape[0]):
        seen = s.founder[city] != NONE
        for slot in range(FACE_UP):
            seen = seen or s.display[slot] == city
        if not seen:
            unseen |= 1 << city
            count += 1
    for place in range(s.turned_up, box.cities):
        skip = below(luck, count)
        for city in range(s.founder.shape[0]):
            if unseen >> city & 1:
                if skip == 0:
                    s.city_pile[place] = city
                skip -= 1
        unseen &= ~(1 << int(s.city_pile[place]))
        count -= 1
