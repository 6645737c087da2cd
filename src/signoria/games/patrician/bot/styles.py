"""Opponents of Patrician that see less, or like something besides winning."""

from signoria.games.patrician.bot.heuristic import NOTHING, lower_floor, portraits_of, portraits_worth
from signoria.games.patrician.rulebook.outlook import standing_points
from signoria.games.patrician.rulebook.rules import (
    counts_at,
    finished,
    leaves_a_site_empty,
    may_take,
    move,
    raise_floor,
    takes_there,
)
from signoria.games.patrician.rulebook.scoring import (
    CAPTAINS,
    ELDERS,
    LADIES,
    MESSENGERS,
    Sheet,
    most_floors,
    tower_tally,
    tower_winner,
)
from signoria.games.patrician.rulebook.state import SITES, Box, State
from signoria.games.patrician.rulebook.steps import BUILDS, KEEP, MOVES, PLAYS, SENDS, STAY, TAKES
from signoria.kernel.compiled import rule
from signoria.kernel.heuristic import BUILDER, SPECULATOR

TOWER = 3.0
"""How much a builder likes a tower that it has won, whatever its token is worth."""
PORTRAIT = 2.0
"""How much a speculator likes a portrait."""
WASTED = 2.0
"""How much a miser dislikes a floor that did not help it to win a tower."""


@rule
def points_now(s: State, box: Box, city: int) -> float:
    """The points of the seat in turn if the towers of a city were scored as they stand (P20, M5)."""
    return float(standing_points(s, box, int(s.seat), city))


@rule
def points_after(s: State, box: Box, city: int, site: int, crests: int) -> float:
    """These points with the next own floor on a site, and another one, if any, where it brings most (P11, P12)."""
    raise_floor(s, city, site, s.seat)
    points = points_now(s, box, city)
    if crests > 1 and not finished(s, box, city):
        points = NOTHING
        for other in range(SITES):
            if not leaves_a_site_empty(s, box, city, other):
                raise_floor(s, city, other, s.seat)
                points = max(points, points_now(s, box, city))
                lower_floor(s, city, other)
    lower_floor(s, city, site)
    return points


@rule
def floors_gain(s: State, box: Box, card: int) -> float:
    """The points that the floors of a card would bring if they were built now."""
    city = int(box.city[card])
    if box.crests[card] == 0 or finished(s, box, city):
        return 0.0
    best = NOTHING
    for site in range(SITES):
        if not leaves_a_site_empty(s, box, city, site):
            best = max(best, points_after(s, box, city, site, int(box.crests[card])))
    return best - points_now(s, box, city)


@rule
def card_gain(s: State, box: Box, card: int) -> float:
    """The points that a card would bring if it were played now."""
    gain = floors_gain(s, box, card)
    if box.portraits[card] > 0:
        count = portraits_of(s, box, box.portrait[card])
        gain += portraits_worth(box, count + box.portraits[card]) - portraits_worth(box, count)
    return gain


@rule
def take_gain(s: State, box: Box, card: int) -> float:
    """What the best card brings that may be taken after playing a card (P15)."""
    city, best = int(box.city[card]), 0.0
    if takes_there(s, box, card, city):
        return card_gain(s, box, int(s.display[city]))
    for other in range(box.cities):
        if may_take(s, box, card, city, other):
            best = max(best, card_gain(s, box, int(s.display[other])))
    return best


@rule
def move_gain(s: State, box: Box, city: int, site: int) -> float:
    """The points that moving a floor would bring (P14)."""
    before = points_now(s, box, city)
    move(s, city, site)
    gain = points_now(s, box, city) - before
    move(s, city, 1 - site)
    return gain


@rule
def messenger_gain(s: State, box: Box, road: int) -> float:
    """The points that a messenger would bring in the towers that the seat is winning (M5)."""
    gain = 0.0
    for end in range(2):
        city = int(box.road[road, end])
        if counts_at(s, box, city):
            for site in range(SITES):
                if tower_winner(s, city, site) == s.seat:
                    gain += box.messenger_points
    return gain


@rule
def own_gain(s: State, box: Box, step: int) -> float:
    """The points that a step brings the seat in turn if the game ended now. It looks at nobody else's plans."""
    if step < BUILDS:
        return floors_gain(s, box, step - PLAYS) + take_gain(s, box, step - PLAYS)
    if step < MOVES:
        return points_after(s, box, int(s.city), step - BUILDS, int(s.crests))
    if step < STAY:
        return move_gain(s, box, (step - MOVES) // SITES, (step - MOVES) % SITES)
    if TAKES <= step < SENDS:
        return card_gain(s, box, int(s.display[step - TAKES]))
    if SENDS <= step < KEEP:
        return messenger_gain(s, box, step - SENDS)
    return 0.0


@rule
def wasted_floors(s: State, box: Box, seat: int) -> int:
    """Floors of a seat in towers that others won, and those beyond what it needed to win a tower."""
    floors = 0
    for city in range(box.cities):
        for site in range(SITES):
            tally = tower_tally(s, city, site)
            own = tally >> 4 * seat & 15
            if tower_winner(s, city, site) == seat:
                floors += max(0, own - most_floors(box, tally, seat) - 1)
            else:
                floors += own
    return floors


@rule
def liking(s: State, box: Box, sheet: Sheet, seat: int, style: int) -> float:
    """A builder likes towers, a speculator portraits and messengers; a miser wastes no floor."""
    if style == BUILDER:
        return TOWER * float(s.tokens[seat])
    if style == SPECULATOR:
        portraits = sheet[seat, CAPTAINS] + sheet[seat, LADIES] + sheet[seat, ELDERS]
        return PORTRAIT * float(portraits) + float(sheet[seat, MESSENGERS])
    return -WASTED * wasted_floors(s, box, seat)
