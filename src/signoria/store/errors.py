"""What the store refuses, said to people, and what a database's own errors mean."""

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from signoria.kernel.errors import SignoriaError

UNIQUE_VIOLATIONS = {"23505", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}

UNAVAILABLE = (SQLAlchemyError, OSError, TimeoutError)
"""What is raised where a database does not answer: whoever can wait tries again."""


class StoreError(SignoriaError):
    """A database that cannot be opened, reached or used. The text names it without its password."""


class BadBackup(StoreError):
    """A backup that is broken, or that this database cannot take. The text names the line or the reason."""


class NameTaken(SignoriaError):
    """A name that somebody has already, or one that looks just like it."""


class UserGone(SignoriaError):
    """Somebody whose account was deleted meanwhile."""


class StepExists(SignoriaError):
    """A step that was made already: somebody was faster, or a request came twice."""


def sqlstate(error: BaseException) -> str:
    """PostgreSQL's code of five characters, or SQLite's name of the error; empty where the driver gave none."""
    seen: BaseException | None = error
    while seen is not None:
        for attribute in ("sqlstate", "sqlite_errorname"):
            if code := getattr(seen, attribute, None):
                return str(code)
        seen = getattr(seen, "orig", None) or seen.__cause__
    return ""


def is_unique_violation(error: IntegrityError) -> bool:
    """Whether a row was refused because its key exists; other refusals are mistakes of ours."""
    return sqlstate(error) in UNIQUE_VIOLATIONS
