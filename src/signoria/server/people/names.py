"""Names of people: which are allowed, which are reserved for bots, and random ones for guests."""

import secrets
import unicodedata

from signoria.bots.levels import LEVELS, OLDER_NAMES
from signoria.kernel.language import all_of, say
from signoria.server.errors import BadField
from signoria.server.lobby.catalogue import NUMERALS
from signoria.store.people import name_key, name_keys
from signoria.store.unicode import is_invisible, letters

LONGEST = 24
TRIES = 20
"""Made-up names to try until one is free."""
MOST_MARKS = 2
"""The most accents on a letter."""
TOGETHER = {
    "Hani": {"Jpan", "Kore", "Hanb"},
    "Hira": {"Jpan"},
    "Kana": {"Jpan"},
    "Hang": {"Kore"},
    "Bopo": {"Hanb"},
}
"""Scripts that are written together (UTS #39): Japanese, Korean, and Chinese with Bopomofo, each also with Latin."""
EAST_ASIAN = frozenset({"Jpan", "Kore", "Hanb"})

OF_THE_SERVER = (
    *("The house", "House", "Casa", "Signoria", "Admin", "Root", "System", "Server", "The server", "Host", "The host"),
    *("Administrator", "Moderator", "Moderators", "Moderation"),
    *("Administratorin", "Moderatorin", "Moderatoren", "Betreiber", "Der Server"),
    *("Administrateur", "Administratrice", "Modérateur", "Moderateur", "Modératrice", "Moderatrice", "Modération"),
    *("Responsable", "Hôte", "Serveur", "Le serveur"),
    *("Amministratore", "Amministratrice", "Moderatore", "Moderatori", "Moderazione", "Il server"),
    *("Beheerder", "De beheerder", "Moderatie", "De server"),
)
"""Names of the people who run a server, and of the server itself, in every language."""
NOBODY = (
    *("Nobody", "Someone", "Anonymous", "Guest", "Me", "You", "Free seat", "A deleted account"),
    *("Niemand", "Jemand", "Gast", "Freier Platz", "Quelqu'un", "Invité", "Place libre"),
    *("Nessuno", "Qualcuno", "Ospite", "Posto libero", "Iemand", "Vrije plaats"),
)
"""Words that stand for a player without a name, in every language."""
RESERVED = frozenset(
    name_key(name)
    for name in (
        *(level.id for level in LEVELS),
        *OLDER_NAMES,
        *(f"{level.title} {numeral}" for level in LEVELS for numeral in ("I", *NUMERALS)),
        *("Bot", "Random", "Greedy", "Search"),
        *OF_THE_SERVER,
        *NOBODY,
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
    """A name as it is stored and shown; raises `BadField`.

    Its letters must be those that Unicode recommends for identifiers, from one script (UTS #39, "highly restrictive").
    Emoji are not allowed: most consist of several characters, some invisible, and look different on each device.
    """
    name = unicodedata.normalize("NFKC", typed[: 10 * LONGEST]).strip()
    for letter in name:
        if letter != " " and letter not in letters().allowed:
            raise BadField(field, _not_allowed(letter))
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST:
        longest = {"longest": LONGEST}
        if not name:
            raise BadField(field, say("A name must have 1 to {longest} characters.", **longest))
        raise BadField(
            field, say("A name must have 1 to {longest} characters; this one has {count}.", count=len(name), **longest)
        )
    if not any(letter.isalnum() for letter in name):
        raise BadField(field, say("A name must have at least one letter or digit."))
    _check_marks(name, field)
    _check_scripts(name, field)
    if not RESERVED.isdisjoint(name_keys(name)):
        raise BadField(
            field, say("{name} is too similar to the name of a bot or of the server. Choose another name.", name=name)
        )
    return name


def _not_allowed(letter: str) -> str:
    code = f"U+{ord(letter):04X}"
    if is_invisible(letter):
        return say("A name cannot contain invisible characters ({code}).", code=code)
    return say(
        "A name cannot contain {letter} ({code}): use letters, digits, spaces, apostrophes, hyphens and full stops.",
        letter=letter,
        code=code,
    )


def _check_marks(name: str, field: str) -> None:
    """Checks that accents are on letters, and not too many on one; raises `BadField`."""
    here, on_letter = 0, False
    for sign in unicodedata.normalize("NFD", name):
        if unicodedata.category(sign)[0] != "M":
            here, on_letter = 0, sign.isalnum()
        elif not on_letter:
            raise BadField(field, say("A name cannot contain an accent without a letter (U+{ord:04X}).", ord=ord(sign)))
        else:
            here += unicodedata.category(sign) in {"Mn", "Me"}
        if here > MOST_MARKS:
            raise BadField(field, say("A letter can have at most {most_marks} accents.", most_marks=MOST_MARKS))


def _check_scripts(name: str, field: str) -> None:
    """Checks that letters are from one script, or from scripts written together, and digits of one kind."""
    known = letters()
    used = {scripts for letter in name if (scripts := known.allowed.get(letter))}
    together = [frozenset(scripts).union(*(TOGETHER.get(one, ()) for one in scripts)) for scripts in used]
    beside_latin = [scripts for scripts in together if "Latn" not in scripts]
    one_script = frozenset.intersection(*together) if together else EAST_ASIAN
    east_asian = frozenset.intersection(EAST_ASIAN, *beside_latin)
    if not one_script and not (beside_latin and east_asian):
        named = sorted({known.scripts[min(scripts)] for scripts in used if len(scripts) == 1})
        if len(named) <= 1:
            raise BadField(field, say("All letters of a name must be from one script, such as Latin or Greek."))
        raise BadField(
            field,
            say(
                "All letters of a name must be from one script, such as Latin or Greek: this one mixes {scripts}.",
                scripts=all_of(named),
            ),
        )
    if len({ord(digit) - unicodedata.decimal(digit) for digit in name if digit.isdecimal()}) > 1:
        raise BadField(field, say("All digits of a name must be of one kind."))


def made_up_name() -> str:
    """A name for a guest who gave none, such as Ginevra 4821."""
    return f"{secrets.choice(GIVEN_NAMES)} {1000 + secrets.randbelow(9000)}"
