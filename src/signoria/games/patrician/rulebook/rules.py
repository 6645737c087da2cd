"""A turn of Patrician, clause by clause.

`refusal` alone decides what is legal, and `apply` carries out a legal step. Every other function is one clause, or a
question that several clauses ask. `s` is a `State`, `box` a `Box`; steps are the numbers of `steps.py`.
"""

from signoria.games.patrician.rulebook.reasons import (
    BUILD_NOT_ASKED,
    BUILD_ON_THE_EMPTY_SITE,
    BUILD_THERE,
    CARD_NOT_IN_HAND,
    GAME_OVER,
    LEGAL,
    MOVE_FROM_AN_EMPTY_SITE,
    MOVE_IN_A_SCORED_CITY,
    MOVE_NOT_ASKED,
    MOVE_WHERE_YOU_BUILT,
    MOVE_WITHOUT_A_FLOOR,
    OUT_OF_PLAY,
    PLAY_FIRST,
    PLAY_NOT_ASKED,
    SEND_BESIDE_TWO,
    SEND_NOT_ASKED,
    SEND_ON_A_TAKEN_ROAD,
    SEND_WHERE_YOU_BUILT,
    SEND_WITHOUT_MESSENGERS,
    TAKE_NOT_ASKED,
    TAKE_WHERE_NONE_LIES,
    TAKE_WHERE_YOU_BUILT,
)
from signoria.games.patrician.rulebook.scoring import score_city
from signoria.games.patrician.rulebook.state import (
    ANY,
    BUILDING,
    HAND,
    MOVE,
    MOVING,
    NONE,
    OVER,
    PLAYING,
    SENDING,
    SITES,
    TAKING,
    Box,
    State,
)
from signoria.games.patrician.rulebook.steps import BUILDS, KEEP, MOVES, PLAYS, SENDS, STAY, STEPS, TAKES
from signoria.kernel.compiled import rule


