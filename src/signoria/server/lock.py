"""One house at a time on a file: two on the same would not hear of each other's steps. PostgreSQL tells them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from signoria.kernel.errors import SignoriaError

try:
    import fcntl
except ImportError:  # on Windows nothing keeps a second house away
    fcntl = None  # type: ignore[assignment]

MARK = ".open"
LONGEST = 1000


class AlreadyOpen(SignoriaError):
    """Another process keeps a house on this file."""

    def __init__(self, database: str, address: str) -> None:
        at = f" at {address}" if address else ""
        super().__init__(
            f"A house is open{at} already, and keeps its games in {database}. Close it, or take another file."
        )
        self.address = address


@contextmanager
def only_house(database: str | None, address: str = "") -> Iterator[None]:
    """Nobody else keeps a house on this file meanwhile; raises `AlreadyOpen`. None for a database that is no file.

    The mark beside the file says where the house is; the system takes the lock away when the process ends, however.
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
            raise AlreadyOpen(database, mark.read(LONGEST).strip()) from None
        mark.truncate()
        mark.write(address + "\n")
        mark.flush()
        try:
            yield
        finally:
            mark.seek(0)
            mark.truncate()
