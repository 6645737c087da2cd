"""`signoria demo`: a game between bots, drawn as it goes."""

import time
from random import Random
from typing import Annotated

import msgspec
import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from signoria.bots import Budget, Seated, find_bot, find_bots, names_of
from signoria.cli.common import LONGEST_PAUSE, Dealt, compiling, console, read_seed, signs
from signoria.cli.options import FIRST_GAME, NOTHING, GameOrFirst, Given, Players, wanted, with_game_options
from signoria.cli.scores import score_sheet
from signoria.kernel.table import open_game

TALES = 6


@with_game_options
def demo(
    game: GameOrFirst = FIRST_GAME,
    players: Players = None,
    given: Given = NOTHING,
    seed: Dealt = None,
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME...]", help="Who plays.")] = "muratore",
    pause: Annotated[float, typer.Option(min=0, max=LONGEST_PAUSE, help="Seconds between steps, on a terminal.")] = 0.1,
) -> None:
    """Play a game between bots in the terminal, and print its score sheet."""
    found, options, own = wanted(game, players, given)
    players = options.players
    names = names_of(bots, players)
    table = open_game(found, msgspec.to_builtins(options), seed=read_seed(seed), own=own)
    seats = [
        Seated(f"{found.seat_name(seat)} ({names[seat]})", bot, Random(f"{table.commitment}/{seat}"))
        for seat, bot in enumerate(find_bots(bots, players))
    ]
    tales: list[str] = []
    with compiling():
        for name in set(names):  # before anybody watches
            Seated(name, find_bot(name), Random(0), Budget(iterations=1)).decide(table.view(table.turn))
        table.apply(table.legal[0])
        table.undo()
    with Live(console=console, auto_refresh=False, vertical_overflow="crop", transient=True) as live:
        while (seat := table.turn) is not None:
            events = table.apply(seats[seat].decide(table.view(seat)), seat)
            tales = [*tales, *map(str, events)][-TALES:]
            if console.is_terminal:
                live.update(Group(Text("\n".join(tales)), found.draw(table.view())), refresh=True)
                time.sleep(pause)
    for seated in seats:
        if seated.forfeit:
            signs.print(f"{seated.forfeit} {seated.detail}", soft_wrap=True)
    console.print(table, no_wrap=True, overflow="ellipsis")
    console.print(score_sheet(table))
    console.print(f"\nDealt from seed {table.seed}", style="dim", soft_wrap=True)
