"""Fair shuffles: the deal is fixed before the first step, and nobody chooses it alone (docs/fair-shuffles.md)."""

import hashlib
import hmac
from collections.abc import Sequence
from itertools import count

SEED_BYTES = 32
WORD = 2**32


def commitment(seed: bytes) -> str:
    """What a table shows before anyone sits down, so that the seed cannot be changed afterwards."""
    return hashlib.sha256(seed).hexdigest()


def salted(salts: Sequence[str]) -> bytes:
    """What the seats add to the seed."""
    return b"".join(salt.encode() + b"\0" for salt in salts)


class FairStream:
    """Random numbers from a seed and every seat's salt; anyone who knows these can compute them."""

    def __init__(self, seed: bytes, salts: Sequence[str], label: str) -> None:
        key = hashlib.sha256(seed + salted(salts)).digest()
        self._words = (
            int.from_bytes(block[at : at + 4])
            for i in count()
            for block in (hmac.digest(key, label.encode("ascii") + i.to_bytes(8), "sha256"),)
            for at in range(0, len(block), 4)
        )

    def below(self, n: int) -> int:
        """The next number from 0 to n - 1, all with exactly the same probability."""
        word, n = next(self._words), int(n)
        while word >= n * (WORD // n):
            word = next(self._words)
        return word % n
