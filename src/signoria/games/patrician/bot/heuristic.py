"""Estimates how good a step of Patrician is, in points: the value of towers, cities, cards and portraits.

It uses only what is face up and the hand of the seat in turn.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from signoria.games.patrician.rulebook.components import standard
from signoria.games.patrician.rulebook.rules import (
    counts_at,
    finished,
    floors_left,
    leaves_a_site_empty,
    may_take,
    move,
    raise_floor,
    takes_there,
)
from signoria.games.patrician.rulebook.scoring import (
    extra_points,
    most_floors,
    portrait_sets,
    tower_tally,
    tower_winner,
)
from signoria.games.patrician.rulebook.state import ANY, HAND, HIGH, LOW, MOVE, NONE, SITES, Box, State
from signoria.games.patrician.rulebook.steps import BUILDS, KEEP, MOVES, PLAYS, SENDS, STAY, TAKES
from signoria.kernel.compiled import rule

MOST = max(city.floors for city in standard().cities)
"""Floors of the largest city."""

NOTHING = -1000.0
"""Less than any step promises."""

PORTRAIT = (0.0, 1.4, 3.4)
"""The value of zero, one and two portraits towards the next set; a set has its points (P22)."""
FLOOR_IN_HAND = 0.75
"""The share of the value of a floor that counts while its card is still in hand."""
CHOICE = 0.9
"""The value of a card that lets its player take any card (P15)."""
LEVER = 1.2
"""The value of a card that lets its player move a floor (P14)."""


def tower_chances(players: int) -> NDArray[np.float32]:
    """The chance to win a tower: [floors to come in the city, lead + MOST, whether on top].

    Every floor to come is assumed to be anyone's, on either site. The lead is over the best opponent. In a tie the floor
    nearest the top wins (P21), so `on top` says who would win now.
    """
    chances = np.zeros((MOST + 1, 2 * MOST + 1, 2), np.float32)
    mine, theirs = 0.5 / players, 0.5 * (players - 1) / players
    for to_come in range(MOST + 1):
        for lead in range(-MOST, MOST + 1):
            for top in range(2):
                if to_come == 0:
                    chances[0, lead + MOST, top] = lead > 0 or (lead == 0 and top == 1)
                    continue
                fewer = chances[to_come - 1]
                up, down = min(lead + 1, MOST) + MOST, max(lead - 1, -MOST) + MOST
                chances[to_come, lead + MOST, top] = (
                    mine * fewer[up, 1] + theirs * fewer[down, 0] + 0.5 * fewer[lead + MOST, top]
                )
    return chances


def taller_chances() -> NDArray[np.float32]:
    """The chance that a tower ends as the taller one: [floors to come, how much taller it is now + MOST]."""
    chances = np.zeros((MOST + 1, 2 * MOST + 1), np.float32)
    for to_come in range(MOST + 1):
        for taller in range(-MOST, MOST + 1):
            if to_come == 0:
                chances[0, taller + MOST] = taller > 0
                continue
            up, down = min(taller + 1, MOST) + MOST, max(taller - 1, -MOST) + MOST
            chances[to_come, taller + MOST] = 0.5 * (chances[to_come - 1, up] + chances[to_come - 1, down])
    return chances


WIN = np.stack([tower_chances(max(players, 2)) for players in range(6)])
TALLER = taller_chances()


@rule
def tower_standing(s: State, box: Box, city: int, site: int, to_come: int) -> float:
    """The chance of the seat in turn to win a tower, minus the average chance of the others."""
    winner, tally = tower_winner(s, city, site), tower_tally(s, city, site)
    most = tally >> 4 * winner & 15 if winner != NONE else 0
    second = most_floors(box, tally, winner)
    chance = 0.0
    for seat in range(box.players):
        lead = (tally >> 4 * seat & 15) - (second if seat == winner else most)
        wins = WIN[box.players, to_come, lead + MOST, 1 if seat == winner else 0]
        chance += wins if seat == s.seat else -wins / (box.players - 1)
    return chance


@rule
def token_worth(s: State, box: Box, city: int, site: int, to_come: int) -> float:
    """Points that the tower's winner can expect: a token (P20), and those of messengers (M5)."""
    taller = TALLER[to_come, s.height[city, site] - s.height[city, 1 - site] + MOST]
    low, high = box.token[city, LOW], box.token[city, HIGH]
    return extra_points(s, box, city) + low + taller * (high - low)  # type: ignore[no-any-return]


@rule
def standing(s: State, box: Box, city: int) -> float:
    """The value of a city to the seat in turn, minus its average value to the others."""
    to_come = floors_left(s, box, city)
    worth = 0.0
    for site in range(SITES):
        worth += token_worth(s, box, city, site, to_come) * tower_standing(s, box, city, site, to_come)
    return worth


