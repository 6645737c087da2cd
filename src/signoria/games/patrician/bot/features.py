"""How a state of Patrician is described to a value network.

Only states in which a card has to be played are judged. A turn that has begun is finished first, with sensible steps, and
the last turns of a game are played to the end.
"""

from typing import Any

import numpy as np

from signoria.games.patrician.bot.heuristic import MOST, WIN, token_worth
from signoria.games.patrician.bot.playout import most_promising, play_on
from signoria.games.patrician.rulebook.rules import floors_left, messengers_left, takes_there
from signoria.games.patrician.rulebook.scoring import (
    AMBASSADORS,
    CAPTAINS,
    FLOORS,
    PENALTY,
    TOTAL,
    A,
    D,
    escorted_towers,
    most_floors,
    score,
    small_tokens,
    tower_tally,
    tower_winner,
)
from signoria.games.patrician.rulebook.state import (
    CARDS,
    CITIES,
    HAND,
    HIGH,
    LEVELS,
    NONE,
    PLAYING,
    SEATS,
    SITES,
    TAKING,
    Box,
    State,
)
from signoria.games.patrician.rulebook.steps import TAKES
from signoria.kernel.compiled import rule
from signoria.kernel.features import SETTLED, Features, put, within
from signoria.kernel.observation import Feature, from_here, starts

LEADS, RIVAL_LEADS, WIDE_LEADS = 3, 2, 5
"""Leads up to this many floors are told apart, for the seat itself, for others, and without regard to the floors to come."""
PORTRAITS = 3
LAST_TURNS = 1
"""Turns of each player at the end of the game that are played out instead of judged."""
BIG, SMALL = 0, 1
"""The taller and the lower tower of a city; of two equal ones the taller is the one that the seat would win."""
SCALE = 0.1
"""Points and floors in the numbers are multiplied by this."""

PARTS = (
    Feature("setting", (4, 4), "The number of players, from 2, and the expansions in play."),
    Feature(
        "tower",
        (CITIES, SITES, 2 * LEADS + 1, 2, MOST + 1),
        "For both towers of a city that is not scored: the seat's lead, whether it would win a tie, floors to come.",
    ),
    Feature("rival", (SEATS - 1, CITIES, SITES, 2 * RIVAL_LEADS + 1, 2, MOST + 1), "The same for every other seat."),
    Feature("lead", (CITIES, SITES, 2 * WIDE_LEADS + 1, 2), "The seat's lead, and whether it would win a tie."),
    Feature("floors", (CITIES, SITES, SEATS, 6), "Floors of each seat in each tower, with three or more players."),
    Feature("leader", (CITIES, SITES, SEATS), "Who would win each tower, with three or more players."),
    Feature("height", (CITIES, SITES, LEVELS + 1), "Floors of both towers."),
    Feature("won", (CITIES, 2, SEATS), "Who won the high and the low token."),
    Feature("hand", (SEATS, CARDS), "Cards in hands."),
    Feature("display", (CARDS,), "Face-up cards."),
    Feature("display_kind", (CITIES, 4), "The portrait of the card beside each city; 0 for none."),
    Feature("display_city", (CITIES, CITIES), "The city of the card beside each city."),
    Feature("to_come", (CITIES, 8, 4), "Cards of the city in the pile, and its crests on face-up cards."),
    Feature("pile_portraits", (PORTRAITS, 12), "Portraits on the cards of the pile."),
    Feature("portraits", (SEATS, PORTRAITS, 9), "Portraits on the cards that each seat has played."),
    Feature("all_portraits", (SEATS, PORTRAITS, 9), "The same with the cards in its hand."),
    Feature("turn", (CARDS,), "The number of turns that are over."),
    Feature(
        "city",
        (CITIES, 4, 4, 5, 3),
        "For a city that is not scored: its crests in the seat's hand and in all others, and the leads in both towers.",
    ),
    Feature("escorts", (CITIES, 3, 3, 3), "With messengers: those beside the city, and the signs of both leads."),
    Feature("messengers_left", (SEATS, 6), "Messengers that each seat has left."),
    Feature("escorted", (SEATS, 6), "Towers that each seat won in cities with a messenger."),
    Feature("ambassador", (4, SEATS), "Who holds each ambassador."),
    Feature("small_tokens", (3, SEATS, 5), "Tokens of each seat that ambassadors A, B and C count."),
    Feature(
        "rival_city",
        (SEATS - 1, CITIES, 4, 5, 3),
        "With three or more players, for every other seat: its crests of a city in hand, and its leads in both towers.",
    ),
)
NUMBERS = (
    Feature("points", (SEATS,), "Points so far."),
    Feature("hope", (SEATS,), "Points to be expected of towers that are not decided."),
    Feature("built", (SEATS,), "Floors on the board."),
    Feature("penalty", (SEATS,), "The penalty token as it would be given now (M6)."),
    Feature("margin", (1,), "The seat's points and hopes less the most of another seat."),
)
AT = starts(PARTS)
(
    _SETTING,
    _TOWER,
    _RIVAL,
    _LEAD,
    _FLOORS,
    _LEADER,
    _HEIGHT,
    _WON,
    _HAND,
    _DISPLAY,
    _DISPLAY_KIND,
    _DISPLAY_CITY,
    _TO_COME,
    _PILE_PORTRAITS,
    _PORTRAITS,
    _ALL_PORTRAITS,
    _TURN,
    _CITY,
    _ESCORTS,
    _MESSENGERS_LEFT,
    _ESCORTED,
    _AMBASSADOR,
    _SMALL_TOKENS,
    _RIVAL_CITY,
) = AT.values()
_POINTS, _HOPE, _BUILT, _PENALTY, _MARGIN = starts(NUMBERS).values()
COUNT = sum(part.size for part in NUMBERS)


