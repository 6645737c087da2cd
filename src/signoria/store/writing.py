"""Writes to a SQLite file. There is one writer; callers that arrive while it is busy join the same transaction.

A commit to disk takes longer than all the statements in it, so the work of several callers is committed at once. Each
caller has a savepoint, so that a failure does not affect the others. If SQLite cannot even return to a savepoint, or
has abandoned the transaction itself (because of a full disk, for example), all callers in it get an error, and the
connection is replaced, so that no part of the transaction can be committed later.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from signoria.store.sqlite import driver_of, lock
from signoria.store.sqlite_driver import Connection
from signoria.store.trouble import is_trouble

Kept = asyncio.Future[None]


class Writer:
    """The one connection that writes; it stays open."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.turn = asyncio.Lock()
        """Held while the connection is in use: others wait here in order, rather than for the file's lock."""
        self._db: AsyncConnection | None = None
        self._kept: Kept | None = None
        """Done when the current transaction is saved; None if there is none."""
        self._committing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """The connection for one caller that writes; the block ends when the data is saved.

        Raises SQLAlchemy's `OperationalError` if the file cannot be written; then nothing is saved.
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
                except OperationalError as worse:  # this caller's part can no longer be separated from the others'
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
                await asyncio.shield(kept)  # so that listeners find it written
            raise

    async def close(self) -> None:
        """Close the connection after the current transaction is saved."""
        async with self.turn:
            if self._db is not None:
                await self._db.close()
                self._db = None

    async def _connected(self) -> AsyncConnection:
        if self._db is None or self._db.invalidated:
            self._db = await self._engine.connect()
        return self._db

    async def _begin(self, db: AsyncConnection) -> Kept:
        """Begin a transaction that ends when all callers that are waiting by then have written."""
        try:
            await lock(driver_of(db))
        except Exception:
            await self._forget(db)
            raise
        kept = self._kept = asyncio.get_running_loop().create_future()
        kept.add_done_callback(lambda kept: kept.cancelled() or kept.exception())  # the callers may be gone
        task = asyncio.create_task(self._commit(db, kept))
        self._committing.add(task)
        task.add_done_callback(self._committing.discard)
        return kept

    async def _commit(self, db: AsyncConnection, kept: Kept) -> None:
        async with self.turn:  # after all callers that were waiting when it began
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
        """Abandon a transaction and raise the error for all callers in it."""
        self._kept = None
        if not kept.done():
            kept.set_exception(error)
        await self._forget(db)

    async def _forget(self, db: AsyncConnection) -> None:
        """Close a connection with everything that was not saved; the next caller gets a new one."""
        self._db = None
        with suppress(Exception):
            await driver_of(db).rollback()
        with suppress(Exception):
            await db.invalidate()  # its state is unknown, so it does not go back to the pool
        with suppress(Exception):
            await db.close()


async def _finish(db: AsyncConnection) -> None:
    """Commit; raises `OperationalError`, also if SQLite has already abandoned the transaction."""
    driver = driver_of(db)
    if not driver.in_transaction:
        raise _failed("COMMIT", sqlite3.OperationalError("the transaction no longer exists"))
    try:
        await (db.commit() if db.in_transaction() else driver.commit())
    except sqlite3.Error as error:
        raise _failed("COMMIT", error) from error


def _run(driver: Connection, statement: str) -> None:
    """Run a statement that controls a transaction; raises `OperationalError`."""
    try:
        driver.execute(statement)
    except sqlite3.Error as error:
        raise _failed(statement, error) from error


def _failed(statement: str, error: sqlite3.Error) -> OperationalError:
    """A failure to control a transaction always counts as trouble with the database, also if SQLite reports another kind of error."""
    return OperationalError(statement, None, error if is_trouble(error) else sqlite3.OperationalError(str(error)))
