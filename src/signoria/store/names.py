"""Names as they are compared: two that look alike, or differ in case or accents alone, are one."""

import unicodedata

from signoria.store.unicode import BLANK, letters, skeleton

SMALL = str.maketrans({"i": "l"})
"""A capital I looks like a small L, and case does not count."""


def name_key(name: str) -> str:
    """The name without what the eye overlooks: case, width, accents, invisible signs, lookalike letters, spaces.

    A name in other letters that reads as one in Latin letters has the key of that one (ΝΙΝΑ in Greek: NINA).
    """
    seen = _plain(unicodedata.normalize("NFKC", name))
    if not seen.isascii():
        shown = _plain(skeleton(seen))
        seen = shown if shown.isascii() else seen
    folded = unicodedata.normalize("NFKD", seen.casefold())
    return " ".join(_plain(skeleton(folded).casefold()).translate(SMALL).split())


def name_keys(name: str) -> list[str]:
    """The key of a name first, then those that it has in other cases: small Greek letters look like other Latin ones
    than capitals do.
    """
    return list(dict.fromkeys(name_key(form) for form in (name, name.lower(), name.upper(), name.title())))


def same_but_for_case(one: str, other: str) -> bool:
    """Whether two names are the same, in whatever case."""
    return _folded(one) == _folded(other)


def as_typed(name: str) -> str:
    """A name as it is kept, however many spaces were typed, and however a keyboard writes an accented letter."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", as_typed(name).casefold())


def _plain(text: str) -> str:
    """Without accents and invisible signs. Marks that are letters of their own, such as Indian vowels, stay."""
    return unicodedata.normalize(
        "NFC",
        "".join(
            sign
            for sign in unicodedata.normalize("NFD", text)
            if sign.isspace() or not (_is_nothing(sign) or _is_accent(sign))
        ),
    )


def _is_nothing(sign: str) -> bool:
    """Whether a character is shown as nothing: by data that is the same for every Python, as keys have to be."""
    return sign == BLANK or sign in letters().ignorable or unicodedata.category(sign) == "Cc"


def _is_accent(sign: str) -> bool:
    """Whether a mark stands above, below or within any letter: Unicode names those COMBINING, or it is an Arabic or
    Hebrew vowel, which people leave out.
    """
    if unicodedata.category(sign) not in {"Mn", "Me"}:
        return False
    return unicodedata.name(sign, "").startswith(("COMBINING", "ARABIC", "HEBREW"))
