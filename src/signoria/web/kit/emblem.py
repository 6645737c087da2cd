"""The emblem: two towers on red. Icons of the site and of the installed app are drawn with it."""

RED, PAPER, GOLD = "#8a241c", "#f7edd6", "#e0a526"
SIZE = 32
"""The emblem is drawn on a square of this size."""
WALLS = "M7 27V12h2v-2h2v2h2v-2h2v2h2v15zM19 27V7h1.5V5h1.5v2h1V5h1.5v2H26v20z"
GATES = "M10.5 27v-4a1.5 1.5 0 0 1 3 0v4zM21.5 27v-4a1 1 0 0 1 2 0v4z"
SPOT = '<circle cx="25" cy="7" r="6" fill="{gold}" stroke="{red}" stroke-width="2"/>'


def emblem(*, corner: float = 6, scale: float = 1, spot: bool = False) -> str:
    """The emblem as SVG.

    `corner` rounds the square. With a `scale` below 1 the towers are smaller, because some devices cut the edges of an
    icon off. A `spot` says that it is the viewer's turn.
    """
    middle = SIZE / 2 * (1 - scale)
    towers = f'<path fill="{PAPER}" d="{WALLS}"/><path fill="{RED}" d="{GATES}"/>'
    if scale != 1:
        towers = f'<g transform="translate({middle:g} {middle:g}) scale({scale:g})">{towers}</g>'
    turn = SPOT.format(gold=GOLD, red=RED) if spot else ""
    square = (
        f'<rect width="{SIZE}" height="{SIZE}"{f" rx={chr(34)}{corner:g}{chr(34)}" if corner else ""} fill="{RED}"/>'
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{square}{towers}{turn}</svg>'


def silhouette() -> str:
    """The towers alone, in white: phones show only the outline of such an icon."""
    towers = f'<path fill="#fff" fill-rule="evenodd" d="{WALLS}{GATES}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{towers}</svg>'
