"""Errors of the store, with messages for people, and the meaning of the database's own errors."""

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from signoria.kernel.errors import SignoriaError

UNIQUE_VIOLATIONS = {"23505", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}

UNAVAILABLE = (SQLAlchemyError, OSError, TimeoutError)
"""Errors raised when a database does not answer; a caller that can wait should try again."""


class StoreError(SignoriaError):
    """A database that cannot be opened, reached or used. The message names it without its password."""


class BadBackup(StoreError):
    """A backup that is damaged or cannot be restored into this database. The message names the line or the reason."""


class NameTaken(SignoriaError):
    """A name that is taken, or that looks like a taken name."""


class UserGone(SignoriaError):
    """A user whose account was deleted in the meantime."""


class StepExists(SignoriaError):
    """A step that was already made: another request was faster, or the same request came twice."""


def sqlstate(error: BaseException) -> str:
    """PostgreSQL's five-character code or SQLite's name for the error; empty if the driver gave none."""
    seen: BaseException | None = error
    while seen is not None:
        for attribute in ("sqlstate", "sqlite_errorname"):
            if code := getattr(seen, attribute, None):
                return str(code)
        seen = getattr(seen, "orig", None) or seen.__cause__
    return ""


def is_unique_violation(error: IntegrityError) -> bool:
    """Whether a row was rejected because its key exists; any other rejection is a bug."""
    return sqlstate(error) in UNIQUE_VIOLATIONS
