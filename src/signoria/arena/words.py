"""Formats figures for people."""

from signoria.arena.intervals import Interval
from signoria.arena.summary import Pairing, Standing


def share(interval: Interval) -> str:
    """`62.5% 58.1-66.7`"""
    return f"{interval.mean:.1%} {100 * interval.low:.1f}-{100 * interval.high:.1f}"


def plus_minus(interval: Interval) -> str:
    """`25.20 ±1.41`"""
    return f"{interval.mean:.2f} ±{interval.high - interval.mean:.2f}"


def points(interval: Interval | None) -> str:
    """`+3.20 ±0.41`"""
    return "-" if interval is None else f"{interval.mean:+z.2f} ±{interval.high - interval.mean:.2f}"


def milliseconds(value: float | None) -> str:
    """Rounded to three significant digits or so."""
    if value is None:
        return "-"
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


RANKING = ("bot", "rating", "win share", "margin", "ms", "forfeits")
PAIRINGS = ("bot", "against", "games", "win share", "margin", "ms")


def ranking_cells(row: Standing) -> tuple[str, ...]:
    """The cells of a line in the ranking."""
    return (
        row.bot,
        plus_minus(row.rating),
        share(row.share),
        points(row.margin),
        milliseconds(row.ms),
        f"{row.forfeits:,}",
    )


def pairing_cells(row: Pairing) -> tuple[str, ...]:
    """The cells of a line in the pairings."""
    ms = milliseconds(row.ms)
    return (
        row.bot,
        opponent(row),
        f"{row.games:,}",
        share(row.share),
        points(row.margin),
        ms if row.against is None else f"{ms} : {milliseconds(row.against_ms)}",
    )


def opponent(row: Pairing) -> str:
    """The opponent in a pairing."""
    return row.against or "mixed tables"
