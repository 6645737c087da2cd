"""Steps as people type them: a number from the menu, or some words of the step."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from signoria.games import AnyGame

FILLERS = frozenset(
    {"a", "an", "and", "at", "card", "cards", "ducat", "ducats", "floor", "from", "in", "of", "on", "site", "the"}
)
"""Words that are ignored in a typed step."""


def matching(game: AnyGame, legal: Sequence[Any], text: str) -> list[Any]:
    """The steps that a text can mean, legal ones first: `move roma 0`, `roma-3`, `2 red`, `b 5`."""
    words = [word for word in text.lower().replace(",", " ").split() if word not in FILLERS]
    if not words:
        return []
    every = [game.step_of(number) for number in range(game.steps)]
    for steps in (legal, every):
        for alike in (_same, _begins):
            found = [step for step in steps if all(alike(word, names_in(step)) for word in words)]
            if found:
                return found
    return []


def names_in(step: msgspec.Struct) -> set[str]:
    """All words that can name a step: those of its sentence and those of its record."""
    return {*str(step).lower().split(), *_values(msgspec.to_builtins(step).values())}


def _values(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _values(value)
            yield "-".join(map(str, value))
        else:
            yield str(value).lower()


def _same(word: str, names: set[str]) -> bool:
    return word in names


def _begins(word: str, names: set[str]) -> bool:
    """Words match by their beginning, but numbers must match completely: `bid 1` is not `bid 12`."""
    return word in names or (not word.isdigit() and any(name.startswith(word) for name in names))
