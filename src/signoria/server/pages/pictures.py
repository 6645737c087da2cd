"""Pictures as PNG. They are made one at a time in a process of their own, because the library holds up all other threads."""

import asyncio
import hashlib
import os
import sys
from collections import OrderedDict
from contextlib import suppress
from functools import partial

from signoria.kernel.language import say
from signoria.server.errors import TooMany
from signoria.server.play.fair_queue import FairQueue, Limit, Owner
from signoria.web.kit import rasterize

KEPT = 64
"""Pictures that are kept, of about 100 kB each."""
MOST_WAITING = 20
SECONDS = 30.0
"""Seconds that a picture may take."""
NICENESS = 10
RETRY_AFTER = 10.0
PICTURE = "picture"
"""The only kind of work in the queue."""


class _Drawing:
    """A picture that somebody waits for."""

    def __init__(self, key: bytes, svg: str, address: str) -> None:
        self.key, self.svg, self.owner = key, svg, Owner(PICTURE, address, "")
        self.png: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        """Draws it; None while it is in the queue."""
        self.waiting = 0
        """How many requests wait for it."""

    def fail(self, error: BaseException) -> None:
        """Tell everyone who waits for it."""
        if not self.png.done():
            self.png.set_exception(error)
            self.png.exception()  # perhaps nobody waits any more


class _Displaced(Exception):
    """A picture that left the queue because its address had the most pictures in it."""


class Pictures:
    """Turns SVGs into PNGs, and keeps the latest ones. Addresses share the time fairly."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._drawings: dict[bytes, _Drawing] = {}
        self._queue = FairQueue({PICTURE: Limit(MOST_WAITING)})
        self._now: _Drawing | None = None
        """What is being drawn."""

    async def as_png(self, svg: str, address: str = "") -> bytes:
        """The picture as a PNG; raises `TooMany` if many others wait, and most of them for this address."""
        key = hashlib.sha256(svg.encode()).digest()
        while key not in self._kept:
            drawing = self._drawings.get(key) or self._ask(key, svg, address)
            try:
                return await self._wait(drawing)
            except _Displaced:
                if drawing.owner.address == address:
                    raise _too_many() from None
        self._kept.move_to_end(key)
        return self._kept[key]

    def _ask(self, key: bytes, svg: str, address: str) -> _Drawing:
        drawing = self._drawings[key] = _Drawing(key, svg, address)
        displaced: _Drawing | None = self._queue.put(drawing.owner, drawing)
        if displaced:
            del self._drawings[displaced.key]
            displaced.fail(_Displaced())
        self._draw_next()
        return drawing

    async def _wait(self, drawing: _Drawing) -> bytes:
        """Wait for a picture. If nobody does any more, it is not drawn."""
        drawing.waiting += 1
        try:
            return await asyncio.shield(drawing.png)
        finally:
            drawing.waiting -= 1
            if not drawing.waiting and not drawing.png.done():
                self._drawings.pop(drawing.key, None)
                drawing.png.cancel()
                if drawing.task:
                    drawing.task.cancel()
                else:
                    self._queue.remove(drawing.owner, drawing)

    def _draw_next(self) -> None:
        if self._now is None and (found := self._queue.next()):
            drawing = self._now = found[1]
            drawing.task = asyncio.create_task(self._draw(drawing))
            drawing.task.add_done_callback(partial(self._ended, drawing, asyncio.get_running_loop().time()))

    async def _draw(self, drawing: _Drawing) -> None:
        try:
            png = self._kept[drawing.key] = await _rasterized(drawing.svg)
        except Exception as error:
            drawing.fail(error)
            return
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        if not drawing.png.done():
            drawing.png.set_result(png)

    def _ended(self, drawing: _Drawing, began: float, _task: object) -> None:
        """It is drawn, or nobody waits for it any more, perhaps before it was begun."""
        if self._drawings.get(drawing.key) is drawing:
            del self._drawings[drawing.key]
        self._queue.done(drawing.owner, asyncio.get_running_loop().time() - began)
        self._now = None
        self._draw_next()


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
