"""Writing to a SQLite file: one writes, and whoever comes meanwhile writes into the same transaction.

The disk takes longer for a commit than SQLite for everything in it, so what several people do at the same time is
committed once. Each has a savepoint: what fails takes nobody else's along.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from signoria.store.sqlite import driver_of, lock

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
        """The connection, for one that writes; left when what was written is kept."""
        async with self.turn:
            db = await self._connected()
            kept = self._kept or await self._begin(db)
            driver = driver_of(db)
            driver.execute("SAVEPOINT one")
            try:
                yield db
            except BaseException as error:
                if driver.in_transaction:
                    driver.execute("ROLLBACK TO one")
                    driver.execute("RELEASE one")
                else:  # SQLite gave the whole transaction up: nobody's part in it is kept
                    self._kept = None
                    await self._forget(db)
                    kept.set_exception(OperationalError("COMMIT", None, error))
                raise
            driver.execute("RELEASE one")
        try:
            await asyncio.shield(kept)
        except asyncio.CancelledError:
            with suppress(Exception):
                await kept  # whoever is told of it afterwards finds it written
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
        await lock(driver_of(db))
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
                await (db.commit() if db.in_transaction() else driver_of(db).commit())
            except BaseException as error:
                await self._forget(db)
                if isinstance(error, Exception):
                    kept.set_exception(error)
                else:
                    kept.cancel()
                    raise
            else:
                kept.set_result(None)

    async def _forget(self, db: AsyncConnection) -> None:
        """Give a connection up with what was not kept; the next one who writes gets another."""
        self._db = None
        with suppress(Exception):
            driver = driver_of(db)
            await driver.rollback()
        with suppress(Exception):
            await db.rollback()
        with suppress(Exception):
            await db.close()
