"""SQLite's own driver behind the asynchronous face that SQLAlchemy expects, with a thread only for commits.

A statement of ours takes SQLite some microseconds, fewer than handing it to another thread and back would; a commit
waits for the disk, and the event loop does not wait with it.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Self


def open_file(path: str, wait: float) -> sqlite3.Connection:
    """Open the file; every call that reaches SQLite goes through what this gives, so tests put faults here."""
    return sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)


class Cursor:
    """A cursor that runs its statement at once."""

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
        """The columns of the rows; None where there are none."""
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        return self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The number of the last row added."""
        return self._cursor.lastrowid


class Connection:
    """A connection; one thread uses it at a time: the event loop's, or the one that commits while that is awaited."""

    isolation_level = None  # no BEGIN but ours

    def __init__(self, path: str, wait: float, executor: Executor) -> None:
        self._connection = open_file(path, wait)
        self._executor = executor
        self.create_function = _at_once(self._connection.create_function)
        self.rollback = _at_once(self._connection.rollback)
        self.close = _at_once(self._connection.close)
        self.stop = self._connection.close
        self.execute = self._connection.execute

    def cursor(self) -> Cursor:
        """Another cursor."""
        return Cursor(self._connection.cursor())

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction has begun and is not yet over."""
        return self._connection.in_transaction

    async def commit(self) -> None:
        """Commits; returns when the disk has it, even where whoever awaits it was cancelled meanwhile."""
        if not self._connection.in_transaction:
            return
        committing = asyncio.get_running_loop().run_in_executor(self._executor, self._connection.commit)
        try:
            await asyncio.shield(committing)
        except asyncio.CancelledError:
            await committing
            raise


def _at_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function to be awaited, though there is nothing to wait for."""

    async def awaited(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    return awaited