@rule
def refusal(s: State, box: Box, step: int) -> int:
    """LEGAL, or the number of the reason why the step cannot be made now."""
    if s.asked == OVER:
        return GAME_OVER
    if step < BUILDS:
        return refuse_play(s, box, step - PLAYS)
    if step < MOVES:
        return refuse_build(s, box, step - BUILDS)
    if step <= STAY:
        if s.asked != MOVING:
            return no_move_now(s)
        return LEGAL if step == STAY else refuse_move(s, box, (step - MOVES) // SITES, (step - MOVES) % SITES)
    if step < SENDS:
        return refuse_take(s, box, step - TAKES)
    if s.asked != SENDING:
        return SEND_NOT_ASKED if box.messengers > 0 else SEND_WITHOUT_MESSENGERS
    return LEGAL if step == KEEP else refuse_send(s, box, step - SENDS)


@rule
def apply(s: State, box: Box, step: int) -> None:
    """Carry out a legal step, and everything that follows from it without a choice."""
    if step < BUILDS:
        play(s, box, step - PLAYS)
    elif step < MOVES:
        build(s, box, step - BUILDS)
    elif step <= STAY:
        if step < STAY:
            move(s, (step - MOVES) // SITES, (step - MOVES) % SITES)
        ask_to_take(s, box)
    elif step < SENDS:
        take(s, box, step - TAKES)
    else:
        if step < KEEP:
            send(s, box, step - SENDS)
        end_turn(s, box)


@rule
def legal(s: State, box: Box) -> int:
    """Which candidates are legal now, as a set of bits: bit i stands for `candidate(s, i)`."""
    bits = 0
    if s.asked == PLAYING:
        for i in range(HAND):
            bits |= legal_bit(s, box, PLAYS + int(s.hand[s.seat, i])) << i
    elif s.asked == BUILDING:
        for i in range(MOVES - BUILDS):
            bits |= legal_bit(s, box, BUILDS + i) << i
    elif s.asked == MOVING:
        for i in range(TAKES - MOVES):
            bits |= legal_bit(s, box, MOVES + i) << i
    elif s.asked == TAKING:
        for i in range(SENDS - TAKES):
            bits |= legal_bit(s, box, TAKES + i) << i
    elif s.asked == SENDING:
        for i in range(STEPS - SENDS):
            bits |= legal_bit(s, box, SENDS + i) << i
    return bits


@rule
def legal_bit(s: State, box: Box, step: int) -> int:
    """1 for a legal step."""
    return 1 if refusal(s, box, step) == LEGAL else 0


@rule
def candidates(s: State) -> int:
    """How many steps of the requested kind there are; no other step can be legal."""
    if s.asked == PLAYING:
        return HAND
    if s.asked == BUILDING:
        return MOVES - BUILDS
    if s.asked == MOVING:
        return TAKES - MOVES
    return SENDS - TAKES if s.asked == TAKING else STEPS - SENDS


@rule
def candidate(s: State, i: int) -> int:
    """The i-th step of the requested kind."""
    if s.asked == PLAYING:
        return PLAYS + int(s.hand[s.seat, i])
    if s.asked == BUILDING:
        return BUILDS + i
    if s.asked == MOVING:
        return MOVES + i
    return TAKES + i if s.asked == TAKING else SENDS + i


# P10


@rule
def refuse_play(s: State, box: Box, card: int) -> int:
    """P10: you can play a card of your hand at the start of your turn."""
    if card >= box.cards:
        return OUT_OF_PLAY
    if s.asked != PLAYING:
        return PLAY_NOT_ASKED
    return CARD_NOT_IN_HAND if card < 0 or slot_of(s, card) == NONE else LEGAL


@rule
def play(s: State, box: Box, card: int) -> None:
    """P10: lay the card face up on its owner's stack; it shows where to build and how many floors."""
    slot = slot_of(s, card)
    s.hand[s.seat, slot] = NONE
    s.taken[s.seat, slot] = 0
    s.played[s.turn] = card
    s.card = card
    s.city = box.city[card]
    s.crests = box.crests[card]
    s.asked = BUILDING


@rule
def slot_of(s: State, card: int) -> int:
    """The place of a card (NONE: of an empty place) in the hand of the seat in turn; NONE if there is none."""
    found = NONE
    for slot in range(HAND):
        if s.hand[s.seat, slot] == card:
            found = slot
    return found


# P11, P12, P13


@rule
def refuse_build(s: State, box: Box, site: int) -> int:
    """P11: you can build on either site of the card's city; P12: the last floor goes on an empty site if there is one."""
    if s.asked != BUILDING:
        return BUILD_NOT_ASKED
    return BUILD_ON_THE_EMPTY_SITE if leaves_a_site_empty(s, box, s.city, site) else LEGAL


@rule
def leaves_a_site_empty(s: State, box: Box, city: int, site: int) -> bool:
    """P12: whether a floor on this site would finish a city whose other site is empty."""
    last = floors_left(s, box, city) == 1
    return last and s.height[city, site] > 0 and s.height[city, 1 - site] == 0


@rule
def build(s: State, box: Box, site: int) -> None:
    """P11: put a floor of the seat in turn on top; P13: a full city is scored before the turn goes on."""
    raise_floor(s, s.city, site, s.seat)
    s.floors[s.seat, s.city] += 1
    s.crests -= 1
    if finished(s, box, s.city):
        score_city(s, s.city)
    if s.crests == 0:
        ask_to_move(s, box)


@rule
def raise_floor(s: State, city: int, site: int, owner: int) -> None:
    """Put a floor of this owner on top of the tower."""
    s.floor[city, site, s.height[city, site]] = owner
    s.height[city, site] += 1


@rule
def built(s: State, city: int) -> int:
    """The number of floors in a city."""
    return s.height[city, 0] + s.height[city, 1]  # type: ignore[no-any-return]


@rule
def floors_left(s: State, box: Box, city: int) -> int:
    """The number of floors that a city still needs."""
    return int(box.floors[city]) - built(s, city)


@rule
def finished(s: State, box: Box, city: int) -> bool:
    """Whether a city has all its floors and is therefore scored (P13)."""
    return floors_left(s, box, city) == 0


@rule
def fills(s: State, box: Box, card: int) -> bool:
    """P13: whether the floors of a card would finish its city."""
    return floors_left(s, box, box.city[card]) == box.crests[card]  # type: ignore[no-any-return]


# P14


@rule
def no_move_now(s: State) -> int:
    """Why no floor can be moved now: P10, P11: first a card is played and its floors are built; P14: then it is too late."""
    if s.asked == PLAYING:
        return PLAY_FIRST
    return BUILD_THERE if s.asked == BUILDING else MOVE_NOT_ASKED


@rule
def refuse_move(s: State, box: Box, city: int, site: int) -> int:
    """P14: you can move a floor in another city, not scored yet, where you have a floor, from a site that is not empty."""
    if city >= box.cities:
        return OUT_OF_PLAY
    if city == s.city:
        return MOVE_WHERE_YOU_BUILT
    if s.floors[s.seat, city] == 0:
        return MOVE_WITHOUT_A_FLOOR
    if finished(s, box, city):
        return MOVE_IN_A_SCORED_CITY
    if s.height[city, site] == 0:
        return MOVE_FROM_AN_EMPTY_SITE
    return LEGAL


@rule
def ask_to_move(s: State, box: Box) -> None:
    """P14: ask for a move if one is possible; otherwise the turn goes on."""
    if may_move(s, box):
        s.asked = MOVING
    else:
        ask_to_take(s, box)


@rule
def may_move(s: State, box: Box) -> bool:
    """P14: whether the card played shows the move symbol and a move is possible; the same throughout a turn."""
    if box.symbol[s.card] == MOVE:
        for city in range(box.cities):
            for site in range(SITES):
                if refuse_move(s, box, city, site) == LEGAL:
                    return True
    return False


@rule
def move(s: State, city: int, site: int) -> None:
    """P14: move the top floor of a tower, anyone's, to the top of the other tower."""
    top = s.height[city, site] - 1
    owner = s.floor[city, site, top]
    s.floor[city, site, top] = NONE
    s.height[city, site] = top
    raise_floor(s, city, 1 - site, owner)


# P15, P16


@rule
def refuse_take(s: State, box: Box, city: int) -> int:
    """P15: you can take the card at the city where you built; with "?", or if there is none, any card."""
    if city >= box.cities:
        return OUT_OF_PLAY
    if s.asked != TAKING:
        return TAKE_NOT_ASKED
    return refuse_card(s, box, s.card, s.city, city)


@rule
def refuse_card(s: State, box: Box, card: int, built_in: int, city: int) -> int:
    """P15: LEGAL, or why a player who plays a card and builds in `built_in` cannot take the card at `city`."""
    if s.display[city] == NONE:
        return TAKE_WHERE_NONE_LIES
    return TAKE_WHERE_YOU_BUILT if city != built_in and takes_there(s, box, card, built_in) else LEGAL


@rule
def may_take(s: State, box: Box, card: int, built_in: int, city: int) -> bool:
    """P15: whether a player who plays a card and builds in `built_in` may take the card at `city`."""
    return refuse_card(s, box, card, built_in, city) == LEGAL


@rule
def takes_there(s: State, box: Box, card: int, city: int) -> bool:
    """P15: whether a player who plays a card and builds in this city must take the card there."""
    return box.symbol[card] != ANY and s.display[city] != NONE  # type: ignore[no-any-return]


@rule
def ask_to_take(s: State, box: Box) -> None:
    """P15: ask for a card as long as any card is face up."""
    if any_card_lies(s, box):
        s.asked = TAKING
    else:
        ask_to_send(s, box)


@rule
def any_card_lies(s: State, box: Box) -> bool:
    """P15: whether there is a face-up card at any city."""
    for city in range(box.cities):  # noqa: SIM110 - `any` of a generator is not compiled
        if s.display[city] != NONE:
            return True
    return False


@rule
def take(s: State, box: Box, city: int) -> None:
    """P15: take the card into the hand, as everyone can see; P16: replace it with the next card of the pile."""
    slot = slot_of(s, NONE)
    s.hand[s.seat, slot] = s.display[city]
    s.taken[s.seat, slot] = 1
    s.display[city] = draw(s, box)
    ask_to_send(s, box)


@rule
def draw(s: State, box: Box) -> int:
    """P16: remove the top card of the pile; NONE if the pile is empty."""
    if s.drawn == box.cards:
        return NONE
    card = int(s.pile[s.drawn])
    s.pile[s.drawn] = NONE
    s.drawn += 1
    return card


# M1, M2, M3


@rule
def refuse_send(s: State, box: Box, road: int) -> int:
    """M3: you can use a free road that does not touch the city where you built, with room for a messenger at both cities."""
    if road >= box.roads:
        return OUT_OF_PLAY
    if s.messenger[road] != NONE:
        return SEND_ON_A_TAKEN_ROAD
    for end in range(2):
        if box.road[road, end] == s.city:
            return SEND_WHERE_YOU_BUILT
    for end in range(2):
        if s.beside[box.road[road, end]] >= box.messengers_a_city:
            return SEND_BESIDE_TWO
    return LEGAL


@rule
def ask_to_send(s: State, box: Box) -> None:
    """M2: after P16, ask for a messenger if one may be placed; otherwise the turn ends."""
    if may_send(s, box):
        s.asked = SENDING
    else:
        end_turn(s, box)


@rule
def may_send(s: State, box: Box) -> bool:
    """M2, M3: whether the card played has the star, its owner has a messenger left, and there is a road for it."""
    if box.messengers > 0 and box.start[s.card] == 1 and messengers_left(s, box, s.seat) > 0:
        for road in range(box.roads):
            if refuse_send(s, box, road) == LEGAL:
                return True
    return False


@rule
def send(s: State, box: Box, road: int) -> None:
    """M2: put the messenger on the road for the rest of the game; M4: it counts at cities that are not scored yet."""
    s.messenger[road] = s.seat
    for end in range(2):
        city = box.road[road, end]
        s.beside[city] += 1
        if counts_at(s, box, city):
            s.escorts[city] += 1


@rule
def counts_at(s: State, box: Box, city: int) -> bool:
    """M4: whether a messenger placed now counts at a city: only if the city is not scored yet."""
    return not finished(s, box, city)


@rule
def messengers_left(s: State, box: Box, seat: int) -> int:
    """M1: messengers that a seat has not placed yet."""
    left = int(box.messengers)
    for road in range(box.roads):
        if s.messenger[road] == seat:
            left -= 1
    return left


# P17


@rule
def end_turn(s: State, box: Box) -> None:
    """Pass the turn clockwise; P17: the game ends when every card has been played."""
    s.turn += 1
    s.card = NONE
    s.city = NONE
    s.seat = s.seat + 1 if s.seat + 1 < box.players else 0
    s.asked = OVER if s.turn == box.cards else PLAYING