@rule
def settle(s: State, box: Box, luck: Any, ahead: int, steps: Any) -> int:
    """Finish the turn with sensible steps; play the last turns of the game on."""
    if s.asked == PLAYING:
        return SETTLED if s.turn < box.cards - LAST_TURNS * box.players else play_on(s, box, luck, ahead)
    if s.asked == TAKING and takes_there(s, box, s.card, s.city):
        return TAKES + int(s.city)
    return most_promising(s, box)


@rule
def describe(s: State, box: Box, sheet: Any, on: Any, numbers: Any) -> int:
    """Describe a state in which the seat in turn has to play a card."""
    score(s, box, sheet)
    for i in range(COUNT):
        numbers[i] = 0.0
    expansions = (1 if box.messengers > 0 else 0) + 2 * int(box.ambassadors)
    count = put(on, 0, _SETTING + (int(box.players) - 2) * 4 + expansions)
    count = put(on, count, _TURN + int(s.turn))
    count = describe_cities(s, box, on, count, numbers)
    count = describe_cards(s, box, sheet, on, count)
    if box.messengers > 0:
        for seat in range(box.players):
            place = from_here(box, s.seat, seat)
            count = put(on, count, _MESSENGERS_LEFT + place * 6 + min(5, messengers_left(s, box, seat)))
            count = put(on, count, _ESCORTED + place * 6 + min(5, escorted_towers(s, box, seat)))
    if box.ambassadors == 1:
        count = describe_ambassadors(s, box, sheet, on, count)
    best = np.float32(-1000.0)
    for seat in range(box.players):
        place = from_here(box, s.seat, seat)
        numbers[_POINTS + place] = sheet[seat, TOTAL] * SCALE
        numbers[_BUILT + place] = sheet[seat, FLOORS] * SCALE
        numbers[_PENALTY + place] = sheet[seat, PENALTY] * SCALE
        if place > 0:
            best = max(best, numbers[_POINTS + place] + numbers[_HOPE + place])
    numbers[_MARGIN] = numbers[_POINTS] + numbers[_HOPE] - best
    return count


