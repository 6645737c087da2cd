"""How bots judge a step of Lampioni at first glance; the search thinks on from there."""

from lampioni.rulebook import NUMBERS, RULES, TAKES, Box, State, matching
from signoria.kernel.compiled import rule
from signoria.kernel.heuristic import no_opinion


@rule
def promise(s: State, box: Box, step: int) -> float:
    """A lantern brings points (L6), the first of its colour more (L7). A high card to play brings an early choice."""
    if step < TAKES:
        return 0.2 * (step % NUMBERS)
    same = matching(s, s.seat, (step - TAKES) // NUMBERS)
    return float(max(2, same + 1))


HEURISTIC = no_opinion(RULES)._replace(promise=promise)
