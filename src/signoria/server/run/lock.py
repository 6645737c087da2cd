"""A lock on the SQLite file, so that only one server uses it. With PostgreSQL, processes notify each other."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from signoria.kernel.errors import SignoriaError
from signoria.kernel.language import say

try:
    import fcntl
except ImportError:  # on Windows nothing prevents a second server
    fcntl = None  # type: ignore[assignment]

MARK = ".open"
LONGEST = 1000


class AlreadyRunning(SignoriaError):
    """Another server uses this file."""

    def __init__(self, database: str, address: str) -> None:
        running = {"address": address, "database": database}
        if address:
            says = say(
                "A server is already running at {address} with the database {database}. Stop it, or use another file.",
                **running,
            )
        else:
            says = say(
                "A server is already running with the database {database}. Stop it, or use another file.", **running
            )
        super().__init__(says)
        self.address = address


@contextmanager
def single_server(database: str | None, address: str = "") -> Iterator[None]:
    """Lock this file; raises `AlreadyRunning`. None if the database is not a file.

    The lock file contains the server's address. The system releases the lock when the process ends, in any way.
    """
    if database is None or fcntl is None:
        yield
        return
    path = Path(database + MARK)
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyRunning(database, mark.read(LONGEST).strip()) from None
        mark.truncate()
        mark.write(address + "\n")
        mark.flush()
        try:
            yield
        finally:
            mark.seek(0)
            mark.truncate()
