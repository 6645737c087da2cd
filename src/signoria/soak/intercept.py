"""Connections to SQLite with a hook before each call, so that a campaign or a test can make the call fail."""

import sqlite3
from collections.abc import Callable
from typing import Any

Intercept = Callable[[str, sqlite3.Connection | None, Callable[[], Any]], Any]
"""Called with a statement, its connection, and a function that makes the call; returns the result of that function.

Opening the file is the statement `OPEN`, which has no connection yet.
"""


def opening(intercept: Intercept) -> Callable[[str, float], sqlite3.Connection]:
    """A replacement for `signoria.store.sqlite_driver.open_file`."""

    class InterceptedCursor(sqlite3.Cursor):
        def execute(self, sql: str, *given: Any) -> Any:
            plain = super().execute
            return intercept(sql, self.connection, lambda: plain(sql, *given))

        def executemany(self, sql: str, *given: Any) -> Any:
            plain = super().executemany
            return intercept(sql, self.connection, lambda: plain(sql, *given))

    class InterceptedConnection(sqlite3.Connection):
        def cursor(self, *_: Any) -> Any:
            return super().cursor(InterceptedCursor)

        def execute(self, sql: str, *given: Any) -> Any:
            return self.cursor().execute(sql, *given)

        def executemany(self, sql: str, *given: Any) -> Any:
            return self.cursor().executemany(sql, *given)

        def commit(self) -> None:
            intercept("COMMIT", self, super().commit)

        def rollback(self) -> None:
            intercept("ROLLBACK", self, super().rollback)

    def open_file(path: str, wait: float) -> sqlite3.Connection:
        def connect() -> sqlite3.Connection:
            return sqlite3.connect(
                path, timeout=wait, isolation_level=None, check_same_thread=False, factory=InterceptedConnection
            )

        made: sqlite3.Connection = intercept("OPEN", None, connect)
        return made

    return open_file


def roll_back(connection: sqlite3.Connection) -> None:
    """Roll back, as SQLite does itself after some errors; this call never fails."""
    if connection.in_transaction:
        sqlite3.Connection.rollback(connection)
