"""The sheet that the cities lie on: two seas, the Alps, the Apennines, two rivers, and a rose of the winds."""

from functools import cache
from math import sin

from markupsafe import Markup

from signoria.web.kit.ink import pen
from signoria.web.kit.terrain import coast, cypress, hill, peak

WIDTH, HEIGHT = 1100, 740
WEST = ((14, 128), (30, 160), (24, 196), (38, 236), (30, 282), (44, 318), (34, 356), (22, 398), (36, 440), (30, 486))
WEST_ON = ((48, 522), (40, 566), (26, 606), (36, 650), (28, 690), (40, 740))
EAST = ((1088, 96), (1074, 130), (1080, 172), (1062, 204), (1076, 246), (1068, 296), (1054, 330), (1066, 378))
EAST_ON = ((1060, 424), (1074, 470), (1066, 520), (1080, 566), (1070, 612), (1082, 664), (1076, 740))
PO = (
    (36, 176),
    (120, 188),
    (210, 180),
    (330, 196),
    (420, 182),
    (520, 190),
    (620, 181),
    (742, 196),
    (860, 192),
    (980, 200),
)
ARNO = (
    (960, 560),
    (820, 548),
    (740, 560),
    (640, 546),
    (520, 562),
    (430, 548),
    (350, 560),
    (240, 548),
    (120, 560),
    (44, 548),
)
APENNINES = ((366, 262), (390, 278), (370, 300), (716, 258), (740, 274), (714, 296), (372, 508), (398, 524), (426, 510))
APENNINES_ON = ((690, 512), (718, 526), (742, 508), (664, 526))
SOUTH = ((388, 618), (420, 640), (392, 664), (450, 622), (678, 612), (710, 634), (690, 664), (656, 640))


@cache
def land() -> Markup:
    """The map as a symbol."""
    alps = "".join(
        peak(52 + 62 * k + 9 * sin(k * 2.1), 40 + 5 * sin(k * 1.3), 19 + 5 * sin(k * 3.7)) for k in range(17)
    )
    hills = "".join(hill(x, y, 15 + 3 * sin(x)) for x, y in (*APENNINES, *APENNINES_ON))
    south = "".join(hill(x, y, 14 + 3 * sin(x)) for x, y in SOUTH)
    trees = "".join(
        cypress(x, y)
        for x, y in ((404, 300), (414, 303), (690, 300), (452, 528), (640, 530), (648, 533), (444, 668), (646, 668))
    )
    rivers = "".join(f'<path class="river" d="{pen(points, 4.2)}"/>' for points in (PO, ARNO))
    drawn = "".join(
        (
            coast((*WEST, *WEST_ON), 0, -1),
            coast((*EAST, *EAST_ON), WIDTH, 1),
            rivers,
            f'<g class="far">{alps}</g>{hills}<g class="south">{south}</g><path class="trees" d="{trees}"/>',
        )
    )
    return Markup(
        f'<symbol id="d-land" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="xMidYMid slice">{drawn}</symbol>'
    )
