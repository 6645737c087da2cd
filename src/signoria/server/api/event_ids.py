"""Event ids of a table's stream: how far a listener has followed what happens there.

Three lists grow at a table, each in its own order: its steps (with those that take one back), the changes of its
seats and state, and the chat. An id says how far each of them has been sent, so it is exact whatever the order in
which they came, and means the same after a restart and in every process.
"""

import re
from typing import NamedTuple

from signoria.server.errors import BadField
from signoria.server.play.room import Room

PATTERN = re.compile(r"[0-9]{1,9}([.][0-9]{1,18}){3}")


class EventId(NamedTuple):
    """The id of an event: all that was sent up to it. Written with dots: `12.3.140.13`."""

    n: int = 0
    """Steps told."""
    changes: int = 0
    """Changes of seats and state told: one more than the revision, 0 for none."""
    message: int = 0
    """The id of the last message told."""
    turn: int = 0
    """One more than the `n` at which the seat was last told that it is asked; 0 for never."""

    def __str__(self) -> str:
        return ".".join(map(str, self))


BEGINNING = EventId()


def parse_event_id(text: str) -> EventId:
    """An event id from its text; the beginning for an empty one. Raises `BadField`."""
    if not text:
        return BEGINNING
    if not PATTERN.fullmatch(text):
        raise BadField(
            "Last-Event-ID",
            f"Last-Event-ID: {text[:80]!r} is no id of this stream, which look like 12.3.140.13. "
            "Without one everything is told from the beginning.",
        )
    return EventId(*map(int, text.split(".")))


def latest_event_id(room: Room) -> EventId:
    """The id after everything that has happened so far."""
    return EventId(room.n, room.row.revision + 1, room.messages[-1].id if room.messages else 0)
