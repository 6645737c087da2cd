"""Finds changes that this process was not notified of, by regularly comparing live pages with the database.

Processes notify each other of every change. But PostgreSQL may lose a notification, and administrator commands notify
nobody if the database is SQLite.
"""

import asyncio
import logging
from zlib import crc32

from signoria.server.live.connections import LiveConnections
from signoria.server.lobby.public_lists import PublicLists
from signoria.server.play.service import GAMES_TOPIC, TableService
from signoria.store.errors import UNAVAILABLE

EVERY = 10.0
"""Seconds between two comparisons."""
ROUNDS = 12
"""Comparisons until each person was checked once: their live pages and their own games."""

log = logging.getLogger(__name__)


class MissedChanges:
    """Compares live pages with the database.

    Each time it checks the public lists of the lobby and all viewed tables, many of them in one query. Checks that need
    a query per person are done for a twelfth of the people at a time.
    """

    def __init__(self, service: TableService, lists: PublicLists, connections: LiveConnections) -> None:
        self._service, self._lists, self._connections = service, lists, connections
        self._round = 0

    async def run(self) -> None:
        """Compare forever."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except UNAVAILABLE as error:
                log.warning("Live pages could not be compared with the database: %s", type(error).__name__)
            except Exception:
                log.exception("Live pages could not be compared with the database")

    async def look(self) -> None:
        """Compare once."""
        self._round = (self._round + 1) % ROUNDS
        if self._service.database.is_postgres:
            self._lists.reload()
            self._wake_lobby_pages()
            await self._service.reload_missed()
        await self._connections.check(self._is_due)

    def _wake_lobby_pages(self) -> None:
        """Let some live pages of the lobby read their person's games again."""
        for topic, events in list(self._service.watching.items()):
            if topic.startswith(GAMES_TOPIC) and self._is_due(topic.removeprefix(GAMES_TOPIC)):
                for event in list(events):
                    event.set()

    def _is_due(self, user_id: str) -> bool:
        return crc32(user_id.encode()) % ROUNDS == self._round
