"""The log: whose line it is by a mark, people by their names, turns under headings."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from signoria.web.drawn import mark
from signoria.web.environment import macros
from signoria.web.models import LogLine, SeatModel


class Sitting(NamedTuple):
    """Who sits at a table, as its log names them."""

    game: str
    titles: tuple[str, ...]
    names: tuple[str, ...]


def people(seats: Sequence[SeatModel]) -> tuple[str, ...]:
    """Who sits where, as sentences name them: `Anna`, and `Muratore (Red)` where two are called so."""
    names = Counter(seat.name for seat in seats)
    return tuple(_called(seat.name, seat.title, names[seat.name] == 1) for seat in seats)


def _called(name: str, title: str, alone: bool) -> str:
    if not name:
        return title
    return name if alone else f"{name} ({title})"


def sitting(game: str, seats: Sequence[SeatModel]) -> Sitting:
    """Who sits at a table."""
    return Sitting(game, tuple(seat.title for seat in seats), people(seats))


def named(says: str, who: Sitting) -> str:
    """A sentence of the game with people's names instead of what the game calls their seats."""
    names = dict(zip(who.titles, who.names, strict=True))
    return _titles(who.titles).sub(lambda found: names[found[0]], says)


@cache
def _titles(titles: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, titles))})\b")


@lru_cache(4096)
def draw_line(entry: LogLine, who: Sitting, replay: str = "") -> Markup:
    """A line; `replay` is where it leads with its step."""
    whose = Markup() if entry.seat is None else mark(who.game, entry.seat, who.titles[entry.seat])
    return Markup(_macros().line(entry, whose, named(entry.says, who), replay))


@cache
def _macros() -> Any:
    return macros("lines.html")


def draw_log(lines: Iterable[LogLine], who: Sitting) -> Markup:
    """The log at a table: the last turn first, what happened in it in order."""
    turns = [(chapter, list(entries)) for chapter, entries in groupby(lines, attrgetter("chapter"))]
    return Markup("".join(_draw_turn(chapter, entries, who) for chapter, entries in reversed(turns)))


def _draw_turn(chapter: str, entries: Iterable[LogLine], who: Sitting) -> str:
    drawn = "".join(draw_line(entry, who) for entry in entries)
    return f"<li><h3>{escape(chapter)}</h3><ul>{drawn}</ul></li>"
