"""Names of people: readable, not mistaken for anybody of the house, and made up for those who typed none."""

import secrets
import unicodedata

from signoria.bots.levels import LEVELS
from signoria.server.errors import BadField
from signoria.server.offered import NUMERALS
from signoria.store.people import name_key

LONGEST = 24
MOST_MARKS = 2
"""Accents that a letter may carry."""
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Characters that cannot be seen, that turn the text around, or that mean nothing: by Unicode's categories."""

RESERVED = frozenset(
    name_key(name)
    for name in (
        *(level.id for level in LEVELS),
        *(f"{level.title} {numeral}" for level in LEVELS for numeral in NUMERALS),
        *("The house", "House", "Casa", "Signoria", "Admin", "Administrator", "Moderator", "Root", "System"),
        *("Bot", "Random", "Greedy", "Search", "Nobody", "Someone", "Anonymous", "Guest", "Ospite", "Me", "You"),
    )
)
GIVEN_NAMES = (
    *("Alessandra", "Andrea", "Angelo", "Beatrice", "Bianca", "Bona", "Camilla", "Caterina", "Cecilia", "Cosimo"),
    *(
        "Domenico",
        "Donato",
        "Eleonora",
        "Ercole",
        "Fiammetta",
        "Filippo",
        "Francesco",
        "Galeazzo",
        "Ginevra",
        "Giovanna",
    ),
    *("Giuliano", "Guido", "Ippolita", "Isabella", "Jacopo", "Lapo", "Laura", "Leonardo", "Lisa", "Lorenzo"),
    *("Lucrezia", "Ludovico", "Maddalena", "Marco", "Margherita", "Matteo", "Nannina", "Niccolò", "Piero", "Simonetta"),
)


def clean_name(typed: str, field: str = "name") -> str:
    """A name as it is kept and shown; raises `BadField`."""
    name = unicodedata.normalize("NFC", typed[: 10 * LONGEST]).strip()
    if any(unicodedata.category(letter) in UNSEEN for letter in name):
        raise BadField(field, "A name has only letters and signs that can be seen.")
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST:
        raise BadField(field, f"A name has 1 to {LONGEST} letters{f'; this one has {len(name)}' if name else ''}.")
    if _marks(name) > MOST_MARKS:
        raise BadField(field, f"A letter of a name has {MOST_MARKS} accents at most.")
    if not any(letter.isalnum() for letter in name):
        raise BadField(field, "A name has at least one letter or figure.")
    if name_key(name) in RESERVED:
        raise BadField(field, f"{name} is what somebody of the house is called; choose another name.")
    return name


def made_up_name() -> str:
    """A name for somebody who typed none, such as Ginevra 4821."""
    return f"{secrets.choice(GIVEN_NAMES)} {1000 + secrets.randbelow(9000)}"


def _marks(name: str) -> int:
    """The most accents that stand on one letter."""
    most = here = 0
    for sign in unicodedata.normalize("NFD", name):
        here = here + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        most = max(most, here)
    return most
