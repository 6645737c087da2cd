"""The fast random generator and the bit sets of simulations."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from signoria.kernel.bits import how_many, lowest
from signoria.kernel.luck import below, sow


@given(st.integers(1, 2**32 - 1))
def test_bits_are_counted(bits: int) -> None:
    assert how_many(bits) == bits.bit_count()
    assert 1 << lowest(bits) == bits & -bits


def test_numbers_are_uniform_and_series_differ() -> None:
    luck = np.zeros(1, np.uint64)
    first = Counter[int]()
    starts = set()
    for game in range(12000):
        sow(luck, 5, game)
        starts.add(int(luck[0]))
        first[below(luck, 6)] += 1
    assert len(starts) == 12000
    assert all(abs(count - 2000) < 250 for count in first.values())
    sow(luck, 6, 0)
    assert int(luck[0]) not in starts
