"""`signoria print`: rules, score sheets and player aids as PDF."""

from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.options import GameName
from signoria.cli.output import console
from signoria.games import find_game
from signoria.kernel.language import language, say, to_say, to_say_docstring


@to_say_docstring
def print_documents(
    game: GameName,
    what: Annotated[str, typer.Option(help=to_say("What to print: rules, score-sheet or player-aid."))] = "rules",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=to_say("The PDF to write; its name is made from the game by default.")),
    ] = None,
) -> None:
    """Write the rules, a score sheet or a player aid as PDF, in the language of --language. Needs signoria[print]."""
    from signoria.web.printing.documents import make_pdf

    name = find_game(game).name
    file = out or Path(f"{name}-{what}-{language()}.pdf")
    made = make_pdf(name, what)
    file.write_bytes(made)
    console.print(say("Wrote {file}.", file=file), soft_wrap=True)
