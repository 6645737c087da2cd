"""Unicode's data about names (UTS #39): the characters allowed, their scripts, and which characters look alike.

`names.txt` holds the data and is made by `docs/unicode_names.py`. All databases compare names with it, so it must not
change without a migration that computes the keys again.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).with_name("names.txt")
BLANK = "\u2800"
"""A Braille pattern without dots: the only invisible character that Unicode classifies as a symbol."""
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of control and format characters, and of unassigned or private ones."""


class Letters(NamedTuple):
    """The data of `names.txt`."""

    ignorable: frozenset[str]
    """Invisible characters (Default_Ignorable_Code_Point)."""
    allowed: dict[str, frozenset[str]]
    """Characters that Unicode recommends for identifiers, with the scripts they are used with; empty means any."""
    scripts: dict[str, str]
    """The names of scripts by their codes."""
    alike: dict[int, str]
    """By code point: the character or characters that represent everything that looks like it."""


@cache
def letters() -> Letters:
    """The data; read only once."""
    ignorable: set[str] = set()
    read = Letters(frozenset(), {}, {}, {})
    for line in DATA.read_text().splitlines():
        match line.split("\t"):
            case ["ignorable", points]:
                ignorable.update(_points(points))
            case ["allowed", scripts, points]:
                read.allowed.update(dict.fromkeys(_points(points), frozenset(scripts.split())))
            case ["script", code, title]:
                read.scripts[code] = title
            case ["alike", looks, points]:
                seen = "".join(_points(looks))
                read.alike.update({ord(letter): seen for letter in _points(points)})
    return read._replace(ignorable=frozenset(ignorable))


def _points(text: str) -> Iterator[str]:
    for part in text.split():
        first, _, last = part.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


def is_invisible(letter: str) -> bool:
    """Whether a character is invisible or changes how others are shown."""
    return letter == BLANK or letter in letters().ignorable or unicodedata.category(letter) in UNSEEN


def skeleton(text: str) -> str:
    """The skeleton of UTS #39: the same for texts that look alike."""
    known = letters()
    seen = "".join(letter for letter in unicodedata.normalize("NFD", text) if letter not in known.ignorable)
    return unicodedata.normalize("NFD", seen.translate(known.alike))
