"""The rules of Lampioni, a function for each clause. They are compiled, and import nothing but the kernel."""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from signoria.kernel import fair_luck
from signoria.kernel.choice import chooser
from signoria.kernel.compiled import Mark, rule
from signoria.kernel.game import OVER, Rules
from signoria.kernel.layout import Bytes, Small, layout
from signoria.kernel.luck import below
from signoria.kernel.ranking import by_points

SEATS, COLOURS, NUMBERS, CARDS = 4, 4, 6, 24
TAKES, STEPS = 24, 48  # steps below TAKES play a card, the others take one
PLAYING, TAKING = 1, 2  # values of `asked`, after OVER
NONE, HIDDEN, STOCK, STREET, WINDOW = -1, -1, 4, 5, 6  # places: 0 to 3 are the hands, WINDOW + seat the windows
GAME_OVER, NOT_ASKED, NOT_IN_HAND, NOT_ON_STREET = range(1, 5)  # why a step is refused
COLUMNS = ("matching", "variety", "total", "won")
MATCHING, VARIETY, TOTAL, WON = range(4)


class Box:
    """What is fixed at a table: the options."""

    players: Small
    long: Small


class State:
    """What changes. Every card has a place; `played` is what a seat has played and not yet chosen for, or NONE."""

    asked: Small
    seat: Small
    leader: Small
    rounds: Small
    place: Annotated[Bytes, np.int8, CARDS]
    played: Annotated[Bytes, np.int8, SEATS]


BOX, STATE = layout(Box), layout(State)


def dealer(below: Callable[[Any, int], int], rule: Mark) -> tuple[Callable[..., None], Callable[..., None]]:
    """The two rules with chance in them, for any source of luck: `draw` and `deal`."""

    @rule
    def draw(s: State, source: int, seat: int, count: int, luck: Any) -> None:
        """Draw this number of random cards from a place into a hand."""
        for _ in range(count):
            card = below(luck, CARDS)
            while s.place[card] != source:
                card = below(luck, CARDS)
            s.place[card] = seat

    @rule
    def deal(s: State, box: Box, luck: Any) -> None:
        """L2: deal the hands; L3: draw lots for the first leader."""
        s.place[:] = STOCK
        s.played[:] = NONE
        s.rounds = 5 + box.long
        for seat in range(box.players):
            draw(s, STOCK, seat, s.rounds, luck)
        s.leader = s.seat = below(luck, box.players)
        s.asked = PLAYING

    return draw, deal


draw, deal = dealer(below, rule)
_, fair_deal = dealer(fair_luck.below, rule)


@rule
def refusal(s: State, box: Box, step: int) -> int:
    """0, or the reason against a step: L3 for playing, L4 for taking."""
    if s.asked == OVER:
        return GAME_OVER
    if (step < TAKES) != (s.asked == PLAYING):
        return NOT_ASKED
    if step < TAKES:
        return 0 if s.place[step] == s.seat else NOT_IN_HAND
    return 0 if s.place[step - TAKES] == STREET else NOT_ON_STREET


@rule
def apply(s: State, box: Box, step: int) -> None:
    """Carry out a legal step."""
    if step < TAKES:
        play(s, box, step)
    else:
        take(s, box, step - TAKES)


@rule
def play(s: State, box: Box, card: int) -> None:
    """L3: everybody plays a card, clockwise from the leader; then they take lanterns."""
    s.place[card] = STREET
    s.played[s.seat] = card
    s.seat = (s.seat + 1) % box.players
    if s.seat == s.leader:
        s.asked = TAKING
        s.seat = next_to_take(s, box)


@rule
def take(s: State, box: Box, card: int) -> None:
    """L4: take a lantern home; L5: the last to choose leads the next round."""
    s.place[card] = WINDOW + s.seat
    s.played[s.seat] = NONE
    following = next_to_take(s, box)
    if following == NONE:
        s.leader = s.seat
        s.rounds -= 1
        s.asked = PLAYING if s.rounds > 0 else OVER
    else:
        s.seat = following


@rule
def next_to_take(s: State, box: Box) -> int:
    """L4: the highest number comes first, and of equal numbers the one played first; NONE when all are done."""
    best, highest = NONE, -1
    for turn in range(box.players):
        seat = (s.leader + turn) % box.players
        if s.played[seat] != NONE and s.played[seat] % NUMBERS > highest:
            best, highest = seat, s.played[seat] % NUMBERS
    return best


@rule
def see(s: State, box: Box, seat: int) -> None:
    """Hide the stock and the hands of the others (L2). All other cards lie open, so there is nothing to forget."""
    for card in range(CARDS):
        if s.place[card] <= STOCK and s.place[card] != seat:
            s.place[card] = HIDDEN


@rule
def hand_size(s: Any, seat: int) -> int:
    """A hand has a card for each round that its seat has not played in."""
    return int(s.rounds - 1 if s.asked == TAKING or s.played[seat] != NONE else s.rounds)


@rule
def redeal(s: State, box: Box, luck: Any) -> None:
    """Deal the hidden cards again: to every hand what it lacks; the rest is the stock."""
    for seat in range(box.players):
        draw(s, HIDDEN, seat, hand_size(s, seat) - np.sum(s.place == seat), luck)
    for card in range(CARDS):
        if s.place[card] == HIDDEN:
            s.place[card] = STOCK


@rule
def matching(s: State, seat: int, colour: int) -> int:
    """How many lanterns of a colour hang in a window."""
    return int(np.sum(s.place[colour * NUMBERS : (colour + 1) * NUMBERS] == WINDOW + seat))


@rule
def score(s: State, box: Box, sheet: Any) -> None:
    """L6: lanterns of one colour count 1, 3, 6, 10 ... points; L7: all four colours count 5."""
    for seat in range(box.players):
        sheet[seat, MATCHING], sheet[seat, VARIETY] = 0, 5
        for colour in range(COLOURS):
            count = matching(s, seat, colour)
            sheet[seat, MATCHING] += count * (count + 1) // 2
            sheet[seat, VARIETY] *= count > 0
        sheet[seat, TOTAL] = sheet[seat, MATCHING] + sheet[seat, VARIETY]
    mark_winners(sheet, box.players)


mark_winners = by_points(TOTAL, WON)
RULES = Rules(deal, refusal, apply, *chooser(refusal, STEPS), see, see, redeal, score, fair_deal)
