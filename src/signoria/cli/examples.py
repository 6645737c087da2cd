"""`signoria examples`: copies the example programs that the documents mention."""

from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Annotated

import typer

from signoria.cli.output import console
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say, to_say, to_say_docstring

PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "examples", PACKAGE.parents[1] / "examples")
"""The example programs of an installed package, and those of a checkout."""


@to_say_docstring
def examples(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help=to_say("The folder to write; it must not exist yet."))
    ] = Path("examples"),
) -> None:
    """Copy the example programs into a folder: a bot for servers, agents that search and learn, and a whole game."""
    if folder.exists():
        raise BadOption(say("{folder} already exists. Name another folder.", folder=folder))
    copytree(next(filter(Path.is_dir, PLACES)), folder, ignore=ignore_patterns("__pycache__"))
    for file in sorted(folder.rglob("*.py")):
        console.print(str(file), soft_wrap=True)