@rule
def lower_floor(s: State, city: int, site: int) -> None:
    """Remove a floor that was added to see what it would be worth."""
    s.height[city, site] -= 1
    s.floor[city, site, s.height[city, site]] = NONE


@rule
def best_standing(s: State, box: Box, city: int, crests: int) -> float:
    """The value of a city after `crests` own floors, each on its best site (P11, P12)."""
    if crests == 0 or finished(s, box, city):
        return standing(s, box, city)
    best = NOTHING
    for site in range(SITES):
        if not leaves_a_site_empty(s, box, city, site):
            best = max(best, standing_after(s, box, city, site, crests))
    return best


@rule
def standing_after(s: State, box: Box, city: int, site: int, crests: int) -> float:
    """The value of a city with the next own floor on this site, and another one, if any, on its best site."""
    raise_floor(s, city, site, s.seat)
    worth = NOTHING
    if crests > 1 and not finished(s, box, city):
        for other in range(SITES):
            if not leaves_a_site_empty(s, box, city, other):
                raise_floor(s, city, other, s.seat)
                worth = max(worth, standing(s, box, city))
                lower_floor(s, city, other)
    else:
        worth = standing(s, box, city)
    lower_floor(s, city, site)
    return worth


@rule
def floors_promise(s: State, box: Box, card: int) -> float:
    """The gain from the floors of a card if they were built now."""
    city = box.city[card]
    return best_standing(s, box, city, box.crests[card]) - standing(s, box, city)


@rule
def portraits_of(s: State, box: Box, portrait: int) -> int:
    """Equal portraits on the cards that the seat in turn has played or has in hand; all of them are played in the end."""
    count = 0
    turn = (s.seat - s.first) % box.players
    while turn < box.cards and s.played[turn] >= 0:
        card = s.played[turn]
        if box.portraits[card] > 0 and box.portrait[card] == portrait:
            count += int(box.portraits[card])
        turn += box.players
    for slot in range(HAND):
        card = s.hand[s.seat, slot]
        if card >= 0 and box.portraits[card] > 0 and box.portrait[card] == portrait:
            count += int(box.portraits[card])
    return count


@rule
def portraits_worth(box: Box, count: int) -> float:
    """The value of `count` equal portraits: sets (P22), and the chance of the next one."""
    return portrait_sets(box, count, 0, 0, 0) * box.set_points + PORTRAIT[count % box.set_size]


@rule
def card_promise(s: State, box: Box, card: int) -> float:
    """The value of a card for the player who takes it now: its portraits, its floors, its symbol."""
    promise = FLOOR_IN_HAND * floors_promise(s, box, card)
    if box.portraits[card] > 0:
        count = portraits_of(s, box, box.portrait[card])
        promise += portraits_worth(box, count + box.portraits[card]) - portraits_worth(box, count)
    if box.symbol[card] == ANY:
        promise += CHOICE
    elif box.symbol[card] == MOVE:
        promise += LEVER
    return promise


@rule
def take_promise(s: State, box: Box, card: int, city: int) -> float:
    """The value of the best card that may be taken after playing a card and building in its city (P15)."""
    if takes_there(s, box, card, city):
        return card_promise(s, box, s.display[city])
    best = 0.0
    for other in range(box.cities):
        if may_take(s, box, card, city, other):
            best = max(best, card_promise(s, box, s.display[other]))
    return best


@rule
def move_promise(s: State, box: Box, city: int, site: int) -> float:
    """The gain from moving a floor (P14)."""
    before = standing(s, box, city)
    move(s, city, site)
    gain = standing(s, box, city) - before
    move(s, city, 1 - site)
    return gain


@rule
def messenger_promise(s: State, box: Box, road: int) -> float:
    """The gain from a messenger: more for every tower next to it that is likely to be won (M5)."""
    gain = 0.0
    for end in range(2):
        city = box.road[road, end]
        before = standing(s, box, city)
        if counts_at(s, box, city):
            s.escorts[city] += 1
            gain += standing(s, box, city) - before
            s.escorts[city] -= 1
    return gain


@rule
def promise(s: State, box: Box, step: int) -> float:
    """The estimated value of a legal step for the seat in turn, in points."""
    if step < BUILDS:
        card = step - PLAYS
        return floors_promise(s, box, card) + take_promise(s, box, card, int(box.city[card]))
    if step < MOVES:
        return standing_after(s, box, s.city, step - BUILDS, s.crests)
    if step < STAY:
        return move_promise(s, box, (step - MOVES) // SITES, (step - MOVES) % SITES)
    if TAKES <= step < SENDS:
        return card_promise(s, box, s.display[step - TAKES])
    if SENDS <= step < KEEP:
        return messenger_promise(s, box, step - SENDS)
    return 0.0


@rule
def narrow(s: State, box: Box, steps: Any, count: int) -> int:
    """Keep every legal step: there are never many."""
    return count
