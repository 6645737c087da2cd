"""The campaign: runs one fault after another, on one database after another."""

import asyncio
import resource
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import uvloop

from signoria.soak.context import Context, Progress
from signoria.soak.faults import clients, crowd, disk, failover, fuzz, greedy, kill, secrets, time_jumps
from signoria.soak.postgres import MISSING, Databases, postgres_server
from signoria.soak.report import Report
from signoria.soak.server import scratch

BOTH = ("sqlite", "postgresql")


class Fault(NamedTuple):
    """A fault, and the databases on which it is tried."""

    run: Callable[[Context, str], Awaitable[None]]
    databases: tuple[str, ...] = BOTH


FAULTS = {
    "kill": Fault(kill.run),
    "failover": Fault(failover.run, ("postgresql",)),
    "clients": Fault(clients.run),
    "disk": Fault(disk.run, ("sqlite",)),
    "time": Fault(time_jumps.run),
    "greedy": Fault(greedy.run),
    "crowd": Fault(crowd.run),
    "fuzz": Fault(fuzz.run),
    "secrets": Fault(secrets.run, ("sqlite",)),
}


def campaign(
    names: Sequence[str],
    databases: Sequence[str],
    progress: Progress,
    *,
    scale: float,
    seed: int,
    minutes: float | None,
    postgres: str | None,
    say: Callable[[str], None],
) -> Report:
    """Run these faults, or all if none is named. After Ctrl-C, the report contains what was done so far."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # every connection is a file
    wanted = [
        (name, database) for name in names or FAULTS for database in databases if database in FAULTS[name].databases
    ]
    began, stopped = time.monotonic(), False
    with scratch() as folder, postgres_server(postgres, wanted="postgresql" in databases) as url:
        context = Context(
            Path(folder), scale=scale, seed=seed, postgres=Databases(url) if url else None, progress=progress
        )
        if url is None and any(database == "postgresql" for _, database in wanted):
            say(MISSING)
            wanted = [(name, database) for name, database in wanted if database != "postgresql"]
        try:
            for place, (name, database) in enumerate(wanted):
                if minutes is not None:  # divide the remaining time equally
                    left = 60 * minutes - (time.monotonic() - began)
                    context.limit_time(left / (len(wanted) - place))
                run_fault(context, name, database)
        except KeyboardInterrupt:
            stopped = True
        if context.postgres:
            asyncio.run(context.postgres.drop())
    return Report(
        seed=seed,
        scale=scale,
        seconds=time.monotonic() - began,
        stopped=stopped,
        rows=context.rows,
    )


def run_fault(context: Context, name: str, database: str) -> None:
    """Run one fault on one database. If the campaign itself fails, that counts as a failure of the row."""
    began, before = time.monotonic(), len(context.rows)
    try:
        uvloop.run(_run(context, name, database))
    except Exception as raised:
        error: BaseException = raised
        while isinstance(error, BaseExceptionGroup):  # several players run at the same time: take the first error
            error = error.exceptions[0]
        if len(context.rows) == before:
            context.row(name, database, "the campaign itself works", 0, "")
        where = traceback.extract_tb(error.__traceback__)[-1]
        context.rows[-1].fail(
            f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}: {error}"[:600]
        )
    finally:
        for row in context.rows[before:]:
            row.seconds = row.seconds or time.monotonic() - began


async def _run(context: Context, name: str, database: str) -> None:
    await FAULTS[name].run(context, database)
