"""Texts that people write for others: messages, reports, reasons."""

import unicodedata

REORDERING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that change the direction of the text after them, and so could make it look like another text."""
MOST_MARKS = 8
"""The most accents on a letter. No language needs more, and a tower of them would cover the lines above."""


def readable(typed: str) -> str:
    """A text without characters that change its direction, and without towers of accents."""
    kept, marks = list[str](), 0
    for letter in typed.translate(REORDERING):
        marks = marks + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
