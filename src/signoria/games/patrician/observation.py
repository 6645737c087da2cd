"""What a seat of Patrician knows, as numbers for programs that learn.

Seats are counted clockwise from the observer, who is 0. A number that says "one of" is 1 for
that one and 0 for all others. The last features follow from the others; they save a program the trouble of finding out what
every player sees at a glance.
"""

from typing import Any

from signoria.games.patrician.rulebook.outlook import earned_points, standing_points
from signoria.games.patrician.rulebook.rules import floors_left, messengers_left
from signoria.games.patrician.rulebook.scoring import (
    most_floors,
    portrait_sets,
    tower_lead,
    tower_tally,
    tower_winner,
)
from signoria.games.patrician.rulebook.state import (
    ANY,
    CARDS,
    CITIES,
    HAND,
    HIGH,
    KINDS,
    LEVELS,
    MOVE,
    NONE,
    ROADS,
    SEATS,
    SITES,
    Box,
    State,
)
from signoria.games.patrician.rulebook.steps import BUILDS, PLAYS, TAKES
from signoria.kernel.compiled import rule
from signoria.kernel.observation import Feature, Observation, from_here, starts

UNSEEN, IN_HAND = 0, 1
PLAYED = IN_HAND + SEATS
BESIDE = PLAYED + SEATS
PLACES = BESIDE + CITIES
"""Where a card can be: unseen, in a hand, on a stack, or beside a city."""
MOST = 127
"""The largest number that an observation can have."""
PORTRAITS = 3
"""Different portraits: captain, lady, elder."""
LEADS, WINS, TALL, TOWER_FACTS = range(4)
"""Facts about a tower in the city that is being built, and how many they are."""
FLOORS, LEFT, BEST, WORTH, SAME, TAKES_ANY, MOVES, CARD_FACTS = range(8)
"""Facts about a card that the seat can play or take, and how many they are."""

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
    Feature(
        "points", (SEATS,), "Points of each seat so far: tokens (P20), extra tokens (M5) and sets of portraits (P22)."
    ),
    Feature(
        "standing",
        (SEATS,),
        "The same if every city were scored as it stands; towers of equal height count as the lower.",
    ),
    Feature(
        "portraits", (SEATS, PORTRAITS), "Captains, ladies and elders on the cards that each seat has played (P22)."
    ),
    Feature("leader", (CITIES, SITES, SEATS), "Who would win each tower as it stands (P20, P21)."),
    Feature(
        "lead", (CITIES, SITES), "By how many floors; 0 if the floor nearest the top decides, or there is no tower."
    ),
    Feature("left", (CITIES,), "Floors that each city still needs."),
    Feature("taller", (CITIES,), "How many floors the tower on the first site is taller than the other."),
    Feature(
        "here",
        (SITES, TOWER_FACTS),
        "For each tower of the city built in this turn: its own floors less the most of another seat, 1 if it would win"
        " the tower, and the floors of the tower.",
        actions=BUILDS,
    ),
    Feature(
        "hand_facts",
        (CARDS, CARD_FACTS),
        "For each card in its own hand: its floors, the floors that its city would still need after them, counted from 1,"
        " by how many floors the seat would lead its better tower there (or be behind), the points of the high token,"
        " the seat's portraits that are the same as on the card (on cards played or in hand, the card among them), and 1 for"
        " each of the two symbols (P14, P15).",
        actions=PLAYS,
    ),
    Feature("offer_facts", (CITIES, CARD_FACTS), "The same for the card beside each city.", actions=TAKES),
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
    _MESSENGERS_LEFT,
    _POINTS,
    _STANDING,
    _PORTRAITS,
    _LEADER,
    _LEAD,
    _LEFT,
    _TALLER,
    _HERE,
    _HAND_FACTS,
    _OFFER_FACTS,
) = AT.values()


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
        row[_MESSENGERS_LEFT + from_here(box, seat, other)] = messengers_left(s, box, other)
    write_portraits(s, box, seat, row)
    write_towers(s, box, seat, row)
    if seat >= 0:
        write_facts(s, box, seat, row)


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


