"""Scoring in Patrician: cities as soon as they are full, everything else at the end."""

import numpy as np
from numpy.typing import NDArray

from signoria.games.patrician.rulebook.state import HIGH, LOW, NONE, Box, State
from signoria.kernel.compiled import rule
from signoria.kernel.ranking import marker

Sheet = NDArray[np.int16]

COLUMNS = (
    *("tokens", "portraits", "messengers", "penalty"),  # the parts of a seat's score
    *("total", "floors", "won"),  # their sum, own floors on the board, 1 for a winner
    *("captains", "ladies", "elders"),  # portraits on the cards played
    "ambassadors",  # those the seat holds, as bits
)
"""The columns of a score sheet."""
TOKENS, PORTRAITS, MESSENGERS, PENALTY, TOTAL, FLOORS, WON, CAPTAINS, LADIES, ELDERS, AMBASSADORS = range(11)
A, B, C, D = range(4)
"""The four ambassadors."""


# P20, P21: a city


@rule
def score_city(s: State, city: int) -> None:
    """P20: the winner of the taller tower takes the high token, the winner of the other tower the low one."""
    for token in range(2):
        winner = tower_winner(s, city, tower_of(s, city, token))
        s.won[city, token] = winner
        s.tokens[winner] += 1


@rule
def tower_of(s: State, city: int, token: int) -> int:
    """P20: the site whose tower decides a token of a finished city; totals are odd, so one tower is taller."""
    taller = 0 if s.height[city, 0] > s.height[city, 1] else 1
    return taller if token == HIGH else 1 - taller


@rule
def tower_winner(s: State, city: int, site: int) -> int:
    """P20, P21: who has the most floors in a tower, in a tie the one nearest the top; NONE if there is no tower.

    Counting from the ground up, the seat that reaches the highest number of floors last has both.
    """
    tally, most, winner = 0, 0, NONE
    for level in range(s.height[city, site]):
        seat = int(s.floor[city, site, level])
        tally += 1 << 4 * seat  # four bits a seat
        floors = tally >> 4 * seat & 15
        if floors >= most:
            most, winner = floors, seat
    return winner


@rule
def tower_tally(s: State, city: int, site: int) -> int:
    """The floors of each seat in a tower, four bits per seat."""
    tally = 0
    for level in range(s.height[city, site]):
        tally += 1 << 4 * int(s.floor[city, site, level])
    return tally


@rule
def most_floors(box: Box, tally: int, without: int) -> int:
    """P20: the most floors in a tower that any player other than this seat has."""
    most = 0
    for seat in range(box.players):
        if seat != without:
            most = max(most, tally >> 4 * seat & 15)
    return most


@rule
def tower_lead(s: State, box: Box, city: int, site: int) -> int:
    """P20, P21: by how many floors a tower would be won; 0 if the floor nearest the top decides or there is no tower."""
    winner, tally = tower_winner(s, city, site), tower_tally(s, city, site)
    return (tally >> 4 * winner & 15) - most_floors(box, tally, winner) if winner != NONE else 0


# P22, A1: portraits


@rule
def count_portraits(s: State, box: Box, sheet: Sheet) -> None:
    """P22: portraits on the cards that each seat has played; two on one card count as two."""
    seat = int(s.first)
    for turn in range(box.cards):
        card = s.played[turn]
        if card >= 0 and box.portraits[card] > 0:
            sheet[seat, CAPTAINS + box.portrait[card]] += box.portraits[card]
        seat = seat + 1 if seat + 1 < box.players else 0


@rule
def portrait_sets(box: Box, captains: int, ladies: int, elders: int, extra: int) -> int:
    """P22, A1: sets of equal portraits, with the best use of this many extra portraits."""
    best = 0
    for a in range(extra + 1):
        for b in range(extra + 1 - a):
            c = extra - a - b
            sets = (captains + a) // box.set_size + (ladies + b) // box.set_size + (elders + c) // box.set_size
            best = max(best, sets)
    return best


@rule
def score_portraits(s: State, box: Box, sheet: Sheet) -> None:
    """P22: points for sets of portraits; A1, A3: including the extra portraits of ambassadors."""
    count_portraits(s, box, sheet)
    if box.ambassadors == 1:
        send_ambassadors(s, box, sheet)
    for seat in range(box.players):
        held = int(sheet[seat, AMBASSADORS])
        extra = (held >> A & 1) + (held >> B & 1) + (held >> C & 1)
        each = held >> D & 1
        sets = portrait_sets(
            box,
            int(sheet[seat, CAPTAINS]) + each,
            int(sheet[seat, LADIES]) + each,
            int(sheet[seat, ELDERS]) + each,
            extra,
        )
        sheet[seat, PORTRAITS] = int(box.set_points) * sets


# P20, M5: tokens


@rule
def score_tokens(s: State, box: Box, sheet: Sheet) -> None:
    """P20: points of all prestige tokens won; M5: each has an extra token for every messenger that was there in time."""
    for city in range(box.cities):
        for token in range(2):
            seat = s.won[city, token]
            if seat >= 0:
                sheet[seat, TOKENS] += box.token[city, token]
                sheet[seat, MESSENGERS] += extra_points(s, box, city)


