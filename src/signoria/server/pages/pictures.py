"""Pictures as PNG. They are made one at a time in a process of their own, because the library holds up all other threads."""

import asyncio
import hashlib
import os
import sys
from collections import OrderedDict
from contextlib import suppress

from signoria.kernel.language import say
from signoria.server.errors import TooMany
from signoria.web.kit import rasterize

KEPT = 64
"""Pictures that are kept, of about 100 kB each."""
MOST_WAITING = 20
SECONDS = 30.0
"""Seconds that a picture may take."""
NICENESS = 10
RETRY_AFTER = 10.0


class Pictures:
    """Turns SVGs into PNGs, and keeps the latest ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._one, self._waiting = asyncio.Semaphore(1), 0

    async def as_png(self, svg: str) -> bytes:
        """The picture as a PNG; raises `TooMany` if many others wait for theirs."""
        key = hashlib.sha256(svg.encode()).digest()
        if key not in self._kept:
            if self._waiting >= MOST_WAITING:
                raise _too_many()
            self._waiting += 1
            try:
                async with self._one:
                    if key not in self._kept:  # another request may have wanted the same
                        self._kept[key] = await _rasterized(svg)
            finally:
                self._waiting -= 1
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _too_many() -> TooMany:
    return TooMany(say("The server is drawing too many pictures. Try again in a moment."), RETRY_AFTER)


async def _rasterized(svg: str) -> bytes:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", rasterize.__file__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, program.pid, NICENESS)
        async with asyncio.timeout(SECONDS):
            png, errors = await program.communicate(svg.encode())
    except TimeoutError:  # otherwise it would count as trouble with the database
        raise _too_many() from None
    finally:
        if program.returncode is None:
            with suppress(ProcessLookupError):
                program.kill()
            await program.wait()
    if program.returncode:
        raise RuntimeError(f"A picture could not be drawn: {errors.decode(errors='replace')[-500:]}")
    return png
