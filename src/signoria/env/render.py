"""A table as text, as an SVG or as pixels: what terminals show, for notebooks and recordings."""

from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text

RENDER_MODES = ("ansi", "svg", "rgb_array")
WIDTH = 100
LETTER, LINE = 8, 18
"""Pixels of a letter and of a line."""
PAPER, INK = (250, 246, 236), (40, 34, 28)


def _printed(text: Text) -> Console:
    console = Console(file=StringIO(), width=WIDTH, record=True, force_terminal=True, color_system="truecolor")
    console.print(text)
    return console


def as_text(text: Text) -> str:
    """With the colours of terminals."""
    return _printed(text).export_text(styles=True)


def as_svg(text: Text, title: str) -> str:
    """As one SVG."""
    return _printed(text).export_svg(title=title)


def as_pixels(text: Text) -> NDArray[np.uint8]:
    """As an image: rows, columns, and red, green and blue."""
    from PIL import Image, ImageDraw, ImageFont

    lines = text.wrap(Console(width=WIDTH), WIDTH)
    image = Image.new("RGB", (WIDTH * LETTER + 2 * LINE, (len(lines) + 2) * LINE), PAPER)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(LINE - 5)
    for row, line in enumerate(lines, 1):
        for place, (letter, colour) in enumerate(_letters(line)):
            if letter.strip():
                draw.text((LINE + place * LETTER, row * LINE), letter, colour, font)
    return np.asarray(image)


def _letters(line: Text) -> list[tuple[str, Any]]:
    """Each letter with its colour."""
    console = Console(width=WIDTH, color_system="truecolor")
    found: list[tuple[str, Any]] = []
    for segment in line.render(console):
        style = segment.style
        colour = style.color.get_truecolor() if style and style.color and not style.color.is_default else INK
        found += [(letter, tuple(colour)) for letter in segment.text]
    return found
