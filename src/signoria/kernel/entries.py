"""The rulebook called from Python, one state at a time.

Passing a single record from Python to Numba costs a millisecond; an array of one record costs a microsecond. So these
functions take arrays and use their first record.
"""

from functools import cache
from typing import Any

import numpy as np

from signoria.kernel.compiled import rule
from signoria.kernel.game import Rules


@cache
def entries(rules: Rules) -> Rules:
    """The same rulebook on arrays of one record."""
    deal, refusal, apply, legal_steps, any_step, see, forget, redeal, score, _ = rules

    @rule
    def deal_first(states: Any, boxes: Any, luck: Any) -> None:
        deal(states[0], boxes[0], luck)

    @rule
    def refusal_first(states: Any, boxes: Any, step: int) -> int:
        return refusal(states[0], boxes[0], step)

    @rule
    def apply_first(states: Any, boxes: Any, step: int) -> None:
        apply(states[0], boxes[0], step)

    @rule
    def legal_steps_first(states: Any, boxes: Any, steps: Any) -> int:
        return legal_steps(states[0], boxes[0], steps)

    @rule
    def any_step_first(states: Any, boxes: Any, luck: Any) -> int:
        return any_step(states[0], boxes[0], luck)

    @rule
    def see_first(states: Any, boxes: Any, seat: int) -> None:
        see(states[0], boxes[0], seat)

    @rule
    def forget_first(states: Any, boxes: Any, seat: int) -> None:
        forget(states[0], boxes[0], seat)

    @rule
    def redeal_first(states: Any, boxes: Any, luck: Any) -> None:
        redeal(states[0], boxes[0], luck)

    @rule
    def score_first(states: Any, boxes: Any, sheet: Any) -> None:
        score(states[0], boxes[0], sheet)

    return Rules(
        deal_first,
        refusal_first,
        apply_first,
        legal_steps_first,
        any_step_first,
        see_first,
        forget_first,
        redeal_first,
        score_first,
    )


def room_for_steps(most: int) -> "np.ndarray[Any, np.dtype[np.int16]]":
    """An array for `legal_steps` to fill."""
    return np.empty(most, np.int16)
