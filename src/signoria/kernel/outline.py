"""A view as names and values, read from its fields alone: what terminals and browsers show of a game without its own drawing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from rich.text import Text

from signoria.kernel.language import say, say_as

NOT_DRAWN = frozenset({"game", "seat", "turn", "asked", "legal", "components", "players", "remembered", "places"})
"""Fields of a view that are shown elsewhere, or that are for programs."""
BACK = "▮"
"""A hidden thing in a terminal."""


class OutlineLine(NamedTuple):
    """A field: its name and its content, which is text, a row of things, or more lines."""

    name: str
    words: str | None = None
    things: tuple[str | None, ...] | None = None
    """None means something hidden."""
    lines: "tuple[OutlineLine, ...]" = ()


class Outline(NamedTuple):
    """A view in lines."""

    shared: tuple[OutlineLine, ...]
    """What belongs to nobody."""
    players: tuple[tuple[OutlineLine, ...], ...]
    """What each player has."""
    remembered: tuple[OutlineLine, ...] | None
    """What an attentive player also knows; None at a table without the card tracker."""


def outline(view: Any, seat_name: Callable[[int], str]) -> Outline:
    """A view of any game. What its field `players` says of a seat belongs to that player."""
    shared = [(name, value) for name, value in _fields(view) if name not in NOT_DRAWN]
    players = getattr(view, "players", ())
    remembered = getattr(view, "remembered", None)
    return Outline(
        shared=tuple(_line(in_words(name), value, seat_name) for name, value in shared),
        players=tuple(_lines(player, seat_name) for player in players) if _is_list(players) else (),
        remembered=None if remembered is None else _lines(remembered, seat_name),
    )


def draw_outline(view: Any, seat_name: Callable[[int], str]) -> Text:
    """A view as text."""
    told, text = outline(view, seat_name), Text()
    _draw_lines(text, told.shared, "")
    for seat, player in enumerate(told.players):
        marks = [mark for mark, true in ((say("you"), seat == view.seat), (say("to move"), seat == view.turn)) if true]
        text.append(" – ".join([seat_name(seat), *marks]) + "\n", "bold")
        _draw_lines(text, player, "  ")
    if told.remembered is not None:
        text.append(say("Card tracker") + "\n", "bold")
        _draw_lines(text, told.remembered, "  ")
    return text


def _draw_lines(text: Text, lines: Sequence[OutlineLine], indent: str) -> None:
    width = max((len(line.name) for line in lines if not line.lines), default=0)
    for line in lines:
        if line.lines:
            text.append(f"{indent}{line.name}\n")
            _draw_lines(text, line.lines, f"{indent}  ")
        else:
            things = " ".join(BACK if thing is None else thing for thing in line.things or ()) or "–"
            text.append(f"{indent}{line.name:<{width}}  ", "dim")
            text.append(f"{things if line.words is None else line.words}\n")


def in_words(name: str) -> str:
    """The name of a field for people: `Rounds left`."""
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _lines(thing: Any, seat_name: Callable[[int], str]) -> tuple[OutlineLine, ...]:
    return tuple(_line(in_words(name), value, seat_name) for name, value in _fields(thing))


def _fields(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, msgspec.Struct):
        named = ((name, getattr(thing, name)) for name in thing.__struct_fields__)
        yield from ((name, value) for name, value in named if value is not None)
    elif isinstance(thing, Mapping):
        yield from ((str(name), value) for name, value in thing.items())
    elif _is_list(thing):
        yield from ((str(place), value) for place, value in enumerate(thing, 1))


def _line(name: str, value: Any, seat_name: Callable[[int], str]) -> OutlineLine:
    if isinstance(value, msgspec.Struct | Mapping):
        inside = _lines(value, seat_name)
        return OutlineLine(name, lines=inside) if inside else OutlineLine(name, words="–")
    if _is_list(value):
        if any(isinstance(one, msgspec.Struct | Mapping) or _is_list(one) for one in value):
            return OutlineLine(name, lines=tuple(_entry(place, one, seat_name) for place, one in enumerate(value, 1)))
        return OutlineLine(name, things=tuple(None if one is None else _told(one) for one in value))
    if name == "Seat" and isinstance(value, int):
        return OutlineLine(say("Player"), words=seat_name(value))
    return OutlineLine(name, words=_told(value))


def _entry(place: int, value: Any, seat_name: Callable[[int], str]) -> OutlineLine:
    """One of several values, with its own name if it has one."""
    named = getattr(value, "name", None) or getattr(value, "id", None)
    return _line(in_words(str(named)) if named else str(place), value, seat_name)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say_as("answer", "no")
    return "–" if value is None else str(value)
