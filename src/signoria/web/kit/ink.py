"""The pen: lines whose width swells and thins as a quill's does, as paths to be filled."""

from collections.abc import Sequence
from math import hypot, sin

Point = tuple[float, float]


def spline(points: Sequence[Point], steps: int = 6) -> list[Point]:
    """A smooth line through all the points (Catmull and Rom's)."""
    ends = [points[0], *points, points[-1]]
    line = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            line.append((_between(t, a[0], b[0], c[0], d[0]), _between(t, a[1], b[1], c[1], d[1])))
    return [*line, points[-1]]


def _between(t: float, a: float, b: float, c: float, d: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def pen(points: Sequence[Point], width: float, steps: int = 6) -> str:
    """A stroke through the points: thin at both ends, about `width` between them, never quite even."""
    line = spline(points, steps)
    left, right = [], []
    for place, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(place - 1, 0)], line[min(place + 1, len(line) - 1)]
        length = hypot(bx - ax, by - ay) or 1
        share = place / (len(line) - 1)
        half = width / 2 * (0.25 + 0.75 * min(1, 5 * share, 5 * (1 - share))) * (0.8 + 0.3 * sin(place * 1.7 + x / 23))
        across, down = (ay - by) / length * half, (bx - ax) / length * half
        left.append((x + across, y + down))
        right.append((x - across, y - down))
    return path([*left, *reversed(right)]) + "z"


def path(points: Sequence[Point]) -> str:
    """Straight lines from point to point, written shortly."""
    (x, y), *rest = [(round(x, 1), round(y, 1)) for x, y in points]
    written = [f"M{x:g} {y:g}"]
    for nx, ny in rest:
        dx, dy = round(nx - x, 1), round(ny - y, 1)
        if dx or dy:
            written.append(f"l{dx:g} {dy:g}")
            x, y = round(x + dx, 1), round(y + dy, 1)
    return "".join(written)
