"""Changes that this process was not told of, found by comparing what it shows with the store now and then.

Processes tell each other of every change, but PostgreSQL may lose a notification, and commands of an administrator tell
nobody where the database is SQLite.
"""

import asyncio
import logging
from zlib import crc32

from signoria.server.house import GAMES_TOPIC, House
from signoria.server.public_lists import PublicLists
from signoria.server.visits import Visits
from signoria.store.errors import UNAVAILABLE

EVERY = 10.0
"""Seconds between two comparisons."""
ROUNDS = 12
"""Comparisons until each person was looked at once: whether their live pages are still theirs, and their own games."""

log = logging.getLogger(__name__)


class MissedChanges:
    """Compares what live pages show with the store.

    Each time all tables that somebody looks at, which is one query for many of them, and the public lists of the lobby.
    What takes a query for each person is done for a twelfth of them at a time.
    """

    def __init__(self, house: House, lists: PublicLists, visits: Visits) -> None:
        self._house, self._lists, self._visits = house, lists, visits
        self._round = 0

    async def run(self) -> None:
        """Compare for ever."""
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
        if self._house.database.is_postgres:
            self._lists.read_again()
            self._wake_lobby_pages()
            await self._house.read_missed()
        await self._visits.check(self._is_due)

    def _wake_lobby_pages(self) -> None:
        """Let some live pages of the lobby read their person's own games again."""
        for topic, events in list(self._house.watching.items()):
            if topic.startswith(GAMES_TOPIC) and self._is_due(topic.removeprefix(GAMES_TOPIC)):
                for event in list(events):
                    event.set()

    def _is_due(self, user_id: str) -> bool:
        return crc32(user_id.encode()) % ROUNDS == self._round
