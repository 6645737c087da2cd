"""`signoria arena`: matches between bots, to find out which one is better."""

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from signoria.arena import ArenaSummary, Setting, hypotheses, run_arena
from signoria.arena.report import write_report
from signoria.arena.setting import PATIENCE
from signoria.arena.words import PAIRINGS, RANKING, pairing_cells, ranking_cells
from signoria.bots import split_names
from signoria.cli.options import NOTHING, GameName, Given, Json, Players, Seed, with_game_options
from signoria.cli.output import INTERRUPTED, compiling, console, print_json, progress, signs
from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.words import counted

SHOWN = 10
"""The most forfeits listed one by one."""


@with_game_options
@to_say_docstring
def arena(
    game: GameName,
    bots: Annotated[
        str, typer.Option(metavar="NAME,NAME[,NAME...]", help=to_say("The bots; every bot plays against every other."))
    ],
    players: Players = None,
    given: Given = NOTHING,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help=to_say("Games per pairing; with --sprt the maximum."))
    ] = 1000,
    seed: Seed = 1,
    patience: Annotated[
        float, typer.Option(help=to_say("A bot that takes longer than this for a decision forfeits (seconds)."))
    ] = PATIENCE,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="fair|P0,P1",
            help=to_say("Test whether the first bot is better than the second: the two win shares to compare."),
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=to_say("Save every game here. Run the same command again to continue.")),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help=to_say("Write a report with charts."))
    ] = None,
    cores: Annotated[
        int | None, typer.Option(min=1, help=to_say("Number of processes; default: one per core."))
    ] = None,
    ray: Annotated[str | None, typer.Option(metavar="auto|ADDRESS", help=to_say("Play on a Ray cluster."))] = None,
    json: Json = False,
) -> int:
    """Play matches between bots on the same deals: win shares, margins, ratings and times, or a test of two bots.

    With three or more players, one bot plays against copies of another, and there are mixed tables.
    """
    players = find_game(game).seats[0] if players is None else players
    setting = Setting.of(game, split_names(bots), seed=seed, patience=patience, players=players, **given)
    shares = hypotheses(sprt, players) if sprt is not None else None
    if report is not None:
        check_folder(report)  # fail before the games, not after them
    command = shlex.join(["signoria", *sys.argv[1:]])
    there = 0
    try:
        with progress("Playing", None) as bar:

            def told(done: int, of: int) -> None:
                nonlocal there
                there = done
                bar.update(bar.task_ids[0], completed=done, total=of)

            summary = run_arena(
                setting,
                games,
                sprt=shares,
                results=results,
                cores=cores,
                ray=ray,
                tell=tell,
                progress=told,
                preparing=compiling(),
            )
    except KeyboardInterrupt:
        if results is None:
            signs.print(
                f"{counted(there, 'game')} played, none saved. Use --results FILE to save them.", soft_wrap=True
            )
        else:
            signs.print(f"{counted(there, 'game')} saved in {results}. To continue: {command}", soft_wrap=True)
        return INTERRUPTED
    if report is not None:
        report.write_text(write_report(summary, command), "utf-8")
    if json:
        print_json(summary)
        return 0
    show(summary)
    return 0


def check_folder(report: Path) -> None:
    """Raise `BadOption` if the report cannot be written."""
    if report.is_dir() or not report.resolve().parent.is_dir():
        raise BadOption(f"report: {report} cannot be written: it is a folder, or its folder does not exist.")


def tell(sentence: str) -> None:
    """Print a message about something unusual as it happens."""
    signs.print(sentence, soft_wrap=True)


def show(summary: ArenaSummary) -> None:
    """Print a summary for people."""
    fair = f"a fair share is {summary.pairings[0].fair:.1%}" if summary.pairings else "none played"
    console.print(grid(f"Pairings ({fair})", 2, PAIRINGS, map(pairing_cells, summary.pairings)))
    console.print()
    console.print(grid("Ranking (ms: thinking time per decision)", 1, RANKING, map(ranking_cells, summary.ranking)))
    for lost in summary.forfeits[:SHOWN]:
        console.print(f"{lost.match}, deal {lost.deal}, rotation {lost.rotation}: {lost.says}", soft_wrap=True)
    if len(summary.forfeits) > SHOWN:
        console.print(f"and {counted(len(summary.forfeits) - SHOWN, 'forfeit')} more; --json lists them all.")
    if summary.sprt is not None:
        console.print(f"\n{summary.sprt}", style="bold", soft_wrap=True)


def grid(title: str, names: int, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Grid:
    """A grid whose first columns contain names and the others numbers."""
    drawn = Grid(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        drawn.add_column(column, justify="left" if number < names else "right", no_wrap=True)
    for row in rows:
        drawn.add_row(*row)
    return drawn
