"""`signoria soak`: the reliability campaign."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer
from rich.table import Table

from signoria.cli.options import Json
from signoria.cli.output import INTERRUPTED, console, print_json, progress, signs
from signoria.kernel.errors import BadOption
from signoria.kernel.language import to_say, to_say_docstring

if TYPE_CHECKING:
    from signoria.soak.report import FaultRow

FAILED = 1
DATABASES = {"sqlite": ("sqlite",), "postgresql": ("postgresql",), "both": ("sqlite", "postgresql")}


@to_say_docstring
def soak(
    faults: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FAULT...]",
            help=to_say("The faults: kill, failover, clients, disk, time, greedy, crowd, fuzz, secrets; default: all."),
        ),
    ] = None,
    scale: Annotated[
        float, typer.Option(min=0.0001, max=10, help=to_say("1 is the full volume, which takes hours."))
    ] = 0.1,
    minutes: Annotated[
        float | None, typer.Option(min=0.1, help=to_say("Stop after this time, which the faults share."))
    ] = None,
    database: Annotated[
        Literal["sqlite", "postgresql", "both"],
        typer.Option(metavar="sqlite|postgresql|both", help=to_say("The databases to test.")),
    ] = "both",
    postgres: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help=to_say("A PostgreSQL server on which databases can be created; default: start one.")
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help=to_say("The same seed makes the same choices."))] = None,
    json: Json = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=to_say("Save the report there as JSON, with the rows of earlier runs.")),
    ] = None,
) -> int:
    """Start a server, break it on purpose and check that nothing is lost. Takes about an hour; status 1 on failure."""
    from signoria.soak.campaign import FAULTS, campaign  # here, so that other commands start without it
    from signoria.soak.report import Report, failures_of, line_of, merged

    unknown = [name for name in faults or () if name not in FAULTS]
    if unknown:
        raise BadOption(f"There is no fault {unknown[0]!r}. Faults: {', '.join(FAULTS)}.")
    earlier = _saved_rows(save) if save else []  # read first: the campaign takes long
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    signs.print(f"Seed {seed}, scale {scale:g}. Press Ctrl-C to stop and show the results so far.")
    report: Report = campaign(
        faults or (),
        DATABASES[database],
        _working,
        scale=scale,
        seed=seed,
        minutes=minutes,
        postgres=postgres,
        say=signs.print,
    )
    if save:
        all_rows = msgspec.structs.replace(report, rows=merged(earlier, report.rows, list(FAULTS)))
        save.write_bytes(msgspec.json.format(msgspec.json.encode(all_rows)) + b"\n")
    if json:
        print_json(report)
    else:
        table = Table(title=f"Reliability: seed {seed}, scale {scale:g}, {report.seconds / 60:.0f} minutes")
        for heading in ("fault", "database", "volume", "must hold", "measured", "verdict"):
            table.add_column(heading, overflow="fold")
        for row in report.rows:
            table.add_row(*line_of(row), style="bold red" if row.failed else "")
        console.print(table)
        for sentence in failures_of(report.rows):
            console.print(f"- {sentence}", soft_wrap=True)
    if report.stopped:
        return INTERRUPTED
    return 0 if report.holds else FAILED


def _saved_rows(file: Path) -> list["FaultRow"]:
    """The rows of earlier runs; none if there is no such file yet."""
    from signoria.soak.report import Report

    try:
        if not file.exists():
            file.touch()  # so that a folder that is missing shows now
            file.unlink()
            return []
        return msgspec.json.decode(file.read_bytes(), type=Report).rows
    except OSError as error:
        raise BadOption(f"The report cannot be saved in {file}: {error.strerror}.") from None
    except msgspec.DecodeError as error:
        raise BadOption(f"{file} is not a report of signoria soak: {error}. Name another file.") from None


@contextmanager
def _working(what: str, total: int | None) -> Iterator[Callable[[], None]]:
    if not signs.is_terminal:
        signs.print(f"{what} ...")
    with progress(what, total) as bar:
        yield lambda: bar.advance(bar.task_ids[0])
