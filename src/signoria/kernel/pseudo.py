"""The pseudo-language of tests: English that is readable, but accented and longer, as translations are."""

import gettext
import re

KEPT = re.compile(r"(\{[^{}]*\}|%\([^()]*\)[a-z]|%%|<[^<>]*>|&[a-z]+;)")
"""Placeholders, tags and entities, which stay as they are."""
ACCENTS = str.maketrans("aceinouyACEINOUY", "àçéîñöûýÀÇÉÎÑÖÛÝ")
LONGER = 0.35
"""How much longer a text becomes: translations into German and French are about this much longer."""
WORD, FILLING = 8, "~" * 8
"""The extra length is made of words, so that it can be broken into lines."""
BEGIN, END = "⟦", "⟧"


def pseudo(message: str) -> str:
    """A message with accents, more length, and brackets at its ends.

    >>> pseudo("Sit here, {name}")
    '⟦Sît héré, {name} ~~~~~⟧'
    """
    if not message:
        return ""
    accented = "".join(
        part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(message) if part
    )
    more = int(len(KEPT.sub("", message)) * LONGER + 2)
    words = [FILLING[: min(WORD, more - at)] for at in range(0, more, WORD)]
    return f"{BEGIN}{' '.join([accented, *words])}{END}"


class PseudoTranslations(gettext.NullTranslations):
    """Translates every message into the pseudo-language."""

    def gettext(self, message: str) -> str:
        """A message."""
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """A message about a number of things."""
        return pseudo(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        """A message with a context."""
        return pseudo(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """A message with a context about a number of things."""
        return pseudo(msgid1 if n == 1 else msgid2)
