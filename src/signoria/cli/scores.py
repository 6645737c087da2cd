"""A score sheet drawn for the terminal."""

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from signoria.games import AnyTable


def score_sheet(table: AnyTable) -> Group:
    """Every part of every seat's score with its clause, and who won why."""
    outcome = table.outcome
    winners = outcome.winners if outcome else ()
    grid = Grid(title="Score sheet", title_justify="left", header_style="bold")
    grid.add_column("")
    scores = table.scores
    for score in scores:
        crown = " ★" if score.seat in winners else ""
        grid.add_column(f"{table.game.seat_name(score.seat)}{crown}", justify="right", max_width=34)
    for part, first in enumerate(scores[0].parts):
        cells = [Text(str(score.parts[part].points), "bold") for score in scores]
        grid.add_row(f"{first.name} ({first.clause})", *cells)
        if len({score.parts[part].detail for score in scores}) > 1:
            grid.add_row("", *(Text(score.parts[part].detail, "dim") for score in scores))
    grid.add_section()
    grid.add_row("total", *(Text(str(score.total), "bold") for score in scores))
    for name in scores[0].also:
        grid.add_row(name, *(str(score.also[name]) for score in scores))
    verdict = Text()
    if outcome:
        names = " and ".join(table.game.seat_name(seat) for seat in outcome.winners)
        verdict = Text(f"{names} {'win' if len(outcome.winners) > 1 else 'wins'}: {outcome.reason}.")
    return Group(grid, verdict)
