"""The sheet of Il Principe: north and central Italy about 1450, six territories between the Alps and two seas."""

from functools import cache
from math import sin

from markupsafe import Markup

from signoria.web.kit.ink import Point, path, pen, spline
from signoria.web.kit.terrain import coast, cypress, hill, peak

WIDTH, HEIGHT = 1310, 612
"""The whole board where it is widest, and what is cut off in the west; the map's land lies in the left of it, the Adriatic to the right."""
MAP = 690
"""The right edge of the map."""

MANTOVA, MILANO, PISA, FERRARA, PADOVA = (362, 228), (165, 214), (324, 448), (482, 284), (462, 212)
BOLOGNA, FIRENZE, RIMINI, URBINO, LUCCA = (432, 338), (420, 452), (583, 410), (616, 458), (288, 430)
KNOT, GARDA, ANCONA, TIBER, MAGRA, DELTA = (392, 408), (338, 84), (712, 482), (484, 720), (258, 420), (576, 288)
"""Where borders meet that meet in no city."""

BORDERS: dict[str, tuple[Point, ...]] = {
    "west alps": ((-14, 160), (60, 112), (150, 92), (240, 100), GARDA),
    "east alps": (GARDA, (430, 66), (530, 74), (620, 84), (690, 110)),
    "blue yellow": (GARDA, (350, 120), (340, 160), (354, 196), MANTOVA),
    "blue green": (
        *(MANTOVA, (312, 226), (250, 233), (205, 222), MILANO),
        *((170, 252), (200, 290), (228, 332), (268, 372), (304, 412), PISA),
    ),
    "blue red": (MAGRA, (270, 427), LUCCA, (306, 436), PISA),
    "yellow green": (MANTOVA, (408, 226), PADOVA, (488, 242), FERRARA),
    "yellow violet": (FERRARA, (525, 293), DELTA),
    "green violet": (FERRARA, (456, 308), BOLOGNA, (412, 372), KNOT),
    "green red": (PISA, (352, 424), KNOT),
    "red violet": (KNOT, (402, 432), FIRENZE),
    "red violet east": (FIRENZE, (468, 422), (525, 414), RIMINI),
    "red white east": (FIRENZE, (472, 455), (532, 446), RIMINI),
    "red white": (FIRENZE, (440, 492), (466, 535), (456, 585), (472, 632), (468, 680), TIBER),
    "violet white": (RIMINI, (598, 434), URBINO, (664, 476), ANCONA),
    "yellow coast": ((690, 110), (668, 140), (622, 152), (585, 170), (566, 188), (552, 216), (560, 246), DELTA),
    "violet coast": (DELTA, (556, 316), (550, 350), (564, 382), (597, 406), (638, 428), (690, 462), ANCONA),
    "white coast": (ANCONA, (735, 530), (752, 585), (768, 650), (776, 720)),
    "blue coast": ((-14, 432), (20, 404), (50, 376), (85, 358), (118, 342), (150, 352), (195, 378), (234, 398), MAGRA),
    "red coast": (
        *(MAGRA, (274, 444), (292, 474), (300, 504), (318, 542), (322, 586)),
        *((352, 612), (390, 640), (408, 672), (450, 700), TIBER),
    ),
}
"""Every border once, from end to end; `-` before its name is the way back."""
TERRITORIES = {
    "blue": ("west alps", "blue yellow", "blue green", "-blue red", "-blue coast"),
    "yellow": ("east alps", "yellow coast", "-yellow violet", "-yellow green", "-blue yellow"),
    "green": ("yellow green", "green violet", "-green red", "-blue green"),
    "red": (
        *("green red", "red violet", "red violet east", "-red white east"),
        *("red white", "-red coast", "blue red"),
    ),
    "violet": ("yellow violet", "violet coast", "-violet white", "-red violet east", "-red violet", "-green violet"),
    "white": ("red white east", "violet white", "white coast", "-red white"),
}
"""Each region's borders, clockwise."""
ISTRIA = ((1440, 20), (1220, 30), (980, 80), (840, 120), (800, 188), (772, 150), (742, 118), (690, 110))
PO = ((40, 232), (100, 222), (170, 236), (230, 246), (300, 240), (362, 246), (430, 254), (500, 262), (572, 270))
ARNO = ((470, 470), (440, 440), (412, 466), (372, 462), (330, 464), (296, 470))
TEVERE = ((545, 470), (552, 520), (562, 580), (540, 630), (520, 680), (500, 720))
APENNINES = ((232, 362), (262, 352), (296, 388), (328, 402), (362, 392), (444, 404), (500, 494))
SOUTH = ((700, 530), (716, 566), (650, 610), (684, 610), (660, 648), (700, 650), (624, 660), (706, 690))


