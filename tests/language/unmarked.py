"""Finds text in templates that no `{% trans %}` marks for translation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from jinja2 import Environment

SHOWN = frozenset({"aria-label", "title", "placeholder", "alt", "content"})
"""Attributes that people read or hear."""
DRAWN = frozenset({"use", "begin", "scene", "building", "things", "clause", "see", "post", "small"})
"""Macros and functions whose strings are names of drawings and classes."""
LETTERS = re.compile(r"[^\W\d_]{2}")
IN_TAG = re.compile(r"<[^<>]*$")
ATTRIBUTE = re.compile(r"""([\w:-]+)=(?:"[^"]*|'[^']*)$""")
NOT_READ = re.compile(r"<(code|script|style|kbd)\b[^<>]*>[^<]*(</\1>|$)")
TEXT = re.compile(r"<[^<>]*>|&\w+;")
CODE = re.compile(r"\"?\s*(?:[/?]|[\w:-]+=)")
"""Addresses and attributes in blocks of their own."""
NAMES = re.compile(
    r"\b(Il Principe|Signoria|atrician|Il|rincipe|SHA-256|API|JSON|OpenAPI|HTTP|JavaScript|Il Principe)\b"
)
"""Names that are the same in every language."""


class Unmarked(NamedTuple):
    """A text without a mark."""

    line: int
    text: str


def unmarked(source: str, environment: Environment) -> Iterator[Unmarked]:
    """Every text of a template that a person would read and that is not marked."""
    html, before, inside_message = "", "", False
    block: list[str] = []
    strings: list[str] = []
    calls: list[str] = []
    for line, kind, value in environment.lex(source):
        if value == "(":
            calls.append(before)
        elif value == ")" and calls:
            calls.pop()
        before = value
        match kind:
            case "block_begin":
                block = []
            case "block_end":
                inside_message = block[:1] == ["trans"] or (inside_message and block[:1] != ["endtrans"])
                block = []
            case "name":
                block.append(value)
            case "data" if not inside_message:
                yield from _in_data(html, value, line)
                html += value
            case "variable_begin":
                strings = []
            case "string" if not DRAWN.intersection(calls):
                strings.append(value.strip("\"'"))
            case "variable_end" if not inside_message and _is_read(html):
                yield from (Unmarked(line, text) for text in strings if _is_text(text))
                html += "0"
            case _:
                pass


def _is_text(text: str) -> bool:
    """Whether a string of an expression is a text: it begins a sentence or has several words."""
    words = NAMES.sub("", text)
    return bool(LETTERS.search(words)) and (words[:1].isupper() or " " in words.strip())


def _is_read(html: str) -> bool:
    """Whether what follows is a text or an attribute that is read."""
    tag = IN_TAG.search(html)
    if tag is None:
        return True
    attribute = ATTRIBUTE.search(tag[0])
    return attribute is not None and attribute[1] in SHOWN


def _in_data(before: str, data: str, line: int) -> Iterator[Unmarked]:
    tag = IN_TAG.search(before)
    whole = (tag[0] if tag else "") + data
    for name, value in re.findall(r"""([\w:-]+)=["']([^"']*)""", whole):
        if name in SHOWN and LETTERS.search(NAMES.sub("", value)) and value in data and name != "content":
            yield Unmarked(line, value)
    plain = TEXT.sub(
        "\n", NOT_READ.sub("\n", IN_TAG.sub("", re.sub(r"^[^<>]*>", "", whole) if tag and ">" in data else whole))
    )
    if tag and ">" not in data:
        return
    for text in plain.split("\n"):
        if LETTERS.search(NAMES.sub("", text)) and not CODE.match(text.strip()):
            yield Unmarked(line, text.strip())
