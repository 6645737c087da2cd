"""An SVG as pixels. As a program it reads the SVG from its input, so that a server can run it beside itself.

It imports nothing of Signoria, so that it starts quickly.
"""

import sys
from pathlib import Path

FONTS = Path(__file__).parents[1] / "fonts"


def as_png(svg: str) -> bytes:
    """The picture as a PNG. This takes up to a few tenths of a second, and no other thread runs meanwhile."""
    from resvg_py import svg_to_bytes

    fonts = [str(path) for path in sorted(FONTS.rglob("*.ttf"))]
    return bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts, serif_family="Alegreya"))


if __name__ == "__main__":
    sys.stdout.buffer.write(as_png(sys.stdin.buffer.read().decode()))
