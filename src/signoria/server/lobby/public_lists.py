"""The public lists of tables in the lobby: read once per change and drawn once for all viewers."""

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from signoria.kernel.language import ENGLISH, language, speaking
from signoria.server.live.compression import Payload
from signoria.server.lobby.table_lines import table_line
from signoria.server.play.service import TableService
from signoria.store import people
from signoria.store.errors import UNAVAILABLE
from signoria.store.lists import public_tables
from signoria.store.tables import TableRow
from signoria.web import pages
from signoria.web.models import PublicTables, TableLine

STATES = {"open": "open", "running": "playing", "finished": "over"}
"""The lists, and the states of their tables."""
LISTED = 25
"""Number of tables in each list."""
REST = 1.0
"""Least seconds between two reads for live pages."""
STEPS_REST = 15.0
"""The same if only steps happened: they change whose turn it is, and the order."""
WORDS_REST = 30_000
"""Milliseconds for which a page's relative times are valid; after that its script updates them."""
READERS = 2
"""Connections that live pages of the lobby use at the same time; the others are for requests."""
TOGETHER, PAUSE = 50, 0.01
"""How many live pages are woken together, and seconds until the next ones, so that requests run in between."""

log = logging.getLogger("signoria.lobby")


def digest(*parts: object) -> str:
    """A version of the content: the same in every process."""
    return hashlib.blake2b(msgspec.json.encode(parts), digest_size=6).hexdigest()


def without_times(lines: tuple[TableLine, ...]) -> tuple[TableLine, ...]:
    """The same lines without words that depend on the time."""
    return tuple(msgspec.structs.replace(line, since="") for line in lines)


class PublicListsSnapshot:
    """The public lists at one moment."""

    def __init__(
        self, lists: tuple[list[TableRow], ...], hosts: dict[str, str], more: frozenset[str], now: int
    ) -> None:
        self._lists, self._hosts, self._more = lists, hosts, more
        self.drawn_at = now
        self._ids = frozenset(row.id for rows in lists for row in rows)
        self._told: dict[str, PublicTables] = {}
        self._payloads: dict[str, Payload] = {}
        with speaking(ENGLISH):  # the version is the same for readers of all languages
            tables = self._tables()
        self.version = digest([without_times(getattr(tables, name)) for name in STATES], sorted(more))

    def _tables(self) -> PublicTables:
        """The lists in the language that is spoken now."""
        if language() not in self._told:
            lines = [tuple(table_line(row, None, self.drawn_at, self._hosts) for row in rows) for rows in self._lists]
            self._told[language()] = PublicTables(**dict(zip(STATES, lines, strict=True)), more=self._more)
        return self._told[language()]

    def again(self, now: int) -> "PublicListsSnapshot":
        """The same with relative times as of now."""
        return PublicListsSnapshot(self._lists, self._hosts, self._more, now)

    def drawn(self, but: frozenset[str]) -> Payload:
        """The lists without these tables, which the viewer sees elsewhere on the page."""
        if not but & self._ids:
            if language() not in self._payloads:
                self._payloads[language()] = Payload(pages.lobby_public(self._tables()))
            return self._payloads[language()]
        tables = self._tables()
        left = {name: tuple(line for line in getattr(tables, name) if line.id not in but) for name in STATES}
        return Payload(pages.lobby_public(msgspec.structs.replace(tables, **left)))


