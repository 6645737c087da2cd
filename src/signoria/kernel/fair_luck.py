"""The fair shuffle as a source of luck for rules: the numbers of `shuffle.FairStream`, quick enough for simulations."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from signoria.kernel.compiled import rule
from signoria.kernel.layout import Small, blank, layout
from signoria.kernel.position import Position
from signoria.kernel.sha256 import BLOCK, LENGTH, ROUNDS, START, WORDS, compress, finish, put, put_bytes
from signoria.kernel.shuffle import SEED_BYTES, WORD, salted

COUNTER = 8
"""Bytes that number the blocks of a stream."""
LONGEST = BLOCK - 1 - LENGTH - COUNTER
"""Letters of a label, so that it fits into one block with its counter."""
INNER, OUTER = 0x36, 0x5C
"""The two pads of HMAC."""


class FairLuck:
    """A fair stream in use: HMAC-SHA-256 of label and counter. The hash states after its two pads are kept.

    Larger numbers come first, because a GPU can read a number only from an address that its size divides.
    """

    drawn: Annotated[int, np.int64]
    """How many blocks there were."""
    inner: Annotated[NDArray[np.uint32], np.uint32, (WORDS,)]
    outer: Annotated[NDArray[np.uint32], np.uint32, (WORDS,)]
    words: Annotated[NDArray[np.uint32], np.uint32, (WORDS,)]
    """The last block of numbers."""
    w: Annotated[NDArray[np.uint32], np.uint32, (ROUNDS,)]
    """Room to hash in."""
    at: Small
    """How many of the last block of numbers were drawn."""
    letters: Small
    """Letters of the label."""
    message: Annotated[NDArray[np.uint8], np.uint8, (BLOCK,)]
    """Label and counter."""
    digest: Annotated[NDArray[np.uint8], np.uint8, (BLOCK,)]
    """What the outer hash is taken of."""
    block: Annotated[NDArray[np.uint8], np.uint8, (BLOCK,)]
    """Room to hash in."""


FAIR_LUCK = layout(FairLuck)


@rule
def sow(stream: FairLuck, seed: Any, salts: Any, label: Any) -> None:
    """Start the stream of a seed of 32 bytes, of the salts as they are hashed, and of a label."""
    key = np.empty(SEED_BYTES + salts.shape[0], np.uint8)
    key[:SEED_BYTES] = seed
    key[SEED_BYTES:] = salts
    sow_key(stream, key, label)


@rule
def sow_key(stream: FairLuck, key: Any, label: Any) -> None:
    """The same for the seed and the salts in one array."""
    put(stream.words, START)
    finish(stream.words, key, key.shape[0], 0, stream.block, stream.w)
    put_bytes(stream.words, stream.digest)
    pad(stream, stream.inner, INNER)
    pad(stream, stream.outer, OUTER)
    stream.letters = label.shape[0]
    put(stream.message, label)
    stream.drawn = 0
    stream.at = WORDS


@rule
def pad(stream: FairLuck, state: Any, by: int) -> None:
    """The hash state after one of the pads and the key, which is in `digest`."""
    for i in range(BLOCK):
        stream.block[i] = by ^ int(stream.digest[i]) if i < SEED_BYTES else by
    put(state, START)
    compress(state, stream.block, stream.w)


@rule
def refill(stream: FairLuck) -> None:
    """Eight more words."""
    size = int(stream.letters)
    for i in range(COUNTER):
        stream.message[size + COUNTER - 1 - i] = stream.drawn >> 8 * i & 0xFF
    put(stream.words, stream.inner)
    finish(stream.words, stream.message, size + COUNTER, BLOCK, stream.block, stream.w)
    put_bytes(stream.words, stream.digest)
    put(stream.words, stream.outer)
    finish(stream.words, stream.digest, SEED_BYTES, BLOCK, stream.block, stream.w)
    stream.drawn += 1
    stream.at = 0


@rule
def draw(stream: FairLuck) -> Any:
    """The next word."""
    if stream.at == WORDS:
        refill(stream)
    found = np.int64(stream.words[stream.at])
    stream.at += 1
    return found


@rule
def below(stream: Any, n: int) -> Any:
    """The next random number from 0 to n - 1, all exactly equally likely; n is less than 2**32."""
    most = np.int64(n)
    found = draw(stream)
    while found >= WORD - most and found >= most * (WORD // most):  # the first, which is seldom true, saves a division
        found = draw(stream)
    return np.int64(np.uint32(found) % np.uint32(most))


def deal(position: Position, seed: bytes, salts: Sequence[str]) -> None:
    """Deal with `Rules.fair_deal`, the rule of a game that deals from a fair stream."""
    fair_deal = position.game.rules.fair_deal
    assert fair_deal is not None, f"{position.game.title} has no `Rules.fair_deal`."
    label = label_array(position.game.shuffle_label)
    position.call(_dealer(fair_deal), blank(1, FAIR_LUCK), as_array(seed), as_array(salted(salts)), label)


@cache
def _dealer(fair_deal: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any, Any, Any, Any], None]:
    @rule
    def deal_one(s: Any, box: Any, streams: Any, seed: Any, salts: Any, label: Any) -> None:
        sow(streams[0], seed, salts, label)
        fair_deal(s, box, streams[0])

    return deal_one


def as_array(content: bytes) -> NDArray[np.uint8]:
    """Bytes as rules take them."""
    return np.frombuffer(bytearray(content), np.uint8)


def label_array(label: str) -> NDArray[np.uint8]:
    """A label as rules take it."""
    if len(label) > LONGEST:
        raise ValueError(f"{label!r}: the label of a shuffle has at most {LONGEST} letters.")
    return as_array(label.encode("ascii"))
