"""Parts of maps: coasts, hills, mountains, trees."""

from math import sin

from signoria.web.kit.ink import Point, path, pen, spline


def coast(points: tuple[Point, ...], edge: float, towards: int) -> str:
    """A coast, the sea before it, and the short strokes with which a shore is hatched."""
    line = spline(points)
    sea = path([(edge, line[0][1]), *line, (edge, line[-1][1])]) + "z"
    strokes = "".join(
        f"M{x + towards * 2:.0f} {y:.0f}h{towards * (5 + 4 * sin(place * 2.3)):.0f}"
        for place, (x, y) in enumerate(line)
    )
    return f'<path class="sea" d="{sea}"/><path class="hatch" d="{strokes}"/><path class="pen" d="{pen(points, 2.6)}"/>'


def hill(x: float, y: float, size: float) -> str:
    """A mound with its shaded side."""
    top = pen(
        (
            (x - size, y),
            (x - size * 0.55, y - size * 0.7),
            (x, y - size),
            (x + size * 0.6, y - size * 0.6),
            (x + size, y),
        ),
        1.7,
        2,
    )
    shade = "".join(
        f"M{x + size * (0.1 + 0.2 * k):.1f} {y - size * (0.84 - 0.18 * k):.1f}l{size * 0.2:.1f} {size * (0.5 - 0.09 * k):.1f}"
        for k in range(4)
    )
    return f'<path class="pen" d="{top}"/><path class="hatch" d="{shade}"/>'


def peak(x: float, y: float, size: float) -> str:
    """A mountain with its shaded side."""
    top = pen(
        (
            (x - size, y),
            (x - size * 0.35, y - size * 0.9),
            (x, y - size * 1.3),
            (x + size * 0.4, y - size * 0.7),
            (x + size, y),
        ),
        1.8,
        2,
    )
    shade = "".join(
        f"M{x + size * (0.05 + 0.17 * k):.1f} {y - size * (1.1 - 0.25 * k):.1f}l{size * 0.16:.1f} {size * (0.62 - 0.1 * k):.1f}"
        for k in range(4)
    )
    return f'<path class="pen" d="{top}"/><path class="hatch" d="{shade}"/>'


def cypress(x: float, y: float) -> str:
    """A cypress, as a path."""
    return f"M{x:g} {y:g}v-4M{x:g} {y - 4:g}c-4-3-3-9 0-15c3 6 4 12 0 15z"
