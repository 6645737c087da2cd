"""Help at a table that is drawn from its view alone: what the rules say about a thing, what it is now, and what can be done with it.

A clause is about a thing if it has a word of its name. So a game explains itself with its rules; nothing more is needed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from signoria.games import AnyGame
from signoria.kernel.language import all_of, labelled, say, say_count
from signoria.kernel.outline import OutlineLine, outline
from signoria.web.help import Topic
from signoria.web.kit.meaning import Meaning

HAND = "hand"
"""The usual name for the cards that only their owner sees."""
CITED = 3
"""The most clauses about one thing."""
COMMON = frozenset({"and", "are", "has", "left", "most", "name", "now", "of", "the", "to"})
"""Words of names that say nothing about a thing."""

Tell = Callable[[Any, Any], str]
"""A legal step of a view in words."""


def thing_key(*names: object) -> str:
    """The key of a thing in the view, by the names on the way to it."""
    return "-".join(re.sub(r"\W+", "-", str(name).lower()).strip("-") for name in names)


def topics(view: Any, game: AnyGame, seats: Sequence[str], tell: Tell) -> list[Topic]:
    """Everything that the view shows, in the order of the table, and every card once. `seats` are the names of the seats."""
    told, me = outline(view, seats.__getitem__), getattr(view, "seat", None)
    rows = [(thing_key("field", line.name), say("Board"), line) for line in told.shared]
    order = sorted(range(len(told.players)), key=lambda seat: seat != me)
    rows += [(thing_key("seat", seat, line.name), seats[seat], line) for seat in order for line in told.players[seat]]
    rows = [one for row in rows for one in _all_rows(*row)]
    fields = [_field(key, group, line, game) for key, group, line in rows]
    return [*fields, *_cards(view, game, rows, tell)]


def _all_rows(key: str, group: str, line: OutlineLine) -> Iterator[tuple[str, str, OutlineLine]]:
    """A line and those in it."""
    yield key, group, line
    for inner in line.lines:
        yield from _all_rows(thing_key(key, inner.name), group, inner)


def _field(key: str, group: str, line: OutlineLine, game: AnyGame) -> Topic:
    means = _about(game, _words(line.name))
    if line.name.lower() == HAND:
        means = (Meaning("", say("Only the player who holds these cards sees them."), ""), *means)
    now = (Meaning("", labelled(line.name, value), ""),) if (value := _value(line)) else ()
    return Topic(key, group, line.name, means or _intro(game), now)


def _value(line: OutlineLine) -> str:
    """What is there now; empty for a group of lines."""
    if line.words is not None or line.things is None:
        return line.words or ""
    seen = [thing for thing in line.things if thing is not None]
    if hidden := len(line.things) - len(seen):
        seen.append(say_count("{n} card face down", "{n} cards face down", hidden))
    return all_of(seen) if seen else "–"


def _cards(view: Any, game: AnyGame, rows: Iterable[tuple[str, str, OutlineLine]], tell: Tell) -> Iterator[Topic]:
    """The cards that can be seen: where they lie, and what can be done with them now."""
    places: dict[str, list[tuple[str, OutlineLine, str]]] = {}
    own = thing_key("seat", view.seat, HAND)
    for key, group, line in rows:
        for card in line.things or ():
            if card is not None:
                place = say("Your hand") if key == own else labelled(group, line.name)
                places.setdefault(card, []).append((group, line, place))
    steps = _steps(view, tell)
    for card, lies in places.items():
        group, line, _ = lies[0]
        means = _about(game, _words(card)) or _about(game, _words(line.name)) or _intro(game)
        here = all_of(list(dict.fromkeys(place for *_, place in lies)))
        now = [Meaning("", say("It lies here: {places}.", places=here), "")]
        if moves := steps.get(card):
            now.append(Meaning("", say("You can do this now: {moves}.", moves=all_of(moves)), ""))
        yield Topic(thing_key("card", card), group, card, means, tuple(now))


def _steps(view: Any, tell: Tell) -> dict[str, list[str]]:
    """The legal steps in words, by the names of the cards that they name."""
    found: dict[str, list[str]] = {}
    for step in view.legal if view.turn == view.seat else ():
        for value in msgspec.structs.asdict(step).values():
            if isinstance(value, str):
                found.setdefault(value, []).append(" ".join(tell(view, step).split()))
    return found


def _words(name: str) -> frozenset[str]:
    """The words that a clause about a thing of this name may have: `rounds left` gives `round` and `rounds`."""
    found = {word for word in re.findall(r"[^\W\d_]{3,}", name.lower()) if word not in COMMON}
    forms = {form for word in found for form in (word.removesuffix("s"), f"{word.removesuffix('s')}s", word)}
    return frozenset(forms | {f"{word.removesuffix('ed')}s" for word in found if word.endswith("ed")})


def _about(game: AnyGame, words: frozenset[str]) -> tuple[Meaning, ...]:
    """The first clauses with one of these words."""
    named = [clause for clause in game.clauses if words & set(re.findall(r"[^\W\d_]+", clause.says.lower()))]
    return tuple(Meaning("", clause.told(game.texts).says, clause.id) for clause in named[:CITED])


def _intro(game: AnyGame) -> tuple[Meaning, ...]:
    return (Meaning("", game.texts.tell(game.intro), ""),)
