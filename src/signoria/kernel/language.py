"""The language of what people read: which one is spoken now, and the texts of a package in every language.

A request or a command says once which language it speaks (`speak`); code that writes words asks `Texts` for them, which
look that language up in a context variable. Two rules follow:

- What is kept for several readers (a log, a rendered page) is kept per language: use `per_language` instead of
  `functools.cache`, or put `language()` into the key.
- What is stored, or told later to readers of another language, is data: an event, or a `Message`.

English is the source: its texts are the messages themselves, so it needs no catalogue.
"""

import gettext
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache, reduce, wraps
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar, cast

from signoria.kernel.pseudo import PseudoTranslations

ENGLISH = "en"
LANGUAGES = MappingProxyType({"en": "English", "it": "Italiano", "nl": "Nederlands", "fr": "Français", "de": "Deutsch"})
"""The languages that people can choose, and what each is called in itself."""
PSEUDO = "en-XA"
"""English with accents and extra length, for tests: text that is not marked or does not fit stands out."""
CATALOGUE = "locale/{language}/LC_MESSAGES/messages.po"
"""Where a package keeps the translations of its texts, below its folder."""

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
F = TypeVar("F", bound=Callable[..., Any])

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)

language: Callable[[], str] = _spoken.get
"""The language that is spoken now."""


def is_known(name: str) -> bool:
    """Whether a language can be spoken."""
    return name in LANGUAGES or name == PSEUDO


def speak(name: str) -> None:
    """Speak this language until the end of the request or command."""
    _spoken.set(name)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak this language inside a `with` block."""
    before = _spoken.set(name)
    try:
        yield
    finally:
        _spoken.reset(before)


class KeptPerLanguage(Protocol[P, R]):
    """A function whose results are cached for each language."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result, made once."""

    def cache_clear(self) -> None:
        """Forget all results."""


def per_language(most: int | None = None) -> Callable[[Callable[P, R]], KeptPerLanguage[P, R]]:
    """Cache what a function returns, like `lru_cache`, but separately for each language."""

    def decorate(function: Callable[P, R]) -> KeptPerLanguage[P, R]:
        @lru_cache(most)
        def kept(_language: str, *args: P.args, **kwargs: P.kwargs) -> R:
            return function(*args, **kwargs)

        @wraps(function)
        def told(*args: P.args, **kwargs: P.kwargs) -> R:
            return kept(_spoken.get(), *args, **kwargs)  # type: ignore[arg-type]

        told.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
        return cast("KeptPerLanguage[P, R]", told)

    return decorate


class Texts:
    """The texts of a package: English messages, translated with the catalogues in its folder.

    A message is a whole sentence or label. Its values have names: `say("{player} plays {card}.", player=..., card=...)`.
    A language without a catalogue, or a message that is not in it, is told in English.
    """

    def __init__(self, package: str, folder: Path, shared: "Texts | None" = None) -> None:
        self._package, self._folder, self._shared = package, folder, shared
        self._read: dict[str, gettext.NullTranslations] = {ENGLISH: gettext.NullTranslations()}

    def translations(self, name: str) -> gettext.NullTranslations:
        """The translations into a language, read on first use."""
        found = self._read.get(name)
        if found is None:
            found = self._read[name] = self._translations(name)
        return found

    def _translations(self, name: str) -> gettext.NullTranslations:
        if name == PSEUDO:
            return PseudoTranslations()
        path = self._folder / CATALOGUE.format(language=name)
        found = read_catalogue(path, name) if path.exists() else gettext.NullTranslations()
        if self._shared is not None:
            found.add_fallback(self._shared.translations(name))
        return found

    def say(self, message: str, /, **values: object) -> str:
        """A message in the language that is spoken now."""
        spoken = _spoken.get()
        if spoken != ENGLISH and message:
            message = self.translations(spoken).gettext(message)
        return message.format_map(values) if values else message

    def say_as(self, context: str, message: str, /, **values: object) -> str:
        """The same for a message whose English is ambiguous: `context` says how it is meant."""
        spoken = _spoken.get()
        if spoken != ENGLISH:
            message = self.translations(spoken).pgettext(context, message)
        return message.format_map(values) if values else message

    def say_count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """A message about a number of things, `{n}`, in the singular or plural that the language has for it."""
        spoken = _spoken.get()
        message = self.translations(spoken).ngettext(one, many, abs(n))  # French has the singular for all n below 2
        return message.format_map({"n": number(n), **values})

    def say_count_as(self, context: str, one: str, many: str, n: int, /, **values: object) -> str:
        """The same for a message whose English is ambiguous, such as a noun that another language declines."""
        message = self.translations(_spoken.get()).npgettext(context, one, many, abs(n))
        return message.format_map({"n": number(n), **values})

    def say_forms(self, one: str, many: str) -> tuple[str, str]:
        """The singular and the plural of a message, with its gaps open, for scripts."""
        translations = self.translations(_spoken.get())
        return translations.ngettext(one, many, 1), translations.ngettext(one, many, 2)

    def tell(self, told: "Told") -> str:
        """A marked text, or a message with its values."""
        return str(told) if isinstance(told, Message) else self.say(told)

    def later(self, message: str, /, **values: object) -> "Message":
        """A message to be told later, in the language of the reader."""
        return Message(self._package, message, tuple(sorted(values.items())))


