"""`signoria calibrate`: whether bots win as often as they say they will."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer

from signoria.arena import Setting
from signoria.arena.calibration import WANTED, Calibration, Stated, calibrate, play_stating
from signoria.arena.setting import PATIENCE
from signoria.bots.weights import card_for, read_card, write_card
from signoria.cli.arena import grid
from signoria.cli.options import NOTHING, GameName, Given, Json, Players, Seed, with_game_options
from signoria.cli.output import INTERRUPTED, compiling, console, print_json, progress
from signoria.games import find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say, to_say, to_say_docstring

OTHER = "random"
"""Never plays: a setting needs two bots."""


@with_game_options
@to_say_docstring
def calibrate_command(
    game: GameName,
    players: Players = None,
    given: Given = NOTHING,
    bot: Annotated[str, typer.Option(help=to_say("The bot that plays all seats."))] = "net:0.02s",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help=to_say("Number of games."))] = 100,
    seed: Seed = 1,
    note: Annotated[
        bool, typer.Option("--note", help=to_say("Write to the card of the network how sure its statements should be."))
    ] = False,
    json: Json = False,
) -> int:
    """Play games between equal bots, and compare the chances to win that they state with the results.

    The exit status is 0 if the mean deviation is within 3 percentage points, and 1 otherwise.
    """
    players = find_game(game).seats[0] if players is None else players
    setting = Setting.of(game, [bot, OTHER], seed=seed, patience=PATIENCE, players=players, **given)
    own = bot.partition(":")[0] == "net" and "@" not in bot  # with @FOLDER it plays with networks of another folder
    card = card_for(setting.open(0).position) if note and own else None
    if note and card is None:
        raise BadOption(
            say("--note: {bot} does not play with the network for this table, so its card stays as it is.", bot=bot)
        )

    def played() -> Iterator[list[Stated]]:
        with progress("Playing", games) as bar:
            for number in range(games):
                yield play_stating(setting.open(number), bot, f"signoria/calibrate/{seed}/{number}")
                bar.update(bar.task_ids[0], advance=1)

    try:
        with compiling():
            found = calibrate(played())
    except KeyboardInterrupt:
        return INTERRUPTED
    if card is not None:
        was = read_card(card)
        write_card(card, msgspec.structs.replace(was, certainty=round(was.certainty * found.certainty, 2)))
    if json:
        print_json(found)
    else:
        show(found)
    return 0 if found.deviation <= WANTED else 1


def show(found: Calibration) -> None:
    """Print a table for people."""
    rows = [
        (f"{one.stated:.1%}", f"{one.won:.1%}", f"{one.positions:,}", f"{one.games:,}")
        for one in sorted(found.groups, key=lambda one: one.stated)
    ]
    console.print(grid("Chances to win", 0, ("stated", "won", "decisions", "games"), rows))
    console.print(
        f"Stated chances are off by {found.deviation:.1f} percentage points on average, in {found.games:,} games;"
        f" {WANTED:g} or less are wanted. To the power of {found.certainty:g} they would fit best.",
        soft_wrap=True,
    )
