"""Listens to the notifications of other processes, and reconnects when the connection is lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

CHANNEL = "signoria"
EVERYTHING = "*"
PULSE = 15.0  # seconds between checks that the connection is alive
PATIENCE = 5.0  # maximum seconds between attempts to reconnect

log = logging.getLogger(__name__)


class Listening:
    """Passes on the topics of other processes; EVERYTHING after a gap, since any notification may have been missed."""

    def __init__(
        self, url: URL, process: str, tell: Callable[[str], None], connect: Callable[..., Awaitable[Any]]
    ) -> None:
        named = {"application_name": "signoria listening"}
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            connect_args={"async_creator_fn": connect, "timeout": 10, "server_settings": named},
        )
        self._process = process
        self._tell = tell
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start listening; raises an error if that is impossible."""
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._keep(heard), name="listening to the database")
        await heard

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._engine.dispose()

    async def _keep(self, heard: "asyncio.Future[None]") -> None:
        wait = 0.1
        while True:
            try:
                async with self._engine.connect() as db:
                    driver: Any = (await db.get_raw_connection()).driver_connection
                    lost = asyncio.Event()
                    driver.add_termination_listener(lambda _, lost=lost: lost.set())
                    await driver.add_listener(CHANNEL, self._hear)
                    if heard.done():
                        log.info("Listening to the database again")
                        self._tell(EVERYTHING)
                    else:
                        heard.set_result(None)
                    wait = 0.1
                    await _until_lost(driver, lost)
                    await db.invalidate()
                log.warning("Lost the connection that listens to the database")
            except Exception as error:  # including the driver's own errors: it may be cut off while it starts to listen
                if not heard.done():
                    heard.set_exception(error)
                    return
                log.warning("Cannot listen to the database; trying again: %s", type(error).__name__)
            await asyncio.sleep(wait)
            wait = min(wait * 2, PATIENCE)

    def _hear(self, connection: object, pid: int, channel: str, payload: object) -> None:
        process, _, topic = str(payload).partition(" ")
        if process != self._process:
            self._tell(topic)


async def _until_lost(driver: Any, lost: asyncio.Event) -> None:
    """Return when the connection is gone: the server closed it or no longer answers."""
    while not lost.is_set():
        try:
            await asyncio.wait_for(lost.wait(), PULSE)
        except TimeoutError:
            try:
                await driver.fetchval("SELECT 1", timeout=PULSE)
            except Exception:  # any error of the driver means a dead connection
                return
