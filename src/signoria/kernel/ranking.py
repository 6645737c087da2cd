"""Marks the winners on a score sheet."""

from collections.abc import Callable
from typing import Any

from signoria.kernel.compiled import rule


def marker(beats: Callable[[Any, int, int], bool], won: int) -> Callable[[Any, int], None]:
    """The rule that writes 1 into column `won` of a score sheet for the winner, or for everyone who shares the win.

    `beats(sheet, seat, other)` says whether a seat is strictly ahead of another.
    """

    @rule
    def mark_winners(sheet: Any, players: int) -> None:
        best = 0
        for seat in range(players):
            if beats(sheet, seat, best):
                best = seat
        for seat in range(players):
            sheet[seat, won] = 0 if beats(sheet, best, seat) else 1

    return mark_winners


def by_points(total: int, won: int) -> Callable[[Any, int], None]:
    """The same for a game in which the most points in column `total` win, and nothing else decides."""

    @rule
    def more(sheet: Any, seat: int, other: int) -> bool:
        return bool(sheet[seat, total] > sheet[other, total])

    return marker(more, won)
