"""A laurel wreath for the winners."""

from functools import cache
from math import cos, pi, sin

from markupsafe import Markup

LEAVES = 9


@cache
def laurel() -> Markup:
    """Two branches that open at the top, within 100 by 100."""
    leaves = "".join(_leaves(0.95 - 0.76 * k / (LEAVES - 1), side) for k in range(LEAVES) for side in (-1, 1))
    return Markup(
        f'<svg class="laurel" viewBox="0 0 100 100" aria-hidden="true"><path class="leaves" d="{leaves}"/>'
        '<path class="ribbon" d="M41 93l9-5 9 5-3 5-6-3-6 3z"/></svg>'
    )


def _leaves(turn: float, side: int) -> str:
    """Two leaves on a branch; `turn` goes from 1 at the bottom to 0 at the top."""
    angle = pi * turn * side
    x, y = 50 + 40 * sin(angle), 50 - 40 * cos(angle)
    out, along = _towards(angle, 9), _towards(angle - side * pi / 2, 9)
    tip = (x + out[0] * 0.55 + along[0] * 1.2, y + out[1] * 0.55 + along[1] * 1.2)
    ins = (x - out[0] * 0.55 + along[0] * 1.1, y - out[1] * 0.55 + along[1] * 1.1)
    return _blade((x, y), tip) + _blade((x, y), ins)


def _towards(angle: float, length: float) -> tuple[float, float]:
    return length * sin(angle), -length * cos(angle)


def _blade(base: tuple[float, float], tip: tuple[float, float]) -> str:
    (ax, ay), (bx, by) = base, tip
    across = ((by - ay) * 0.32, (ax - bx) * 0.32)
    mx, my = (ax + bx) / 2, (ay + by) / 2
    return (
        f"M{ax:.1f} {ay:.1f}Q{mx + across[0]:.1f} {my + across[1]:.1f} {bx:.1f} {by:.1f}"
        f"Q{mx - across[0]:.1f} {my - across[1]:.1f} {ax:.1f} {ay:.1f}z"
    )
