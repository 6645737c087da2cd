"""What a person reads or hears on a page: its texts, and its attributes that are read."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from signoria.kernel.pseudo import BEGIN, END

READ = frozenset({"aria-label", "title", "placeholder", "alt", "data-brief", "data-title", "data-too-many"})
SILENT = frozenset({"script", "style", "code", "q", "kbd", "time"})
"""Elements without words of ours: code, and what players have written."""
EMPTY = frozenset({"input", "link", "meta", "br", "use", "path", "rect", "img"})
WORD = re.compile(r"[^\W\d_]{3,}")
GLUED = re.compile(r"(?:^|\S)[:;!](?=\s|$)|\S\?(?=\s|$)")


class Piece(NamedTuple):
    """A text between two tags, or an attribute."""

    text: str
    attribute: bool


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[Piece] = []
        self._silent: list[str] = []
        """Open elements inside one that is not read."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if self._silent or tag in SILENT or (known.get("lang") not in (None, "en-XA") and tag != "html"):
            if tag not in EMPTY:
                self._silent.append(tag)
            return
        self.pieces += [Piece(value, True) for name, value in attrs if name in READ and value]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.pieces.append(Piece(data, False))


def pieces(page: str) -> list[Piece]:
    """The texts of a page in order, and its attributes that are read."""
    reader = _Reader()
    reader.feed(page)
    return reader.pieces


def glued_signs(page: str) -> list[str]:
    """The texts of a page in which `:`, `;`, `!` or `?` follows a word without the space that French wants."""
    return [piece.text for piece in pieces(page) if GLUED.search(piece.text)]


def outside_brackets(page: str) -> Iterator[str]:
    """The texts of a page in the pseudo-language that no translation has put into brackets."""
    depth = 0
    for text, attribute in pieces(page):
        before, depth = depth, 0 if attribute else depth
        rest = ""
        for letter in text:
            depth += (letter == BEGIN) - (letter == END)
            rest += letter if depth == 0 and letter != END else " "
        if WORD.search(rest):
            yield " ".join(rest.split())
        depth = before if attribute else depth