class PublicLists:
    """The public lists of a server, and their live viewers."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self.reading = asyncio.Semaphore(READERS)
        """Held by live pages while they read."""
        self._known: PublicListsSnapshot | None = None
        self._changes = 1
        """Counts changes; the lists include the first `_read_at` of them."""
        self._read_at = 0
        self._stepped_at = 0.0
        """When the lists were last read before the latest steps; 0 if there were none."""
        self._loading: asyncio.Task[None] | None = None
        self._viewers: dict[asyncio.Event, None] = {}
        self._heard = asyncio.Event()
        self._soon: asyncio.TimerHandle | None = None
        self._telling: asyncio.Task[None] | None = None
        self._news = False
        """Whether the lists have changed since viewers were last woken."""
        service.database.listen(self._hear)

    async def current(self) -> PublicListsSnapshot:
        """The current lists."""
        await self._read()
        assert self._known is not None
        if self._service.now() - self._known.drawn_at > WORDS_REST:
            self._known = self._known.again(self._service.now())
        return self._known

    def shown(self) -> PublicListsSnapshot | None:
        """The lists as last read, for live pages, which are woken after a new read."""
        return self._known if self._telling else None

    def reload(self) -> None:
        """Mark the lists as changed: they are read at the next request, or at once if there are live viewers."""
        self._changes += 1
        self._heard.set()

    @contextmanager
    def viewing(self, changed: asyncio.Event) -> Iterator[None]:
        """Set an event whenever the lists have changed."""
        if not self._viewers:
            self._read_soon()  # steps made without viewers have started no timer
        self._viewers[changed] = None
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell_viewers())
        try:
            yield
        finally:
            del self._viewers[changed]
            if not self._viewers:
                self._telling.cancel()
                self._telling = None
                if self._soon is not None:
                    self._soon.cancel()
                    self._soon = None

    def _hear(self, topic: str) -> None:
        if topic in ("lobby", "*"):
            self.reload()
        elif topic.startswith("table:"):
            loop = asyncio.get_running_loop()
            self._stepped_at = self._stepped_at or loop.time()
            if self._viewers and self._soon is None:
                self._soon = loop.call_later(STEPS_REST, self._heard_of_steps)

    def _heard_of_steps(self) -> None:
        self._soon = None
        self._read_soon()

    def _read_soon(self) -> None:
        """Read the lists for viewers if steps were made since the last read."""
        if self._stepped_at:
            self._changes += 1
        self._heard.set()

    def _steps_are_due(self) -> bool:
        return bool(self._stepped_at) and asyncio.get_running_loop().time() - self._stepped_at > REST

    async def _read(self) -> None:
        """Read the lists if they have changed; all who ask in the meantime share the same read.

        Changes during a read wait for the next one, so two reads are always enough.
        """
        if self._steps_are_due():
            self._changes += 1
        wanted = self._changes
        while self._known is None or self._read_at < wanted:
            if self._loading is None or self._loading.done():  # awaiting a finished task would not let others run
                self._loading = asyncio.create_task(self._load())
                self._loading.add_done_callback(_retrieve_error)
            await asyncio.shield(self._loading)

    async def _load(self) -> None:
        changes, stepped = self._changes, self._stepped_at
        self._stepped_at = 0.0
        try:
            async with self._service.database.read() as db:
                pages_ = [await public_tables(db, state, LISTED) for state in STATES.values()]
                rows = tuple(page.rows for page in pages_)
                hosts = await people.names_of(db, {row.host_id for list_ in rows for row in list_ if row.host_id})
        except BaseException:
            self._stepped_at = stepped
            raise
        self._read_at = changes
        more = frozenset(name for name, page in zip(STATES, pages_, strict=True) if page.next)
        before, self._known = self._known, PublicListsSnapshot(rows, hosts, more, self._service.now())
        self._news = self._news or before is None or before.version != self._known.version

    async def _tell_viewers(self) -> None:
        """Read the lists whenever they change, and wake viewers if the result differs."""
        while True:
            await self._heard.wait()
            self._heard.clear()
            try:
                async with self.reading:
                    await self._read()
                if self._news:
                    self._news = False
                    await self._wake()
            except UNAVAILABLE as error:
                log.warning("the lobby could not be read (%s); trying again", type(error).__name__)
                self._heard.set()
            except Exception:
                log.exception("the lobby could not be read; trying again")
                self._heard.set()
            await asyncio.sleep(REST)

    async def _wake(self) -> None:
        for place, viewer in enumerate(list(self._viewers), 1):
            viewer.set()
            if place % TOGETHER == 0:
                await asyncio.sleep(PAUSE)


def _retrieve_error(task: asyncio.Task[None]) -> None:
    """Mark a read's error as seen: those who wait for it get it, but perhaps nobody waits any more."""
    if not task.cancelled():
        task.exception()
