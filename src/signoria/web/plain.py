"""Draws any game from its view alone: public information, each player's area, and the viewer's hand.

It knows only the fields of the view. Names of fields become words, lists become rows of tiles, and hidden cards (None
in a list) become card backs.
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
"""Fields of views that the page shows elsewhere, or that are for programs."""
MANY = 12
"""The most tiles in a row; any more are only counted."""


class Tiles(NamedTuple):
    """Items in a row; None for a face-down one."""

    things: tuple[str | None, ...]
    more: int
    """How many more there are."""


class Row(NamedTuple):
    """A name with a value: words, tiles, or rows."""

    name: str
    words: str | None = None
    tiles: Tiles | None = None
    rows: "tuple[Row, ...]" = ()


def draw(view: Any, seats: int) -> Drawn:
    """Draw a view of any game with up to `seats` players. Entries of `players` go into the players' areas.

    The viewer's own lists are the hand.
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


def rows(thing: Any) -> tuple[Row, ...]:
    """The fields of a value, each with its name."""
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


def _row(name: str, value: Any) -> Row:
    if isinstance(value, msgspec.Struct | Mapping):
        inside = rows(value)
        return Row(name, rows=inside) if inside else Row(name, words="–")
    if not _is_list(value):
        return Row(name, words=_told(value))
    if any(isinstance(one, msgspec.Struct | Mapping) or _is_list(one) for one in value):
        return Row(name, rows=tuple(_entry(place, one) for place, one in enumerate(value, 1)))
    return Row(name, tiles=Tiles(tuple(None if one is None else _told(one) for one in value[:MANY]), len(value[MANY:])))


def _entry(place: int, value: Any) -> Row:
    """One of several values, with its own name if it has one."""
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
