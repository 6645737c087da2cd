"""`signoria deck`: the cards we play with, and whether your own list can be right."""

from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.common import Json, console, print_json
from signoria.patrician.components import Components, load_deck, standard, write_deck

deck = typer.Typer(
    help="Patrician's cards: show the list, or check your own against all that is known of the box.",
    rich_markup_mode=None,
)

HEADER = """\
# Patrician's 55 cards, a line a city. Every card shows one crest of its city and one thing more:
#   2 a second crest; C captain, L lady, E elder, twice for two portraits; ? take any card; M move.
# * is the star of the cards that are dealt first.
"""


@deck.command()
def show(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A deck file; the standard deck without it.")
    ] = None,
    json: Json = False,
) -> None:
    """Print a deck as a deck file: edit it into the list of your own box."""
    components = load_deck(file) if file else standard()
    if json:
        print_json(components)
    else:
        typer.echo(HEADER + write_deck(components), nl=False)


@deck.command()
def check(file: Annotated[Path, typer.Argument(metavar="FILE", help="A deck file.")], json: Json = False) -> None:
    """Check a deck file against every constraint of docs/components.md."""
    components = load_deck(file)
    if json:
        print_json({"file": str(file), "cards": len(components.cards), "standard": components == standard()})
    else:
        console.print(f"{file}: {summary(components)}", soft_wrap=True)


def summary(components: Components) -> str:
    """A deck that holds, in a sentence."""
    portraits = sum(card.portraits for card in components.cards)
    stars = sum(card.start for card in components.cards)
    same = ", the same as the standard deck" if components == standard() else ""
    return f"{len(components.cards)} cards, {portraits} portraits, {stars} stars: every constraint holds{same}."
