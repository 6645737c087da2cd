"""Open live pages of people in this process: who is looking at which table, and notes for their browsers."""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from signoria.server.people.notifications.kinds import TITLE, tell
from signoria.store.outbox import Details

NOTE_TOPIC = "note:"
"""Topics that carry a note to the open pages of a person, in every process."""
MOST_NOTES = 20
"""Notes that wait for a page; older ones are dropped."""


class BrowserNote(msgspec.Struct, frozen=True):
    """A notification as a browser shows it."""

    user: str
    kind: str
    title: str
    body: str
    url: str
    tag: str
    """A later notification with the same tag replaces it."""


class NoteForPages(msgspec.Struct, frozen=True):
    """A notification for the browsers of a person, who may read different languages."""

    user: str
    kind: str
    table: str
    details: Details

    @property
    def topic(self) -> str:
        """The topic that carries it."""
        return NOTE_TOPIC + msgspec.json.encode(self).decode()

    def told(self) -> BrowserNote:
        """The notification in the language that is spoken now."""
        tag = f"{self.kind}:{self.table}"
        return BrowserNote(self.user, self.kind, TITLE, tell(self.kind, self.details), f"/tables/{self.table}", tag)


class OpenPage:
    """A live page of a person."""

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._notes: deque[NoteForPages] = deque(maxlen=MOST_NOTES)

    def add(self, note: NoteForPages) -> None:
        """Add a note, and wake the page."""
        self._notes.append(note)
        self._changed.set()

    def take(self) -> list[BrowserNote]:
        """The notes that have come since the last time, in the language that is spoken now."""
        taken = [note.told() for note in self._notes]
        self._notes.clear()
        return taken


class OpenPages:
    """The open live pages of this process."""

    def __init__(self) -> None:
        self._tables: Counter[tuple[str, str]] = Counter()
        self._pages: dict[str, set[OpenPage]] = {}

    @contextmanager
    def open(self, user_id: str | None, table_id: str | None, changed: asyncio.Event) -> Iterator[OpenPage]:
        """A page of a person, of a table or of the lobby, while the context lasts. `changed` is set for each note."""
        page = OpenPage(changed)
        if user_id is None:
            yield page
            return
        key = user_id, table_id or ""
        self._tables[key] += 1
        self._pages.setdefault(user_id, set()).add(page)
        try:
            yield page
        finally:
            self._tables[key] -= 1
            if not self._tables[key]:
                del self._tables[key]
            self._pages[user_id].discard(page)
            if not self._pages[user_id]:
                del self._pages[user_id]

    def is_looking(self, user_id: str, table_id: str) -> bool:
        """Whether a person has an open page of a table in this process."""
        return (user_id, table_id) in self._tables

    def on_topic(self, topic: str) -> None:
        """Give a note to the open pages of its person."""
        if topic.startswith(NOTE_TOPIC):
            note = msgspec.json.decode(topic.removeprefix(NOTE_TOPIC), type=NoteForPages)
            for page in self._pages.get(note.user, ()):
                page.add(note)
