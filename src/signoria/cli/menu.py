"""The choices of the player whose turn it is: shown with numbers, and found from what the player types."""

from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from signoria.cli.common import console, say
from signoria.cli.typed import matching
from signoria.games import AnyTable
from signoria.kernel.telling import Telling

LONGEST_NUMBER = 9


class Menu:
    """The choices of one seat."""

    def __init__(self, table: AnyTable, seat: int, telling: Telling) -> None:
        self._game, self._view, self._telling = table.game, table.view(seat), telling
        self._choices = telling.choices(self._view)
        self._steps = {n: step for choice in self._choices for n, step in enumerate(choice.steps, choice.first)}

    def show(self) -> None:
        """Print the question and one or two lines per choice."""
        say(self._telling.question(self._view), "bold")
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
        """A step with its number if it has one: `2 (play roma-6)`."""
        number = next((number for number, other in self._steps.items() if other == step), None)
        if number is not None:
            return f"{number} ({step})"
        return str(step) if step in self._view.legal else f"{step}, which is not possible"

    @property
    def numbers(self) -> str:
        """All numbers of choices: `0, 4-10`."""
        return ", ".join(choice.numbers for choice in self._choices)
