"""Why a database cannot be used, in a sentence: whatever the driver said, without its secrets."""

from sqlalchemy import URL
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from signoria.store.address import shown
from signoria.store.errors import sqlstate

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
