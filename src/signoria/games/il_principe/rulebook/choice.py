"""Legal steps as a list, and a random one. Simulations and searches need both all the time."""

from typing import Any

from signoria.games.il_principe.rulebook.reasons import LEGAL
from signoria.games.il_principe.rulebook.rules import candidate, candidates, refusal
from signoria.games.il_principe.rulebook.state import ACTING, FACE_UP, FOUNDING, NONE, Box, State
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Bytes
from signoria.kernel.luck import below


@rule
def legal_steps(s: State, box: Box, steps: Bytes) -> int:
    """Write all legal steps into `steps`; returns how many there are."""
    count = 0
    for i in range(candidates(s)):
        if possible(s, box, i):
            steps[count] = candidate(s, i)
            count += 1
    return count


@rule
def any_step(s: State, box: Box, luck: Any) -> int:
    """A random legal step, all equally likely: steps are drawn until one is legal."""
    i = below(luck, candidates(s))
    while not possible(s, box, i):
        i = below(luck, candidates(s))
    return candidate(s, i)


@rule
def possible(s: State, box: Box, i: int) -> bool:
    """Whether candidate i is a legal step."""
    if (s.asked == FOUNDING or s.asked == ACTING) and 0 < i <= FACE_UP and s.display[i - 1] == NONE:
        return False
    return refusal(s, box, candidate(s, i)) == LEGAL
