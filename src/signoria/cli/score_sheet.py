"""A score sheet drawn for the terminal."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from signoria.games import AnyTable
from signoria.kernel.language import all_of, say
from signoria.kernel.scores import Score


def score_sheet(table: AnyTable) -> Group:
    """Every part of every seat's score with its clause, and the winner with the reason."""
    outcome = table.outcome
    verdict = Text()
    if outcome:
        names = all_of([table.game.seat_name(seat) for seat in outcome.winners])
        if len(outcome.winners) > 1:
            verdict = Text(say("{players} win: {reason}.", players=names, reason=outcome.reason))
        else:
            verdict = Text(say("{player} wins: {reason}.", player=names, reason=outcome.reason))
    winners = outcome.winners if outcome else ()
    return Group(_grid(table, table.scores, say("Score sheet"), winners), verdict)


def score_so_far(table: AnyTable, seat: int) -> Group:
    """The score sheet as it stands, made from what a seat knows; without the others where theirs are hidden."""
    scores = table.game.scores(table.view(seat).known)
    hidden = table.game.hidden_scores(table.options)
    if hidden:
        scores = (scores[seat],)
    note = Text(f"{hidden.says} ({hidden.clause}).") if hidden else Text()
    return Group(_grid(table, scores, say("Current score sheet")), note)


def _grid(table: AnyTable, scores: Sequence[Score], title: str, winners: Sequence[int] = ()) -> Grid:
    grid = Grid(title=title, title_justify="left", header_style="bold")
    grid.add_column("")
    for score in scores:
        crown = " ★" if score.seat in winners else ""
        grid.add_column(f"{table.game.seat_name(score.seat)}{crown}", justify="right", max_width=34)
    unused = table.game.unused_parts(table.options)
    for part, first in enumerate(scores[0].parts):
        if first.clause in unused:
            continue
        cells = [Text(str(score.parts[part].points), "bold") for score in scores]
        grid.add_row(f"{table.game.texts.say(first.name)} ({first.clause})", *cells)
        if len(scores) == 1 or len({score.parts[part].detail for score in scores}) > 1:
            grid.add_row("", *(Text(score.parts[part].detail, "dim") for score in scores))
    grid.add_section()
    grid.add_row(say("total"), *(Text(str(score.total), "bold") for score in scores))
    for name in scores[0].also:
        grid.add_row(table.game.texts.say(name), *(str(score.also[name]) for score in scores))
    return grid
