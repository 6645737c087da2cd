"""`signoria play`: a person against bots, in the terminal."""

import shlex
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from signoria.bots import split_names
from signoria.bots.runner import warm_up
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
from signoria.cli.output import compiling, console, say
from signoria.cli.play.saved_game import load
from signoria.cli.play.session import PlaySession
from signoria.cli.score_sheet import score_sheet
from signoria.kernel.errors import BadOption
from signoria.kernel.language import say as translate
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.table import open_game, seed_bytes

OPPONENT = "muratore"
ADVISER = "search:0.5s"


@with_game_options
@to_say_docstring
def play(
    game: GameOrFirst = FIRST_GAME,
    players: Players = None,
    given: Given = NOTHING,
    seed: Dealt = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME...]", help=to_say("Your opponents: one bot for all other seats, or one per seat.")
        ),
    ] = OPPONENT,
    seat: Annotated[int, typer.Option(min=0, help=to_say("Your seat, counted from 0."))] = 0,
    adviser: Annotated[str, typer.Option(metavar="NAME", help=to_say("The bot that advises you."))] = ADVISER,
    pause: Annotated[
        float, typer.Option(min=0, max=LONGEST_PAUSE, help=to_say("Seconds to wait after each bot's turn."))
    ] = 0.5,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help=to_say("Save the game to this file, to continue it later."))
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=to_say("Continue a saved game, with the same table, bots and seats.")),
    ] = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help=to_say("Write the record of the finished game."))
    ] = None,
) -> None:
    """Play against bots in the terminal. Type ? for help, h for a hint and u to undo."""
    for name, path in (("save", save), ("record", None if record is None else Path(record))):
        if path is not None and path != resume:
            check_new(name, path)
    prepare_input()
    if resume is not None:
        with compiling():
            table, saved = load(resume)
        own_seed, save = seed_bytes(saved.record.seed), save or resume
        session = PlaySession(table, saved.seat, saved.bots, saved.adviser, own_seed, save, pause)
    else:
        found, options, own = wanted(game, players, given)
        players = options.players
        if seat >= players:
            raise BadOption(
                translate("seat: there is no seat {seat}. Seats are 0 to {players}.", seat=seat, players=players - 1)
            )
        names = opponents(bots, players)
        own_seed = read_seed(seed)
        table = open_game(found, msgspec.to_builtins(options), seed=own_seed, own=own)
        session = PlaySession(table, seat, names, adviser, own_seed, save, pause)
    session.save()
    with compiling():
        # Not the adviser: compiling the search takes a while, and many games need no advice.
        warm_up(open_game(table.game, msgspec.to_builtins(table.options), seed=0), session.bots)
    session.greet()
    try:
        over = session.go_on()
    except KeyboardInterrupt:
        console.print()
        over = False
    if over:
        finish(session, record)
    else:
        leave(session, save)


def prepare_input() -> None:
    """Enable line editing if the system supports it, and replace invalid input instead of failing."""
    with suppress(ImportError):
        import readline  # noqa: F401  # importing it changes `input`
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def check_new(name: str, path: Path) -> None:
    """Check before the game that a file can be written after it; raises `BadOption`."""
    if path.exists():
        raise BadOption(
            translate(
                "{name}: {path} already exists. Name another file, or continue a saved game with --resume.",
                name=name,
                path=path,
            )
        )
    if not path.resolve().parent.is_dir():
        raise BadOption(
            translate("{name}: {path} cannot be written because its folder does not exist.", name=name, path=path)
        )


def opponents(bots: str, players: int) -> tuple[str, ...]:
    """The names of the bots in the other seats; raises `BadOption`."""
    names = split_names(bots)
    if len(names) == 1:
        names *= players - 1
    if len(names) != players - 1:
        raise BadOption(
            translate(
                "bots: you named {count}. Name one bot for all other seats, or {players}, one per seat.",
                count=len(names),
                players=players - 1,
            )
        )
    return tuple(names)


def finish(session: PlaySession, record: str | None) -> None:
    """Show the final table, the score sheet and the seed, and write the record."""
    table = session.table
    session.draw()
    console.print(score_sheet(table))
    outcome = table.outcome
    if outcome and session.seat in outcome.winners:
        say(
            "\n" + (translate("You have won!") if len(outcome.winners) == 1 else translate("You share the victory!")),
            "bold",
        )
    console.print(translate("Dealt from seed {seed}", seed=table.seed), style="dim", soft_wrap=True)
    if record is not None:
        Path(record).write_bytes(table.record.to_json() + b"\n")
        console.print(
            "  " + translate("The record is in {record}. `signoria replay` shows it.", record=record), soft_wrap=True
        )


def leave(session: PlaySession, save: Path | None) -> None:
    """Print how to continue the game."""
    session.save()
    if save is None:
        say(translate("Goodbye. This game was not saved. Use --save FILE to save a game."))
    else:
        say(translate("Goodbye. To continue the game, run:"))
        console.print(f"    signoria play --resume {shlex.quote(str(save))}", soft_wrap=True)
        say(translate("The file contains the seed and therefore all cards. Do not read it before the game is over."))
    sys.stdout.flush()
