"""Fair shuffles, as described in docs/fair-shuffles.md."""

import hashlib
import hmac
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from signoria.kernel.shuffle import FairStream, commitment

SEED = bytes(range(32))


def words(seed: bytes, salts: list[str], label: bytes, blocks: int) -> list[int]:
    """The stream, written directly from the document."""
    key = hashlib.sha256(seed + b"".join(salt.encode("utf-8") + b"\x00" for salt in salts)).digest()
    stream = b"".join(hmac.new(key, label + i.to_bytes(8, "big"), hashlib.sha256).digest() for i in range(blocks))
    return [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]


def test_words_come_from_the_keyed_blocks() -> None:
    stream = FairStream(SEED, ["", "sale"], "signoria/patrician/1")
    assert [stream.below(2**32) for _ in range(40)] == words(SEED, ["", "sale"], b"signoria/patrician/1", 5)


def test_too_large_word_is_drawn_again() -> None:
    n = 3 * 2**30  # only one multiple fits, so a quarter of all words is drawn again
    expected = [word for word in words(SEED, [], b"x", 20) if word < n]
    stream = FairStream(SEED, [], "x")
    assert [stream.below(n) for _ in expected] == expected


def test_commitment_is_sha_256_of_the_seed() -> None:
    assert commitment(b"\0" * 32) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


@given(st.lists(st.text(max_size=5), min_size=2, max_size=5))
def test_every_salt_counts(salts: list[str]) -> None:
    plain = FairStream(SEED, salts, "x").below(2**32)
    for seat in range(len(salts)):
        changed = [*salts[:seat], salts[seat] + "!", *salts[seat + 1 :]]
        assert FairStream(SEED, changed, "x").below(2**32) != plain


def test_numbers_are_uniform() -> None:
    stream = FairStream(SEED, [], "x")
    counts = Counter(stream.below(6) for _ in range(6000))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - 1000) < 150 for count in counts.values())
