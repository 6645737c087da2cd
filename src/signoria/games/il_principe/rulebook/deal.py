"""The setup: the only place where chance decides anything."""

from collections.abc import Callable
from typing import Any

from signoria.games.il_principe.rulebook.rounds import go_on
from signoria.games.il_principe.rulebook.state import FACE_UP, INCOME, NOBODY, NONE, Box, State
from signoria.kernel import fair_luck
from signoria.kernel.compiled import Mark, rule
from signoria.kernel.layout import Bytes
from signoria.kernel.luck import below


def shuffler(below: Callable[[Any, int], int], rule: Mark) -> Callable[[State, Box, Any], None]:
    """The rule that shuffles both piles, for any source of luck: `below(luck, n)` is a random number from 0 to n - 1."""

    @rule
    def shuffle(cards: Bytes, end: int, luck: Any) -> None:
        for last in range(end - 1, 0, -1):
            other = below(luck, last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    @rule
    def clear(s: State) -> None:
        """Clear the table: nobody has anything."""
        s.acted = s.round_number = s.last = s.phase = s.role = s.contested = s.bid = s.bidding = s.crests = 0
        s.drawn = s.turned_up = 0
        s.colour = s.bidder = s.founding = NONE
        s.spoken[:] = 0
        s.hand[:] = 0
        s.cards[:] = 0
        s.known[:] = 0
        s.bought[:] = 0
        s.spent[:] = 0
        s.offered[:] = 0
        s.laid[:] = 0
        s.up[:] = 0
        s.down[:] = 0
        s.lot[:] = 0
        s.gone[:] = 0
        s.pile[:] = NONE
        s.display[:] = NONE
        s.city_pile[:] = NONE
        s.founder[:] = NONE
        s.ducats[:] = 0
        s.points[:] = 0
        s.region[:] = 0
        s.crests_left[:] = 0
        s.holder[:] = NONE

    @rule
    def shuffle_piles(s: State, box: Box, luck: Any) -> None:
        """I2, I4: shuffle both piles and turn up four cities; I1, I5: hand out crests and ducats; I3: choose Il Principe at random."""
        clear(s)
        for card in range(box.buildings):
            s.pile[card] = card // box.a_colour
        shuffle(s.pile, int(box.buildings), luck)
        for city in range(s.city_pile.shape[0]):
            s.city_pile[city] = city
        shuffle(s.city_pile, s.city_pile.shape[0], luck)
        for place in range(int(box.cities), s.city_pile.shape[0]):
            s.city_pile[place] = NONE
        for slot in range(FACE_UP):
            s.display[slot] = s.city_pile[slot]
            s.city_pile[slot] = NONE
        s.turned_up = FACE_UP
        for seat in range(box.players):
            s.ducats[seat] = box.start_ducats
            s.crests_left[seat] = box.crests_each
        s.first = s.principe = s.seat = below(luck, box.players)
        s.asked = NOBODY
        s.stage = INCOME

    return shuffle_piles


shuffle_piles = shuffler(below, rule)
"""Shuffles with the fast generator, compiled."""
shuffle_fairly = shuffler(fair_luck.below, rule)
"""Shuffles with a fair stream, compiled."""


@rule
def begin(s: State, box: Box) -> None:
    """Begin the first round: everyone takes their income, and Il Principe moves first (I10)."""
    while s.asked == NOBODY:
        go_on(s, box)


@rule
def deal(s: State, box: Box, luck: Any) -> None:
    """Set up the game with the fast generator."""
    shuffle_piles(s, box, luck)
    begin(s, box)


@rule
def fair_deal(s: State, box: Box, stream: Any) -> None:
    """Set up the game with a fair stream."""
    shuffle_fairly(s, box, stream)
    begin(s, box)
