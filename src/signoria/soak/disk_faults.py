"""Makes calls to SQLite fail when the campaign says so, like a full or broken disk.

Only `signoria.soak.launcher` installs this, in a server that the campaign started.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from signoria.soak.control import Control
from signoria.soak.intercept import opening, roll_back
from signoria.store import sqlite_driver

WRITE, COMMIT, OPEN, READ = range(4)
KINDS = {"write": WRITE, "commit": COMMIT, "open": OPEN, "read": READ}
"""What can fail: a statement that writes, a commit (which writes and waits for fsync), opening the file, a query."""
READING = ("SELECT", "WITH", "ROLLBACK", "RELEASE")


class DiskError(NamedTuple):
    """An error that SQLite raises when the disk fails."""

    name: str
    code: int
    says: str
    gives_up: bool = False
    """SQLite rolls back the whole transaction before it raises."""
    too_late: bool = False
    """The call takes effect but still reports a failure."""


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
"""The errors that each kind of call can have, by index."""


class Faults:
    """Counts the calls and fails the one that the campaign has chosen."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def chosen(self, kind: int) -> DiskError | None:
        """The error for this call; None if it should succeed."""
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
    if statement in ("OPEN", "COMMIT"):
        return KINDS[statement.lower()]
    return READ if statement.lstrip().upper().startswith(READING) else WRITE


def install(control: Control) -> None:
    """Make every connection opened from now on fail when the campaign says so."""
    faults = Faults(control)

    def may_fail(statement: str, connection: sqlite3.Connection | None, call: Callable[[], Any]) -> Any:
        error = None if statement.startswith("PRAGMA") else faults.chosen(kind_of(statement))
        if error is None:
            return call()
        if error.too_late:
            call()
        elif error.gives_up and connection is not None:
            roll_back(connection)
        raise raised(error)

    sqlite_driver.open_file = opening(may_fail)  # type: ignore[assignment]
