"""The charts of a laboratory report."""

from collections.abc import Sequence

from signoria.lab.figures import Estimate, Results, Worth
from signoria.web.kit.plot import LETTER, WIDTH, Scale, box, dot, drawing, line, shortened, spread, text

ROW = 30
THIN_ROW = 17
MOST_BINS = 45
LEGEND = 18
COLOURS = ("bar", "good", "bad", "even", "p4", "p5")
"""Classes of the parts of a stacked bar."""
STYLE = """
.p4 { fill: #7a5c99; } .p5 { fill: #4a78a8; }
.win { fill: none; stroke: var(--mark); stroke-width: 2; } .real { stroke: var(--good); stroke-width: 2; }
.thing { fill: var(--mark); } .other { fill: var(--good); }
@media (prefers-color-scheme: dark) { .p4 { fill: #a58ac2; } .p5 { fill: #7fa8d4; } }
"""


def ordinal(number: int) -> str:
    """A place in words: 1st, 2nd, 3rd, 4th."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def scores(results: Results, column: str = "total") -> str:
    """How often each final score occurred, with the winners' scores as a line and reported games as marks."""
    everyone, best = results.values(column), results.values(column, 0)
    low, high = _most_of(everyone)
    size = max(1, -(-(high - low + 1) // MOST_BINS))
    bins = range(low - low % size, high + 1, size)
    shares = [_share(everyone, start, size) for start in bins]
    winners = [_share(best, start, size) for start in bins]
    across, up = Scale(bins[0], bins[-1] + size, 34, WIDTH - 8), Scale(0, max(*shares, *winners), 196, 14)
    parts = _axes(across, up, 196)
    for start, share in zip(bins, shares, strict=True):
        wide = across(start + size) - across(start)
        told = f"{start} to {start + size - 1}" if size > 1 else str(start)
        parts.append(box(across(start) + 0.4, up(share), wide - 0.8, 196 - up(share), "bar", 1, f"{told}: {share:.1%}"))
    joined = " ".join(
        f"{across(start + size / 2):.1f},{up(share):.1f}" for start, share in zip(bins, winners, strict=True)
    )
    parts.append(f'<polyline points="{joined}" class="win"/>')
    legend = [("bar", "all players"), ("mark", "highest score")]
    for real, _ in results.reported():
        if real.column == column:
            legend.append(("real", "a reported game: " + "-".join(map(str, real.values))))
            parts += [line(across(value + 0.5), 14, across(value + 0.5), 196, "real") for value in real.values]
    parts += _legend(legend, 234)
    return drawing(224 + LEGEND * len(legend), f"Final scores of {results.games:,} games", parts)


def _most_of(values: dict[int, int]) -> tuple[int, int]:
    """The range of all but the rarest values."""
    total, kept = sum(values.values()), sorted(values)
    while len(kept) > 2 and values[kept[0]] < total / 5000:
        kept.pop(0)
    while len(kept) > 2 and values[kept[-1]] < total / 5000:
        kept.pop()
    return kept[0], kept[-1]


def _share(values: dict[int, int], start: int, size: int) -> float:
    return sum(values.get(value, 0) for value in range(start, start + size)) / sum(values.values())


def _axes(across: Scale, up: Scale, bottom: float) -> list[str]:
    parts = [line(34, up(tick), WIDTH - 8, up(tick), "grid") for tick in up.ticks(4)]
    parts += [
        text(30, up(tick) + 4, f"{tick:.0%}" if up.high >= 0.05 else f"{tick:.1%}", "dim", "end")
        for tick in up.ticks(4)
    ]
    ticks = [tick for tick in across.ticks(6) if tick == int(tick) and across(tick + 0.5) < WIDTH - 14]
    parts += [text(across(tick + 0.5), bottom + 16, f"{tick:g}", "dim", "middle") for tick in ticks]
    return parts


def _legend(entries: Sequence[tuple[str, str]], y: float) -> list[str]:
    parts = []
    for number, (kind, words) in enumerate(entries):
        at = y + LEGEND * number
        mark = (
            box(34, at - 9, 12, 10, kind)
            if kind not in ("mark", "real")
            else line(34, at - 4, 46, at - 4, "win" if kind == "mark" else "real")
        )
        parts += [mark, text(52, at, words, "dim")]
    return parts


def sources(results: Results) -> str:
    """Where the points of each player come from, in turn order."""
    parts, names = [], results.parts
    most = max(sum(max(0.0, results.part(name, turn)) for name in names) for turn in range(results.players))
    across = Scale(0, most, 64, WIDTH - 44)
    for turn in range(results.players):
        y, x = 6 + ROW * turn, across(0)
        parts.append(text(58, y + 16, f"{ordinal(turn + 1)}", "", "end"))
        for number, name in enumerate(names):
            mean = results.part(name, turn)
            wide = across(abs(mean)) - across(0)
            if mean > 0:
                parts.append(
                    box(x, y, wide, 22, COLOURS[number % len(COLOURS)], 1, f"{results.label(name)}: {mean:.2f}")
                )
                x += wide
        parts.append(text(x + 5, y + 16, f"{results.part('total', turn):.1f}", "strong"))
    bottom = 6 + ROW * results.players
    entries = [
        (COLOURS[number % len(COLOURS)], f"{results.label(name)}: {results.part(name):.1f} points")
        for number, name in enumerate(names)
    ]
    parts += _legend(entries, bottom + 16)
    return drawing(bottom + 10 + LEGEND * len(entries), "Where points come from, by turn order", parts)


def seats(sides: Sequence[Results], width: float = WIDTH) -> str:
    """How often each player wins in turn order, with intervals, against a fair share; one dot for each variant."""
    shares = [[one.win_share(turn) for turn in range(one.players)] for one in sides]
    ends = [end for side in shares for share in side for end in (share.low, share.high)]
    across = Scale(*spread([*ends, sides[0].fair]), 44, width - 52)
    bottom, ticks = ROW * sides[0].players + 8, across.ticks(5 if width == WIDTH else 2)
    parts = [line(across(tick), 4, across(tick), bottom, "grid") for tick in ticks]
    parts += [text(across(tick), bottom + 16, f"{tick:.1%}", "dim", "middle") for tick in ticks]
    parts.append(line(across(sides[0].fair), 2, across(sides[0].fair), bottom, "fair"))
    for turn in range(sides[0].players):
        y = 8 + ROW * (turn + 0.5)
        parts.append(text(36, y + 4, ordinal(turn + 1), "", "end"))
        for number, side in enumerate(shares):
            at = y + 10 * number - 5 * (len(shares) - 1)
            parts += _estimate(across, at, side[turn], f"{side[turn].mean:.2%} ±{side[turn].reach:.2%}", number)
        parts.append(text(width - 4, y + 4, f"{shares[0][turn].mean:.1%}", "strong", "end"))
    return drawing(bottom + 24, "Win shares by turn order with their intervals", parts, width)


def _estimate(scale: Scale, y: float, value: Estimate, says: str, number: int = 0) -> list[str]:
    """A dot with its interval."""
    drawn = dot(scale(value.mean), y, says)
    return [
        line(scale(value.low), y, scale(value.high), y, "whisker"),
        drawn.replace('class="dot"', 'class="other"') if number else drawn,
    ]


def lengths(results: Results) -> str:
    """How many decisions games have."""
    values = results.lengths
    low, high = _most_of(values)
    size = max(1, -(-(high - low + 1) // MOST_BINS))
    bins = range(low - low % size, high + 1, size)
    shares = [_share(values, start, size) for start in bins]
    across, up = Scale(bins[0], bins[-1] + size, 34, WIDTH - 8), Scale(0, max(shares), 150, 10)
    parts = _axes(across, up, 150)
    for start, share in zip(bins, shares, strict=True):
        wide = across(start + size) - across(start)
        parts.append(
            box(across(start) + 0.4, up(share), wide - 0.8, 150 - up(share), "bar", 1, f"from {start}: {share:.1%}")
        )
    return drawing(174, "Decisions in a game", parts)


def worth(found: Sequence[Worth]) -> str:
    """What things were worth in points, with intervals."""
    ends = [end for one in found for end in (one.points.low, one.points.high)]
    names = min(170.0, max(LETTER * len(one.thing.label + one.detail) for one in found) + 16)
    across = Scale(*spread([*ends, 0.0]), names + 8, WIDTH - 44)
    bottom = THIN_ROW * len(found) + 8
    parts = [line(across(tick), 4, across(tick), bottom, "grid") for tick in across.ticks()]
    parts += [
        text(across(tick), bottom + 16, f"{tick:+g}" if tick else "0", "dim", "middle") for tick in across.ticks()
    ]
    parts.append(line(across(0), 2, across(0), bottom, "axis"))
    for number, one in enumerate(found):
        y = 8 + THIN_ROW * (number + 0.5)
        label = f"{one.thing.label}  {one.detail}" if one.detail else one.thing.label
        parts.append(text(names, y + 4, shortened(label, names), "", "end"))
        says = f"{label}: {one.points.mean:+.2f} ±{one.points.reach:.2f} points, {one.win.mean:+.2%} wins"
        parts.append(line(across(one.points.low), y, across(one.points.high), y, "whisker"))
        parts.append(dot(across(one.points.mean), y, says).replace('r="5" class="dot"', 'r="3.5" class="thing"'))
        parts.append(text(WIDTH - 4, y + 4, f"{one.points.mean:+.1f}", "dim", "end"))
    return drawing(bottom + 24, "What things were worth in points", parts)
