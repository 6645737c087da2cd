"""Help at the table: what everything on it is, and what it does now."""

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from signoria.web.kit.meaning import Meaning


class Topic(NamedTuple):
    """Something at the table with its explanation."""

    key: str
    """The id of its element, or how the ids of several elements begin: `tokens` for `tokens-0` and `tokens-1`."""
    group: str
    """The heading of the list that it belongs to."""
    title: str
    means: tuple[Meaning, ...]
    """What it is."""
    now: tuple[Meaning, ...] = ()
    """What it does in this position."""
    picture: Markup = Markup()


class FirstTimeHint(NamedTuple):
    """A sentence for a person who has to decide something for the first time."""

    name: str
    says: str
    clause: str


def find_topic(topics: Iterable[Topic], key: str) -> Topic | None:
    """The topic of an element: the one with its id, or the longest that its id begins with; None if it has none."""
    found = [topic for topic in topics if key == topic.key or key.startswith(f"{topic.key}-")]
    return max(found, key=lambda topic: len(topic.key), default=None)
