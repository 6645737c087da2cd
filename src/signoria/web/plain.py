"""A table drawn plainly, from the view alone: what lies open, what each player has, and the viewer's own hand.

Nothing is known of the game but the fields of its view. Names of fields become words, lists become rows of tiles, and
what is hidden (None in a list) becomes the back of a card.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from signoria.web.drawn import Drawn
from signoria.web.environment import macros
from signoria.web.kit.sprite import use

UNSEEN = frozenset({"game", "seat", "turn", "asked", "legal", "components", "players", "remembered", "places"})
"""Fields of views that the page itself shows, or that are for programs."""
MANY = 12
"""So many tiles of a kind lie beside each other; more are counted."""


class Tiles(NamedTuple):
    """Things in a row; None for one that lies face down."""

    things: tuple[str | None, ...]
    more: int
    """Those that are only counted."""


class ViewRow(NamedTuple):
    """Something with its name: words, tiles, or rows of its own."""

    name: str
    words: str | None = None
    tiles: Tiles | None = None
    rows: "tuple[ViewRow, ...]" = ()


def draw(view: Any, seats: int) -> Drawn:
    """A view of any game that at most so many play. Whatever `players` of it says of a seat stands with that player.

    Lists of the viewer's own are the hand.
    """
    page, me = _macros(), getattr(view, "seat", None)
    players = [rows(player) for player in _players(view)]
    hand = Markup()
    if me is not None and me < len(players):
        hand = Markup(page.hand([row for row in players[me] if row.words is None]))
        players[me] = tuple(row for row in players[me] if row.words is not None)
    remembered = getattr(view, "remembered", None)
    return Drawn(
        hand=hand,
        board=Markup(page.board(rows(view))),
        players=(*(Markup(page.player(player)) for player in players), *(Markup(),) * (seats - len(players))),
        remembered=Markup(page.remembered(rows(remembered))) if remembered is not None else Markup(),
    )


def rows(thing: Any) -> tuple[ViewRow, ...]:
    """The fields of something, each with its name."""
    return tuple(_row(_in_words(name), value) for name, value in _fields(thing))


def _players(view: Any) -> Sequence[Any]:
    players = getattr(view, "players", ())
    return players if _is_list(players) else ()


def _fields(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, msgspec.Struct):
        named = ((name, getattr(thing, name)) for name in thing.__struct_fields__)
        yield from ((name, value) for name, value in named if name not in UNSEEN and value is not None)
    elif isinstance(thing, Mapping):
        yield from ((str(name), value) for name, value in thing.items())
    elif _is_list(thing):
        yield from ((str(place), value) for place, value in enumerate(thing, 1))


def _row(name: str, value: Any) -> ViewRow:
    if isinstance(value, msgspec.Struct | Mapping):
        inside = rows(value)
        return ViewRow(name, rows=inside) if inside else ViewRow(name, words="–")
    if not _is_list(value):
        return ViewRow(name, words=_told(value))
    if any(isinstance(one, msgspec.Struct | Mapping) or _is_list(one) for one in value):
        return ViewRow(name, rows=tuple(_entry(place, one) for place, one in enumerate(value, 1)))
    return ViewRow(
        name, tiles=Tiles(tuple(None if one is None else _told(one) for one in value[:MANY]), len(value[MANY:]))
    )


def _entry(place: int, value: Any) -> ViewRow:
    """One of several things, called by its own name where it has one."""
    named = getattr(value, "name", None) or getattr(value, "id", None)
    return _row(_in_words(str(named)) if named else str(place), value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def _in_words(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


@cache
def _macros() -> Any:
    return macros("plain.html", back=use("back", "face"))
