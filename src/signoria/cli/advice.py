"""A bot's advice about a position, drawn for the terminal."""

from collections.abc import Callable
from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from signoria.bots import Explanation
from signoria.games import AnyGame
from signoria.kernel.words import counted

SHOWN = 5
"""Number of steps listed."""


def advice(game: AnyGame, told: Explanation, numbered: Callable[[Any], str]) -> Group:
    """The bot's explanation, the steps it considered, and the result it expects for each seat."""
    steps = Grid(box=None, pad_edge=False, header_style="dim")
    steps.add_column("considered")
    for name in ("weight", "to win", "points"):
        steps.add_column(name, justify="right")
    for looked in told.considered[:SHOWN]:
        chance = "" if looked.chance is None else f"{looked.chance:.0%}"
        points = "" if looked.points is None else f"{looked.points:.1f}"
        steps.add_row(numbered(looked.step), f"{looked.weight:.0%}", chance, points)
    seats = Grid(box=None, pad_edge=False, header_style="dim")
    seats.add_column("expected")
    for name in ("to win", "points"):
        seats.add_column(name, justify="right")
    for seat, (chance_to_win, score) in enumerate(zip(told.chances, told.scores, strict=True)):
        style = "bold" if seat == told.seat else ""
        seats.add_row(game.seat_name(seat), f"{chance_to_win:.0%}", f"{score:.1f}", style=style)
    more = len(told.considered) - SHOWN
    rest = Text(f"and {counted(more, 'step')} more" if more > 0 else "", "dim")
    return Group(told.says, Padding(Group(steps, rest, seats), (0, 0, 0, 2)))