class Message(NamedTuple):
    """A message that is told later: `str` tells it in the language that is spoken then."""

    package: str
    """The package whose texts translate it."""
    message: str
    values: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return texts_of(self.package).say(self.message, **dict(self.values))


Told = str | Message
"""A text, or a message that becomes one when it is told."""


def to_say(message: str) -> str:
    """Mark a message for the catalogue that is translated elsewhere, with `say`."""
    return message


def to_say_docstring(function: F) -> F:
    """Mark the docstring of a function for the catalogue: it is the help of a command."""
    return function


def to_say_count(one: str, many: str) -> tuple[str, str]:
    """Mark a message about a number of things that is translated elsewhere, with `say_count`."""
    return one, many


def read_catalogue(path: Path, name: str) -> gettext.GNUTranslations:
    """The translations in a .po file."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=name))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


SHARED_PACKAGE = "signoria"
SHARED = Texts(SHARED_PACKAGE, Path(__file__).parent.parent)
"""The texts of the program itself. Every game has texts of its own."""
say, say_as, say_count, later = SHARED.say, SHARED.say_as, SHARED.say_count, SHARED.later
say_forms = SHARED.say_forms


@cache
def texts_of(package: str) -> Texts:
    """The texts of a package, or of the closest package around it: `TEXTS` in its module `texts`, else the program's."""
    while package and package != SHARED_PACKAGE:
        if find_spec(f"{package}.texts"):
            texts: Texts = import_module(f"{package}.texts").TEXTS
            return texts
        package = package.rpartition(".")[0]
    return SHARED


# Numbers, dates and lists


def is_singular(n: int) -> bool:
    """Whether the language has the singular for this number: in French also for 0."""
    return n == 1 or (n == 0 and _spoken.get() == "fr")


def number(value: float, digits: int | None = None) -> str:
    """A number as the language writes it: `1,234` or `1.234`; `digits` fixes how many follow the decimal point."""
    if digits is None and -1000 < value < 1000 and isinstance(value, int):
        return str(value)
    spoken = _spoken.get()
    if spoken in (ENGLISH, PSEUDO):
        return f"{value:,}" if digits is None else f"{value:,.{digits}f}"
    from babel.numbers import format_decimal

    return format_decimal(value, f"#,##0.{'0' * digits}" if digits else "#,##0", locale=spoken)


def percent(share: int) -> str:
    """`62%`, or `62 %` where the language wants a space."""
    return say("{share}%", share=share)


def day(when: date) -> str:
    """A date as the language writes it: `17 November 2026`."""
    from babel.dates import format_date

    spoken = _spoken.get()
    if spoken in (ENGLISH, PSEUDO):
        return format_date(when, "d MMMM yyyy", locale=ENGLISH)
    return format_date(when, "long", locale=spoken)


def all_of(names: Sequence[str]) -> str:
    """`Anna, Bruno and Carla`. The word between the last two depends on the names in some languages."""
    *some, last = names
    if not some:
        return last
    joined = {"some": ", ".join(some), "last": last}
    word = say("{some} and {last}", some="", last="")
    if any(word in name for name in names):
        # Translators: One of the names has “and” in it, so use another word or another sign here if that is clearer.
        return say_as("“and” in a name", "{some} and {last}", **joined)
    if last[:1] in ("e", "E"):
        # Translators: {last} begins with the letter e.
        return say_as("before e", "{some} and {last}", **joined)
    return say("{some} and {last}", **joined)


def any_of(names: Sequence[object]) -> str:
    """`12, 16 or 20`."""
    *some, last = map(str, names)
    return say("{some} or {last}", some=", ".join(some), last=last) if some else last


def apart(parts: Iterable[str]) -> str:
    """`one; two; three`, with a space before the semicolons where the language wants one."""
    found = list(parts)
    return reduce(lambda before, after: say("{before}; {after}", before=before, after=after), found) if found else ""


def labelled(label: object, value: object) -> str:
    """`Anna: 3 points`, with a space before the colon where the language wants one."""
    return say("{label}: {value}", label=label, value=value)


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def inside(text: str) -> str:
    """A heading inside a sentence: it begins with a small letter, except in German, whose nouns have capitals."""
    return text if _spoken.get() == "de" else text[:1].lower() + text[1:]
