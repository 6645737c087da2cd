"""What follows from a position: who leads each tower, what playing a card would lead to, and which steps a turn has."""

from signoria.games.patrician.rulebook.rules import (
    any_card_lies,
    built,
    counts_at,
    fills,
    floors_left,
    leaves_a_site_empty,
    may_move,
    may_send,
    may_take,
    raise_floor,
)
from signoria.games.patrician.rulebook.scoring import city_points, extra_points, tower_lead, tower_winner
from signoria.games.patrician.rulebook.state import (
    BUILDING,
    CITIES,
    HAND,
    HIGH,
    LOW,
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
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Bytes

BUILT, LEFT, LEADER, LEAD, EXTRA, ADDS = 0, 1, 2, 2 + SITES, 2 + 2 * SITES, 3 + 2 * SITES
"""Facts about a city: its floors, the floors it still needs, who leads each tower and by how many floors, the points of
the extra tokens, and what one more messenger would add to them."""
CITY_FACTS = 4 + 2 * SITES
FILLS, BARE, THEN_MOVE, THEN_SEND, THEN_TAKE = range(5)
"""Facts about a card: whether it completes its city, the site that it must not leave empty, whether its player may then
move a floor and place a messenger, and from THEN_TAKE on, city by city, whether they may take the card there."""
CARD_FACTS = THEN_TAKE + CITIES


@rule
def outlook(s: State, box: Box, cities: Bytes, plays: Bytes) -> int:
    """Fill in a row for each city and for each card in the hand of the seat in turn; returns the steps of this turn as bits.

    `s` is changed, so pass a copy. Rows of empty or hidden places of the hand are left as they are.
    """
    for city in range(box.cities):
        tell_city(s, box, city, cities)
    steps = turn_steps(s, box)
    if s.asked == PLAYING:
        for slot in range(HAND):
            if s.hand[s.seat, slot] >= 0:
                tell_play(s, box, slot, plays)
    return steps


@rule
def tell_city(s: State, box: Box, city: int, cities: Bytes) -> None:
    """Fill in the facts about a city (P20, P21, M4, M5)."""
    cities[city, BUILT] = built(s, city)
    cities[city, LEFT] = floors_left(s, box, city)
    for site in range(SITES):
        cities[city, LEADER + site] = tower_winner(s, city, site)
        cities[city, LEAD + site] = tower_lead(s, box, city, site)
    cities[city, EXTRA] = extra_points(s, box, city)
    cities[city, ADDS] = box.messenger_points if box.messengers > 0 and counts_at(s, box, city) else 0


@rule
def earned_points(s: State, box: Box, seat: int, city: int) -> int:
    """P20, M5: points of the tokens that a seat has won in a city, with their extra tokens."""
    points = city_points(s, box, seat, city)
    for token in range(2):
        if s.won[city, token] == seat:
            points += extra_points(s, box, city)
    return points


@rule
def standing_points(s: State, box: Box, seat: int, city: int) -> int:
    """P20, P21, M5: points that a seat has from a city, or would have if the city were scored as it stands.

    As long as both towers are equally tall, each of them counts as the lower one.
    """
    points = earned_points(s, box, seat, city)
    if s.won[city, HIGH] == NONE:
        for site in range(SITES):
            if tower_winner(s, city, site) == seat:
                token = HIGH if s.height[city, site] > s.height[city, 1 - site] else LOW
                points += int(box.token[city, token]) + extra_points(s, box, city)
    return points


@rule
def turn_steps(s: State, box: Box) -> int:
    """The steps of the current turn, as bits of what is asked: earlier steps, this one and later ones.

    Before a card is played nobody knows whether it lets its owner move a floor or place a messenger.
    """
    if s.asked == OVER:
        return 0
    steps = 1 << PLAYING | 1 << BUILDING
    if any_card_lies(s, box) or s.asked == SENDING:
        steps |= 1 << TAKING
    if s.card != NONE and may_move(s, box):
        steps |= 1 << MOVING
    if s.card != NONE and may_send(s, box):
        steps |= 1 << SENDING
    return steps


@rule
def tell_play(s: State, box: Box, slot: int, plays: Bytes) -> None:
    """Fill in what playing a card of the hand now would lead to (P12 to P15, M2)."""
    card = int(s.hand[s.seat, slot])
    s.card = card
    s.city = box.city[card]
    plays[slot, FILLS] = 1 if fills(s, box, card) else 0
    plays[slot, BARE] = bare_site(s, box, card)
    plays[slot, THEN_MOVE] = 1 if may_move(s, box) else 0
    plays[slot, THEN_SEND] = 1 if may_send(s, box) else 0
    for city in range(box.cities):
        plays[slot, THEN_TAKE + city] = 1 if may_take(s, box, card, s.city, city) else 0


@rule
def bare_site(s: State, box: Box, card: int) -> int:
    """P12: the empty site on which a card that completes its city must put a floor; NONE if no site is empty.

    All floors of the card except the last are put on the taller tower; then the rule is asked about the last one.
    """
    if not fills(s, box, card):
        return NONE
    city, before = box.city[card], int(box.crests[card]) - 1
    site = 1 if s.height[city, 1] > s.height[city, 0] else 0
    for _ in range(before):
        raise_floor(s, city, site, s.seat)
    bare = leaves_a_site_empty(s, box, city, site)
    s.height[city, site] -= before
    return 1 - site if bare else NONE
