"""A score sheet drawn for the terminal."""

from collections.abc import Sequence

import numpy as np
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from signoria.games import AnyTable
from signoria.kernel.entries import entries
from signoria.kernel.game import Score, ScorePart


def score_sheet(table: AnyTable) -> Group:
    """Every part of every seat's score with its clause, and the winner with the reason."""
    outcome = table.outcome
    verdict = Text()
    if outcome:
        names = " and ".join(table.game.seat_name(seat) for seat in outcome.winners)
        verdict = Text(f"{names} {'win' if len(outcome.winners) > 1 else 'wins'}: {outcome.reason}.")
    winners = outcome.winners if outcome else ()
    return Group(_grid(table, table.scores, "Score sheet", winners), verdict)


def score_so_far(table: AnyTable, seat: int) -> Group:
    """The current score sheet, made from what a seat knows. If tokens lie face down, it shows only that seat."""
    known = table.view(seat).known
    sheet = np.zeros((table.options.players, len(table.game.columns)), np.int16)
    entries(table.game.rules).score(known.states, known.boxes, sheet)
    scores = table.game.scores(known.states, known.boxes, sheet)
    note = Text()
    if getattr(table.options, "tokens", "open") == "hidden":
        scores = (scores[seat],)
        note = Text("The other players' tokens lie face down (P24).")
    return Group(_grid(table, scores, "Current score sheet"), note)


def _grid(table: AnyTable, scores: Sequence[Score], title: str, winners: Sequence[int] = ()) -> Grid:
    grid = Grid(title=title, title_justify="left", header_style="bold")
    grid.add_column("")
    for score in scores:
        crown = " ★" if score.seat in winners else ""
        grid.add_column(f"{table.game.seat_name(score.seat)}{crown}", justify="right", max_width=34)
    for part, first in enumerate(scores[0].parts):
        if not _in_play(table, first):
            continue
        cells = [Text(str(score.parts[part].points), "bold") for score in scores]
        grid.add_row(f"{first.name} ({first.clause})", *cells)
        if len(scores) == 1 or len({score.parts[part].detail for score in scores}) > 1:
            grid.add_row("", *(Text(score.parts[part].detail, "dim") for score in scores))
    grid.add_section()
    grid.add_row("total", *(Text(str(score.total), "bold") for score in scores))
    for name in scores[0].also:
        grid.add_row(name, *(str(score.also[name]) for score in scores))
    return grid


def _in_play(table: AnyTable, part: ScorePart) -> bool:
    """Messengers have their own lines only at tables that play with them."""
    return part.clause not in ("M5", "M6") or bool(getattr(table.options, "messengers", False))
