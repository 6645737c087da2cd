"""`signoria deck`: the components we play with, and whether your own list can be right."""

from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.common import Json, console, print_json
from signoria.games.il_principe.rulebook import components as il_principe
from signoria.games.patrician.rulebook import components as patrician
from signoria.kernel.errors import BadOption
from signoria.kernel.printed import read_own

deck = typer.Typer(
    help="Cards of Patrician and cities of Il Principe: show the list, or check your own against all that is known.",
    rich_markup_mode=None,
)

CARDS = """\
# Patrician's 55 cards, a line a city. Every card shows one crest of its city and one thing more:
#   2 a second crest; C captain, L lady, E elder, twice for two portraits; ? take any card; M move.
# * is the star of the cards that are dealt first.
"""
CITIES = """\
# Il Principe's 15 cities, a line each: city | ducats | building cards | points | crests | regions
"""


@deck.command()
def show(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="patrician or il-principe.")] = "patrician",
    json: Json = False,
) -> None:
    """Print a game's components as a file: edit it into the list of your own box."""
    match game:
        case "patrician":
            cards = patrician.standard()
            print_json(cards) if json else typer.echo(CARDS + patrician.write_deck(cards), nl=False)
        case "il-principe":
            cities = il_principe.standard()
            print_json(cities) if json else typer.echo(CITIES + il_principe.write_cities(cities), nl=False)
        case _:
            raise BadOption(f"game: there is no {game!r}; there is patrician, il-principe.")


@deck.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card list or a city table.")], json: Json = False
) -> None:
    """Check a file against every constraint of docs/components.md; a line with | in it makes it a city table."""
    text = read_own(file)
    game = "il-principe" if "|" in text else "patrician"
    if game == "patrician":
        deck = patrician.read_deck(text, str(file))
        portraits, stars = sum(card.portraits for card in deck.cards), sum(card.start for card in deck.cards)
        what, standard = f"{len(deck.cards)} cards, {portraits} portraits, {stars} stars", deck == patrician.standard()
    else:
        cities = il_principe.read_cities(text, str(file))
        what, standard = f"{len(cities.cities)} cities", cities == il_principe.standard()
    if json:
        print_json({"file": str(file), "game": game, "holds": what, "standard": standard})
    else:
        same = ", the same as the standard one" if standard else ""
        console.print(f"{file}: {what}: every constraint holds{same}.", soft_wrap=True)
