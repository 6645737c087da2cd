"""The decisions of Il Principe, clause by clause.

`refusal` alone decides what is legal. `apply` carries out a legal step and then goes on (`rounds.py`) until a player is
asked again. `s` is a `State`, `box` a `Box`; steps are the numbers of `steps.py`.
"""

from signoria.games.il_principe.rulebook.reasons import (
    BID_MORE_THAN_YOU_HAVE,
    BID_NOT_ASKED,
    BID_TOO_LOW,
    CARDS_MISSING,
    CREST_NOT_ASKED,
    CREST_WHERE_NOTHING_TOUCHES,
    DECLINE_NOT_ASKED,
    DUCATS_MISSING,
    FOUND_IN_THE_FIRST_ROUND,
    FOUND_NOT_ASKED,
    FOUND_WHAT_IS_NOT_FACE_UP,
    GAME_OVER,
    LEGAL,
    OFFER_NOT_ASKED,
    OFFER_WITHOUT_A_CARD,
    PASS_NOT_ASKED,
    PLAY_MORE_THAN_YOU_HAVE,
    PLAY_NOT_ASKED,
    TURN_GREEN,
    TURN_NOT_ASKED,
    TURN_WITHOUT_A_CARD,
)
from signoria.games.il_principe.rulebook.rounds import (
    can_pay,
    clockwise,
    go_on,
    may_found,
    missing_ducats,
    see_leave,
    speaker,
    then,
)
from signoria.games.il_principe.rulebook.state import (
    A_COLOUR,
    ACTING,
    ACTORS,
    BIDDING,
    COLOURS,
    CRESTING,
    FACE_UP,
    FOUNDED,
    FOUNDING,
    GREEN,
    HAMMER,
    NOBODY,
    NONE,
    OFFERING,
    OVER,
    REGIONS,
    REVEAL,
    TURNING,
    Box,
    State,
)
from signoria.games.il_principe.rulebook.steps import BIDS, CRESTS, DECLINE, FOUNDS, OFFERS, PASS, PLAYS, TURNS
from signoria.kernel.bits import how_many
from signoria.kernel.compiled import rule


