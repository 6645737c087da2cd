"""The compiled fair shuffle gives the numbers described in docs/fair-shuffles.md."""

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoria.kernel import fair_luck
from signoria.kernel.compiled import rule
from signoria.kernel.fair_luck import as_array, label_array
from signoria.kernel.layout import blank
from signoria.kernel.sha256 import START, finish, put_bytes
from signoria.kernel.shuffle import SEED_BYTES, FairStream, salted

SEED = bytes(range(SEED_BYTES))


@rule
def sow_first(streams: Any, seed: Any, salts: Any, label: Any) -> None:
    fair_luck.sow(streams[0], seed, salts, label)


@rule
def draw_below(streams: Any, most: Any, drawn: Any) -> None:
    for i in range(most.shape[0]):
        drawn[i] = fair_luck.below(streams[0], most[i])


def numbers(seed: bytes, salts: list[str], label: str, most: list[int]) -> list[int]:
    """Numbers below each of these, drawn by the rule."""
    streams, drawn = blank(1, fair_luck.FAIR_LUCK), np.zeros(len(most), np.int64)
    sow_first(streams, as_array(seed), as_array(salted(salts)), label_array(label))
    draw_below(streams, np.array(most, np.int64), drawn)
    return drawn.tolist()


@given(st.binary(max_size=200))
def test_digest_equals_hashlib(message: bytes) -> None:
    digest, written = START.copy(), np.zeros(32, np.uint8)
    finish(digest, as_array(message), len(message), 0, np.zeros(64, np.uint8), np.zeros(64, np.uint32))
    put_bytes(digest, written)
    assert written.tobytes() == hashlib.sha256(message).digest()


@given(
    st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES),
    st.lists(st.text(max_size=20), min_size=2, max_size=5),
    st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=40),
)
def test_numbers_equal_those_at_a_table(seed: bytes, salts: list[str], most: list[int]) -> None:
    stream = FairStream(seed, salts, "signoria/patrician/1")
    assert numbers(seed, salts, "signoria/patrician/1", most) == [stream.below(n) for n in most]


@pytest.mark.parametrize("label", ["", "x", "l" * fair_luck.LONGEST])
def test_labels_of_all_allowed_lengths_work(label: str) -> None:
    stream = FairStream(SEED, ["", ""], label)
    assert numbers(SEED, ["", ""], label, [1000] * 100) == [stream.below(1000) for _ in range(100)]


def test_too_large_word_is_drawn_again() -> None:
    n = 3 * 2**30  # only one multiple fits, so a quarter of all words is drawn again
    stream = FairStream(SEED, [], "x")
    assert numbers(SEED, [], "x", [n] * 200) == [stream.below(n) for _ in range(200)]


def test_too_long_label_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 47 letters"):
        label_array("l" * 48)
