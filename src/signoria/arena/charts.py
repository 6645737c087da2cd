"""The charts of a report."""

from collections import defaultdict
from collections.abc import Sequence
from math import log10

from signoria.arena.summary import Pairing, Standing
from signoria.arena.words import milliseconds, opponent, plus_minus, points, share
from signoria.web.kit.plot import LETTER, NAMES, WIDTH, Scale, box, dot, drawing, line, shortened, spread, text

ROW = 34
STRONGEST = 0.75
"""Opacity of the strongest colour in the heat map; text on it stays readable."""
BINS = 24


def ratings(ranking: Sequence[Standing]) -> str:
    """Every bot's rating with its interval, best first."""
    scale = Scale(
        *spread([row.rating.low for row in ranking] + [row.rating.high for row in ranking]), NAMES + 8, WIDTH - 12
    )
    bottom = ROW * len(ranking) + 8
    parts = [line(scale(tick), 4, scale(tick), bottom, "grid") for tick in scale.ticks()]
    parts += [text(scale(tick), bottom + 16, f"{tick:g}", "dim", "middle") for tick in scale.ticks()]
    for number, row in enumerate(ranking):
        y = 8 + ROW * (number + 0.5)
        parts += [
            text(NAMES, y + 4, shortened(row.bot), "", "end"),
            line(scale(row.rating.low), y, scale(row.rating.high), y, "whisker"),
            dot(scale(row.rating.mean), y, f"{row.bot}: {plus_minus(row.rating)}"),
        ]
    return drawing(bottom + 24, "Ratings with their intervals", parts)


def matrix(pairings: Sequence[Pairing], bots: Sequence[str]) -> str:
    """Win share of each row's bot against each column's bot."""
    shares: dict[tuple[str, str], float] = {}
    for row in pairings:
        if row.against is not None:
            shares[row.bot, row.against] = row.share.mean
            if row.fair == 1 / 2:
                shares[row.against, row.bot] = 1 - row.share.mean
    room = WIDTH - NAMES - 8
    tilted = max(map(len, bots)) * LETTER > room / len(bots) - 4
    cell = (room - 30 if tilted else room) / len(bots)
    height = min(cell, 52)
    top = 84 if tilted else 26
    parts = []
    for column, bot in enumerate(bots):
        x = NAMES + 8 + cell * (column + 0.5)
        name = (
            text(0, 0, shortened(bot), "", "start") if tilted else text(x, top - 10, shortened(bot, cell), "", "middle")
        )
        parts.append(f'<g transform="translate({x:.1f} {top - 8}) rotate(-50)">{name}</g>' if tilted else name)
    fair = next(iter(pairings)).fair
    for number, bot in enumerate(bots):
        y = top + height * number
        parts.append(text(NAMES, y + height / 2 + 4, shortened(bot), "", "end"))
        for column, other in enumerate(bots):
            x = NAMES + 8 + cell * column
            won = shares.get((bot, other))
            if won is None:
                parts.append(box(x + 1, y + 1, cell - 2, height - 2, "empty"))
                continue
            above = (won - fair) / (1 - fair) if won > fair else (fair - won) / fair
            says = f"{bot} against {other}: {won:.1%}"
            kind = "good" if won > fair else "bad"
            parts.append(box(x + 1, y + 1, cell - 2, height - 2, kind, STRONGEST * above, says))
            parts.append(text(x + cell / 2, y + height / 2 + 4, f"{won:.0%}", "strong", "middle"))
    return drawing(top + height * len(bots) + 6, "Win shares of every bot against every other", parts)


def bars(pairings: Sequence[Pairing]) -> str:
    """The win share in each pairing, with its interval and the fair share."""
    scale = Scale(0, 1, 12, WIDTH - 16)
    row_height = 44
    bottom = row_height * len(pairings) + 4
    parts = [line(scale(tick), 4, scale(tick), bottom, "grid") for tick in (0, 0.25, 0.5, 0.75, 1)]
    parts += [text(scale(tick), bottom + 16, f"{tick:.0%}", "dim", "middle") for tick in (0, 0.25, 0.5, 0.75, 1)]
    for number, row in enumerate(pairings):
        y = 4 + row_height * number
        against = f"against {row.against}" if row.against else "at mixed tables"
        parts += [
            text(scale(0) + 3, y + 15, shortened(f"{row.bot} {against}", WIDTH - 80)),
            text(WIDTH - 16, y + 15, f"{row.share.mean:.1%}", "strong", "end"),
            box(scale(0), y + 21, scale(row.share.mean) - scale(0), 15, "bar", 1, share(row.share)),
            line(scale(row.share.low), y + 28.5, scale(row.share.high), y + 28.5, "whisker"),
            line(scale(row.fair), y + 20, scale(row.fair), y + 38, "fair"),
        ]
    return drawing(bottom + 24, "Win shares with their intervals", parts)


