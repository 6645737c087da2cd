"""Counts all possible sequences of steps up to a length: numbers that pin down a rulebook."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from signoria.kernel.compiled import rule
from signoria.kernel.game import OVER, Game
from signoria.kernel.layout import blank
from signoria.kernel.position import Position

PARTS = 100


@cache
def counter(game: Game[Any, Any, Any]) -> Callable[[Any, Any, Any, Any, Any], None]:
    """The rule that counts sequences of steps from a state: `counts[d]` have d steps. It needs room in the arrays."""
    legal_steps, apply = game.rules.legal_steps, game.rules.apply

    @rule
    def count(s: Any, box: Any, states: Any, steps: Any, counts: Any) -> None:
        depth = counts.shape[0] - 1
        left = np.zeros(depth + 1, np.int64)
        counts[0] = 1
        at = 0
        states[0] = s
        left[0] = legal_steps(s, box, steps[0]) if s.asked != OVER and depth > 0 else 0
        while at >= 0:
            if left[at] == 0:
                at -= 1
                continue
            left[at] -= 1
            states[at + 1] = states[at]
            apply(states[at + 1], box, steps[at, left[at]])
            at += 1
            counts[at] += 1
            left[at] = legal_steps(states[at], box, steps[at]) if states[at].asked != OVER and at < depth else 0

    return count


def perft(position: Position, depth: int, progress: Callable[[int, int], None] | None = None) -> list[int]:
    """The number of sequences of 0, 1, ... `depth` steps from a position.

    It is counted in parts, each from a position a few steps later, so that `progress(done, parts)` can be reported.
    """
    ahead, parts = 0, [position]
    counts = [1] + [0] * depth
    while parts and len(parts) < PARTS and ahead < depth:
        parts = [after for part in parts for after in _followers(part)]
        ahead += 1
        counts[ahead] = len(parts)
    for done, part in enumerate(parts):
        for steps, count in enumerate(_count(part, depth - ahead)[1:], ahead + 1):
            counts[steps] += count
        if progress is not None:
            progress(done + 1, len(parts))
    return counts


def _followers(position: Position) -> list[Position]:
    """Every position after one step."""
    followers = []
    for step in position.legal:
        after = position.copy()
        after.apply(step)
        followers.append(after)
    return followers


def _count(position: Position, depth: int) -> list[int]:
    game = position.game
    room = blank(depth + 2, game.state), np.zeros((depth + 1, game.most_legal), np.int16)
    counts = np.zeros(depth + 1, np.int64)
    position.call(counter(game), *room, counts)
    return [int(count) for count in counts]
