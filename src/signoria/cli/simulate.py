"""`signoria simulate`: plays many games and prints statistics or writes records."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.table import Table as Grid

from signoria.batch.cpu import play_chunks
from signoria.batch.summary import SeriesSummary
from signoria.bots import names_of
from signoria.bots.simulation import Simulation
from signoria.cli.options import NOTHING, Cores, GameName, Given, Json, Players, Seed, wanted, with_game_options
from signoria.cli.output import compiling, console, print_json, progress, signs
from signoria.kernel.errors import BadOption
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.words import counted

BAR = 40
GPU_GAMES = 1 << 20
"""Games that a GPU plays before the progress bar moves."""


@with_game_options
@to_say_docstring
def simulate(
    game: GameName,
    players: Players = None,
    given: Given = NOTHING,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help=to_say("Number of games."))] = 1000,
    seed: Seed = 1,
    bots: Annotated[
        str, typer.Option(metavar="NAME[,NAME...]", help=to_say("The bots: one for all seats, or one per seat."))
    ] = "random",
    records: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=to_say("Write a record of every game to this file; - for standard output.")),
    ] = None,
    cores: Cores = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help=to_say("Play on the GPU, with the bots random and greedy only."))
    ] = False,
    json: Json = False,
) -> None:
    """Play many games between bots; print statistics or write records.

    The same seed plays the same games with and without records.
    """
    found, options, own = wanted(game, players, given)
    players = options.players
    names = names_of(bots, players)
    simulation = Simulation(found, options, found.components(options, own), names, seed)
    if json and records == "-":
        raise BadOption("records: - and --json both use standard output. Name a file for the records.")
    if gpu and records is not None:
        raise BadOption("records: games on a GPU have no records. Leave --gpu or --records out.")
    summary = SeriesSummary(found, players)
    with compiling(), progress("Playing", games) as bar:
        if gpu:
            series = simulation.on_gpu()
            for start in range(0, games, GPU_GAMES):
                series.add_to(summary, start, min(GPU_GAMES, games - start))
                bar.advance(bar.task_ids[0], min(GPU_GAMES, games - start))
        elif records is None and simulation.series is not None:
            for chunk in play_chunks(simulation.series.play, games, cores or os.cpu_count() or 1):
                summary.add(chunk.sheets, chunk.first, chunk.decisions)
                bar.advance(bar.task_ids[0], chunk.games)
        else:
            with open_records(records) as file:
                for number in range(games):
                    finished = simulation.play(number)
                    for forfeit in finished.forfeits:
                        signs.print(f"Game {number + 1}: {forfeit}", soft_wrap=True)
                    chunk = finished.chunk
                    summary.add(chunk.sheets, chunk.first, chunk.decisions)
                    if file is not None:
                        file.write(finished.table.record.to_json() + b"\n")
                    bar.advance(bar.task_ids[0])
    if json:
        print_json({"game": game, "options": options} | summary.to_dict())
    elif records == "-":
        pass
    else:
        show(summary)
        if records:
            signs.print(f"{counted(games, 'record')} in {records}")


@contextmanager
def open_records(name: str | None) -> Iterator[BinaryIO | None]:
    """Open the output for records. A file appears under its name only when it is complete."""
    if name is None:
        yield None
        return
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name).resolve()
    if path.is_dir() or not name:
        raise BadOption(f"records: {name!r} is a folder. Name a file, or - for standard output.")
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


def show(summary: SeriesSummary) -> None:
    """Print statistics: wins, points by source, and the distribution of points."""
    numbers = summary.to_dict()
    per_game = summary.decisions / summary.games
    shared = f"{summary.shared:,} shared {'victory' if summary.shared == 1 else 'victories'}"
    console.print(f"{counted(summary.games, 'game')}, {per_game:.1f} decisions per game, {shared}", style="bold")
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