@rule
def refusal(s: State, box: Box, step: int) -> int:
    """LEGAL, or the number of the reason why the step cannot be made now."""
    if s.asked == OVER:
        return GAME_OVER
    if step < BIDS:
        return refuse_offer(s, step - OFFERS)
    if step < PASS:
        return refuse_bid(s, step - BIDS + 1)
    if step == PASS:
        return LEGAL if s.asked == BIDDING or s.asked == ACTING else PASS_NOT_ASKED
    if step < DECLINE:
        return refuse_found(s, box, step - FOUNDS)
    if step == DECLINE:
        return LEGAL if s.asked == FOUNDING else DECLINE_NOT_ASKED
    if step < CRESTS:
        return refuse_play(s, (step - PLAYS) // A_COLOUR, (step - PLAYS) % A_COLOUR + 1)
    if step < TURNS:
        return refuse_crest(s, box, step - CRESTS)
    return refuse_turn(s, step - TURNS)


@rule
def apply(s: State, box: Box, step: int) -> None:
    """Carry out a legal step, and everything that follows from it without a choice."""
    make(s, box, step)
    while s.asked == NOBODY:
        go_on(s, box)


@rule
def make(s: State, box: Box, step: int) -> None:
    """Carry out a legal step without what follows from it."""
    if step < BIDS:
        offer(s, box, step - OFFERS)
    elif step < PASS:
        bid(s, box, step - BIDS + 1)
    elif step == PASS:
        if s.asked == BIDDING:
            leave_auction(s, box)
        else:
            then(s, ACTORS)
    elif step < DECLINE:
        found(s, box, step - FOUNDS)
    elif step == DECLINE:
        s.asked = NOBODY
    elif step < CRESTS:
        play(s, (step - PLAYS) // A_COLOUR, (step - PLAYS) % A_COLOUR + 1)
    elif step < TURNS:
        place_crest(s, step - CRESTS)
    else:
        turn_up(s, step - TURNS)


@rule
def candidates(s: State) -> int:
    """How many steps could be legal now. `candidate` lists them; no other step can be legal."""
    if s.asked == OFFERING or s.asked == TURNING:
        return COLOURS
    if s.asked == BIDDING:
        return 1 + max(0, int(s.ducats[s.seat]) - int(s.bid))
    if s.asked == FOUNDING:
        return 1 + FACE_UP
    if s.asked == ACTING:
        return 1 + FACE_UP + int(s.cards[s.seat])
    return REGIONS


@rule
def candidate(s: State, i: int) -> int:
    """The i-th step that could be legal; PASS or DECLINE for an empty place among the face-up cities."""
    if s.asked == OFFERING:
        return OFFERS + i
    if s.asked == TURNING:
        return TURNS + i
    if s.asked == CRESTING:
        return CRESTS + i
    if i == 0:
        return DECLINE if s.asked == FOUNDING else PASS
    if s.asked == BIDDING:
        return BIDS + int(s.bid) + i - 1
    if i <= FACE_UP:
        return FOUNDS + int(s.display[i - 1])
    i -= 1 + FACE_UP
    for colour in range(COLOURS):
        if i < s.hand[s.seat, colour]:
            return PLAYS + colour * A_COLOUR + i
        i -= int(s.hand[s.seat, colour])
    return PASS


# I11


@rule
def refuse_offer(s: State, colour: int) -> int:
    """I11: you can lay a card of your hand face down in phase 1."""
    if s.asked != OFFERING:
        return OFFER_NOT_ASKED
    return LEGAL if s.hand[s.seat, colour] > 0 else OFFER_WITHOUT_A_CARD


@rule
def offer(s: State, box: Box, colour: int) -> None:
    """I11: lay a card face down; when everyone has laid their cards, all are turned up (I12)."""
    s.hand[s.seat, colour] -= 1
    s.cards[s.seat] -= 1
    s.offered[s.seat, colour] += 1
    s.laid[s.seat] += 1
    if to_lay(s, box, s.seat) == 0:
        s.seat = clockwise(box, s.seat)
        if s.seat == s.principe:
            then(s, REVEAL)


@rule
def to_lay(s: State, box: Box, seat: int) -> int:
    """I11: how many cards a seat still has to lay face down."""
    return int(box.offers) - int(s.laid[seat]) if s.asked == OFFERING else 0


# I13


@rule
def refuse_bid(s: State, ducats: int) -> int:
    """I13: you can bid more than the last bid, and no more than you have."""
    if s.asked != BIDDING:
        return BID_NOT_ASKED
    if ducats <= s.bid:
        return BID_TOO_LOW
    return BID_MORE_THAN_YOU_HAVE if ducats > s.ducats[s.seat] else LEGAL


@rule
def bid(s: State, box: Box, ducats: int) -> None:
    """I13: make the highest bid; the auction ends if everyone else has passed."""
    s.bid = ducats
    s.bidder = s.seat
    s.spoken[s.seat] = ducats
    go_round(s, box)


@rule
def leave_auction(s: State, box: Box) -> None:
    """I13: leave this auction."""
    s.bidding -= 1 << int(s.seat)
    go_round(s, box)


@rule
def go_round(s: State, box: Box) -> None:
    """I13: the auction ends if only the highest bidder is left, or nobody. If there is no bid, the last player may still bid."""
    left = how_many(int(s.bidding))
    if left == 0 or (left == 1 and s.bidder != NONE):
        then(s, HAMMER)
    else:
        s.seat = speaker(s, box, clockwise(box, s.seat))


# I14, I16, I17


@rule
def refuse_found(s: State, box: Box, city: int) -> int:
    """I17: you can found a face-up city if you have its cards and ducats; I14, I16, I5: not in the first round."""
    if s.asked == ACTING and not may_found(s, box):
        return FOUND_IN_THE_FIRST_ROUND
    if s.asked != FOUNDING and s.asked != ACTING:
        return FOUND_NOT_ASKED
    if city < 0 or not on_display(s, city):
        return FOUND_WHAT_IS_NOT_FACE_UP
    if missing_ducats(s, box, s.seat, city) > 0:
        return DUCATS_MISSING
    return LEGAL if can_pay(s, box, s.seat, city) else CARDS_MISSING


@rule
def on_display(s: State, city: int) -> bool:
    """Whether a city is face up."""
    found = False
    for slot in range(FACE_UP):
        if s.display[slot] == city:
            found = True
    return found


@rule
def found(s: State, box: Box, city: int) -> None:
    """I17: lay down the cards, pay the ducats and score the points; then the founder places crests."""
    for colour in range(COLOURS):
        lay_out(s, colour, box.cards[city, colour])
    s.ducats[s.seat] -= box.ducats[city]
    s.points[s.seat] += box.points[city]
    s.founding = city
    s.founder[city] = s.seat
    s.crests = crests_to_place(s, box, s.seat, city)
    then(s, FOUNDED)
    if s.crests > 0:
        s.asked = CRESTING


@rule
def crests_to_place(s: State, box: Box, seat: int, city: int) -> int:
    """I17: how many crests a seat places when it founds a city: as many as the city shows, or all it has left."""
    return min(int(box.crests[city]), int(s.crests_left[seat]))


@rule
def lay_out(s: State, colour: int, count: int) -> None:
    """Lay cards of the hand face up in front of their owner."""
    s.hand[s.seat, colour] -= count
    s.cards[s.seat] -= count
    s.up[s.seat, colour] += count
    see_leave(s, s.seat, colour, count)


@rule
def refuse_play(s: State, colour: int, count: int) -> int:
    """I16: in phase 3 you can play cards of one colour from your hand."""
    if s.asked != ACTING:
        return PLAY_NOT_ASKED
    return LEGAL if count <= s.hand[s.seat, colour] else PLAY_MORE_THAN_YOU_HAVE


@rule
def play(s: State, colour: int, count: int) -> None:
    """I16: lay the cards face up in front of their owner; then the next player acts."""
    lay_out(s, colour, count)
    then(s, ACTORS)


# I17, I23


@rule
def refuse_crest(s: State, box: Box, region: int) -> int:
    """I17: you can place a crest on a region that touches the city; I23: for a blue role on any region."""
    if s.asked != CRESTING:
        return CREST_NOT_ASKED
    if s.founding != NONE and box.touches[s.founding, region] == 0:
        return CREST_WHERE_NOTHING_TOUCHES
    return LEGAL


@rule
def place_crest(s: State, region: int) -> None:
    """I17, I23: place a crest on the region; after the last one the game goes on."""
    s.region[s.seat, region] += 1
    s.crests_left[s.seat] -= 1
    s.crests -= 1
    if s.crests == 0:
        s.asked = NOBODY


@rule
def refuse_turn(s: State, colour: int) -> int:
    """I23: you can turn up one of your face-down buildings, except a green one."""
    if s.asked != TURNING:
        return TURN_NOT_ASKED
    if colour == GREEN:
        return TURN_GREEN
    return LEGAL if s.down[s.seat, colour] > 0 else TURN_WITHOUT_A_CARD


@rule
def turn_up(s: State, colour: int) -> None:
    """I23: turn the building face up again."""
    s.down[s.seat, colour] -= 1
    s.up[s.seat, colour] += 1
    s.asked = NOBODY
