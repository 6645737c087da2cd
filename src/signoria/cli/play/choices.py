"""The choices of a player: shown with numbers, and found again from the number or the words that they type."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from signoria.cli.output import console, say
from signoria.games import AnyGame, AnyTable
from signoria.kernel.language import say as translate
from signoria.kernel.telling import Telling

LONGEST_NUMBER = 9
FILLERS = frozenset({"a", "an", "and", "at", "card", "cards", "from", "in", "of", "on", "the"})
"""Words that say nothing about a step in any game."""


class Menu:
    """The choices of one seat."""

    def __init__(self, table: AnyTable, seat: int, telling: Telling) -> None:
        self._game, self._view, self._telling = table.game, table.view(seat), telling
        self._choices = telling.choices(self._view)
        self._steps = {n: step for choice in self._choices for n, step in enumerate(choice.steps, choice.first)}

    def show(self) -> None:
        """Print the question and one or two lines per choice."""
        say(f"{self._telling.question(self._view)} {self._telling.stakes(self._view)}".strip(), "bold")
        grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        grid.add_column(justify="right", style="bold", min_width=4, no_wrap=True)
        grid.add_column()
        for choice in self._choices:
            first, _, more = choice.says.partition("\n")
            grid.add_row(choice.numbers, first)
            if more:
                grid.add_row("", Text(more, "dim"))
        console.print(grid)

    def meant(self, text: str) -> list[Any]:
        """The steps that a number or words can mean, legal or not."""
        if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER:
            step = self._steps.get(int(text)) or self._telling.number(self._view, int(text))
            return [] if step is None else [step]
        return matching(self._game, self._view.legal, text)

    def numbered(self, step: Any) -> str:
        """A step with its number if it has one: `2 (play red-6)`."""
        number = next((number for number, other in self._steps.items() if other == step), None)
        if number is not None:
            return f"{number} ({step})"
        return str(step) if step in self._view.legal else translate("{step}, which is not possible", step=step)

    @property
    def numbers(self) -> str:
        """All numbers of choices: `0, 4-10`."""
        return ", ".join(choice.numbers for choice in self._choices)


def matching(game: AnyGame, legal: Sequence[Any], text: str) -> list[Any]:
    """The steps that a text may mean, possible ones before all others: `play red-3`, `2 red`, `b 5`."""
    words = [word for word in text.lower().replace(",", " ").split() if word not in FILLERS | game.filler_words]
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
