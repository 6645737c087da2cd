"""A table as text, as an SVG or as pixels, for notebooks and recordings."""

from functools import cache
from io import BytesIO, StringIO
from tempfile import NamedTemporaryFile

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text

RENDER_MODES = ("ansi", "svg", "rgb_array")
WIDTH = 100
FONT = "Aileron"
"""The font that Pillow brings along."""


def _printed(text: Text) -> Console:
    console = Console(file=StringIO(), width=WIDTH, record=True, force_terminal=True, color_system="truecolor")
    console.print(text)
    return console


def as_text(text: Text) -> str:
    """With the colours of terminals."""
    return _printed(text).export_text(styles=True)


def as_svg(text: Text, title: str) -> str:
    """A table as terminals show it, as one SVG: for games without a picture of their board."""
    return _printed(text).export_svg(title=title)


def as_pixels(svg: str) -> NDArray[np.uint8]:
    """An SVG as an image: rows, columns, and red, green and blue."""
    import resvg_py
    from PIL import Image

    with NamedTemporaryFile(suffix=".ttf") as font:
        font.write(_font())
        font.flush()
        png = resvg_py.svg_to_bytes(
            svg_string=svg, font_files=[font.name], font_family=FONT, serif_family=FONT, skip_system_fonts=True
        )
    return np.asarray(Image.open(BytesIO(bytes(png))).convert("RGB"))


@cache
def _font() -> bytes:
    """The font that Pillow brings along, so that pictures have words on machines without fonts."""
    from PIL import ImageFont

    font = ImageFont.load_default(12).path  # type: ignore[union-attr]
    assert isinstance(font, BytesIO)
    return font.getvalue()
