"""The fast random generator for simulations. Tables use the fair shuffle instead.

A generator is an array of one 64-bit word (xorshift), so that the same functions run on every target.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from signoria.kernel.compiled import rule

Luck = NDArray[np.uint64]

_LOW = 0xFFFFFFFF
_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)


@rule
def mixed(x: int) -> int:
    """A 32-bit hash of x: every bit of x affects every bit of the result."""
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & _LOW
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & _LOW
    return x ^ (x >> 16)


@rule
def sow(luck: Luck, seed: int, game: int) -> None:
    """Start the generator for game number `game` of a series; each seed and game gives different numbers."""
    high = mixed(mixed(seed & _LOW) ^ mixed((seed >> 32) & _LOW) ^ (game & _LOW))
    low = mixed(high ^ mixed((game >> 32) & _LOW) ^ 0x5BD1E995)
    luck[0] = (np.uint64(high) << _32) | np.uint64(low | 1)


@rule
def below(luck: Any, n: int) -> int:
    """A number from 0 to n - 1; the probabilities are equal to within one in 2**32 / n."""
    x = luck[0]
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    luck[0] = x
    return int(((x >> _32) * np.uint64(n)) >> _32)
