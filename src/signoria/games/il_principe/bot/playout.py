"""How imagined games of Il Principe continue: with sensible, fast and varied moves."""

from typing import Any

from signoria.games.il_principe.bot.heuristic import (
    DUCAT,
    Worths,
    bid_promise,
    crest_worth,
    play_promise,
    prospect,
    prospect_without,
    rounds_to_come,
)
from signoria.games.il_principe.rulebook.choice import any_step
from signoria.games.il_principe.rulebook.reasons import LEGAL
from signoria.games.il_principe.rulebook.rules import (
    crests_to_place,
    refuse_bid,
    refuse_crest,
    refuse_found,
    refuse_offer,
)
from signoria.games.il_principe.rulebook.state import (
    A_COLOUR,
    BIDDING,
    COLOURS,
    CRESTING,
    FACE_UP,
    FOUNDING,
    NONE,
    OFFERING,
    REGIONS,
    TURNING,
    Box,
    State,
)
from signoria.games.il_principe.rulebook.steps import BIDS, CRESTS, DECLINE, FOUNDS, OFFERS, PASS, PLAYS
from signoria.kernel.compiled import rule
from signoria.kernel.luck import below

DARING = 10
"""The percentage of steps in imagined games that are random."""
CREST = 2.5
"""The approximate value of a crest."""


@rule
def play_on(s: State, box: Box, luck: Any, ahead: int) -> int:
    """A sensible step for an imagined game, chosen fast and not always the same."""
    if s.asked == BIDDING:
        return bid_on(s, box, luck)
    if s.asked == TURNING or below(luck, 100) < DARING:
        return any_step(s, box, luck)
    rounds, worths = rounds_to_come(s, box), rough_worths(s, box, s.seat)
    best, step = -1000.0, PASS
    if s.asked == OFFERING:
        for colour in range(COLOURS):
            if refuse_offer(s, colour) == LEGAL:
                value = prospect_without(s, box, colour, 1, rounds, worths)
                if value > best:
                    best, step = value, OFFERS + colour
        return step
    if s.asked == CRESTING:
        for region in range(REGIONS):
            if refuse_crest(s, box, region) == LEGAL:
                value = crest_worth(s, box, s.seat, region)
                if value > best:
                    best, step = value, CRESTS + region
        return step
    best = 0.0
    step = DECLINE if s.asked == FOUNDING else PASS
    for slot in range(FACE_UP):
        if refuse_found(s, box, s.display[slot]) == LEGAL:
            value = 0.01 + worths[slot]
            if value > best:
                best, step = value, FOUNDS + int(s.display[slot])
    if best > 0.0 or s.asked == FOUNDING:
        return step
    best = prospect(s, box, s.seat, rounds, worths)
    for colour in range(COLOURS):
        count = int(s.hand[s.seat, colour])
        if count > 0:
            value = play_promise(s, box, colour, count, rounds, worths)
            if value > best:
                best, step = value, PLAYS + colour * A_COLOUR + count - 1
    return step


@rule
def bid_on(s: State, box: Box, luck: Any) -> int:
    """A bid below what the lot or the role seems worth, or a pass."""
    if refuse_bid(s, int(s.bid) + 1) != LEGAL:
        return PASS
    rounds, worths = rounds_to_come(s, box), rough_worths(s, box, s.seat)
    gain = bid_promise(s, box, s.bid + 1, rounds, worths) + 0.01 * (below(luck, 300) - 150)
    if gain <= 0.0:
        return PASS
    rise = int(gain / DUCAT)
    ducats = int(s.bid) + 1
    if rise > 1:
        ducats = min(int(s.ducats[s.seat]), ducats + below(luck, 1 + rise // 2))
    return BIDS + ducats - 1


@rule
def rough_worth(s: State, box: Box, seat: int, city: int) -> float:
    """What founding a city brings, more or less."""
    return box.points[city] + CREST * crests_to_place(s, box, seat, city) if city != NONE else 0.0


@rule
def rough_worths(s: State, box: Box, seat: int) -> Worths:
    """What each face-up city would bring a seat, more or less."""
    return (
        rough_worth(s, box, seat, s.display[0]),
        rough_worth(s, box, seat, s.display[1]),
        rough_worth(s, box, seat, s.display[2]),
        rough_worth(s, box, seat, s.display[3]),
    )
