"""Opponents of Il Principe that see less, or like something besides winning."""

from signoria.games.il_principe.bot.heuristic import Worths, hold, prospect, rounds_to_come
from signoria.games.il_principe.rulebook.scoring import Sheet, sets_of_buildings
from signoria.games.il_principe.rulebook.state import A_COLOUR, CITIES, COLOURS, MINOR, NONE, REGIONS, Box, State
from signoria.games.il_principe.rulebook.steps import BIDS, CRESTS, DECLINE, FOUNDS, OFFERS, PASS, PLAYS, TURNS
from signoria.kernel.compiled import rule
from signoria.kernel.heuristic import BUILDER, SPECULATOR

CITY = 5.0
"""How much a builder likes a city that it has founded, besides its crests."""
ROLE = 3.0
"""How much a speculator likes a role, besides the cards that it has bought."""


@rule
def printed_points(s: State, box: Box) -> Worths:
    """The points on each face-up city."""
    return (
        float(box.points[s.display[0]]) if s.display[0] != NONE else 0.0,
        float(box.points[s.display[1]]) if s.display[1] != NONE else 0.0,
        float(box.points[s.display[2]]) if s.display[2] != NONE else 0.0,
        float(box.points[s.display[3]]) if s.display[3] != NONE else 0.0,
    )


@rule
def outlook_with(s: State, box: Box, colour: int, count: int, ducats: int, rounds: float, worths: Worths) -> float:
    """The value of the hand and the ducats of the seat in turn after gaining this many cards and ducats, or losing them if negative."""
    seat = int(s.seat)
    hold(s, seat, colour, count)
    s.ducats[seat] += ducats
    value = prospect(s, box, seat, rounds, worths)
    s.ducats[seat] -= ducats
    hold(s, seat, colour, -count)
    return value


@rule
def sets_gain(s: State, box: Box, colour: int, count: int) -> float:
    """The points of the sets that more buildings of a colour complete (I42)."""
    before = sets_of_buildings(s, int(s.seat))
    s.up[s.seat, colour] += count
    gain = float(box.set_points) * (sets_of_buildings(s, int(s.seat)) - before)
    s.up[s.seat, colour] -= count
    return gain


@rule
def auction_gain(s: State, box: Box, ducats: int, rounds: float, worths: Worths) -> float:
    """What the lot or the role brings at this price."""
    if s.phase == 2:
        return outlook_with(s, box, int(s.colour), int(s.lot[s.colour]), -ducats, rounds, worths)
    points = float(box.minor_points if s.role == MINOR else box.major_points)
    return points + outlook_with(s, box, int(s.colour), 0, -ducats, rounds, worths)


@rule
def own_gain(s: State, box: Box, step: int) -> float:
    """What a step brings the seat in turn at once. It looks at nobody else's crests, buildings, roles or plans."""
    rounds, worths = rounds_to_come(s, box), printed_points(s, box)
    now = prospect(s, box, int(s.seat), rounds, worths)
    if step < BIDS:
        return outlook_with(s, box, step - OFFERS, -1, 0, rounds, worths) - now
    if step < PASS:
        return auction_gain(s, box, step - BIDS + 1, rounds, worths) - now
    if step in (PASS, DECLINE):
        return 0.0
    if step < DECLINE:
        return float(box.points[step - FOUNDS])
    if step < CRESTS:
        colour, count = (step - PLAYS) // A_COLOUR, (step - PLAYS) % A_COLOUR + 1
        return sets_gain(s, box, colour, count) + outlook_with(s, box, colour, -count, 0, rounds, worths) - now
    if step < TURNS:
        return -float(s.region[s.seat, step - CRESTS])
    return sets_gain(s, box, step - TURNS, 1)


@rule
def liking(s: State, box: Box, sheet: Sheet, seat: int, style: int) -> float:
    """A builder likes cities and crests, a speculator cards from auctions and roles, a miser ducats."""
    if style == BUILDER:
        likes = 0.0
        for city in range(CITIES):
            if s.founder[city] == seat:
                likes += CITY
        for region in range(REGIONS):
            likes += s.region[seat, region]
        return likes
    if style == SPECULATOR:
        likes = 0.0
        for colour in range(COLOURS):
            likes += s.bought[seat, colour]
            for role in range(2):
                if s.holder[role, colour] == seat:
                    likes += ROLE
        return likes
    return float(s.ducats[seat])