@rule
def describe_cities(s: State, box: Box, on: Any, count: int, numbers: Any) -> int:
    """Describe the towers: who leads, by how much, and what is still to come."""
    mine, theirs = crests_in_hand(s, box, s.seat), 0
    for seat in range(box.players):
        if seat != s.seat:
            theirs += crests_in_hand(s, box, seat)
    shown, to_come = 0, 0
    for city in range(box.cities):
        card = int(s.display[city])
        if card >= 0:
            shown += int(box.crests[card]) << 4 * int(box.city[card])
    for i in range(s.drawn, box.cards):
        to_come += 1 << 4 * int(box.city[s.pile[i]])
    for city in range(box.cities):
        if s.won[city, HIGH] != NONE:
            for token in range(2):
                count = put(on, count, _WON + (city * 2 + token) * SEATS + from_here(box, s.seat, s.won[city, token]))
            continue
        big = bigger_tower(s, city)
        lead_big, count = describe_tower(s, box, city, BIG, big, on, count, numbers)
        lead_small, count = describe_tower(s, box, city, SMALL, 1 - big, on, count, numbers)
        hands = min(3, mine >> 4 * city & 15) * 4 + min(3, theirs >> 4 * city & 15)
        count = put(
            on, count, _CITY + ((city * 16 + hands) * 5 + within(lead_big, -2, 2)) * 3 + within(lead_small, -1, 1)
        )
        if box.players > 2:
            count = describe_rivals(s, box, city, big, on, count)
        coming = min(7, to_come >> 4 * city & 15) * 4 + min(3, shown >> 4 * city & 15)
        count = put(on, count, _TO_COME + city * 32 + coming)
        if box.messengers > 0:
            escorts = min(2, int(s.escorts[city]))
            signs = within(lead_big, -1, 1) * 3 + within(lead_small, -1, 1)
            count = put(on, count, _ESCORTS + (city * 3 + escorts) * 9 + signs)
    return count


@rule
def crests_in_hand(s: State, box: Box, seat: int) -> int:
    """The crests on the cards of a hand: four bits a city."""
    crests = 0
    for slot in range(HAND):
        card = int(s.hand[seat, slot])
        if card >= 0:
            crests += int(box.crests[card]) << 4 * int(box.city[card])
    return crests


@rule
def describe_rivals(s: State, box: Box, city: int, big: int, on: Any, count: int) -> int:
    """Describe what a city means to every other seat: the crests in its hand, and its leads."""
    for place in range(1, box.players):
        seat = (int(s.seat) + place) % int(box.players)
        leads = within(lead_of(s, box, city, big, seat), -2, 2) * 3 + within(
            lead_of(s, box, city, 1 - big, seat), -1, 1
        )
        crests = min(3, crests_in_hand(s, box, seat) >> 4 * city & 15)
        count = put(on, count, _RIVAL_CITY + (((place - 1) * CITIES + city) * 4 + crests) * 15 + leads)
    return count


@rule
def lead_of(s: State, box: Box, city: int, site: int, seat: int) -> int:
    """How many floors more than the best of the others a seat has in a tower."""
    tally = tower_tally(s, city, site)
    return (tally >> 4 * seat & 15) - most_floors(box, tally, seat)


@rule
def bigger_tower(s: State, city: int) -> int:
    """The site of the taller tower; of two equal towers the one that the seat in turn would win."""
    if s.height[city, 0] != s.height[city, 1]:
        return 0 if s.height[city, 0] > s.height[city, 1] else 1
    return 1 if s.height[city, 1] > 0 and tower_winner(s, city, 1) == s.seat else 0


