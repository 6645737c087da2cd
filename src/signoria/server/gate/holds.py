"""How many at the same time: live pages that are open, of one person, at one address, and in all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from signoria.server.errors import TooMany

AT_AN_ADDRESS = 50
"""How many times as many an address may have as a person: a school sits behind one, and guests cost nothing."""


class Holds:
    """Counts what is open at the moment."""

    def __init__(self, most_each: int, most_in_all: int) -> None:
        self._most_each = most_each
        self._most_in_all = most_in_all
        self._held: Counter[tuple[str, str]] = Counter()
        self._in_all = 0

    def __len__(self) -> int:
        return self._in_all

    @contextmanager
    def hold(self, person: str | None, address: str) -> Iterator[None]:
        """Hold one open for as long as the context lasts; raises `TooMany`. Without a name an address is a person."""
        most = {("address", address): self._most_each * AT_AN_ADDRESS} if person else {}
        most["person", person or address] = self._most_each
        for key, number in most.items():
            if self._held[key] >= number:
                raise TooMany(f"More than {number} live pages at once are too many; close some.")
        if self._in_all >= self._most_in_all:
            raise TooMany("The house is full at the moment; try again in a minute.", 60)
        self._held.update(most.keys())
        self._in_all += 1
        try:
            yield
        finally:
            self._in_all -= 1
            self._held.subtract(most.keys())
            for key in most:
                if not self._held[key]:
                    del self._held[key]
