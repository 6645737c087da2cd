"""The final scoring of Il Principe (I40 to I44). Points during the game are scored immediately."""

import numpy as np
from numpy.typing import NDArray

from signoria.games.il_principe.rulebook.state import COLOURS, MAJOR, MINOR, NONE, REGIONS, Box, State
from signoria.kernel.compiled import rule
from signoria.kernel.ranking import marker

Sheet = NDArray[np.int16]

COLUMNS = (
    *("game", "regions", "roles", "sets", "ducats", "hand"),  # the parts of a seat's score
    *("total", "buildings", "won"),  # their sum, own buildings in play, 1 for a winner
    "first_role",  # its first major role in the order of colours; COLOURS for none
)
"""The columns of a score sheet."""
GAME, IN_REGIONS, ROLES, SETS, DUCATS, HAND, TOTAL, BUILDINGS, WON, FIRST_ROLE = range(10)


# I40


@rule
def score_region(s: State, box: Box, sheet: Sheet, region: int) -> None:
    """I40: score the most crests, for all tied players; score the second most only behind a single leader; at least one crest."""
    most, leaders = region_leaders(s, box, region)
    second = 0
    for seat in range(box.players):
        if s.region[seat, region] < most:
            second = max(second, int(s.region[seat, region]))
    for seat in range(box.players):
        crests = int(s.region[seat, region])
        if crests > 0 and crests == most:
            sheet[seat, IN_REGIONS] += box.region_most
        elif crests > 0 and crests == second and leaders == 1:
            sheet[seat, IN_REGIONS] += box.region_second


@rule
def region_leaders(s: State, box: Box, region: int) -> tuple[int, int]:
    """I40: the most crests that a player has in a region, and how many players have that many, or 0 if there are no crests."""
    most, leaders = 0, 0
    for seat in range(box.players):
        crests = int(s.region[seat, region])
        if crests > most:
            most, leaders = crests, 1
        elif crests == most and crests > 0:
            leaders += 1
    return most, leaders


# I41


@rule
def score_roles(s: State, box: Box, sheet: Sheet) -> None:
    """I41: points for every role held."""
    for colour in range(COLOURS):
        if s.holder[MAJOR, colour] != NONE:
            sheet[s.holder[MAJOR, colour], ROLES] += box.major_points
        if s.holder[MINOR, colour] != NONE:
            sheet[s.holder[MINOR, colour], ROLES] += box.minor_points


# I42


@rule
def sets_of_buildings(s: State, seat: int) -> int:
    """I42: sets of all five colours among the buildings in play, face up or face down."""
    sets = int(s.up[seat, 0]) + int(s.down[seat, 0])
    for colour in range(1, COLOURS):
        sets = min(sets, int(s.up[seat, colour]) + int(s.down[seat, colour]))
    return sets


@rule
def buildings_in_play(s: State, seat: int) -> int:
    """I44: buildings in play, face up or down."""
    buildings = 0
    for colour in range(COLOURS):
        buildings += int(s.up[seat, colour]) + int(s.down[seat, colour])
    return buildings


# I43


@rule
def score_most(s: State, box: Box, sheet: Sheet) -> None:
    """I43: score the most ducats and the most cards in hand; all tied players score."""
    ducats, cards = 0, 0
    for seat in range(box.players):
        ducats = max(ducats, int(s.ducats[seat]))
        cards = max(cards, int(s.cards[seat]))
    for seat in range(box.players):
        if s.ducats[seat] == ducats:
            sheet[seat, DUCATS] = box.most_ducats
        if s.cards[seat] == cards:
            sheet[seat, HAND] = box.most_cards


# I44


@rule
def first_role(s: State, seat: int) -> int:
    """I44: the first major role that a seat holds in the order of colours; COLOURS for none."""
    for colour in range(COLOURS):
        if s.holder[MAJOR, colour] == seat:
            return colour
    return COLOURS


@rule
def beats(sheet: Sheet, seat: int, other: int) -> bool:
    """I44: whether a seat is strictly ahead of another."""
    if sheet[seat, TOTAL] != sheet[other, TOTAL]:
        return sheet[seat, TOTAL] > sheet[other, TOTAL]  # type: ignore[no-any-return]
    if sheet[seat, BUILDINGS] != sheet[other, BUILDINGS]:
        return sheet[seat, BUILDINGS] > sheet[other, BUILDINGS]  # type: ignore[no-any-return]
    return sheet[seat, FIRST_ROLE] < sheet[other, FIRST_ROLE]  # type: ignore[no-any-return]


mark_winners = marker(beats, WON)
"""I44: the most points win. Tiebreak: most buildings in play, then the first major role in order. If still tied, all share the win."""


@rule
def score(s: State, box: Box, sheet: Sheet) -> None:
    """Fill a score sheet, one row per seat: the current score, which is final when the game is over."""
    for seat in range(box.players):
        for column in range(len(COLUMNS)):
            sheet[seat, column] = 0
        sheet[seat, GAME] = s.points[seat]
        sheet[seat, SETS] = box.set_points * sets_of_buildings(s, seat)
        sheet[seat, BUILDINGS] = buildings_in_play(s, seat)
        sheet[seat, FIRST_ROLE] = first_role(s, seat)
    for region in range(REGIONS):
        score_region(s, box, sheet, region)
    score_roles(s, box, sheet)
    score_most(s, box, sheet)
    for seat in range(box.players):
        for part in range(TOTAL):
            sheet[seat, TOTAL] += sheet[seat, part]
    mark_winners(sheet, box.players)