@rule
def describe_tower(
    s: State, box: Box, city: int, place: int, site: int, on: Any, count: int, numbers: Any
) -> tuple[int, int]:
    """Describe a tower; returns the lead of the seat in turn, and how many features are on."""
    tally, winner = tower_tally(s, city, site), tower_winner(s, city, site)
    most = tally >> 4 * winner & 15 if winner != NONE else 0
    second = most_floors(box, tally, winner)
    to_come = int(floors_left(s, box, city))
    worth = token_worth(s, box, city, site, to_come) * SCALE
    tower, own_lead = city * SITES + place, 0
    count = put(on, count, _HEIGHT + tower * (LEVELS + 1) + int(s.height[city, site]))
    if winner != NONE and box.players > 2:
        count = put(on, count, _LEADER + tower * SEATS + from_here(box, s.seat, winner))
    for seat in range(box.players):
        floors, other = tally >> 4 * seat & 15, from_here(box, s.seat, seat)
        lead = floors - (second if seat == winner else most)
        top = 1 if seat == winner else 0
        numbers[_HOPE + other] += worth * WIN[box.players, to_come, lead + MOST, top]
        if other == 0:
            own_lead = lead
            bucket = (tower * (2 * LEADS + 1) + within(lead, -LEADS, LEADS)) * 2 + top
            count = put(on, count, _TOWER + bucket * (MOST + 1) + to_come)
            if most > 0:
                bucket = tower * (2 * WIDE_LEADS + 1) + within(lead, -WIDE_LEADS, WIDE_LEADS)
                count = put(on, count, _LEAD + bucket * 2 + top)
        if box.players > 2 and floors > 0:
            count = put(on, count, _FLOORS + (tower * SEATS + other) * 6 + min(5, floors))
            if other > 0:
                bucket = ((other - 1) * CITIES * SITES + tower) * (2 * RIVAL_LEADS + 1)
                bucket += within(lead, -RIVAL_LEADS, RIVAL_LEADS)
                count = put(on, count, _RIVAL + (bucket * 2 + top) * (MOST + 1) + to_come)
    return own_lead, count


@rule
def describe_cards(s: State, box: Box, sheet: Any, on: Any, count: int) -> int:
    """Describe hands, face-up cards, the pile, and portraits."""
    for seat in range(box.players):
        place, portraits = from_here(box, s.seat, seat), 0  # eight bits a portrait
        for portrait in range(PORTRAITS):
            played = int(sheet[seat, CAPTAINS + portrait])
            portraits += played << 8 * portrait
            count = put(on, count, _PORTRAITS + (place * PORTRAITS + portrait) * 9 + min(8, played))
        for slot in range(HAND):
            card = int(s.hand[seat, slot])
            if card >= 0:
                count = put(on, count, _HAND + place * CARDS + card)
                if box.portraits[card] > 0:
                    portraits += int(box.portraits[card]) << 8 * int(box.portrait[card])
        for portrait in range(PORTRAITS):
            there = min(8, portraits >> 8 * portrait & 255)
            count = put(on, count, _ALL_PORTRAITS + (place * PORTRAITS + portrait) * 9 + there)
    for city in range(box.cities):
        card = int(s.display[city])
        if card >= 0:
            count = put(on, count, _DISPLAY + card)
            kind = 1 + int(box.portrait[card]) if box.portraits[card] > 0 else 0
            count = put(on, count, _DISPLAY_KIND + city * 4 + kind)
            count = put(on, count, _DISPLAY_CITY + city * CITIES + int(box.city[card]))
    pile = 0
    for i in range(s.drawn, box.cards):
        card = int(s.pile[i])
        if box.portraits[card] > 0:
            pile += int(box.portraits[card]) << 8 * int(box.portrait[card])
    for portrait in range(PORTRAITS):
        count = put(on, count, _PILE_PORTRAITS + portrait * 12 + min(11, pile >> 8 * portrait & 255))
    return count


@rule
def describe_ambassadors(s: State, box: Box, sheet: Any, on: Any, count: int) -> int:
    """Describe who holds the ambassadors, and the tokens that they count."""
    for seat in range(box.players):
        place, held = from_here(box, s.seat, seat), int(sheet[seat, AMBASSADORS])
        for ambassador in range(A, D + 1):
            if held >> ambassador & 1:
                count = put(on, count, _AMBASSADOR + ambassador * SEATS + place)
        for ambassador in range(A, D):
            tokens = min(4, small_tokens(s, box, seat, box.ambassador_token[ambassador]))
            if tokens > 0:
                count = put(on, count, _SMALL_TOKENS + (ambassador * SEATS + place) * 5 + tokens)
    return count


FEATURES = Features(PARTS, NUMBERS, 336, describe, settle, ignored=("face_down",))
