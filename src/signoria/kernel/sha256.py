"""SHA-256 (FIPS 180-4) as rules, for fair shuffles inside compiled loops. Everywhere else `hashlib` is the right one."""

from typing import Any

import numpy as np

from signoria.kernel.compiled import rule

BLOCK = 64
"""Bytes that are hashed at a time."""
WORDS = 8
"""32-bit words of a digest."""
ROUNDS = 64
LENGTH = 8
"""Bytes at the end of the last block that tell how long the message was."""

_MASK = np.uint64(0xFFFFFFFF)


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _root_bits(number: int, root: int) -> int:
    """The first 32 bits behind the point of a square or cube root."""
    scaled, low, high = number << 32 * root, 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**root <= scaled else (low, middle)
    return low % 2**32


START = np.array([_root_bits(prime, 2) for prime in _primes(WORDS)], np.uint32)
_K = np.array([_root_bits(prime, 3) for prime in _primes(ROUNDS)], np.uint32)


@rule
def word(x: Any) -> Any:
    """The low 32 bits."""
    return np.uint32(x & _MASK)


@rule
def rotated(x: Any, by: int) -> Any:
    """A word with its bits rotated to the right."""
    return np.uint32(x >> np.uint32(by) | word(x << np.uint32(32 - by)))


@rule
def compress(state: Any, block: Any, w: Any) -> None:
    """Take one block of a message into the state; `w` is room for 64 words."""
    for i in range(16):
        at = 4 * i
        w[i] = word(
            np.uint64(block[at]) << np.uint64(24)
            | np.uint64(block[at + 1]) << np.uint64(16)
            | np.uint64(block[at + 2]) << np.uint64(8)
            | np.uint64(block[at + 3])
        )
    for i in range(16, ROUNDS):
        x, y = w[i - 15], w[i - 2]
        s0 = rotated(x, 7) ^ rotated(x, 18) ^ x >> np.uint32(3)
        s1 = rotated(y, 17) ^ rotated(y, 19) ^ y >> np.uint32(10)
        w[i] = word(np.uint64(w[i - 16]) + np.uint64(s0) + np.uint64(w[i - 7]) + np.uint64(s1))
    a, b, c, d, e, f, g, h = state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
    for i in range(ROUNDS):
        s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        chosen = e & f ^ ~e & g
        t1 = np.uint64(h) + np.uint64(s1) + np.uint64(word(chosen)) + np.uint64(_K[i]) + np.uint64(w[i])
        s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        majority = a & b ^ a & c ^ b & c
        t2 = np.uint64(s0) + np.uint64(majority)
        h, g, f, e = g, f, e, word(np.uint64(d) + t1)
        d, c, b, a = c, b, a, word(t1 + t2)
    state[0] = word(np.uint64(state[0]) + np.uint64(a))
    state[1] = word(np.uint64(state[1]) + np.uint64(b))
    state[2] = word(np.uint64(state[2]) + np.uint64(c))
    state[3] = word(np.uint64(state[3]) + np.uint64(d))
    state[4] = word(np.uint64(state[4]) + np.uint64(e))
    state[5] = word(np.uint64(state[5]) + np.uint64(f))
    state[6] = word(np.uint64(state[6]) + np.uint64(g))
    state[7] = word(np.uint64(state[7]) + np.uint64(h))


@rule
def finish(state: Any, message: Any, size: int, before: int, block: Any, w: Any) -> None:
    """Add the last `size` bytes of a message to a state that has `before` bytes; the state is then the digest.

    `block` is room for 64 bytes.
    """
    done = 0
    while size - done >= BLOCK:
        for i in range(BLOCK):
            block[i] = message[done + i]
        compress(state, block, w)
        done += BLOCK
    rest = size - done
    for i in range(BLOCK):
        block[i] = message[done + i] if i < rest else 0
    block[rest] = 0x80
    if rest >= BLOCK - LENGTH:
        compress(state, block, w)
        block[:] = 0
    bits = 8 * (before + size)
    for i in range(LENGTH):
        block[BLOCK - 1 - i] = bits >> 8 * i & 0xFF
    compress(state, block, w)


@rule
def put(there: Any, numbers: Any) -> None:
    """Copy numbers to the beginning of an array; a GPU cannot assign one array to another."""
    for i in range(numbers.shape[0]):
        there[i] = numbers[i]


@rule
def put_bytes(digest: Any, message: Any) -> None:
    """Write a digest as the first 32 bytes of a message."""
    for i in range(WORDS):
        for j in range(4):
            message[4 * i + j] = np.int64(digest[i]) >> 24 - 8 * j & 0xFF
