"""Counts all possible sequences of steps up to a length: numbers that pin down a rulebook."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from signoria.kernel.compiled import rule
from signoria.kernel.entries import entries, room_for_steps
from signoria.kernel.game import OVER, Game
from signoria.kernel.layout import Records, blank

PARTS = 100


@cache
def counter(game: Game[Any, Any, Any]) -> Callable[[Any, Any, Any, Any], None]:
    """The rule that counts sequences of steps from states[0]: `counts[d]` have d steps."""
    legal_steps, apply = game.rules.legal_steps, game.rules.apply

    @rule
    def count(states: Any, boxes: Any, steps: Any, counts: Any) -> None:
        depth = counts.shape[0] - 1
        left = np.zeros(depth + 1, np.int64)
        counts[0] = 1
        at = 0
        left[0] = legal_steps(states[0], boxes[0], steps[0]) if states[0].asked != OVER and depth > 0 else 0
        while at >= 0:
            if left[at] == 0:
                at -= 1
                continue
            left[at] -= 1
            states[at + 1] = states[at]
            apply(states[at + 1], boxes[0], steps[at, left[at]])
            at += 1
            counts[at] += 1
            left[at] = legal_steps(states[at], boxes[0], steps[at]) if states[at].asked != OVER and at < depth else 0

    return count


def perft(
    game: Game[Any, Any, Any],
    states: Records,
    boxes: Records,
    depth: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[int]:
    """The number of sequences of 0, 1, ... `depth` steps from a state.

    It is counted in parts, each from a position a few steps later, so that `progress(done, parts)` can be reported.
    """
    ahead, parts = 0, [states]
    counts = [1] + [0] * depth
    while parts and len(parts) < PARTS and ahead < depth:
        parts = [after for part in parts for after in _followers(game, part, boxes)]
        ahead += 1
        counts[ahead] = len(parts)
    for done, part in enumerate(parts):
        for steps, count in enumerate(_count(game, part, boxes, depth - ahead)[1:], ahead + 1):
            counts[steps] += count
        if progress is not None:
            progress(done + 1, len(parts))
    return counts


def _followers(game: Game[Any, Any, Any], states: Records, boxes: Records) -> list[Records]:
    """Every position after one step."""
    if states["asked"][0] == OVER:
        return []
    rules, numbers = entries(game.rules), room_for_steps(game.most_legal)
    followers = []
    for number in numbers[: rules.legal_steps(states, boxes, numbers)]:
        after = states.copy()
        rules.apply(after, boxes, int(number))
        followers.append(after)
    return followers


def _count(game: Game[Any, Any, Any], states: Records, boxes: Records, depth: int) -> list[int]:
    stack = blank(depth + 2, game.state)
    stack[0] = states[0]
    counts = np.zeros(depth + 1, np.int64)
    counter(game)(stack, boxes, np.zeros((depth + 1, game.most_legal), np.int16), counts)
    return [int(count) for count in counts]
