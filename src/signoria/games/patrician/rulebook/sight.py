"""What a seat knows: `see` keeps what it can remember, `forget` keeps what is visible now, `redeal` fills in the rest.

All three change a state in place; callers hand them a copy. A seat of NONE is a spectator.
"""

from typing import Any

from signoria.games.patrician.rulebook.state import HAND, HIDDEN, NONE, OVER, Box, State
from signoria.kernel.compiled import rule
from signoria.kernel.luck import below


@rule
def see(s: State, box: Box, seat: int) -> None:
    """Hide what this seat cannot know: the pile, and cards in other hands that were never face up."""
    for i in range(s.drawn, box.cards):
        s.pile[i] = HIDDEN
    for other in range(box.players):
        for slot in range(HAND):
            if other != seat and s.hand[other, slot] != NONE and s.taken[other, slot] == 0:
                s.hand[other, slot] = HIDDEN


@rule
def forget(s: State, box: Box, seat: int) -> None:
    """Hide also what is not visible now: the hands and covered cards of others (P10), and face-down tokens (P24).

    When the game is over everything is turned up.
    """
    if s.asked == OVER:
        return
    for other in range(box.players):
        for slot in range(HAND):
            if other != seat:
                s.taken[other, slot] = 0
                if s.hand[other, slot] != NONE:
                    s.hand[other, slot] = HIDDEN
    for turn in range(box.cards):
        covered = turn + box.players < box.cards and s.played[turn + box.players] != NONE
        if covered and (s.first + turn) % box.players != seat:
            s.played[turn] = HIDDEN
    if box.face_down == 1:
        for city in range(box.cities):
            for token in range(2):
                if s.won[city, token] != seat and s.won[city, token] != NONE:
                    s.won[city, token] = HIDDEN


@rule
def redeal(s: State, box: Box, luck: Any) -> None:
    """Replace what `see` hid with a random deal that is possible for all this seat knows, all equally likely.

    A hidden card in a hand was dealt at the start, so it has the star (P3); the pile takes the rest in any order.
    """
    seen = seen_cards(s, box)
    hidden = hidden_in_hands(s, box)
    first = s.drawn - hidden  # unseen cards lie here, stars first
    stars = gather_unseen(s, box, seen, first)
    for seat in range(box.players):
        for slot in range(HAND):
            if s.hand[seat, slot] == HIDDEN:
                other = first + below(luck, stars - first)
                s.hand[seat, slot] = s.pile[other]
                s.pile[other] = s.pile[first]
                s.pile[first] = NONE
                first += 1
    for last in range(box.cards - 1, s.drawn, -1):
        other = s.drawn + below(luck, last - s.drawn + 1)
        s.pile[last], s.pile[other] = s.pile[other], s.pile[last]


@rule
def seen_cards(s: State, box: Box) -> int:
    """The cards whose place is known, as a set of bits."""
    seen = 0
    for turn in range(box.cards):
        if s.played[turn] >= 0:
            seen |= 1 << int(s.played[turn])
    for city in range(box.cities):
        if s.display[city] >= 0:
            seen |= 1 << int(s.display[city])
    for seat in range(box.players):
        for slot in range(HAND):
            if s.hand[seat, slot] >= 0:
                seen |= 1 << int(s.hand[seat, slot])
    return seen


@rule
def hidden_in_hands(s: State, box: Box) -> int:
    """How many cards in hands are unknown."""
    hidden = 0
    for seat in range(box.players):
        for slot in range(HAND):
            if s.hand[seat, slot] == HIDDEN:
                hidden += 1
    return hidden


@rule
def gather_unseen(s: State, box: Box, seen: int, first: int) -> int:
    """Put the unseen cards into the pile from `first` on, cards with stars first; returns where these end."""
    at, stars = first, first
    for star in range(1, -1, -1):
        for card in range(box.cards):
            if box.start[card] == star and not seen >> card & 1:
                s.pile[at] = card
                at += 1
        if star == 1:
            stars = at
    return stars
