"""Makes a call to SQLite fail when the campaign says so, as a full or broken disk would.

Only `signoria.soak.launcher` installs this, in a server that the campaign started.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from signoria.soak.control import Control
from signoria.store import inline

WRITE, COMMIT, OPEN, READ = range(4)
KINDS = {"write": WRITE, "commit": COMMIT, "open": OPEN, "read": READ}
"""What can fail: a statement that writes, a commit (which writes and waits for fsync), opening the file, a query."""
READING = ("SELECT", "WITH", "PRAGMA", "ROLLBACK", "RELEASE")


class DiskError(NamedTuple):
    """An error that SQLite raises when the disk fails."""

    name: str
    code: int
    says: str
    gives_up: bool = False
    """SQLite rolls the whole transaction back before it raises."""
    too_late: bool = False
    """The call had its effect, and reports failure all the same."""


FULL, IOERR_WRITE, IOERR_FSYNC, IOERR_READ, CANTOPEN = 13, 778, 1034, 266, 14
ERRORS = (
    DiskError("SQLITE_FULL", FULL, "database or disk is full"),
    DiskError("SQLITE_FULL", FULL, "database or disk is full", gives_up=True),
    DiskError("SQLITE_IOERR_WRITE", IOERR_WRITE, "disk I/O error", gives_up=True),
    DiskError("SQLITE_IOERR_FSYNC", IOERR_FSYNC, "disk I/O error"),
    DiskError("SQLITE_IOERR_FSYNC", IOERR_FSYNC, "disk I/O error", too_late=True),
    DiskError("SQLITE_CANTOPEN", CANTOPEN, "unable to open database file"),
    DiskError("SQLITE_IOERR_READ", IOERR_READ, "disk I/O error"),
)
OF_KIND = {WRITE: (0, 1, 2), COMMIT: (0, 1, 3, 4), OPEN: (5,), READ: (6,)}
"""The errors that each kind of call can have, by their place."""


class Faults:
    """Counts the calls, and fails the one that the campaign chose."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def chosen(self, kind: int) -> DiskError | None:
        """The error that this call has to fail with; None where it may go on."""
        control = self._control
        control["calls"] += 1
        if control["fail_in"] <= 0 or control["fail_kind"] != kind:
            return None
        control["fail_in"] -= 1
        if control["fail_in"] > 0:
            return None
        control["failed"] += 1
        return ERRORS[control["fail_error"]]


def raised(error: DiskError) -> sqlite3.OperationalError:
    """The error as the driver raises it."""
    made = sqlite3.OperationalError(error.says)
    made.sqlite_errorcode, made.sqlite_errorname = error.code, error.name
    return made


def kind_of(statement: str) -> int:
    """What a statement does to the disk."""
    return READ if statement.lstrip().upper().startswith(READING) else WRITE


def install(control: Control) -> None:
    """Have every connection of `signoria.store.inline` ask before it acts."""
    faults = Faults(control)
    plain_cursor, plain_connection = inline.Cursor.__init__, inline.Connection.__init__

    def may_fail(connection: sqlite3.Connection, kind: int, call: Callable[[], Any]) -> Any:
        error = faults.chosen(kind)
        if error is None:
            return call()
        if error.too_late:
            call()
        elif error.gives_up and connection.in_transaction:
            connection.rollback()
        raise raised(error)

    def make_cursor(self: inline.Cursor, cursor: sqlite3.Cursor) -> None:
        plain_cursor(self, cursor)

        async def execute(statement: str, *given: Any) -> Any:
            return may_fail(cursor.connection, kind_of(statement), lambda: cursor.execute(statement, *given))

        async def executemany(statement: str, *given: Any) -> Any:
            return may_fail(cursor.connection, kind_of(statement), lambda: cursor.executemany(statement, *given))

        self.execute, self.executemany = execute, executemany

    def make_connection(self: inline.Connection, *given: Any) -> None:
        error = faults.chosen(OPEN)
        if error is not None:
            raise raised(error)
        plain_connection(self, *given)
        connection = self._connection

        def execute(statement: str, *values: Any) -> sqlite3.Cursor:
            if statement.startswith("PRAGMA"):
                return connection.execute(statement, *values)
            done: sqlite3.Cursor = may_fail(
                connection, kind_of(statement), lambda: connection.execute(statement, *values)
            )
            return done

        self.execute = execute

    def executemany(self: inline.Connection, statement: str, rows: Any) -> int:
        connection = self._connection
        done: int = may_fail(connection, kind_of(statement), lambda: connection.executemany(statement, rows).rowcount)
        return done

    async def commit(self: inline.Connection) -> None:
        connection = self._connection
        if not connection.in_transaction:
            return
        await asyncio.get_running_loop().run_in_executor(
            self._executor, may_fail, connection, COMMIT, connection.commit
        )

    inline.Cursor.__init__ = make_cursor  # type: ignore[method-assign]
    inline.Connection.__init__ = make_connection  # type: ignore[method-assign, assignment]
    inline.Connection.executemany = executemany  # type: ignore[method-assign]
    inline.Connection.commit = commit  # type: ignore[method-assign]
