"""Opens SQLite files, for the one writer and for readers."""

import asyncio
import sqlite3
from concurrent.futures import Executor
from typing import Any

from sqlalchemy import URL, event
from sqlalchemy import Connection as SyncConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import await_only

from signoria.store.sqlite_driver import Connection

WAIT = 10.0  # seconds to wait for a lock that another process holds, and for a connection
AGAIN = 0.005  # seconds between attempts to get that lock
READERS = 8
PRAGMAS = {
    "journal_mode": "WAL",
    "synchronous": "FULL",  # an acknowledged step survives a power cut
    "foreign_keys": "ON",
}


def reading_engine(url: URL, executor: Executor) -> AsyncEngine:
    """Connections that only read; every statement sees the newest commit."""
    return _engine(url, executor, READERS, {**PRAGMAS, "query_only": "ON"})


def writing_engine(url: URL, executor: Executor) -> AsyncEngine:
    """The connection that writes; a transaction locks the file from the start."""
    engine = _engine(url, executor, 1, {**PRAGMAS, "busy_timeout": "0"})  # _begin waits, not the event loop
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _engine(url: URL, executor: Executor, size: int, pragmas: dict[str, str]) -> AsyncEngine:
    async def connect(*_: Any, **__: Any) -> Connection:
        made = Connection(str(url.database), WAIT, executor)
        try:
            for pragma, value in pragmas.items():
                made.execute(f"PRAGMA {pragma} = {value}")
        except BaseException:
            made.stop()
            raise
        return made

    return create_async_engine(
        url, async_creator=connect, pool_size=size, max_overflow=0, pool_timeout=WAIT, pool_reset_on_return=None
    )


def driver_of(db: AsyncConnection) -> Connection:
    """The driver of a connection."""
    return _driver(db.sync_connection)


def _driver(connection: Any) -> Connection:
    driver: Connection = connection.connection.driver_connection
    return driver


def _begin(connection: SyncConnection) -> None:
    await_only(lock(_driver(connection)))


async def lock(driver: Connection) -> None:
    """Get the lock; wait while another process holds it."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WAIT
    while not driver.in_transaction:
        try:
            driver.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or loop.time() > deadline:
                raise OperationalError("BEGIN IMMEDIATE", None, error) from error
            await asyncio.sleep(AGAIN)