@rule
def write_portraits(s: State, box: Box, seat: int, row: Any) -> None:
    """Write the portraits on the cards that each seat has played, the points so far, and those as cities stand."""
    for turn in range(box.cards):
        card = int(s.played[turn])
        if card >= 0 and box.portraits[card] > 0:
            place = from_here(box, seat, (s.first + turn) % box.players)
            row[_PORTRAITS + place * PORTRAITS + int(box.portrait[card])] += box.portraits[card]
    for other in range(box.players):
        place = from_here(box, seat, other)
        at = _PORTRAITS + place * PORTRAITS
        sets = int(box.set_points) * portrait_sets(box, int(row[at]), int(row[at + 1]), int(row[at + 2]), 0)
        points, standing = sets, sets
        for city in range(box.cities):
            points += earned_points(s, box, other, city)
            standing += standing_points(s, box, other, city)
        row[_POINTS + place] = min(points, MOST)
        row[_STANDING + place] = min(standing, MOST)


@rule
def write_towers(s: State, box: Box, seat: int, row: Any) -> None:
    """Write who leads each tower, and what each city still needs."""
    for city in range(box.cities):
        row[_LEFT + city] = floors_left(s, box, city)
        row[_TALLER + city] = s.height[city, 0] - s.height[city, 1]
        for site in range(SITES):
            winner, at = tower_winner(s, city, site), city * SITES + site
            if winner != NONE:
                row[_LEADER + at * SEATS + from_here(box, seat, winner)] = 1
            row[_LEAD + at] = tower_lead(s, box, city, site)
            if city == s.city and seat >= 0:
                row[_HERE + site * TOWER_FACTS + LEADS] = own_lead(s, box, seat, city, site)
                row[_HERE + site * TOWER_FACTS + WINS] = 1 if winner == seat else 0
                row[_HERE + site * TOWER_FACTS + TALL] = s.height[city, site]


@rule
def own_lead(s: State, box: Box, seat: int, city: int, site: int) -> int:
    """A seat's floors in a tower less the most floors of another seat."""
    tally = tower_tally(s, city, site)
    return (tally >> 4 * int(seat) & 15) - most_floors(box, tally, seat)


@rule
def write_facts(s: State, box: Box, seat: int, row: Any) -> None:
    """Write what the cards in hand and beside the cities would do for a seat."""
    for slot in range(HAND):
        if s.hand[seat, slot] >= 0:
            write_card(s, box, seat, int(s.hand[seat, slot]), row, _HAND_FACTS + int(s.hand[seat, slot]) * CARD_FACTS)
    for city in range(box.cities):
        if s.display[city] >= 0:
            write_card(s, box, seat, int(s.display[city]), row, _OFFER_FACTS + city * CARD_FACTS)


@rule
def write_card(s: State, box: Box, seat: int, card: int, row: Any, at: int) -> None:
    """Write what a card would do for a seat."""
    city, crests = int(box.city[card]), int(box.crests[card])
    row[at + FLOORS] = crests
    row[at + LEFT] = 1 + max(0, floors_left(s, box, city) - crests)
    row[at + BEST] = crests + max(own_lead(s, box, seat, city, 0), own_lead(s, box, seat, city, 1))
    row[at + WORTH] = box.token[city, HIGH]
    if box.portraits[card] > 0:
        kind = int(box.portrait[card])
        same = int(row[_PORTRAITS + kind])
        for slot in range(HAND):
            other = int(s.hand[seat, slot])
            if other >= 0 and other != card and box.portraits[other] > 0 and box.portrait[other] == kind:
                same += int(box.portraits[other])
        row[at + SAME] = same + box.portraits[card]
    row[at + TAKES_ANY] = 1 if box.symbol[card] == ANY else 0
    row[at + MOVES] = 1 if box.symbol[card] == MOVE else 0


OBSERVATION = Observation(FEATURES, write)
