"""`signoria deck`: shows the list of components, and checks your own list."""

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.options import GameOrFirst, Json
from signoria.cli.output import console, print_json
from signoria.games import GAMES, find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say, to_say, to_say_docstring
from signoria.kernel.own_components import OwnComponents
from signoria.kernel.printed import read_own

WITH_LISTS: dict[str, OwnComponents] = {
    name: game.own_components for name, game in GAMES.items() if game.own_components is not None
}
"""Games whose components can be listed in a file."""
FIRST = next(iter(WITH_LISTS), "")

deck = typer.Typer(
    help=to_say(
        "Cards and other components of a game: show the list, or check your own list against the published facts."
    ),
    rich_markup_mode=None,
)


@deck.command()
@to_say_docstring
def show(game: GameOrFirst = FIRST, json: Json = False) -> None:
    """Print the components of a game. Save the output and edit it to make your own list."""
    if find_game(game).name not in WITH_LISTS:
        raise BadOption(
            say(
                "game: {game} has no list of components. Games with a list: {games}.",
                game=game,
                games=", ".join(WITH_LISTS),
            )
        )
    own = WITH_LISTS[game]
    print_json(own.standard()) if json else typer.echo(own.heading + own.write(own.standard()), nl=False)


@deck.command()
@to_say_docstring
def design(game: GameOrFirst = FIRST) -> None:
    """Print the components file of a game: every printed figure. Change a copy and see what `signoria lab` says."""
    try:
        file = resources.files(find_game(game).package).joinpath("components.toml")
        typer.echo(file.read_text("utf-8"), nl=False)
    except FileNotFoundError as error:
        raise BadOption(f"game: {game} has no components file.") from error


@deck.command()
@to_say_docstring
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=to_say("Your list of components."))],
    json: Json = False,
) -> None:
    """Check a list against every constraint in docs/components.md. The game is recognised from the lines of the file."""
    text = read_own(file)
    game = next((name for name, own in WITH_LISTS.items() if own.recognises(text)), None)
    if game is None:
        games = ", ".join(WITH_LISTS)
        raise BadOption(say("file: {file} is not a list of components of {games}.", file=file, games=games))
    own = WITH_LISTS[game]
    components = own.read(text, str(file))
    holds, standard = own.summary(components), components == own.standard()
    if json:
        print_json({"file": str(file), "game": game, "holds": holds, "standard": standard})
    else:
        told = {"file": file, "holds": holds}
        if standard:
            says = say("{file}: {holds}: every constraint holds, and it equals the standard list.", **told)
        else:
            says = say("{file}: {holds}: every constraint holds.", **told)
        console.print(says, soft_wrap=True)
