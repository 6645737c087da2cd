"""Writing to a SQLite file: one writes, and whoever comes meanwhile writes into the same transaction.

The disk takes longer for a commit than SQLite for everything in it, so what several people do at the same time is
committed once. Each has a savepoint: what fails takes nobody else's along. Where SQLite cannot even go back to a
savepoint, or gave the transaction up by itself (a full disk, say), everybody who wrote into it is told that nothing was
kept, and the connection is replaced: no part of it can be committed later.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from signoria.store.inline import Connection
from signoria.store.sqlite import driver_of, lock
from signoria.store.trouble import is_trouble

Kept = asyncio.Future[None]


class Writer:
    """The one connection that writes; it stays open."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.turn = asyncio.Lock()
        """Held by whoever uses the connection: others wait here, in their order, rather than for the file's lock."""
        self._db: AsyncConnection | None = None
        self._kept: Kept | None = None
        """Done when what is being written is kept; None where nothing is."""
        self._committing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """The connection, for one that writes; left when what was written is kept.

        Raises SQLAlchemy's `OperationalError` where the file cannot be written: then nothing of it is kept.
        """
        async with self.turn:
            db = await self._connected()
            kept = self._kept or await self._begin(db)
            driver = driver_of(db)
            try:
                _run(driver, "SAVEPOINT one")
            except OperationalError as error:
                await self._give_up(db, kept, error)
                raise
            try:
                yield db
            except BaseException as error:
                try:
                    _run(driver, "ROLLBACK TO one")
                    _run(driver, "RELEASE one")
                except OperationalError as worse:  # nobody's part in it can be told from this one's any more
                    await self._give_up(db, kept, error if is_trouble(error) else worse)
                raise
            try:
                _run(driver, "RELEASE one")
            except OperationalError as error:
                await self._give_up(db, kept, error)
                raise
        try:
            await asyncio.shield(kept)
        except asyncio.CancelledError:
            with suppress(Exception):
                await asyncio.shield(kept)  # whoever is told of it afterwards finds it written
            raise

    async def close(self) -> None:
        """Close the connection, when what was begun is kept."""
        async with self.turn:
            if self._db is not None:
                await self._db.close()
                self._db = None

    async def _connected(self) -> AsyncConnection:
        if self._db is None or self._db.invalidated:
            self._db = await self._engine.connect()
        return self._db

    async def _begin(self, db: AsyncConnection) -> Kept:
        """Begin a transaction that ends when those who wait for their turn by then have written."""
        try:
            await lock(driver_of(db))
        except Exception:
            await self._forget(db)
            raise
        kept = self._kept = asyncio.get_running_loop().create_future()
        kept.add_done_callback(lambda kept: kept.cancelled() or kept.exception())  # whoever wrote may be gone
        task = asyncio.create_task(self._commit(db, kept))
        self._committing.add(task)
        task.add_done_callback(self._committing.discard)
        return kept

    async def _commit(self, db: AsyncConnection, kept: Kept) -> None:
        async with self.turn:  # behind all who waited when it began
            if kept.done():
                return
            self._kept = None
            try:
                await _finish(db)
            except Exception as error:
                await self._give_up(db, kept, error)
            except BaseException:
                kept.cancel()
                await self._forget(db)
                raise
            else:
                kept.set_result(None)

    async def _give_up(self, db: AsyncConnection, kept: Kept, error: BaseException) -> None:
        """Keep nothing of a transaction, and say so to all who wrote into it."""
        self._kept = None
        if not kept.done():
            kept.set_exception(error)
        await self._forget(db)

    async def _forget(self, db: AsyncConnection) -> None:
        """Close a connection with whatever was not kept; the next one who writes gets another."""
        self._db = None
        with suppress(Exception):
            await driver_of(db).rollback()
        with suppress(Exception):
            await db.invalidate()  # it does not go back to the pool: who knows what has become of it
        with suppress(Exception):
            await db.close()


async def _finish(db: AsyncConnection) -> None:
    """Commit; raises `OperationalError`, also where SQLite has given the transaction up meanwhile."""
    driver = driver_of(db)
    if not driver.in_transaction:
        raise _failed("COMMIT", sqlite3.OperationalError("there is no transaction any more"))
    try:
        await (db.commit() if db.in_transaction() else driver.commit())
    except sqlite3.Error as error:
        raise _failed("COMMIT", error) from error


def _run(driver: Connection, statement: str) -> None:
    """Run one of the statements that hold a transaction together; raises `OperationalError`."""
    try:
        driver.execute(statement)
    except sqlite3.Error as error:
        raise _failed(statement, error) from error


def _failed(statement: str, error: sqlite3.Error) -> OperationalError:
    """That a transaction does not hold together is never a mistake in what was asked, whatever SQLite says."""
    return OperationalError(statement, None, error if is_trouble(error) else sqlite3.OperationalError(str(error)))
