"""The skyline above the lobby and the rules, drawn with the symbols of towers."""

from functools import cache
from math import sin

from markupsafe import Markup

from signoria.web.kit.ink import path, pen, spline
from signoria.web.kit.terrain import cypress, hill, peak

WIDTH, HEIGHT, GROUND = 1200, 190, 174
TOWERS = (
    (402, 4, (1, 1, 2)),
    (446, 2, (2, 2, 0, 2, 2)),
    (498, 0, (0, 4, 4)),
    (546, 1, (1, 1, 0, 1, 0, 1)),
    (600, 3, (3, 3, 1, 3)),
    (648, 4, (4, 4, 2, 4, 4, 4)),
    (702, 2, (0, 2)),
    (748, 0, (0, 0, 3, 0, 0)),
)
"""The place of each tower, the seat of its roof, and the seats of its floors."""
ACROSS, UP = 46, 15.4


def _tower(x: int, crown: int, floors: tuple[int, ...]) -> str:
    ground = GROUND - 2 - 30 * sin((x - 320) / 520 * 3.14)
    stones = "".join(
        f'<use href="#d-floor-{seat}" x="{x}" y="{ground - UP * (n + 1):.1f}" width="{ACROSS}" height="{UP}"/>'
        for n, seat in enumerate(floors)
    )
    top = ground - UP * len(floors) - 31
    return f'{stones}<g class="w{crown}"><use href="#d-roof" x="{x}" y="{top:.1f}" width="{ACROSS}" height="32.6"/></g>'


@cache
def skyline() -> Markup:
    """The town with its towers, hills and cypresses around it, the Alps far behind."""
    alps = "".join(
        peak(40 + 58 * k + 9 * sin(k * 2.1), 118 + 6 * sin(k * 1.7), 22 + 6 * sin(k * 3.7)) for k in range(-10, 31)
    )
    hills = "".join(
        hill(x, GROUND - 4, size) for x, size in ((90, 30), (168, 22), (250, 34), (930, 34), (1030, 24), (1110, 31))
    )
    trees = "".join(cypress(x, GROUND) for x in (206, 216, 300, 312, 356, 850, 862, 888, 976, 1070, 1081))
    slope = (
        (310, GROUND + 2),
        (400, GROUND - 13),
        (500, GROUND - 26),
        (600, GROUND - 31),
        (700, GROUND - 26),
        (800, GROUND - 13),
        (890, GROUND + 2),
    )
    town = f'<path class="slope" d="{path(spline(slope))}z"/><path class="pen" d="{pen(slope, 3)}"/>'
    plain = pen(((-600, GROUND + 2), (0, GROUND), (600, GROUND + 3), (1200, GROUND), (1800, GROUND + 2)), 2.6)
    towers = "".join(_tower(*tower) for tower in TOWERS)
    return Markup(
        f'<svg class="skyline" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="xMidYMax meet" aria-hidden="true">'
        f'<g class="far">{alps}</g>{hills}<path class="trees" d="{trees}"/>{towers}'
        f'{town}<path class="pen" d="{plain}"/></svg>'
    )