@rule
def extra_points(s: State, box: Box, city: int) -> int:
    """M5: points of the extra tokens that each tower's winner takes, for messengers that came in time (M4)."""
    return box.messenger_points * s.escorts[city]  # type: ignore[no-any-return]


@rule
def city_points(s: State, box: Box, seat: int, city: int) -> int:
    """Points of the tokens of one city that a seat has won."""
    points = 0
    for token in range(2):
        if s.won[city, token] == seat:
            points += int(box.token[city, token])
    return points


# M6: the penalty


@rule
def escorted_towers(s: State, box: Box, seat: int) -> int:
    """M6: towers that a seat won in cities scored with a messenger."""
    towers = 0
    for city in range(box.cities):
        for token in range(2):
            if s.escorts[city] > 0 and s.won[city, token] == seat:
                towers += 1
    return towers


@rule
def escorted_floors(s: State, box: Box, seat: int) -> int:
    """M6: the seat's floors in the towers of those cities."""
    floors = 0
    for city in range(box.cities):
        if s.escorts[city] > 0 and s.won[city, HIGH] != NONE:
            floors += int(s.floors[seat, city])
    return floors


@rule
def penalised(s: State, box: Box) -> int:
    """M6: who won the fewest towers with a messenger; in a tie, who has the fewest floors there; if still tied, NONE."""
    loser, fewest, floors = NONE, 0, 0
    for seat in range(box.players):
        towers, own = escorted_towers(s, box, seat), escorted_floors(s, box, seat)
        if seat == 0 or towers < fewest or (towers == fewest and own < floors):
            loser, fewest, floors = seat, towers, own
        elif towers == fewest and own == floors:
            loser = NONE
    return loser


# A1, A2, A3: the ambassadors


@rule
def small_tokens(s: State, box: Box, seat: int, points: int) -> int:
    """A1, A4: how many prestige tokens of exactly this value a seat has won; tokens for messengers do not count."""
    count = 0
    for city in range(box.cities):
        for token in range(2):
            if box.token[city, token] == points and s.won[city, token] == seat:
                count += 1
    return count


@rule
def token_ambassador(s: State, box: Box, ambassador: int) -> int:
    """A1: who has the most of the tokens that A, B or C counts; A2: in a tie, who of them has the pictured token."""
    points, tie = box.ambassador_token[ambassador], box.ambassador_tie[ambassador]
    holder, most = NONE, 0
    for seat in range(box.players):
        count = small_tokens(s, box, seat, points)
        if count > most:
            holder, most = seat, count
        elif count > 0 and count == most and s.won[tie, LOW] != holder:
            holder = seat if s.won[tie, LOW] == seat else NONE
    return holder


@rule
def court_ambassador(s: State, box: Box) -> int:
    """A3: who has the most points in tokens of Verona, Parma and Milano; in a tie, most of Verona, then Parma, then Milano."""
    holder, best = NONE, 0
    for seat in range(box.players):
        verona, parma, milano = (
            city_points(s, box, seat, box.court[0]),
            city_points(s, box, seat, box.court[1]),
            city_points(s, box, seat, box.court[2]),
        )
        standing = (((verona + parma + milano) * 32 + verona) * 32 + parma) * 32 + milano
        if standing > best:
            holder, best = seat, standing
    return holder


@rule
def send_ambassadors(s: State, box: Box, sheet: Sheet) -> None:
    """A1, A3: each ambassador goes to the player who can claim it."""
    for ambassador in range(A, D + 1):
        seat = court_ambassador(s, box) if ambassador == D else token_ambassador(s, box, ambassador)
        if seat != NONE:
            sheet[seat, AMBASSADORS] += 1 << ambassador


# P23: the sheet


@rule
def floors_on_board(s: State, box: Box, seat: int) -> int:
    """P23: the seat's floors in all cities."""
    floors = 0
    for city in range(box.cities):
        floors += int(s.floors[seat, city])
    return floors


@rule
def beats(sheet: Sheet, seat: int, other: int) -> bool:
    """P23: whether a seat is strictly ahead of another."""
    if sheet[seat, TOTAL] != sheet[other, TOTAL]:
        return sheet[seat, TOTAL] > sheet[other, TOTAL]  # type: ignore[no-any-return]
    return sheet[seat, FLOORS] < sheet[other, FLOORS]  # type: ignore[no-any-return]


mark_winners = marker(beats, WON)
"""P23: the most points win. Tiebreak: fewest floors on the board. If still tied, all share the win."""


@rule
def score(s: State, box: Box, sheet: Sheet) -> None:
    """Fill a score sheet, one row per seat: the current score, which is final when the game is over."""
    for seat in range(box.players):
        for column in range(len(COLUMNS)):
            sheet[seat, column] = 0
    score_tokens(s, box, sheet)
    score_portraits(s, box, sheet)
    if box.messengers > 0 and penalised(s, box) != NONE:
        sheet[penalised(s, box), PENALTY] = box.penalty
    for seat in range(box.players):
        sheet[seat, FLOORS] = floors_on_board(s, box, seat)
        for part in range(TOTAL):
            sheet[seat, TOTAL] += sheet[seat, part]
    mark_winners(sheet, box.players)
