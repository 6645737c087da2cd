"""What every fault gets: databases, servers, a seed, the volume, and the rows of the report."""

import os
import platform
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random
from typing import TypeVar

from signoria.soak.postgres import Databases
from signoria.soak.report import FaultRow
from signoria.soak.server import FREE, Server

Tick = Callable[[], None]
Progress = Callable[[str, int | None], AbstractContextManager[Tick]]
WORKERS = {"sqlite": 1, "postgresql": 3}
"""Server processes on each kind of database."""

Case = TypeVar("Case")
MOST_SEED = 2**63 - 1


def silent(_what: str, _total: int | None) -> AbstractContextManager[Tick]:
    """Show no progress."""
    return nullcontext(lambda: None)


class Context:
    """One run of the campaign."""

    def __init__(
        self,
        folder: Path,
        *,
        scale: float,
        seed: int,
        postgres: Databases | None = None,
        progress: Progress = silent,
        slack: float = 1.0,
    ) -> None:
        self.folder, self.scale, self.seed, self.postgres, self.progress = folder, scale, seed, postgres, progress
        self.slack = slack
        """Factor for limits of time and memory: for tests, on machines that are busy."""
        self.rows: list[FaultRow] = []
        self.deadline = float("inf")
        self.minutes: float | None = None
        """The current fault's share of `--minutes`."""
        self.machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"

    def limit_time(self, seconds: float) -> None:
        """Give the next fault this much time."""
        self.minutes = max(0.1, seconds / 60)
        self.deadline = time.monotonic() + max(0.0, seconds)

    def each(self, cases: Sequence[Case]) -> Iterator[Case]:
        """The cases of a fault in turn, which share the time that is left."""
        end = self.deadline
        for place, case in enumerate(cases):
            now = time.monotonic()
            self.deadline = now + (end - now) / (len(cases) - place)
            yield case
        self.deadline = end

    def times(self, full: int, least: int = 1) -> int:
        """The number of repetitions at this scale, given the full number."""
        return max(least, round(full * self.scale))

    @property
    def out_of_time(self) -> bool:
        """Whether the current fault has used its share of `--minutes`."""
        return time.monotonic() > self.deadline

    def rng(self, what: str) -> Random:
        """A random generator that depends on the seed."""
        return Random(f"{self.seed} {what}")

    def row(self, fault: str, database: str, must_hold: str, full: int, unit: str, case: str = "") -> FaultRow:
        """Add a row to the report, to be filled in."""
        command = f"signoria soak {fault} --database {database} --scale {self.scale:g} --seed {self.seed}"
        if self.minutes is not None:
            command += f" --minutes {self.minutes:.1f}"
        made = FaultRow(
            fault=fault,
            database=database,
            case=case,
            done=0,
            full=full,
            unit=unit,
            must_hold=must_hold,
            command=command,
            date=time.strftime("%Y-%m-%d", time.gmtime()),
            load=round(os.getloadavg()[0], 1),
            machine=self.machine,
        )
        self.rows.append(made)
        return made

    async def fresh_database(self, kind: str) -> str:
        """The address of an empty database of this kind."""
        if kind == "postgresql":
            if self.postgres is None:
                raise RuntimeError("There is no PostgreSQL server.")
            return await self.postgres.fresh()
        return str(self.folder / f"{secrets.token_hex(6)}.db")

    async def server(self, kind: str, settings: Mapping[str, str] = FREE, level: str = "warning") -> Server:
        """A server on an empty database, not yet started."""
        url = await self.fresh_database(kind)
        made = Server(url, self.folder, workers=WORKERS[kind], settings=settings, level=level)
        made.control["seed"] = self.seed & MOST_SEED
        return made
