"""The measurements, and their table."""

from typing import NamedTuple

import msgspec

KB, MB = 1000, 1_000_000


class Load(msgspec.Struct, kw_only=True):
    """The measurements of a period of play."""

    asked_per_second: float | None
    """The rate at which steps were sent; None if each waited for the one before."""
    at_once: int | None
    """Steps in flight at the same time, if that was fixed."""
    seconds: float
    steps: int
    """Number of accepted steps."""
    steps_per_second: float
    p50_ms: float
    """From sending a step until the other viewer's page had received all of it."""
    p99_ms: float
    most_ms: float
    games_finished: int
    server_core: float
    """Share of a core that the server used."""
    generator_core: float
    """Share of a core that generating the load used."""
    server_ms_per_step: float
    """Share of a core."""


class Memory(msgspec.Struct, kw_only=True):
    """Memory of the server in bytes."""

    empty: int
    """With everything loaded that any table needs, and no tables."""
    played: int
    """After all periods of play, with all viewers, including the server's caches."""
    stored: int
    """After a restart, before anyone has viewed a table."""
    resting: int
    """After every table was viewed once: all are in memory, in the middle of a game."""
    watched: int
    """With two viewers at each."""


class Rebuilt(msgspec.Struct):
    """How long it takes to replay a finished game from its steps, for random games."""

    players: int
    steps: float
    """The median."""
    median_ms: float
    most_ms: float


class Drawing(msgspec.Struct):
    """The HTML of a table that live pages get, for the player to move, over whole games in the largest setting."""

    bytes: int
    """Maximum during the game."""
    end: int
    """Maximum at the end: with scores and chart, sent once."""
    packed: int
    """Maximum, compressed."""
    median_ms: float


class Figures(msgspec.Struct, kw_only=True):
    """All measurements of a server."""

    machine: str
    tables: int
    """Live tables with two viewers each."""
    first_page_seconds: float
    lobby_bytes: int
    """Total of a first load, compressed, including headers."""
    table_bytes: int
    steady: Load
    most: Load
    memory: Memory
    rebuilt: dict[str, Rebuilt]
    drawings: dict[str, Drawing] = {}


class FigureLine(NamedTuple):
    """A figure and its target."""

    what: str
    figure: str
    aim: str = ""


def lines(figures: Figures) -> list[FigureLine]:
    """All figures in words."""
    steady, most, memory = figures.steady, figures.most, figures.memory

    def each(size: int) -> str:
        return f"{(size - memory.empty) / figures.tables / KB:.0f} kB"

    return [
        FigureLine(
            "from start to first page, rules already compiled", f"{figures.first_page_seconds:.1f} s", "under 3 s"
        ),
        FigureLine("first load of the lobby, compressed", f"{figures.lobby_bytes / KB:.0f} kB", "under 150 kB"),
        FigureLine("first load of a table, compressed", f"{figures.table_bytes / KB:.0f} kB", "under 170 kB"),
        FigureLine(
            f"moves accepted when {steady.asked_per_second:.0f} a second are sent",
            f"{steady.steps_per_second:.0f}/s",
            "300/s",
        ),
        FigureLine("at that rate: move to the opponent's screen, p50", f"{steady.p50_ms:.0f} ms"),
        FigureLine("at that rate: move to the opponent's screen, p99", f"{steady.p99_ms:.0f} ms", "under 250 ms"),
        FigureLine("at that rate: CPU use of the server, of one core", f"{steady.server_core:.0%}"),
        FigureLine(f"highest rate of moves, {most.at_once} requests in flight", f"{most.steps_per_second:.0f}/s"),
        FigureLine(
            "at the highest rate: move to the opponent's screen, p50 and p99",
            f"{most.p50_ms:.0f} ms, {most.p99_ms:.0f} ms",
        ),
        FigureLine("CPU time of the server per move", f"{most.server_ms_per_step:.2f} ms"),
        FigureLine("memory of a server without tables", f"{memory.empty / MB:.0f} MB"),
        FigureLine("memory per table that is only in the database", each(memory.stored), "nothing"),
        FigureLine("memory per resting table: loaded, no viewers", each(memory.resting), "under 100 kB"),
        FigureLine("memory per live table: two viewers", each(memory.watched)),
        FigureLine("memory per live table after all this play, caches included", each(memory.played)),
        *(
            FigureLine(
                f"{game}: rebuilding a finished game, {found.players} players, {found.steps:.0f} steps",
                f"median {found.median_ms:.1f} ms, at most {found.most_ms:.1f} ms",
                "under 20 ms",
            )
            for game, found in figures.rebuilt.items()
        ),
        *(
            FigureLine(
                f"{game}: largest table fragment in play, at the end, compressed",
                f"{found.bytes / KB:.0f} kB, {found.end / KB:.0f} kB, {found.packed / KB:.1f} kB",
                "60 kB, 60 kB, 12 kB",
            )
            for game, found in figures.drawings.items()
        ),
        *(
            FigureLine(
                f"{game}: rendering a table",
                f"{found.median_ms:.1f} ms",
                "under 10 ms",
            )
            for game, found in figures.drawings.items()
        ),
    ]


def as_table(figures: Figures) -> str:
    """The figures as a Markdown table."""
    rows = [FigureLine("what", "figure", "aim"), *lines(figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    drawn = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    drawn.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(drawn) + "\n"