def at(point: Point) -> Point:
    """A point of the drawing as it lies on the board."""
    return 4 + point[0] * 0.88, point[1] * 0.86 - 14


@cache
def border(name: str) -> list[Point]:
    """A border as it is drawn."""
    line = spline([at(point) for point in BORDERS[name.removeprefix("-")]], 4)
    return line[::-1] if name.startswith("-") else line


@cache
def land() -> Markup:
    """The map as a symbol, and each territory's outline, which other drawings use."""
    drawn = "".join((*map(_territory, TERRITORIES), _seas(), _relief(), _borders()))
    outlines = "".join(f'<path id="d-ground-{region}" d="{outline(region)}"/>' for region in TERRITORIES)
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="xMinYMin slice"'
    return Markup(f'<defs>{outlines}</defs><symbol id="d-italy" {box}>{drawn}</symbol>')


def outline(region: str) -> str:
    """A territory as a closed path."""
    return path([point for name in TERRITORIES[region] for point in border(name)]) + "z"


@cache
def silhouette(region: str) -> Markup:
    """A territory by itself, small."""
    line = [point for name in TERRITORIES[region] for point in border(name)]
    xs, ys = [max(0.0, min(MAP, x)) for x, _ in line], [max(0.0, min(HEIGHT, y)) for _, y in line]
    x, y, width, height = (round(n) for n in (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return Markup(
        f'<svg class="ground g-{region}" viewBox="{x} {y} {width} {height}" aria-hidden="true"><use href="#d-ground-{region}"/></svg>'
    )


def _territory(region: str) -> str:
    return f'<use href="#d-ground-{region}" class="ground g-{region}"/>'


def _seas() -> str:
    west = (*BORDERS["blue coast"], *BORDERS["red coast"][1:])
    east = (
        *ISTRIA,
        *BORDERS["yellow coast"][1:],
        *BORDERS["violet coast"][1:],
        *BORDERS["white coast"][1:],
    )
    return coast(tuple(map(at, west)), 0, -1) + coast(tuple(map(at, east)), WIDTH, 1)


def _relief() -> str:
    alps = "".join(
        peak(20 + 44 * k + 8 * sin(k * 2.1), 40 + 9 * sin(k * 1.3 + 1), 17 + 5 * sin(k * 3.7)) for k in range(15)
    )
    hills = "".join(hill(*at((x, y)), 11 + 2 * sin(x)) for x, y in (*APENNINES, *SOUTH))
    trees = "".join(
        cypress(*(round(n) for n in at(p)))
        for p in ((360, 540), (368, 544), (436, 600), (500, 560), (610, 630), (616, 634))
    )
    rivers = "".join(f'<path class="river" d="{pen([at(p) for p in line], 3.4, 4)}"/>' for line in (PO, ARNO, TEVERE))
    return f'{rivers}<g class="far">{alps}</g>{hills}<path class="trees" d="{trees}"/>'


def _borders() -> str:
    inland = [name for name in BORDERS if not name.endswith(("coast", "alps"))]
    return "".join(f'<path class="border" d="{path(border(name))}"/>' for name in inland)
