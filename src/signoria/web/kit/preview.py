"""Pictures of a table to share: a drawing of its own, without style sheets, so that it can be shown anywhere."""

import re
from typing import NamedTuple

from markupsafe import Markup, escape

from signoria.kernel.language import labelled
from signoria.web.kit.emblem import GATES, GOLD, PAPER, RED, WALLS

WIDTH, HEIGHT = 1200, 630
"""The size that sites show best."""
INK, SOFT, RULE = "#2c2117", "#6d5d49", "#cdbb98"
LEFT, RIGHT, TOP, BOTTOM = 640, 1130, 190, 560
"""Where the chart is drawn."""
BOARD = (430, 150, 720, 450)
"""Where the board is drawn: left, top, width, height."""
POINTS = 590
"""The right end of the points, beside the chart."""
LONGEST_NAME, BESIDE_BOARD = 22, 15
"""Letters of a name beside the chart, and beside the board."""
_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')
LINE = 74
"""The height of a player's line."""


class PreviewSeat(NamedTuple):
    """A player in a picture."""

    mark: str
    """The letter of the seat."""
    colour: str
    on_colour: str
    name: str
    points: int | None
    """None while points are not public."""
    won: bool


class Preview(NamedTuple):
    """What a picture shows."""

    title: str
    """The game."""
    says: str
    """A line about the position or the result."""
    seats: tuple[PreviewSeat, ...]
    course: tuple[tuple[int, ...], ...] = ()
    """The points of all seats turn by turn, for the chart; empty for none."""
    board: str = ""
    """The position as an SVG (`Board.still`), drawn instead of the chart; empty for none."""


def draw_preview(preview: Preview) -> str:
    """The picture as SVG."""
    beside = bool(preview.board)
    seats = Markup("").join(_seat(seat, place, beside_board=beside) for place, seat in enumerate(preview.seats))
    chart = _chart(preview) if len(preview.course) > 1 else Markup()
    if preview.board:
        left, top, width, height = BOARD
        place = f'x="{left}" y="{top}" width="{width}" height="{height}"'
        chart = Markup(_SIZE.sub(place, preview.board, count=1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="Alegreya, serif"><title>{escape(labelled(preview.title, preview.says))}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'
        f'<rect x="18" y="18" width="{WIDTH - 36}" height="{HEIGHT - 36}" fill="none" stroke="{RED}" stroke-width="3"/>'
        f'<rect x="26" y="26" width="{WIDTH - 52}" height="{HEIGHT - 52}" fill="none" stroke="{GOLD}" stroke-width="1.5"/>'
        f'<g transform="translate(60 52) scale(2.4)"><rect width="32" height="32" rx="6" fill="{RED}"/>'
        f'<path fill="{PAPER}" d="{WALLS}"/><path fill="{RED}" d="{GATES}"/></g>'
        f'<text x="158" y="92" font-size="52" font-weight="700" fill="{RED}">{escape(preview.title)}</text>'
        f'<text x="158" y="130" font-size="28" fill="{SOFT}">{escape(_short(preview.says, 74))}</text>'
        f'<text x="{WIDTH - 60}" y="92" font-size="30" text-anchor="end" fill="{SOFT}">Signoria</text>'
        f"{seats}{chart}</svg>"
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _seat(seat: PreviewSeat, place: int, *, beside_board: bool) -> Markup:
    y, right = 190 + place * LINE, BOARD[0] - 22 if beside_board else POINTS
    mark = Markup(
        '<rect x="60" y="{y}" width="52" height="52" rx="6" fill="{colour}" stroke="{ink}" stroke-width="1.5"/>'
        '<text x="86" y="{letters}" font-size="27" font-weight="700" text-anchor="middle" fill="{on}">{mark}</text>'
    ).format(y=y, colour=seat.colour, ink=INK, letters=y + 36, on=seat.on_colour, mark=seat.mark)
    weight = "700" if seat.won else "400"
    name = Markup('<text x="130" y="{y}" font-size="32" font-weight="{weight}" fill="{ink}">{name}</text>').format(
        y=y + 37, weight=weight, ink=INK, name=_short(seat.name, BESIDE_BOARD if beside_board else LONGEST_NAME)
    )
    if seat.points is None:
        return mark + name
    points = Markup(
        '<text x="{x}" y="{y}" font-size="34" font-weight="700" text-anchor="end" fill="{ink}">{points}</text>'
    )
    crown = Markup(
        '<path d="M0 14 4 2l5 8 4-10 4 10 5-8 4 12z" fill="{gold}" stroke="{ink}" transform="translate({x} {y})"/>'
    )
    shown = points.format(x=right, y=y + 38, ink=INK, points=seat.points)
    return mark + name + shown + (crown.format(x=right - 90, gold=GOLD, ink=INK, y=y + 18) if seat.won else Markup())


def _chart(preview: Preview) -> Markup:
    """The points over the game."""
    course = preview.course
    high = max(max(turn) for turn in course)
    low = min(0, *(min(turn) for turn in course))

    def x(place: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * place / (len(course) - 1), 1)

    def y(points: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (points - low) / max(1, high - low), 1)

    drawn = Markup('<path d="M{} {}V{}H{}" fill="none" stroke="{}" stroke-width="1.5"/>').format(
        LEFT, TOP, BOTTOM, RIGHT, RULE
    )
    for number, seat in enumerate(preview.seats):
        line = "L".join(f"{x(place):g} {y(turn[number]):g}" for place, turn in enumerate(course))
        drawn += Markup(
            '<path d="M{line}" fill="none" stroke="{ink}" stroke-width="6" stroke-linejoin="round"/>'
            '<path d="M{line}" fill="none" stroke="{colour}" stroke-width="4" stroke-linejoin="round"/>'
            '<circle cx="{x}" cy="{y}" r="7" fill="{colour}" stroke="{ink}"/>'
        ).format(line=line, ink=INK, colour=seat.colour, x=x(len(course) - 1), y=y(course[-1][number]))
    return drawn
