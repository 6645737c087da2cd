"""What a seat of Patrician knows, as numbers for programs that learn.

Seats are counted from the one that looks on: 0 is that seat, 1 the next clockwise. A number that says "one of" is 1 for
that one and 0 for all others.
"""

from typing import Any

from signoria.games.patrician.rulebook.rules import messengers_left
from signoria.games.patrician.rulebook.state import (
    CARDS,
    CITIES,
    HAND,
    KINDS,
    LEVELS,
    NONE,
    ROADS,
    SEATS,
    SITES,
    Box,
    State,
)
from signoria.kernel.compiled import rule
from signoria.kernel.observation import Feature, Observation, starts

UNSEEN, IN_HAND = 0, 1
PLAYED = IN_HAND + SEATS
BESIDE = PLAYED + SEATS
PLACES = BESIDE + CITIES
"""Where a card can be: unseen, in a hand, on a stack, or beside a city."""

FEATURES = (
    Feature("asked", (KINDS,), "What the seat in turn is asked for: over, play, build, move, take or messenger."),
    Feature("turn", (SEATS,), "Whose turn it is; all 0 when the game is over."),
    Feature("first", (SEATS,), "Who had the first turn (P6)."),
    Feature("players", (1,), "The number of players."),
    Feature("options", (3,), "Ambassadors, tokens face down (P24), messengers of each seat (M1)."),
    Feature("pile", (1,), "Cards in the pile."),
    Feature("crests", (1,), "Floors still to be built this turn."),
    Feature("city", (CITIES,), "The city built in this turn."),
    Feature("card", (CARDS,), "The card played this turn."),
    Feature(
        "place",
        (CARDS, PLACES),
        "Where each card is: unseen (in the pile, or in another hand and never face up), in the hand of a seat, on the"
        " stack of a seat, or beside a city.",
    ),
    Feature("played", (CARDS,), "The turn in which each card was played, counted from 1; 0 if it was not."),
    Feature("slot", (CARDS,), "The place in its own hand of each card, counted from 1; 0 if it is elsewhere."),
    Feature("cards", (SEATS,), "Cards in each hand."),
    Feature("tower", (CITIES, SITES, LEVELS, SEATS), "Whose floor it is, from the ground up."),
    Feature("floors", (CITIES, SITES, SEATS), "Floors of each seat in each tower."),
    Feature("won", (CITIES, 2, SEATS), "Who won the high and the low token of each city."),
    Feature("beside", (CITIES, 2), "Messengers beside each city, and those that came before it was scored (M4)."),
    Feature("messenger", (ROADS, SEATS), "Whose messenger is on each road."),
    Feature("messengers_left", (SEATS,), "Messengers that each seat has left."),
)
AT = starts(FEATURES)
(
    _ASKED,
    _TURN,
    _FIRST,
    _PLAYERS,
    _OPTIONS,
    _PILE,
    _CRESTS,
    _CITY,
    _CARD,
    _PLACE,
    _PLAYED,
    _SLOT,
    _CARDS,
    _TOWER,
    _FLOORS,
    _WON,
    _BESIDE,
    _MESSENGER,
    _LEFT,
) = AT.values()


@rule
def from_here(box: Box, seat: int, other: int) -> int:
    """A seat as counted from another one, clockwise."""
    return (int(other) - int(seat)) % int(box.players)


@rule
def write(s: State, box: Box, seat: int, row: Any) -> None:
    """Fill a row of zeros with what a seat knows."""
    write_turn(s, box, seat, row)
    write_cards(s, box, seat, row)
    write_cities(s, box, seat, row)
    for road in range(box.roads):
        if s.messenger[road] != NONE:
            row[_MESSENGER + road * SEATS + from_here(box, seat, s.messenger[road])] = 1
    for other in range(box.players):
        row[_LEFT + from_here(box, seat, other)] = messengers_left(s, box, other)


@rule
def write_turn(s: State, box: Box, seat: int, row: Any) -> None:
    """Write the options and what is asked."""
    row[_ASKED + int(s.asked)] = 1
    if s.asked != 0:
        row[_TURN + from_here(box, seat, s.seat)] = 1
    row[_FIRST + from_here(box, seat, s.first)] = 1
    row[_PLAYERS] = box.players
    row[_OPTIONS] = box.ambassadors
    row[_OPTIONS + 1] = box.face_down
    row[_OPTIONS + 2] = box.messengers
    row[_PILE] = box.cards - s.drawn
    row[_CRESTS] = s.crests
    if s.city != NONE:
        row[_CITY + int(s.city)] = 1
    if s.card != NONE:
        row[_CARD + int(s.card)] = 1


@rule
def write_cards(s: State, box: Box, seat: int, row: Any) -> None:
    """Write where each card is."""
    for card in range(box.cards):
        row[_PLACE + card * PLACES + UNSEEN] = 1
    for turn in range(box.cards):
        card = int(s.played[turn])
        if card >= 0:
            row[_PLACE + card * PLACES + UNSEEN] = 0
            row[_PLACE + card * PLACES + PLAYED + from_here(box, seat, (s.first + turn) % box.players)] = 1
            row[_PLAYED + card] = turn + 1
    for city in range(box.cities):
        card = int(s.display[city])
        if card >= 0:
            row[_PLACE + card * PLACES + UNSEEN] = 0
            row[_PLACE + card * PLACES + BESIDE + city] = 1
    for other in range(box.players):
        for slot in range(HAND):
            card = int(s.hand[other, slot])
            if card != NONE:
                row[_CARDS + from_here(box, seat, other)] += 1
            if card >= 0:
                row[_PLACE + card * PLACES + UNSEEN] = 0
                row[_PLACE + card * PLACES + IN_HAND + from_here(box, seat, other)] = 1
                if other == seat:
                    row[_SLOT + card] = slot + 1


@rule
def write_cities(s: State, box: Box, seat: int, row: Any) -> None:
    """Write towers, tokens and the messengers beside each city."""
    for city in range(box.cities):
        for site in range(SITES):
            for level in range(s.height[city, site]):
                owner = from_here(box, seat, s.floor[city, site, level])
                row[_TOWER + ((city * SITES + site) * LEVELS + level) * SEATS + owner] = 1
                row[_FLOORS + (city * SITES + site) * SEATS + owner] += 1
        for token in range(2):
            if s.won[city, token] >= 0:
                row[_WON + (city * 2 + token) * SEATS + from_here(box, seat, s.won[city, token])] = 1
        row[_BESIDE + city * 2] = s.beside[city]
        row[_BESIDE + city * 2 + 1] = s.escorts[city]


OBSERVATION = Observation(FEATURES, write)
