"""Event ids of a table's stream: how much of it a listener has received.

Three lists grow at a table: its steps (including undos), the changes of its seats and state, and the chat. An id says
how much of each has been sent. So it is exact in any order of events, and means the same after a restart and in
every process.
"""

import re
from typing import NamedTuple

from signoria.kernel.language import say
from signoria.server.errors import BadField
from signoria.server.play.room import Room

PATTERN = re.compile(r"[0-9]{1,9}([.][0-9]{1,18}){3}")


class EventId(NamedTuple):
    """The id of an event: everything sent up to it. Written with dots: `12.3.140.13`."""

    n: int = 0
    """Number of steps sent."""
    changes: int = 0
    """Changes of seats and state sent: one more than the revision, 0 for none."""
    message: int = 0
    """The id of the last message sent."""
    turn: int = 0
    """One more than the `n` of the last `turn` event of the seat; 0 for none."""

    def __str__(self) -> str:
        return ".".join(map(str, self))


BEGINNING = EventId()


def parse_event_id(text: str) -> EventId:
    """Parse an event id; an empty text is the beginning. Raises `BadField`."""
    if not text:
        return BEGINNING
    if not PATTERN.fullmatch(text):
        raise BadField(
            "Last-Event-ID",
            say(
                "Last-Event-ID: {text!r} is not an id of this stream; they look like 12.3.140.13. Without an id the stream starts from the beginning.",
                text=text[:80],
            ),
        )
    return EventId(*map(int, text.split(".")))


def latest_event_id(room: Room) -> EventId:
    """The id after everything that has happened so far."""
    return EventId(room.n, room.row.revision + 1, room.messages[-1].id if room.messages else 0)
