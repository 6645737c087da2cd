"""A small value network in compiled code: what every seat can expect of a state.

The first layer adds up one row of weights for each feature that is on, which costs far less than a product of matrices.
Weights are arguments, never constants, because the cache of compiled code does not know them.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signoria.kernel.compiled import rule
from signoria.kernel.features import Features
from signoria.kernel.game import MOST_SEATS

Floats = NDArray[np.float32]

REWARDS, WINS, POINTS = 0, MOST_SEATS, 2 * MOST_SEATS
OUTPUTS = 3 * MOST_SEATS
"""For every seat, counted from the one in turn: the reward that a search looks for, the chance to win, final points."""
POINTS_UNIT = 20.0
"""Final points of an output of 1."""
TOGETHER = 4
"""Rows of the first layer that are added at once: faster than one by one."""


class Network(NamedTuple):
    """The weights of a network with two hidden layers."""

    features: Floats
    """Features by hidden units."""
    numbers: Floats
    """Numbers by hidden units."""
    bias: Floats
    second: Floats
    """Hidden units by units of the second layer."""
    second_bias: Floats
    last: Floats
    """Units of the second layer by outputs."""
    last_bias: Floats

    @property
    def sizes(self) -> tuple[int, int]:
        """Units of both hidden layers."""
        return len(self.bias), len(self.second_bias)

    def fits(self, features: Features) -> bool:
        """Whether all shapes are those of a network for these features."""
        first, second = self.sizes
        shapes = (features.size, first), (features.numbers_size, first), (first,), (first, second), (second,)
        return tuple(one.shape for one in self) == (*shapes, (second, OUTPUTS), (OUTPUTS,))


def empty_network(features: Features, first: int, second: int) -> Network:
    """A network that has not learned anything."""
    return Network(
        *(
            np.zeros(shape, np.float32)
            for shape in (
                (features.size, first),
                (features.numbers_size, first),
                (first,),
                (first, second),
                (second,),
                (second, OUTPUTS),
                (OUTPUTS,),
            )
        )
    )


@cache
def forward(first: int, second: int) -> Callable[..., None]:
    """The rule that evaluates networks with hidden layers of these sizes."""

    @rule
    def evaluate(
        network: Network, on: Any, count: int, numbers: Any, units: Any, more_units: Any, players: int, out: Any
    ) -> None:
        """Fill `out` for this many players. `units` and `more_units` are room for the hidden layers."""
        for j in range(first):
            units[j] = network.bias[j]
        k = 0
        while k + TOGETHER <= count:
            a, b, c, d = on[k], on[k + 1], on[k + 2], on[k + 3]
            for j in range(first):
                units[j] += (network.features[a, j] + network.features[b, j]) + (
                    network.features[c, j] + network.features[d, j]
                )
            k += TOGETHER
        while k < count:
            a = on[k]
            for j in range(first):
                units[j] += network.features[a, j]
            k += 1
        for i in range(network.numbers.shape[0]):
            x = numbers[i]
            if x != 0.0:
                for j in range(first):
                    units[j] += x * network.numbers[i, j]
        for j in range(second):
            more_units[j] = network.second_bias[j]
        for i in range(first):
            x = units[i]
            if x > 0.0:
                for j in range(second):
                    more_units[j] += x * network.second[i, j]
        for head in range(0, OUTPUTS, MOST_SEATS):
            for place in range(head, head + players):
                out[place] = network.last_bias[place]
        for i in range(second):
            x = more_units[i]
            if x > 0.0:
                for head in range(0, OUTPUTS, MOST_SEATS):
                    for place in range(head, head + players):
                        out[place] += x * network.last[i, place]

    return evaluate
