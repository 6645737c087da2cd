"""`signoria simulate`: many games, as records or in a few numbers."""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Annotated, Any, BinaryIO

import numpy as np
import typer
from rich.progress import Progress
from rich.table import Table as Grid

from signoria.batch.cpu import play_chunks
from signoria.batch.summary import Summary
from signoria.bots import BOTS, Quick, Seated, find_bot, find_bots, names_of
from signoria.cli.common import Cores, Json, Seed, compiling, console, print_json, progress, signs
from signoria.cli.options import NOTHING, GameName, Given, Players, wanted, with_game_options
from signoria.games import AnyGame, AnyTable
from signoria.kernel.errors import BadOption
from signoria.kernel.game import Options
from signoria.kernel.table import Table
from signoria.kernel.words import counted

BAR = 40


@with_game_options
def simulate(
    game: GameName,
    players: Players = None,
    given: Given = NOTHING,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: Seed = 1,
    bots: Annotated[
        str, typer.Option(metavar="NAME[,NAME...]", help="Who plays: one for all seats, or one a seat.")
    ] = "random",
    records: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write every game as a record; - for standard output.")
    ] = None,
    cores: Cores = None,
    json: Json = False,
) -> None:
    """Play many games between bots, write their records or sum them up.

    Recorded games are dealt by the fair shuffle; others by a quick generator, millions of decisions a second.
    """
    found, options, own = wanted(game, players, given)
    players = options.players
    seated, names = find_bots(bots, players), names_of(bots, players)
    components = found.components(options, own)
    if json and records == "-":
        raise BadOption("records: - and --json both want standard output; name a file for the records.")
    summary = Summary(found, players)
    with compiling(), progress("Playing", games) as bar:
        ours = set(names) <= set(BOTS)  # what others wrote is checked step by step, at tables
        if records is None and ours and len(set(names)) == 1 and isinstance(seated[0], Quick):
            boxes, choose = found.box(options, components), seated[0].chooser(found)
            for played in play_chunks(found, boxes, games, seed, cores or os.cpu_count() or 1, choose=choose):
                summary.add(played.sheets, played.first, played.decisions)
                bar.advance(bar.task_ids[0], played.games)
        else:
            with open_records(records) as file:
                play_tables(found, options, components, names, games, seed, file, summary, bar)
    if json:
        print_json({"game": game, "options": options} | summary.to_dict())
    elif records == "-":
        pass
    else:
        show(summary)
        if records:
            signs.print(f"{counted(games, 'record')} in {records}")


def play_tables(
    game: AnyGame,
    options: Options,
    components: Any,
    names: list[str],
    games: int,
    seed: int,
    file: BinaryIO | None,
    summary: Summary,
    bar: Progress,
) -> None:
    """Play games at tables: game k of a seed is always dealt and played the same way."""
    for k in range(games):
        own_seed = hashlib.sha256(f"signoria/simulate/{seed}/{k}".encode()).digest()
        table: AnyTable = Table(game, options, components, own_seed, ("",) * options.players)
        seats = [
            Seated(f"{name} (seat {seat})", find_bot(name), Random(f"{seed}/{k}/{seat}"))
            for seat, name in enumerate(names)
        ]
        while (seat := table.turn) is not None:
            table.make(seats[seat].decide(table.view(seat)), seat)
        for seated in seats:
            if seated.forfeit:
                signs.print(f"Game {k + 1}: {seated.forfeit} {seated.detail}", soft_wrap=True)
        summary.add(table.sheet()[None], np.array([table.steps[0].seat]), len(table.steps))
        if file is not None:
            file.write(table.record.to_json() + b"\n")
        bar.advance(bar.task_ids[0])


@contextmanager
def open_records(name: str | None) -> Iterator[BinaryIO | None]:
    """Where records go. A file appears under its name only once it is whole."""
    if name is None:
        yield None
        return
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name).resolve()
    if path.is_dir() or not name:
        raise BadOption(f"records: {name!r} is a folder; name a file, or - for standard output.")
    partial = path.with_name(f".signoria-{os.getpid()}.part")
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
        partial = path
    try:
        with partial.open("wb") as file:
            yield file
        if partial != path:
            partial.replace(path)
    except OSError as error:
        raise BadOption(f"records: {name} cannot be written ({error.strerror}).") from error
    finally:
        if partial != path:
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def show(summary: Summary) -> None:
    """A summary for people: who wins, with how much of what, and how points spread."""
    numbers = summary.to_dict()
    per_game = summary.decisions / summary.games
    shared = f"{summary.shared:,} shared {'victory' if summary.shared == 1 else 'victories'}"
    console.print(f"{counted(summary.games, 'game')}, {per_game:.1f} decisions a game, {shared}", style="bold")
    seats = numbers["by_turn_order"]
    parts = [name for name in summary.columns[: summary.columns.index("total")] if any(seat[name] for seat in seats)]
    grid = Grid(box=None, pad_edge=False)
    for name in ("turn order", "wins", "points", "spread", *parts):
        grid.add_column(name, justify="right", style="bold" if name == "points" else None)
    for turn, seat in enumerate(seats, 1):
        means = (f"{seat[name]:.2f}" for name in ("total", "spread", *parts))
        grid.add_row(str(turn), f"{seat['win_share']:.1%}", *means)
    console.print(grid)
    console.print("\nFinal points", style="bold")
    histogram = summary.histogram()
    most = max(count for _, count in histogram)
    for points, count in histogram:
        share = count / (summary.games * summary.players)
        console.print(f"{points:>12} {'█' * round(BAR * count / most)} {share:.1%}")
