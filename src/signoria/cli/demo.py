"""`signoria demo`: shows a game between bots."""

import time
from typing import Annotated

import msgspec
import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from signoria.bots import names_of
from signoria.bots.runner import play, seat_bots, warm_up
from signoria.cli.options import (
    FIRST_GAME,
    LONGEST_PAUSE,
    NOTHING,
    Dealt,
    GameOrFirst,
    Given,
    Players,
    read_seed,
    wanted,
    with_game_options,
)
from signoria.cli.output import compiling, console, signs
from signoria.cli.score_sheet import score_sheet
from signoria.kernel.language import say as translate
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.table import open_game

TALES = 6


@with_game_options
@to_say_docstring
def demo(
    game: GameOrFirst = FIRST_GAME,
    players: Players = None,
    given: Given = NOTHING,
    seed: Dealt = None,
    bots: Annotated[
        str, typer.Option(metavar="NAME[,NAME...]", help=to_say("The bots: one for all seats, or one per seat."))
    ] = "muratore",
    pause: Annotated[
        float, typer.Option(min=0, max=LONGEST_PAUSE, help=to_say("Seconds between moves, on a terminal."))
    ] = 0.1,
) -> None:
    """Play a game between bots in the terminal, and print its score sheet."""
    found, options, own = wanted(game, players, given)
    players = options.players
    names = names_of(bots, players)
    table = open_game(found, msgspec.to_builtins(options), seed=read_seed(seed), own=own)
    seats = seat_bots(dict(enumerate(names)), table.commitment, lambda seat, name: f"{found.seat_name(seat)} ({name})")
    tales: list[str] = []
    with compiling():
        warm_up(table.copy(), names)  # before the game is shown
    with Live(console=console, auto_refresh=False, vertical_overflow="crop", transient=True) as live:
        for _ in play(table, seats):
            tales = [*tales, *map(str, table.events)][-TALES:]
            if console.is_terminal:
                live.update(Group(Text("\n".join(tales)), found.draw(table.view())), refresh=True)
                time.sleep(pause)
    for seated in seats.values():
        if seated.forfeit:
            signs.print(f"{seated.forfeit} {seated.detail}", soft_wrap=True)
    console.print(table, no_wrap=True, overflow="ellipsis")
    console.print(score_sheet(table))
    console.print("\n" + translate("Dealt from seed {seed}", seed=table.seed), style="dim", soft_wrap=True)
