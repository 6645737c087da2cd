"""Estimates how good a step of Il Principe is, in points: the value of cities, crests, roles, lots and money.

It uses only public information and the hand of the seat in turn. To see what a change would be worth, it changes the
state, looks at it, and changes it back.
"""

from typing import Any

from signoria.games.il_principe.rulebook.rounds import (
    left_in_pile,
    may_found_at_once,
    missing_cards,
    missing_ducats,
    role_points,
)
from signoria.games.il_principe.rulebook.rules import crests_to_place
from signoria.games.il_principe.rulebook.state import (
    A_COLOUR,
    BIDDING,
    BLUE,
    COLOURS,
    FACE_UP,
    MINOR,
    NONE,
    REGIONS,
    WHITE,
    Box,
    State,
)
from signoria.games.il_principe.rulebook.steps import BIDS, CRESTS, DECLINE, FOUNDS, OFFERS, PASS, PLAYS, TURNS
from signoria.kernel.compiled import rule

DUCAT = 0.7
"""The value of a ducat in points early in the game."""
CARD = 0.6
"""The value of a card in hand of any colour, in points."""
CLOSE = (1.0, 0.62, 0.38, 0.22, 0.12, 0.06)
"""How close a city is, by the number of missing cards."""
POOR = 0.8
"""The factor for every missing ducat."""
SECOND = 0.5
"""How much the second-best city counts beside the best."""
AT_ONCE = 1.0
"""The value of being able to found a city right after winning a lot (I14)."""
ABILITY = (0.4, 1.0, 0.8, 1.8, 1.4)
"""The value of the ability of a role (I23), by colour."""
EARNS = 0.55
"""The share of the points of a role (I18) that counts for each opponent who may found a city in a round."""
SET = 0.35
"""The share of the points of a set (I42) that counts for a building of the scarcest colour."""
JUMPS = (4, 7)
"""Raises that are considered besides the next two, in ducats."""
LEAD = 0.9
"""How safe a lead of one crest is in a region."""


Worths = tuple[float, float, float, float]
"""The value of each face-up city."""


@rule
def rounds_to_come(s: State, box: Box) -> float:
    """The expected number of rounds after this one, from the building pile and the remaining cities."""
    if s.last == 1:
        return 0.0
    by_cards = 1.0 + (left_in_pile(s, box) - box.last_round_below) / (box.players * box.draws)
    cities = int(box.cities) - int(s.turned_up)
    return max(0.0, min(by_cards, 0.5 + cities / (0.9 * box.players)))


