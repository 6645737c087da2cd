"""Compares names: names that look alike, or differ only in case or accents, count as the same."""

import unicodedata

from signoria.store.unicode import BLANK, letters, skeleton

SMALL = str.maketrans({"i": "l"})
"""A capital I looks like a small L, and case is ignored."""


def name_key(name: str) -> str:
    """The name without what people overlook: case, width, accents, invisible characters, lookalike letters, spaces.

    A name in other letters that reads like a Latin name has the same key as the Latin name (ΝΙΝΑ in Greek: NINA).
    """
    seen = _plain(unicodedata.normalize("NFKC", name))
    if not seen.isascii():
        shown = _plain(skeleton(seen))
        seen = shown if shown.isascii() else seen
    folded = unicodedata.normalize("NFKD", seen.casefold())
    return " ".join(_plain(skeleton(folded).casefold()).translate(SMALL).split())


def name_keys(name: str) -> list[str]:
    """The key of a name, followed by its keys in other cases: small Greek letters resemble other Latin letters than
    capitals do.
    """
    return list(dict.fromkeys(name_key(form) for form in (name, name.lower(), name.upper(), name.title())))


def same_but_for_case(one: str, other: str) -> bool:
    """Whether two names are equal except for case."""
    return _folded(one) == _folded(other)


def as_typed(name: str) -> str:
    """A name as it is saved: with single spaces, and accented letters in one standard form."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", as_typed(name).casefold())


def _plain(text: str) -> str:
    """Without accents and invisible characters. Marks that are letters, such as Indian vowels, stay."""
    return unicodedata.normalize(
        "NFC",
        "".join(
            sign
            for sign in unicodedata.normalize("NFD", text)
            if sign.isspace() or not (_is_nothing(sign) or _is_accent(sign))
        ),
    )


def _is_nothing(sign: str) -> bool:
    """Whether a character is invisible; the data is the same in every Python version, because keys must not change."""
    return sign == BLANK or sign in letters().ignorable or unicodedata.category(sign) == "Cc"


def _is_accent(sign: str) -> bool:
    """Whether a mark can be added to any letter (Unicode calls those COMBINING), or is an Arabic or Hebrew vowel, which
    people often leave out.
    """
    if unicodedata.category(sign) not in {"Mn", "Me"}:
        return False
    return unicodedata.name(sign, "").startswith(("COMBINING", "ARABIC", "HEBREW"))
