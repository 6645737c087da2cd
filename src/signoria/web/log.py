"""The log: lines with marks of seats and names of players, grouped by turn."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from signoria.kernel.words import Sentence
from signoria.web.board import find_board
from signoria.web.drawn import mark
from signoria.web.environment import macros
from signoria.web.models import LogLine, SeatModel

MOST_KEPT = 400
"""How many drawn lines of a table are cached."""


class Sitting(NamedTuple):
    """The players at a table, as its log names them."""

    game: str
    titles: tuple[str, ...]
    names: tuple[str, ...]


def people(seats: Sequence[SeatModel]) -> tuple[str, ...]:
    """Players' names as used in sentences: `Anna`, or `Muratore (Red)` if two have the same name."""
    names = [seat.name for seat in seats]
    return tuple([_called(seat.name, seat.title, names.count(seat.name) == 1) for seat in seats])


def _called(name: str, title: str, alone: bool) -> str:
    if not name:
        return title
    return name if alone else f"{name} ({title})"


def sitting(game: str, seats: Sequence[SeatModel]) -> Sitting:
    """The players at a table."""
    return Sitting(game, tuple(seat.title for seat in seats), people(seats))


def named(says: Sentence, who: Sitting) -> str:
    """A sentence of the game with players' names where it refers to their seats."""
    return says.named(who.names.__getitem__)


@lru_cache(16384)
def draw_line(entry: LogLine, who: Sitting, replay: str = "") -> Markup:
    """A line; `replay` is the address it links to, before its step."""
    whose = Markup() if entry.seat is None else _mark(who, entry.seat)
    return Markup(_macros().line(entry, whose, named(entry.says, who), replay))


def _mark(who: Sitting, seat: int) -> Markup:
    return mark(find_board(who.game).marks[seat], seat, who.titles[seat])


@cache
def _macros() -> Any:
    return macros("lines.html")


def draw_log(lines: Iterable[LogLine], who: Sitting, kept: dict[Any, Any]) -> Markup:
    """The log of a table: latest turn first, each turn in order. Lines drawn before are cached in `kept`."""
    known: dict[tuple[int, Sentence], str] = kept.setdefault(who, {})
    if len(known) > MOST_KEPT:
        known.clear()
    turns: list[str] = []
    for chapter, entries in groupby(lines, attrgetter("chapter")):
        drawn = []
        for entry in entries:
            key = entry.n, entry.says
            if key not in known:
                known[key] = draw_line(entry, who)
            drawn.append(known[key])
        turns.append(f"<li><h3>{escape(chapter)}</h3><ul>{''.join(drawn)}</ul></li>")
    return Markup("".join(reversed(turns)))
