"""The clauses of a game under headings with their examples and rulings, and the search in them."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup, escape

from signoria.games import GAMES
from signoria.kernel.clauses import Clause, Ruling
from signoria.kernel.language import per_language, say, to_say
from signoria.web.board import Board
from signoria.web.environment import macros
from signoria.web.examples import DrawnExample, examples_of
from signoria.web.files import static_url

FIRST = to_say("The rules")
"""The heading of clauses without their own heading."""
LONGEST_QUERY, MOST_WORDS = 100, 8
"""A search looks for this much at most."""
AROUND = 110
"""Letters of an excerpt before and after a match."""


class Part(NamedTuple):
    """Clauses under a heading."""

    title: str
    anchor: str
    clauses: tuple[Clause, ...]


def parts(
    headings: Mapping[str, str], clauses: tuple[Clause, ...], tell: Callable[[str], str] = say
) -> tuple[Part, ...]:
    """The clauses of a game under `headings`, which are keyed by the first clause under each.

    `tell` translates a heading. Anchors stay the same in every language.
    """
    heading, under = FIRST, []
    for clause in clauses:
        heading = headings.get(clause.id, heading)
        under.append((heading, clause))
    return tuple(
        Part(
            say(title) if title == FIRST else tell(title),
            "about-" + title.partition(":")[0].partition(",")[0].lower().replace(" ", "-"),
            tuple(c for _, c in run),
        )
        for title, run in groupby(under, key=lambda pair: pair[0])
    )


@per_language()
def parts_of(board: Board) -> tuple[Part, ...]:
    """All clauses of a game in the language that is spoken now."""
    return parts(board.headings, GAMES[board.name].told_clauses, board.say)


def _rulings_of(name: str) -> dict[str, list[Ruling]]:
    """The rulings of a game by clause."""
    found: dict[str, list[Ruling]] = {}
    for ruling in GAMES[name].told_rulings:
        found.setdefault(ruling.clause, []).append(ruling)
    return found


@per_language()
def draw_clauses(board: Board, beside: bool) -> Markup:
    """All clauses with examples, for the page of the full rules or to be shown `beside` a table."""
    known = macros("rules_parts.html", static_url=static_url)
    seen = {"sections": parts_of(board), "examples": examples_of(board), "rulings": _rulings_of(board.name)}
    return Markup(known.clauses(board, beside, **seen))


@per_language()
def draw_rulings(board: Board) -> Markup:
    """All rulings: what the rulebooks leave open, and what the editions say differently."""
    known = macros("rules_parts.html", static_url=static_url)
    return Markup(known.rulings(GAMES[board.name].told_rulings, board.name))


# The search


class Hit(NamedTuple):
    """A place in the rules that a search has found."""

    href: str
    title: str
    excerpt: Markup


class _Document(NamedTuple):
    """Something that can be found."""

    href: str
    title: str
    text: str
    plain: str
    """Title and text as `fold` writes them."""


def fold(text: str) -> str:
    """A text in small letters, without accents, with straight apostrophes: letter for letter, as long as the text."""
    return "".join(map(_fold_letter, text))


def _fold_letter(letter: str) -> str:
    return "'" if letter == "’" else unicodedata.normalize("NFKD", letter)[0].lower()[0]


def search(board: Board, query: str) -> tuple[Hit, ...]:
    """Clauses and rulings with all words of a query, the best first. Accents and capitals make no difference."""
    words = tuple(dict.fromkeys(fold(query[:LONGEST_QUERY]).split()))[:MOST_WORDS]
    if not words:
        return ()
    found = [(_worth(one, words), one) for one in _documents(board) if all(word in one.plain for word in words)]
    found.sort(key=lambda pair: -pair[0])
    return tuple(Hit(one.href, one.title, _excerpt(one.text, words)) for _, one in found)


def _worth(document: _Document, words: Iterable[str]) -> int:
    """How well a document fits: words in its title count most."""
    title = fold(document.title)
    return sum(
        10 * (word in title.split()) + 4 * (word in title) + min(3, document.plain.count(word)) for word in words
    )


@per_language()
def _documents(board: Board) -> tuple[_Document, ...]:
    """Everything that a search looks at, in the language that is spoken now."""
    examples = examples_of(board)
    found = [
        _document(
            f"/rules/{board.name}/full#{clause.id}", f"{clause.id} {clause.title}".strip(), _words(clause, examples)
        )
        for clause in GAMES[board.name].told_clauses
    ]
    found += [
        _document(
            f"/rules/{board.name}/rulings#ruling-{ruling.id}",
            f"{ruling.clause} {ruling.asks}",
            f"{ruling.says} {ruling.why}",
        )
        for ruling in GAMES[board.name].told_rulings
    ]
    return tuple(found)


def _words(clause: Clause, examples: Mapping[str, tuple[DrawnExample, ...]]) -> str:
    return " ".join([clause.says, clause.ruling, *(one.words for one in examples.get(clause.id, ()))]).strip()


def _document(href: str, title: str, text: str) -> _Document:
    return _Document(href, title, text, fold(f"{title} {text}"))


def _excerpt(text: str, words: Iterable[str]) -> Markup:
    """The text around the first match, with all matches marked."""
    plain = fold(text)
    places = sorted({(at, at + len(word)) for word in words for at in _all_at(plain, word)})
    first = places[0][0] if places else 0
    start, end = max(0, first - AROUND), min(len(text), first + 2 * AROUND)
    start = text.find(" ", start) + 1 if start else 0
    end = text.rfind(" ", start, end) if end < len(text) else end
    drawn, at = Markup("… ") if start else Markup(), start
    for begin, stop in places:
        if begin < at or stop > end:
            continue
        drawn += escape(text[at:begin]) + Markup("<mark>{}</mark>").format(text[begin:stop])
        at = stop
    return drawn + escape(text[at:end]) + (Markup(" …") if end < len(text) else Markup())


def _all_at(text: str, word: str) -> Iterable[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
