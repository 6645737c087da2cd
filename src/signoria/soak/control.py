"""How the campaign switches on faults in a running server: a few numbers in a file that both map into memory."""

import mmap
import os
import struct
from pathlib import Path

VARIABLE = "SIGNORIA_SOAK_CONTROL"
"""Environment variable with the name of the file, in a server started by the campaign."""
FIELDS = ("offset_ms", "fail_in", "fail_kind", "fail_error", "failed", "drop_notify", "calls", "seed")
SIZE = 8 * len(FIELDS)


class Control:
    """The numbers, by name.

    offset_ms: added to the server's clock. fail_in: the n-th database call of `fail_kind` from now fails, 0 for none;
    fail_error: the error (an index in `disk_faults.ERRORS`); failed: number of failed calls so far; calls: number of
    calls. drop_notify: how many of 1,000 notifications a process misses; seed: decides which ones.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            if os.fstat(file.fileno()).st_size < SIZE:
                file.truncate(SIZE)
            self._memory = mmap.mmap(file.fileno(), SIZE)

    def __getitem__(self, name: str) -> int:
        found: int = struct.unpack_from("<q", self._memory, 8 * FIELDS.index(name))[0]
        return found

    def __setitem__(self, name: str, value: int) -> None:
        struct.pack_into("<q", self._memory, 8 * FIELDS.index(name), value)

    def close(self) -> None:
        """Unmap the memory."""
        self._memory.close()
