"""How bots judge a step of Lampioni at first glance; the search thinks on from there."""

from lampioni.rulebook import NUMBERS, RULES, TAKES, Box, State, matching
from signoria.kernel.compiled import rule
from signoria.kernel.heuristic import no_opinion


@rule
def promise(s: State, box: Box, step: int) -> float:
    """Play and take the colours that the window lacks: all four are worth more than many of one (L7)."""
    return -float(matching(s, s.seat, step % TAKES // NUMBERS))


HEURISTIC = no_opinion(RULES)._replace(promise=promise)
