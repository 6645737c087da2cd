"""How imagined games of Patrician continue: with fast moves that consider towers."""

from typing import Any

from signoria.games.patrician.bot.heuristic import MOST, NOTHING, WIN, promise, token_worth
from signoria.games.patrician.rulebook.choice import any_step
from signoria.games.patrician.rulebook.rules import candidate, floors_left, leaves_a_site_empty, legal, takes_there
from signoria.games.patrician.rulebook.scoring import most_floors, tower_tally
from signoria.games.patrician.rulebook.state import BUILDING, HAND, NONE, PLAYING, TAKING, Box, State
from signoria.games.patrician.rulebook.steps import BUILDS, PLAYS, TAKES
from signoria.kernel.bits import lowest
from signoria.kernel.compiled import rule
from signoria.kernel.luck import below

SENSIBLE = 10
"""The number of steps in an imagined game that are chosen with care, for every player beyond two."""
DARING = 15
"""The percentage of these steps that are random nevertheless."""


@rule
def play_on(s: State, box: Box, luck: Any, ahead: int) -> int:
    """A step for an imagined game: with more than two players sensible at first, then fast."""
    if ahead < SENSIBLE * (box.players - 2) and below(luck, 100) >= DARING:
        return most_promising(s, box)
    if s.asked == PLAYING:
        return any_card(s, luck)
    if s.asked == BUILDING:
        return quick_site(s, box)
    if s.asked == TAKING and takes_there(s, box, s.card, s.city):
        return TAKES + int(s.city)
    return any_step(s, box, luck)


@rule
def most_promising(s: State, box: Box) -> int:
    """The most promising step."""
    bits = legal(s, box)
    best, most = candidate(s, lowest(bits)), NOTHING
    if bits & bits - 1 == 0:
        return best
    while bits:
        step = candidate(s, lowest(bits))
        points = promise(s, box, step)
        if points > most:
            best, most = step, points
        bits &= bits - 1
    return best


@rule
def any_card(s: State, luck: Any) -> int:
    """Play a random card of the hand, all equally likely."""
    card = s.hand[s.seat, below(luck, HAND)]
    while card == NONE:
        card = s.hand[s.seat, below(luck, HAND)]
    return PLAYS + int(card)


@rule
def quick_site(s: State, box: Box) -> int:
    """Build where the floor helps its owner more, without considering the other players."""
    to_come = floors_left(s, box, s.city)
    site = 0 if floor_gain(s, box, s.city, 0, to_come) > floor_gain(s, box, s.city, 1, to_come) else 1
    return BUILDS + (1 - site if leaves_a_site_empty(s, box, s.city, site) else site)


@rule
def floor_gain(s: State, box: Box, city: int, site: int, to_come: int) -> float:
    """The approximate gain from a floor on this site for the seat in turn: being on top counts as winning a tie."""
    tally, height = tower_tally(s, city, site), int(s.height[city, site])
    lead = (tally >> 4 * int(s.seat) & 15) - most_floors(box, tally, s.seat)
    top = 1 if height > 0 and s.floor[city, site, height - 1] == s.seat else 0
    fewer = WIN[box.players, to_come - 1]
    gain: float = fewer[lead + 1 + MOST, 1] - fewer[lead + MOST, top]
    return token_worth(s, box, city, site, to_come) * gain
