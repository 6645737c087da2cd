"""Legal steps found by asking `refusal` about every step: for games with few step numbers.

A game with many of them writes quicker rules of its own.
"""

from collections.abc import Callable
from typing import Any

from signoria.kernel.compiled import rule
from signoria.kernel.luck import below


def chooser(
    refusal: Callable[[Any, Any, int], int], steps: int
) -> tuple[Callable[[Any, Any, Any], int], Callable[[Any, Any, Any], int]]:
    """The rules `legal_steps` and `any_step` of a game with this many step numbers."""

    @rule
    def legal_steps(s: Any, box: Any, found: Any) -> int:
        count = 0
        for step in range(steps):
            if refusal(s, box, step) == 0:
                found[count] = step
                count += 1
        return count

    @rule
    def any_step(s: Any, box: Any, luck: Any) -> int:
        count = 0
        for step in range(steps):
            if refusal(s, box, step) == 0:
                count += 1
        skip = below(luck, count)
        chosen = 0
        for step in range(steps):
            if refusal(s, box, step) == 0:
                if skip == 0:
                    chosen = step
                skip -= 1
        return chosen

    return legal_steps, any_step