@rule
def hope(x: float) -> float:
    """From 0 for far behind to 1 for far ahead."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))


@rule
def region_worth(s: State, box: Box, seat: int, region: int) -> float:
    """What a seat can expect of a region (I40)."""
    own = int(s.region[seat, region])
    if own == 0:
        return 0.0
    most = 0
    for other in range(box.players):
        if other != seat:
            most = max(most, int(s.region[other, region]))
    first = hope(LEAD * (own - most + 0.3))
    return first * box.region_most + (1.0 - first) * 0.6 * box.region_second


@rule
def crest_worth(s: State, box: Box, seat: int, region: int) -> float:
    """What one more crest in a region gains its owner and costs the others."""
    gain = -region_worth(s, box, seat, region)
    s.region[seat, region] += 1
    gain += region_worth(s, box, seat, region)
    for other in range(box.players):
        if other != seat:
            gain -= region_worth(s, box, other, region) / (box.players - 1)
    s.region[seat, region] -= 1
    for other in range(box.players):
        if other != seat:
            gain += region_worth(s, box, other, region) / (box.players - 1)
    return gain


@rule
def city_worth(s: State, box: Box, seat: int, city: int) -> float:
    """What founding a city brings: its points, its crests, less what others score for their roles (I17, I18)."""
    if city == NONE:
        return 0.0
    best = 0.0
    for region in range(REGIONS):
        if box.touches[city, region] == 1:
            best = max(best, crest_worth(s, box, seat, region))
    worth: float = box.points[city] + best * crests_to_place(s, box, seat, city)
    for colour in range(COLOURS):
        for role in range(2):
            points = role_points(s, box, seat, city, role, colour)
            if points > 0:
                worth -= points / (box.players - 1)
    return worth


@rule
def city_worths(s: State, box: Box, seat: int) -> Worths:
    """What each face-up city would bring a seat."""
    return (
        city_worth(s, box, seat, s.display[0]),
        city_worth(s, box, seat, s.display[1]),
        city_worth(s, box, seat, s.display[2]),
        city_worth(s, box, seat, s.display[3]),
    )


@rule
def prospect(s: State, box: Box, seat: int, rounds: float, worths: Worths) -> float:
    """The value of the hand and the ducats of a seat: cities that are nearly affordable, and what remains.

    `worths` is the value of the face-up cities; 0 for a city that does not count.
    """
    first, second = 0.0, 0.0
    for slot in range(FACE_UP):
        city = s.display[slot]
        if city == NONE:
            continue
        lacking = 0
        for colour in range(COLOURS):
            lacking += missing_cards(s, box, seat, city, colour)
        near = CLOSE[lacking] if rounds > 0.0 or lacking == 0 else 0.0
        for _ in range(missing_ducats(s, box, seat, city)):
            near *= POOR
        worth = near * worths[slot]
        if worth > first:
            first, second = worth, first
        else:
            second = max(second, worth)
    share = min(1.0, 0.15 + rounds / 3.0)
    left_over: float = CARD * s.cards[seat] + DUCAT * s.ducats[seat]
    return first + SECOND * second + share * left_over


@rule
def role_worth(s: State, box: Box, colour: int, rounds: float) -> float:
    """The value of a major role until it is returned (I18, I23), or at the end (I41)."""
    if rounds <= 0.0:
        return float(box.major_points) + (ABILITY[colour] if colour in (WHITE, BLUE) else 0.0)
    return ABILITY[colour] + box.major_points * EARNS * (box.players - 1)


@rule
def roles_worth(s: State, box: Box, seat: int, colour: int, rounds: float) -> float:
    """The value of the face-up buildings of a colour: the roles they can win (I21), now and for some rounds."""
    own = int(s.up[seat, colour])
    if own == 0:
        return 0.0
    most = 0
    ahead = 0
    for other in range(box.players):
        if other != seat:
            most = max(most, int(s.up[other, colour]))
            if s.up[other, colour] >= own:
                ahead += 1
    worth = role_worth(s, box, colour, rounds)
    chance = hope(1.4 * (own - most))
    if box.minors == 1 and ahead <= 1:
        chance += 0.4 * (1.0 - chance)
    return worth * chance


@rule
def sets_worth(s: State, box: Box, seat: int, colour: int, count: int) -> float:
    """The value of `count` more buildings of a colour for sets (I42)."""
    fewest = 100
    for other in range(COLOURS):
        if other != colour:
            fewest = min(fewest, int(s.up[seat, other]) + int(s.down[seat, other]))
    own = int(s.up[seat, colour]) + int(s.down[seat, colour])
    done = min(own + count, fewest) - min(own, fewest)
    started = min(own + count, fewest + 2) - min(own, fewest + 2)
    return box.set_points * (max(0, done) + SET * max(0, started))


@rule
def buildings_worth(s: State, box: Box, colour: int, count: int, rounds: float) -> float:
    """The value of `count` more face-up buildings of a colour for the seat in turn: roles and sets."""
    worth = sets_worth(s, box, s.seat, colour, count) - roles_worth(s, box, s.seat, colour, rounds)
    s.up[s.seat, colour] += count
    worth += roles_worth(s, box, s.seat, colour, rounds)
    s.up[s.seat, colour] -= count
    return worth


@rule
def hold(s: State, seat: int, colour: int, count: int) -> None:
    """Add cards of a colour to a hand, or remove them, to see what that would be worth."""
    s.hand[seat, colour] += count
    s.cards[seat] += count


@rule
def found_promise(s: State, box: Box, city: int, rounds: float, worths: Worths) -> float:
    """The gain from founding a city: its value and that of its buildings, minus the cards and ducats it costs (I17)."""
    seat = int(s.seat)
    gain = city_worth(s, box, seat, city) - prospect(s, box, seat, rounds, worths)
    for colour in range(COLOURS):
        count = int(box.cards[city, colour])
        if count > 0:
            gain += buildings_worth(s, box, colour, count, rounds)
            hold(s, seat, colour, -count)
    s.ducats[seat] -= box.ducats[city]
    place = 0
    for slot in range(FACE_UP):
        if s.display[slot] == city:
            place = slot
    s.display[place] = NONE
    gain += prospect(s, box, seat, rounds, worths)
    s.display[place] = city
    s.ducats[seat] += box.ducats[city]
    for colour in range(COLOURS):
        hold(s, seat, colour, int(box.cards[city, colour]))
    return gain


@rule
def prospect_without(s: State, box: Box, colour: int, count: int, rounds: float, worths: Worths) -> float:
    """The value of what the seat in turn keeps without `count` cards of a colour."""
    hold(s, s.seat, colour, -count)
    left = prospect(s, box, s.seat, rounds, worths)
    hold(s, s.seat, colour, count)
    return left


@rule
def play_promise(s: State, box: Box, colour: int, count: int, rounds: float, worths: Worths) -> float:
    """The value of playing cards, and of the cards that stay in hand (I16)."""
    return buildings_worth(s, box, colour, count, rounds) + prospect_without(s, box, colour, count, rounds, worths)


@rule
def lot_worth(s: State, box: Box, seat: int, ducats: int, rounds: float, worths: Worths) -> float:
    """The gain from winning the lot at this price: its cards, and a city immediately if it is affordable (I14)."""
    count = int(s.lot[s.colour])
    gain = -prospect(s, box, seat, rounds, worths)
    hold(s, seat, s.colour, count)
    s.ducats[seat] -= ducats
    gain += prospect(s, box, seat, rounds, worths)
    if may_found_at_once(s, box, seat):
        gain += AT_ONCE
    s.ducats[seat] += ducats
    hold(s, seat, s.colour, -count)
    return gain


@rule
def contested_worth(s: State, box: Box, seat: int, ducats: int, rounds: float, worths: Worths) -> float:
    """The gain from winning the role at this price (I22)."""
    worth = role_worth(s, box, s.colour, rounds)
    if s.role == MINOR:
        worth *= 0.5
    gain = worth - prospect(s, box, seat, rounds, worths)
    s.ducats[seat] -= ducats
    gain += prospect(s, box, seat, rounds, worths)
    s.ducats[seat] += ducats
    return gain


@rule
def bid_promise(s: State, box: Box, ducats: int, rounds: float, worths: Worths) -> float:
    """The gain from a bid if nobody bids more."""
    if s.phase == 2:
        return lot_worth(s, box, s.seat, ducats, rounds, worths)
    return contested_worth(s, box, s.seat, ducats, rounds, worths)


@rule
def promise(s: State, box: Box, step: int) -> float:
    """The estimated value of a legal step for the seat in turn, in points."""
    rounds, worths = rounds_to_come(s, box), city_worths(s, box, s.seat)
    if step < BIDS:
        return prospect_without(s, box, step - OFFERS, 1, rounds, worths) - prospect(s, box, s.seat, rounds, worths)
    if step < PASS:
        return bid_promise(s, box, step - BIDS + 1, rounds, worths)
    if step in (PASS, DECLINE):
        return 0.0
    if step < DECLINE:
        return found_promise(s, box, step - FOUNDS, rounds, worths)
    if step < CRESTS:
        colour, count = (step - PLAYS) // A_COLOUR, (step - PLAYS) % A_COLOUR + 1
        return play_promise(s, box, colour, count, rounds, worths) - prospect(s, box, s.seat, rounds, worths)
    if step < TURNS:
        return crest_worth(s, box, s.seat, step - CRESTS)
    return buildings_worth(s, box, step - TURNS, 1, rounds)


@rule
def narrow(s: State, box: Box, steps: Any, count: int) -> int:
    """Keep only some bids: the next ones, some jumps, and the one that nobody can raise; returns how many steps are left."""
    if s.asked != BIDDING or count <= 6:
        return count
    most = 0
    for seat in range(box.players):
        if seat != s.seat and s.bidding >> seat & 1:
            most = max(most, int(s.ducats[seat]))
    kept = 0
    for i in range(count):
        ducats = steps[i] - BIDS + 1
        rise = ducats - s.bid
        some = rise <= 2 or rise in JUMPS or ducats == most
        if steps[i] == PASS or (some and ducats <= max(most, s.bid + 1)):
            steps[kept] = steps[i]
            kept += 1
    return kept
