"""Legal steps as a list, and a random one. Simulations and searches need both all the time."""

from typing import Any

from signoria.games.patrician.rulebook.rules import candidate, candidates, legal
from signoria.games.patrician.rulebook.state import Box, State
from signoria.kernel.bits import how_many, lowest
from signoria.kernel.compiled import rule
from signoria.kernel.layout import Bytes
from signoria.kernel.luck import below


@rule
def legal_steps(s: State, box: Box, steps: Bytes) -> int:
    """Write all legal steps into `steps`; returns how many there are."""
    bits = legal(s, box)
    count = how_many(bits)
    for i in range(count):
        steps[i] = candidate(s, lowest(bits))
        bits &= bits - 1
    return count


@rule
def any_step(s: State, box: Box, luck: Any) -> int:
    """A random legal step, all equally likely.

    Drawing until a candidate is legal is faster than counting to one, because it needs fewer unpredictable branches.
    """
    bits = legal(s, box)
    if bits & bits - 1 == 0:
        return candidate(s, lowest(bits))
    i = below(luck, candidates(s))
    while not bits >> i & 1:
        i = below(luck, candidates(s))
    return candidate(s, i)
