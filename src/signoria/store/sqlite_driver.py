"""SQLite's driver with the asynchronous interface that SQLAlchemy expects; only commits run in a thread.

Our statements take SQLite a few microseconds, less than handing them to another thread and back. A commit waits for the
disk, so it runs in a thread and does not block the event loop.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Self


def open_file(path: str, wait: float) -> sqlite3.Connection:
    """Open the file. Every call to SQLite goes through the returned object, so tests can inject faults here."""
    return sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)


class Cursor:
    """A cursor that runs its statements at once."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        self.arraysize = 1
        self.execute = _at_once(cursor.execute)
        self.executemany = _at_once(cursor.executemany)
        self.fetchone = _at_once(cursor.fetchone)
        self.fetchmany = _at_once(cursor.fetchmany)
        self.fetchall = _at_once(cursor.fetchall)
        self.close = _at_once(cursor.close)

    async def __aenter__(self) -> Self:
        return self

    @property
    def description(self) -> Any:
        """The columns of the result; None if there is none."""
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        """Number of rows written."""
        return self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The id of the last row added."""
        return self._cursor.lastrowid


class Connection:
    """A connection used by one thread at a time: the event loop's, or the thread that commits."""

    isolation_level = None  # only explicit BEGIN

    def __init__(self, path: str, wait: float, executor: Executor) -> None:
        self._connection = open_file(path, wait)
        self._executor = executor
        self.create_function = _at_once(self._connection.create_function)
        self.rollback = _at_once(self._connection.rollback)
        self.close = _at_once(self._connection.close)
        self.stop = self._connection.close
        self.execute = self._connection.execute

    def cursor(self) -> Cursor:
        """A new cursor."""
        return Cursor(self._connection.cursor())

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._connection.in_transaction

    async def commit(self) -> None:
        """Commit; returns when the data is on disk, even if the caller was cancelled in the meantime."""
        if not self._connection.in_transaction:
            return
        committing = asyncio.get_running_loop().run_in_executor(self._executor, self._connection.commit)
        try:
            await asyncio.shield(committing)
        except asyncio.CancelledError:
            await committing
            raise


def _at_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """An awaitable version of a function that runs at once."""

    async def awaited(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    return awaited