def histogram(row: Pairing) -> str:
    """How often each margin occurred."""
    width, bottom = 220, 92
    reach = max(map(abs, row.margins))
    size = max(1, -(-2 * reach // BINS))
    counts: dict[int, int] = defaultdict(int)
    for margin, times in row.margins.items():
        counts[(margin + size // 2) // size] += times
    bins = max(map(abs, counts))
    scale, most = Scale(-bins - 0.5, bins + 0.5, 8, width - 8), max(counts.values())
    parts = []
    for number, times in sorted(counts.items()):
        kind = "even" if number == 0 else "good" if number > 0 else "bad"
        tall = 66 * times / most
        says = f"{number * size:+d}: {times:,}" if size == 1 else f"about {number * size:+d}: {times:,}"
        wide = scale(1) - scale(0)
        parts.append(box(scale(number - 0.5) + wide * 0.06, bottom - tall, wide * 0.88, tall, kind, 0.85, says))
    parts += [line(8, bottom, width - 8, bottom, "axis"), line(scale(0), 18, scale(0), bottom, "grid")]
    for tick in (-bins, 0, bins):
        anchor = "start" if tick < 0 else "end" if tick > 0 else "middle"
        place = {"start": 8, "middle": scale(0), "end": width - 8}[anchor]
        parts.append(text(place, bottom + 15, f"{tick * size:+d}" if tick else "0", "dim", anchor))
    against = opponent(row)
    parts.append(text(8, 12, shortened(f"{row.bot} - {against}", 182)))
    mean = "" if row.margin is None else f"{row.margin.mean:+z.1f}"
    parts.append(text(width - 8, 12, mean, "strong", "end"))
    return drawing(bottom + 22, f"Margins of {row.bot} against {against}: {points(row.margin)}", parts, width)


def strength_and_time(ranking: Sequence[Standing]) -> str:
    """Rating against time per decision; levels of the same bot are joined."""
    known = [(row, log10(max(row.ms, 0.001))) for row in ranking if row.ms is not None]
    if not known:
        return drawing(40, "No times", [text(8, 24, "No decision was timed.", "dim")])
    low, high = spread([time for _, time in known], 0.15)
    across = Scale(low, high, 44, WIDTH - 14)
    up = Scale(*spread([row.rating.low for row, _ in known] + [row.rating.high for row, _ in known]), 268, 12)
    parts = [line(44, up(tick), WIDTH - 14, up(tick), "grid") for tick in up.ticks()]
    parts += [text(38, up(tick) + 4, f"{tick:g}", "dim", "end") for tick in up.ticks()]
    powers = range(int(low // 1) + 1, int(high // 1) + 1)
    parts += [line(across(power), 12, across(power), 268, "grid") for power in powers]
    parts += [text(across(power), 284, _time(power), "dim", "middle") for power in powers]
    levels: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row, time in known:
        levels[row.bot.partition(":")[0]].append((across(time), up(row.rating.mean)))
    for places in levels.values():
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in sorted(places))
        parts.append(f'<polyline points="{joined}" class="joined"/>')
    for row, time in known:
        x, y = across(time), up(row.rating.mean)
        says = f"{row.bot}: {plus_minus(row.rating)}, {milliseconds(row.ms)} ms per decision"
        to_the_left = x - 9 - LETTER * len(row.bot) > 44  # curves rise, so there is room above them
        parts += [
            line(x, up(row.rating.low), x, up(row.rating.high), "whisker"),
            dot(x, y, says),
            text(x + (-9 if to_the_left else 9), y - 7, shortened(row.bot, 200), "", "end" if to_the_left else "start"),
        ]
    return drawing(292, "Rating against time per decision", parts)


def _time(power: int) -> str:
    """A power of ten milliseconds with a readable unit."""
    return (
        f"{10.0 ** (power - 3):g} s"
        if power >= 3
        else f"{10.0**power:g} ms"
        if power >= 0
        else f"{10.0 ** (power + 3):g} µs"
    )
