"""`signoria deck`: shows the list of components, and checks your own list."""

from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.options import GameOrFirst, Json
from signoria.cli.output import console, print_json
from signoria.games import GAMES, find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.own import OwnComponents
from signoria.kernel.printed import read_own

WITH_LISTS: dict[str, OwnComponents] = {
    name: game.own_components for name, game in GAMES.items() if game.own_components is not None
}
"""Games whose components can be listed in a file."""
FIRST = next(iter(WITH_LISTS), "")

deck = typer.Typer(
    help="Cards and other components of a game: show the list, or check your own list against the published facts.",
    rich_markup_mode=None,
)


@deck.command()
def show(game: GameOrFirst = FIRST, json: Json = False) -> None:
    """Print the components of a game. Save the output and edit it to make your own list."""
    if find_game(game).name not in WITH_LISTS:
        raise BadOption(f"game: {game} has no list of components. Games with a list: {', '.join(WITH_LISTS)}.")
    own = WITH_LISTS[game]
    print_json(own.standard()) if json else typer.echo(own.heading + own.write(own.standard()), nl=False)


@deck.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Your list of components.")],
    json: Json = False,
) -> None:
    """Check a list against every constraint in docs/components.md. The game is recognised from the lines of the file."""
    text = read_own(file)
    game = next((name for name, own in WITH_LISTS.items() if own.recognises(text)), None)
    if game is None:
        raise BadOption(f"file: {file} is not a list of components of {', '.join(WITH_LISTS)}.")
    own = WITH_LISTS[game]
    components = own.read(text, str(file))
    holds, standard = own.summary(components), components == own.standard()
    if json:
        print_json({"file": str(file), "game": game, "holds": holds, "standard": standard})
    else:
        same = ", and it equals the standard list" if standard else ""
        console.print(f"{file}: {holds}: every constraint holds{same}.", soft_wrap=True)
