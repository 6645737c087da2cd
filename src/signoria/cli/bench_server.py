"""`signoria bench-server`: how fast the house is here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from signoria.cli.options import Json
from signoria.cli.output import console, print_json, progress, signs


def bench_server(
    tables: Annotated[int, typer.Option(min=2, help="Live tables, two viewers each.")] = 500,
    rate: Annotated[float, typer.Option(min=1, help="Steps a second that are sent.")] = 300,
    at_once: Annotated[int, typer.Option(min=1, help="Steps on their way, for the most there can be.")] = 32,
    seconds: Annotated[float, typer.Option(min=1, help="How long each of the two is measured.")] = 40,
    json: Json = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the figures there too, as JSON.")] = None,
) -> None:
    """Measure a server of its own on this machine: start, pages, steps a second, memory. Takes about three minutes."""
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
