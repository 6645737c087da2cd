"""`signoria bench`: measures the speed of the rules on this machine."""

import os
import platform
from time import perf_counter
from typing import Annotated, Any

import typer

from signoria.batch.gpu import name_of_gpu
from signoria.batch.measure import COMPARED, copy_nanoseconds, cores_speed, gpu_speed
from signoria.bots.measure import iterations_a_second
from signoria.cli.options import NOTHING, GameName, Given, Json, Players, wanted, with_game_options
from signoria.cli.output import compiling, console, print_json, signs
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.shuffle import SEED_BYTES
from signoria.kernel.table import Table
from signoria.kernel.words import counted


@with_game_options
@to_say_docstring
def bench(
    game: GameName,
    players: Players = None,
    given: Given = NOTHING,
    cores: Annotated[int, typer.Option(min=1, help=to_say("Number of cores to use."))] = 1,
    gpu: Annotated[
        bool, typer.Option("--gpu", help=to_say("Measure on the GPU, and compare with the CPU byte for byte."))
    ] = False,
    json: Json = False,
) -> None:
    """Measure whole random games on the CPU or the GPU, and the search from the opening position on one core."""
    found, options, own = wanted(game, players, given)
    players = options.players
    components = found.components(options, own)
    boxes = found.box(options, components)
    figures: dict[str, Any] = {"game": game, "players": players}
    started = perf_counter()
    with compiling():
        figures["machine"] = name_of_gpu() if gpu else f"{platform.machine()}, {os.cpu_count()} cores"
        if gpu:
            with signs.status("Playing on the GPU ..."):
                speed = gpu_speed(found, boxes)
            figures["equal_to_cpu"] = COMPARED
        else:
            cores_speed(found, boxes, 1, games=1000)
            figures["ready_after_seconds"] = perf_counter() - started
            with signs.status(f"Playing on {counted(cores, 'core')} ..."):
                alone = cores_speed(found, boxes, 1)
                speed = cores_speed(found, boxes, cores) if cores > 1 else alone
            figures["search_iterations_per_second"] = iterations_a_second(
                Table(found, options, components, bytes(SEED_BYTES), ("",) * players)
            )
            figures["cores"] = cores
            if cores > 1:
                figures["times_one_core"] = speed.decisions_per_second / alone.decisions_per_second
    figures |= speed._asdict()
    figures["state_bytes"] = found.state.itemsize
    figures["copy_nanoseconds"] = copy_nanoseconds(found)
    if json:
        print_json(figures)
        return
    for name, value in figures.items():
        shown = (
            f"{value:,.0f}"
            if isinstance(value, float) and value >= 100
            else f"{value:.2f}"
            if isinstance(value, float)
            else value
        )
        console.print(f"{name.replace('_', ' '):<24} {shown}")
