"""`signoria replay`: shows a recorded game turn by turn."""

from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.output import compiling, console
from signoria.cli.score_sheet import score_sheet
from signoria.games import find_game
from signoria.kernel.errors import BadOption, BadRecord
from signoria.kernel.language import say, say_count, to_say, to_say_docstring
from signoria.kernel.record import read_record, read_records
from signoria.kernel.verify import deal_again, make_step
from signoria.kernel.verify import replay as replay_all


@to_say_docstring
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=to_say("A file with one record per line."))],
    game: Annotated[
        int, typer.Option("--game", "-g", min=1, help=to_say("The number of the game in the file, counted from 1."))
    ] = 1,
    brief: Annotated[bool, typer.Option("--brief", help=to_say("Print the moves without drawing the board."))] = False,
) -> None:
    """Show a recorded game by turns or phases, with all cards open, and then its score sheet."""
    lines = list(read_records(file))
    if game > len(lines):
        raise BadOption(
            say_count(
                "game: {file} contains {n} game; there is no game {game}.",
                "game: {file} contains {n} games; there is no game {game}.",
                len(lines),
                file=file,
                game=game,
            )
        )
    try:
        record = read_record(lines[game - 1])
        found = find_game(record.game)
        with compiling():
            replay_all(found, record)
            table = deal_again(found, record)
    except (BadRecord, BadOption) as error:
        raise BadRecord(say("{file}, game {game}: {wrong}", file=file, game=game, wrong=error)) from error
    chapter = ""
    for n in range(len(record.actions)):
        if table.chapter != chapter:
            if chapter and not brief:
                console.print(found.draw(table.open_view()), no_wrap=True, overflow="ellipsis")
            chapter = table.chapter
            console.rule(chapter, align="left", style="dim")
        make_step(table, record, n)
        for event in table.events:
            console.print(f"  {event}", style="bold" if event.clause in found.headlines else None, soft_wrap=True)
    console.print(found.draw(table.open_view()), no_wrap=True, overflow="ellipsis")
    console.print(score_sheet(table))
