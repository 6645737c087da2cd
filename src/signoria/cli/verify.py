"""`signoria verify`: checks records by replaying and scoring them again."""

from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.options import Json
from signoria.cli.output import compiling, console, print_json, progress
from signoria.games import from_record
from signoria.kernel.errors import BadRecord
from signoria.kernel.language import say as translate
from signoria.kernel.language import say_count, to_say, to_say_docstring
from signoria.kernel.record import read_records

WRONG = 1


@to_say_docstring
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=to_say("Files with one record per line."))],
    json: Json = False,
) -> int:
    """Replay and score records again, and report the first error in each. Status 1 if any record is wrong."""
    wrong: list[dict[str, str | int]] = []
    games = 0
    for file in files:
        lines = list(read_records(file))
        if not lines:
            raise BadRecord(translate("{file}: contains no record.", file=file))
        with compiling(), progress(translate("Verifying {file}", file=file.name), len(lines)) as bar:
            for number, line in enumerate(lines, 1):
                try:
                    from_record(line)
                except BadRecord as error:
                    wrong.append({"file": str(file), "game": number, "wrong": str(error)})
                bar.advance(bar.task_ids[0])
        games += len(lines)
    if json:
        print_json({"games": games, "wrong": wrong})
    else:
        for found in wrong:
            console.print(translate("{file}, game {game}: {wrong}", **found), soft_wrap=True)
        if wrong:
            says = say_count(
                "{n} game verified, {wrong} wrong.", "{n} games verified, {wrong} wrong.", games, wrong=len(wrong)
            )
        else:
            says = say_count("{n} game verified, all right.", "{n} games verified, all right.", games)
        console.print(says)
    return WRONG if wrong else 0
