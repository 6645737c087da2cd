"""Makes SQLite fail when a test says so.

Every call of the store to SQLite goes through the connection that `signoria.store.sqlite_driver.open_file` returns. `Faults`
installs connections with a hook there (`signoria.soak.intercept`), counts the calls and fails the chosen one, once:

    with Faults().installed() as faults:        # before the database is opened
        async with opened(url) as database:
            faults.fail_at(3)                   # the third call from now that writes, before SQLite does anything
            faults.fail_at(3, gives_up=True)    # the same, and SQLite has rolled back the whole transaction
            faults.fail_at(1, of="COMMIT")      # the next commit
            faults.fail_always("OPEN", "INSERT")  # until faults.mend()
            faults.limit_room(2)                # SQLite itself reports a full disk once two pages were added

Calls are identified by their first word (`BEGIN`, `SAVEPOINT`, `INSERT`, `UPDATE`, `ROLLBACK`, `RELEASE`, `COMMIT`,
`OPEN`, `PRAGMA`, ...). `faults.calls` lists those since the last `fail_at`, so that a test can fail each in turn.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from signoria.soak.intercept import opening, roll_back
from signoria.store import sqlite_driver

READING = {"SELECT", "WITH"}


def failure(name: str = "SQLITE_FULL") -> sqlite3.OperationalError:
    """The error that the driver raises for one of SQLite's error codes."""
    error = sqlite3.OperationalError("database or disk is full" if name == "SQLITE_FULL" else name)
    error.sqlite_errorname, error.sqlite_errorcode = name, getattr(sqlite3, name)
    return error


class Faults:
    """When and how SQLite fails."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.failed: list[str] = []
        """The calls that have failed."""
        self._connections: list[sqlite3.Connection] = []
        self._most_pages = 0
        self._at, self._of, self._error, self._gives_up = 0, "", "SQLITE_FULL", False
        self._always: set[str] = set()

    def fail_at(self, number: int, of: str = "", error: str = "SQLITE_FULL", gives_up: bool = False) -> None:
        """Fail the n-th call from now, counted from 1 among those that begin with `of`; 0 for none."""
        self.calls, self.failed = [], []
        self._at, self._of, self._error, self._gives_up = number, of, error, gives_up

    def fail_always(self, *of: str, error: str = "SQLITE_FULL") -> None:
        """Fail every call that begins with one of these, until `mend` is called."""
        self._always, self._error = set(of), error

    def mend(self) -> None:
        """Stop failing."""
        self._always, self._at = set(), 0

    def limit_room(self, pages: int) -> None:
        """Let the file grow by this many pages only; then SQLite itself reports a full disk."""
        for connection in self._connections:
            with suppress(sqlite3.ProgrammingError):  # closed
                now = sqlite3.Cursor(connection).execute("PRAGMA page_count").fetchone()[0]
                self._most_pages = max(self._most_pages, now + pages)
        for connection in self._connections:
            with suppress(sqlite3.ProgrammingError):
                self._limit(connection)

    def _limit(self, connection: sqlite3.Connection) -> None:
        if self._most_pages:
            sqlite3.Cursor(connection).execute(f"PRAGMA max_page_count = {self._most_pages}")

    def check(self, statement: str, connection: sqlite3.Connection | None) -> None:
        """Called before each call to SQLite; raises the error if this call should fail."""
        kind = statement.split(maxsplit=1)[0].upper()
        if kind in READING:
            return
        self.calls.append(kind)
        counted = [call for call in self.calls if not self._of or call == self._of]
        chosen = self._at == len(counted) and (not self._of or kind == self._of)
        if not chosen and kind not in self._always:
            return
        if chosen:
            self._at = 0
        self.failed.append(kind)
        if self._gives_up and connection is not None:
            roll_back(connection)
        raise failure(self._error)

    @contextmanager
    def installed(self) -> Iterator["Faults"]:
        """Connections opened in this block can fail."""

        def may_fail(statement: str, connection: sqlite3.Connection | None, call: Callable[[], Any]) -> Any:
            self.check(statement, connection)
            done = call()
            if connection is None:
                self._connections.append(done)
                self._limit(done)
            return done

        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(sqlite_driver, "open_file", opening(may_fail))
            yield self
