"""`signoria bench-server`: measures the speed of the server on this machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from signoria.cli.options import Json
from signoria.cli.output import console, print_json, progress, signs
from signoria.kernel.language import to_say, to_say_docstring


@to_say_docstring
def bench_server(
    tables: Annotated[int, typer.Option(min=2, help=to_say("Live tables, with two viewers each."))] = 500,
    rate: Annotated[float, typer.Option(min=1, help=to_say("Moves sent per second."))] = 300,
    at_once: Annotated[
        int, typer.Option(min=1, help=to_say("Requests in flight when measuring the highest rate."))
    ] = 32,
    seconds: Annotated[float, typer.Option(min=1, help=to_say("Duration of each of the two measurements."))] = 40,
    json: Json = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help=to_say("Also save the figures to this file, as JSON."))
    ] = None,
) -> None:
    """Start a server and measure it: start time, pages, moves per second, memory. Takes about three minutes."""
    from signoria.server.bench.figures import as_table  # here, so that other commands start without it
    from signoria.server.bench.measure import measure

    figures = measure(_working, tables=tables, rate=rate, at_once=at_once, seconds=seconds)
    if save:
        save.write_bytes(msgspec.json.format(msgspec.json.encode(figures)) + b"\n")
    if json:
        print_json(figures)
    else:
        console.print(as_table(figures), soft_wrap=True, end="")


@contextmanager
def _working(what: str, total: float | None) -> Iterator[Callable[[], None]]:
    if not signs.is_terminal:
        signs.print(f"{what} ...")
    with progress(what, None if total is None else int(total)) as bar:
        yield lambda: bar.advance(bar.task_ids[0])
