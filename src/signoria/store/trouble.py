"""Explains in a sentence why a database cannot be used, without revealing secrets from the driver's message."""

import errno
import sqlite3

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from signoria.kernel.language import say, to_say
from signoria.store.address import shown
from signoria.store.errors import StoreError, sqlstate

REASONS = {
    "28P01": to_say("wrong user or password"),
    "28000": to_say("the user may not connect from this machine"),
    "3D000": to_say("there is no database of that name; create it with createdb"),
    "42501": to_say("the user may not create tables there"),
    "53300": to_say("it has no free connections; raise max_connections or run fewer workers"),
    "57P03": to_say("it is starting up or shutting down; try again in a moment"),
    "SQLITE_CANTOPEN": to_say("the file cannot be opened or created; does its folder exist, and may you write to it?"),
    "SQLITE_NOTADB": to_say("the file is not a SQLite database"),
    "SQLITE_CORRUPT": to_say("the file is damaged; restore a backup"),
    "SQLITE_READONLY": to_say("the file cannot be written; who owns it?"),
    "SQLITE_BUSY": to_say("another program is using it; close that program first"),
    "SQLITE_FULL": to_say("the disk is full"),
    "SQLITE_IOERR": to_say("the disk cannot be read or written"),
}

STATES = ("08", "25006", "40", "53", "55", "57", "58", "XX")
"""First characters of PostgreSQL's codes for trouble with the database: no connection, a read-only standby, a
deadlock, no disk or memory left, a lock, shutting down, system errors, damage."""
FILES = ("FULL", "IOERR", "READONLY", "CANTOPEN", "BUSY", "LOCKED", "PROTOCOL", "NOMEM", "CORRUPT", "NOTADB", "NOLFS",
         "PERM", "AUTH", "INTERRUPT")  # fmt: skip
"""The same for SQLite, after `SQLITE_`. Others, such as `SQLITE_ERROR`, are errors in the statement."""
DEADLOCK = ("40001", "40P01")
FULL = ("53100", "SQLITE_FULL")
READ_ONLY = ("25006", "SQLITE_READONLY", "58030", "SQLITE_IOERR")


def is_trouble(error: BaseException) -> bool:
    """Whether an error means that the database cannot be used at the moment, regardless of the statement."""
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
    """Whether PostgreSQL ended a transaction because of a deadlock.

    Nothing is wrong with the database then: the same transaction will succeed if it is tried again.
    """
    return sqlstate(error) in DEADLOCK


def told(error: BaseException) -> tuple[str, int]:
    """The message for people whose request failed, and the seconds after which they may try again."""
    code = sqlstate(error)
    if code.startswith(FULL) or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        says, wait = (
            say(
                "At the moment the server's disk is full, so it cannot save anything. Nothing that was saved is lost; try "
                "again in a moment."
            ),
            30,
        )
    elif is_deadlock(error):
        says, wait = (
            say(
                "At the moment the server is saving another change to the same games. Nothing that was saved is lost; "
                "try again in a moment."
            ),
            1,
        )
    elif code.startswith(READ_ONLY):
        says, wait = (
            say(
                "At the moment the server cannot write to its disk. Nothing that was saved is lost; try again in a moment."
            ),
            30,
        )
    else:
        says, wait = (
            say(
                "At the moment the server cannot reach its database. Nothing that was saved is lost; try again in a "
                "moment."
            ),
            5,
        )
    return says, wait


def sentence(error: BaseException, url: URL) -> str:
    """The message for an error that occurred while opening the database."""
    reason = _reason(error, is_file=url.get_backend_name() == "sqlite")
    return say("The database {database} cannot be used: {reason}.", database=shown(url), reason=reason)


def _reason(error: BaseException, *, is_file: bool) -> str:
    code = sqlstate(error)
    for known, reason in REASONS.items():
        if code == known or (known.startswith("SQLITE") and code.startswith(known)):
            return say(reason)
    if isinstance(error, OSError) and is_file:
        return say("its folder cannot be created ({error})", error=error.strerror)
    if isinstance(error, (TimeoutError, PoolTimeoutError)):
        return say("it does not answer; are host and port right, and is it running?")
    if isinstance(error, OSError):
        why = error.strerror or say("no answer")
        return say("it cannot be reached; are host and port right, and is it running? ({error})", error=why)
    raised = f"{type(error).__name__} ({code})" if code else type(error).__name__
    return say("its driver raised {error}", error=raised)
