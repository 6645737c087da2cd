"""The log of a table, and what happened in it lately."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from signoria.kernel.language import language
from signoria.server.play.room import LogEntry, TablePosition, decode_step
from signoria.web.models import LogLine, RecentStep

RECENT_STEPS = 12
"""Recent steps whose moves a page can animate. Earlier ones are shown as already made."""


def log_lines(log: Iterable[LogEntry]) -> tuple[LogLine, ...]:
    """The log of these steps."""
    spoken = language()
    return tuple([line for step in log for line in step.told[spoken]])


def recent_events(log: Sequence[LogEntry], seat: int | None) -> tuple[Any, ...]:
    """Events of the last turn; for a player also of the turns since their own."""
    if not log:
        return ()
    last = log[-1].seat
    recent = takewhile(lambda step: step.seat == last or seat not in (None, last, step.seat), reversed(log))
    return tuple(event for step in reversed(list(recent)) for event in step.events)


def ended_section(log: Sequence[LogEntry], lately: Sequence[Any], start: type | None) -> tuple[Any, ...]:
    """Events of the section of the game before the one that began lately; empty if none did."""
    if start is None or not any(isinstance(event, start) for event in lately):
        return ()
    section: list[Any] | None = None
    for event in (event for step in reversed(log) for event in reversed(step.events)):
        if not isinstance(event, start):
            if section is not None:
                section.append(event)
        elif section is None:
            section = []
        else:
            break
    return tuple(reversed(section or ()))


def recent_steps(position: TablePosition, seat: int | None) -> tuple[RecentStep, ...]:
    """The last steps with their events. The step itself is included only for the seat that made it."""
    game, first = position.table.game, max(0, len(position.log) - RECENT_STEPS)
    return tuple(
        RecentStep(
            k=k,
            seat=entry.seat,
            step=decode_step(game, position.entries[entry.n][1]) if entry.seat == seat else None,
            events=entry.events,
        )
        for k, entry in enumerate(position.log[first:], first + 1)
    )
