"""The results of the campaign: one row for each fault and database."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

SHOWN = 3
"""Number of failures of a row that are kept; `failed` counts all."""
Verdict = Literal["holds", "FAILS", "not run"]


class FaultRow(msgspec.Struct, kw_only=True):
    """One fault on one database."""

    fault: str
    database: str
    case: str
    """The part of the fault that this row is about."""
    done: int
    """Volume done."""
    full: int
    """Volume at `--scale 1`."""
    unit: str
    must_hold: str
    figures: dict[str, str] = {}
    failed: int = 0
    failures: list[str] = []
    """The first failures, as sentences."""
    note: str = ""
    """Why it was not run, or what was done differently."""
    seconds: float = 0.0
    command: str = ""
    """The command that repeats this row."""
    date: str = ""
    """The day on which it was measured (UTC)."""
    load: float = 0.0
    """Load of the machine when the row began. On a busy machine the time limits fail first."""
    machine: str = ""

    @property
    def verdict(self) -> Verdict:
        """Whether it holds. A fault that was never tried does not count as holding."""
        if self.failed:
            return "FAILS"
        return "holds" if self.done else "not run"

    def fail(self, sentence: str) -> None:
        """Add a failure; the first few are kept as sentences."""
        self.failed += 1
        if len(self.failures) < SHOWN:
            self.failures.append(sentence)

    @property
    def volume(self) -> str:
        """The volume done, out of the full volume."""
        return f"{self.done:,} of {self.full:,} {self.unit}"


class Report(msgspec.Struct, kw_only=True):
    """The results of one run of the campaign."""

    seed: int
    scale: float
    seconds: float
    stopped: bool
    """Whether the run was stopped early."""
    rows: list[FaultRow]

    @property
    def holds(self) -> bool:
        """Whether nothing failed."""
        return not any(row.failed for row in self.rows)


def merged(earlier: Sequence[FaultRow], rows: Sequence[FaultRow], faults: Sequence[str]) -> list[FaultRow]:
    """The rows of earlier runs and of a new one, in the order of `faults`.

    A row that is measured again replaces the earlier one. A row for which there was no time does not. If the campaign itself failed
    before a fault had a row (`full` is 0), that failure is dropped when the fault runs again.
    """
    kept = {_key(row): row for row in earlier}
    for place in {(row.fault, row.database) for row in rows}:
        kept = {key: row for key, row in kept.items() if row.full or (row.fault, row.database) != place}
    for row in rows:
        if row.verdict != "not run" or _key(row) not in kept:
            kept[_key(row)] = row
    order = {name: place for place, name in enumerate(faults)}
    return sorted(kept.values(), key=lambda row: (order.get(row.fault, len(order)), row.database != "sqlite"))


def _key(row: FaultRow) -> tuple[str, str, str]:
    return row.fault, row.database, row.case


class ReportLine(NamedTuple):
    """A row as it is printed."""

    fault: str
    database: str
    volume: str
    must_hold: str
    measured: str
    verdict: str


HEADINGS = ReportLine("fault", "database", "volume", "must hold", "measured", "verdict")


def line_of(row: FaultRow) -> ReportLine:
    """A row as text."""
    measured = [f"{name} {value}" for name, value in row.figures.items()]
    if row.failed:
        measured.append(f"{row.failed:,} failures")
    if row.note:
        measured.append(row.note)
    return ReportLine(
        f"{row.fault}: {row.case}" if row.case else row.fault,
        row.database,
        row.volume,
        row.must_hold,
        "; ".join(measured),
        row.verdict,
    )


def as_markdown(rows: Sequence[FaultRow]) -> str:
    """The rows as a Markdown table: each with its date, its load, and the command that repeats it."""
    lines: list[tuple[str, ...]] = [(*HEADINGS, "date", "load", "command")]
    lines += [(*line_of(row), row.date, f"{row.load:.1f}", f"`{row.command}`") for row in rows]
    drawn = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines]
    drawn.insert(1, "| " + " | ".join("---" for _ in lines[0]) + " |\n")
    return "".join(drawn)


def failures_of(rows: Sequence[FaultRow]) -> list[str]:
    """The first failures of every row, as sentences."""
    return [
        f"{row.fault}{f' ({row.case})' if row.case else ''}, {row.database}: {sentence}"
        for row in rows
        for sentence in row.failures
    ]
