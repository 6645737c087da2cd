"""How many at the same time: live pages that are open, of one person and in all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from signoria.server.errors import TooMany


class Holds:
    """Counts what is open at the moment."""

    def __init__(self, most_each: int, most_in_all: int) -> None:
        self._most_each = most_each
        self._most_in_all = most_in_all
        self._held: Counter[str] = Counter()
        self._in_all = 0

    def __len__(self) -> int:
        return self._in_all

    @contextmanager
    def hold(self, key: str) -> Iterator[None]:
        """Hold one open for as long as the context lasts; raises `TooMany`."""
        if self._held[key] >= self._most_each:
            raise TooMany(f"More than {self._most_each} live pages at once are too many; close some.")
        if self._in_all >= self._most_in_all:
            raise TooMany("The house is full at the moment; try again in a minute.", 60)
        self._held[key] += 1
        self._in_all += 1
        try:
            yield
        finally:
            self._in_all -= 1
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
