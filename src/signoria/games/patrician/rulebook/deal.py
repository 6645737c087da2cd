"""The setup: the only place where chance decides anything."""

from collections.abc import Callable
from typing import Any

from signoria.games.patrician.rulebook.state import HAND, NONE, PLAYING, Box, State
from signoria.kernel import fair_luck
from signoria.kernel.compiled import Mark, rule
from signoria.kernel.layout import Bytes
from signoria.kernel.luck import below


def dealer(below: Callable[[Any, int], int], rule: Mark) -> Callable[[State, Box, Any], None]:
    """The rule that deals the cards, for any source of luck: `below(luck, n)` is a random number from 0 to n - 1."""

    @rule
    def shuffle(cards: Bytes, start: int, end: int, luck: Any) -> None:
        for last in range(end - 1, start, -1):
            other = start + below(luck, last - start + 1)
            cards[last], cards[other] = cards[other], cards[last]

    @rule
    def clear(s: State) -> None:
        """Clear the board: no floors, no tokens won, no cards."""
        s.turn = 0
        s.card = NONE
        s.city = NONE
        s.crests = 0
        s.drawn = 0
        s.hand[:] = NONE
        s.taken[:] = 0
        s.display[:] = NONE
        s.pile[:] = NONE
        s.played[:] = NONE
        s.floor[:] = NONE
        s.height[:] = 0
        s.floors[:] = 0
        s.won[:] = NONE
        s.tokens[:] = 0
        s.beside[:] = 0
        s.escorts[:] = 0
        s.messenger[:] = NONE

    @rule
    def deal(s: State, box: Box, luck: Any) -> None:
        """P3: deal cards with stars, and lay out the display and the pile; P6: choose the first player at random."""
        clear(s)
        stars = 0
        for card in range(box.cards):
            if box.start[card] == 1:
                s.pile[stars] = card
                stars += 1
        shuffle(s.pile, 0, stars, luck)
        dealt = 0
        for seat in range(box.players):
            for slot in range(HAND):
                s.hand[seat, slot] = s.pile[s.drawn]
                dealt |= 1 << int(s.pile[s.drawn])
                s.pile[s.drawn] = NONE
                s.drawn += 1
        rest = int(s.drawn)
        for card in range(box.cards):
            if not dealt >> card & 1:
                s.pile[rest] = card
                rest += 1
        shuffle(s.pile, s.drawn, rest, luck)
        for city in range(box.cities):
            s.display[city] = s.pile[s.drawn]
            s.pile[s.drawn] = NONE
            s.drawn += 1
        s.first = s.seat = below(luck, box.players)
        s.asked = PLAYING

    return deal


deal = dealer(below, rule)
"""Deals with the fast generator, compiled."""
fair_deal = dealer(fair_luck.below, rule)
"""Deals with a fair stream, compiled."""
