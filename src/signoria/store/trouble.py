"""Why a database cannot be used, in a sentence: whatever the driver said, without its secrets."""

import errno
import sqlite3

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from signoria.store.address import shown
from signoria.store.errors import StoreError, sqlstate

REASONS = {
    "28P01": "the password or the user is wrong",
    "28000": "the user may not connect from here",
    "3D000": "there is no database of that name; make it with createdb",
    "42501": "the user may not make tables there",
    "53300": "it has no connection left; raise max_connections or run fewer workers",
    "57P03": "it is starting up or shutting down; try again in a moment",
    "SQLITE_CANTOPEN": "the file cannot be opened or made; is its folder there, and may you write to it?",
    "SQLITE_NOTADB": "the file is not a SQLite database",
    "SQLITE_CORRUPT": "the file is damaged; restore a backup",
    "SQLITE_READONLY": "the file cannot be written; who owns it?",
    "SQLITE_BUSY": "another program holds it; close that first",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_IOERR": "the disk cannot be read or written",
}

STATES = ("08", "25006", "40", "53", "55", "57", "58", "XX")
"""How PostgreSQL's codes begin where the database is in trouble: no connection, a standby that only reads, a deadlock,
no disk or memory left, a lock, shutting down, the system, damage."""
FILES = ("FULL", "IOERR", "READONLY", "CANTOPEN", "BUSY", "LOCKED", "PROTOCOL", "NOMEM", "CORRUPT", "NOTADB", "NOLFS",
         "PERM", "AUTH", "INTERRUPT")  # fmt: skip
"""The same of SQLite, after `SQLITE_`. Others, such as `SQLITE_ERROR`, are mistakes in what was asked."""
DEADLOCK = ("40001", "40P01")
FULL = ("53100", "SQLITE_FULL")
READ_ONLY = ("25006", "SQLITE_READONLY", "58030", "SQLITE_IOERR")


def is_trouble(error: BaseException) -> bool:
    """Whether an error says that the database cannot be used at the moment, whatever was asked of it."""
    if isinstance(error, (StoreError, OSError, TimeoutError, PoolTimeoutError)):
        return True
    if not isinstance(error, (DBAPIError, sqlite3.Error)):
        return False
    code = sqlstate(error)
    if code.startswith("SQLITE_"):
        return code.startswith(tuple(f"SQLITE_{name}" for name in FILES))
    if code:
        return code.startswith(STATES)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return lost or isinstance(error, (OperationalError, InterfaceError, sqlite3.OperationalError))


def is_deadlock(error: BaseException) -> bool:
    """Whether PostgreSQL ended a transaction because it and another one waited for each other.

    Nothing is wrong with the database then: the same transaction succeeds when it is tried again.
    """
    return sqlstate(error) in DEADLOCK


def told(error: BaseException) -> tuple[str, int]:
    """What people are told who asked for something meanwhile, and after how many seconds they may try again."""
    code = sqlstate(error)
    if code.startswith(FULL) or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        why, wait = "the server's disk is full, so it cannot save anything", 30
    elif is_deadlock(error):
        why, wait = "the server is saving another change to the same games", 1
    elif code.startswith(READ_ONLY):
        why, wait = "the server cannot write to its disk", 30
    else:
        why, wait = "the server cannot reach its database", 5
    return f"At the moment {why}. Nothing that was saved is lost; try again in a moment.", wait


def sentence(error: BaseException, url: URL) -> str:
    """The sentence for an error met while opening the database."""
    return f"The database {shown(url)} cannot be used: {_reason(error, is_file=url.get_backend_name() == 'sqlite')}."


def _reason(error: BaseException, *, is_file: bool) -> str:
    code = sqlstate(error)
    for known, reason in REASONS.items():
        if code == known or (known.startswith("SQLITE") and code.startswith(known)):
            return reason
    if isinstance(error, OSError) and is_file:
        return f"its folder cannot be made ({error.strerror})"
    if isinstance(error, (TimeoutError, PoolTimeoutError)):
        return "it does not answer; are host and port right, and does it run?"
    if isinstance(error, OSError):
        return f"it cannot be reached; are host and port right, and does it run? ({error.strerror or 'no answer'})"
    return f"its driver says {type(error).__name__}" + (f" ({code})" if code else "")
