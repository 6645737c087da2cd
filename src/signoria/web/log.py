"""The log: lines with marks of seats and names of players, grouped by turn."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from signoria.kernel.language import language, per_language
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


def people(game: str, seats: Sequence[SeatModel]) -> tuple[str, ...]:
    """Players' names as used in sentences: `Anna`, or `Muratore (Red)` if two have the same name or the game's board
    shows its own names of the seats.
    """
    names, both = [seat.name for seat in seats], find_board(game).names_with_seats
    return tuple([_called(seat.name, seat.title, both or names.count(seat.name) > 1) for seat in seats])


def _called(name: str, title: str, both: bool) -> str:
    if not name:
        return title
    return f"{name} ({title})" if both else name


def sitting(game: str, seats: Sequence[SeatModel]) -> Sitting:
    """The players at a table."""
    return Sitting(game, tuple(seat.title for seat in seats), people(game, seats))


def named(says: Sentence, who: Sitting) -> str:
    """A sentence of the game with players' names where it refers to their seats."""
    return says.named(who.names.__getitem__)


@per_language(16384)
def draw_line(entry: LogLine, who: Sitting, replay: str = "") -> Markup:
    """A line; `replay` is the address it links to, before its step."""
    whose = Markup() if entry.seat is None else seat_mark(who, entry.seat)
    brief = None if entry.brief is None or replay else named(entry.brief, who)
    return Markup(_macros().line(entry, whose, named(entry.says, who), replay, brief))


def seat_mark(who: Sitting, seat: int) -> Markup:
    """The mark of a seat at this table."""
    return mark(find_board(who.game).marks[seat], seat, who.titles[seat])


@per_language()
def _macros() -> Any:
    return macros("lines.html")


class DrawnLog:
    """What was drawn of a table's log, for players with these names in one language."""

    def __init__(self) -> None:
        self.lines: Sequence[LogLine] = ()
        self.all = Markup()
        """These lines as they were last drawn: the next viewer sees the same."""
        self.by_line: dict[LogLine, str] = {}


def draw_log(lines: Sequence[LogLine], who: Sitting, kept: dict[Any, Any]) -> Markup:
    """The log of a table, the latest line first. What was drawn before is cached in `kept`."""
    log: DrawnLog = kept.setdefault((language(), who), DrawnLog())
    if log.lines != lines:
        log.lines, log.all = lines, _draw_turns(lines, who, log.by_line)
    return log.all


def _draw_turns(lines: Iterable[LogLine], who: Sitting, known: dict[LogLine, str]) -> Markup:
    if len(known) > MOST_KEPT:
        known.clear()
    turns: list[str] = []
    for chapter, entries in groupby(lines, attrgetter("chapter")):
        drawn = []
        for entry in entries:
            if (line := known.get(entry)) is None:
                line = known[entry] = draw_line(entry, who)
            drawn.append(line)
        turns.append(f"<li><h3>{escape(chapter)}</h3><ul>{''.join(reversed(drawn))}</ul></li>")
    return Markup("".join(reversed(turns)))
