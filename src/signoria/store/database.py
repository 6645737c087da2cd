"""The database: connections for reading and writing, and notifications about what was written."""

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import ARRAY, URL, NullPool, Text, bindparam, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from signoria.kernel.language import say
from signoria.store import migrations, sqlite
from signoria.store.address import database_url, driver_url, shown
from signoria.store.errors import StoreError
from signoria.store.listening import CHANNEL, Listening
from signoria.store.trouble import is_deadlock, is_trouble, sentence
from signoria.store.writing import Writer

__all__ = ["Database", "Write", "database_url", "opened"]

POOL = 8  # connections per process to PostgreSQL, or readers of one SQLite file
WAIT = 10  # seconds to wait for a connection, and for SQLite's lock
COMMAND_TIMEOUT = 60.0  # seconds that a statement of a request may take in PostgreSQL
BY_INDEX = dict.fromkeys(("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin"), "off")
"""Query plans that PostgreSQL should avoid: all our statements have indexes with their rows in the right order.

Without current statistics it would not always use them.
"""
NOTIFY = text("SELECT pg_notify(:channel, payload) FROM unnest(:payloads) AS payload").bindparams(
    bindparam("payloads", type_=ARRAY(Text))
)

log = logging.getLogger(__name__)


class Write:
    """One transaction: its connection, and the topics to announce after the commit."""

    def __init__(self, db: AsyncConnection) -> None:
        self.db = db
        self.topics: dict[str, None] = {}

    def tell(self, topic: str) -> None:
        """Announce this topic to every process after the commit, once even if called several times."""
        self.topics[topic] = None


class Database:
    """A database, SQLite or PostgreSQL. What is written in a `write` block is saved when the block ends."""

    def __init__(self, url: str) -> None:
        self._url = driver_url(url)
        self.is_postgres = self._url.get_backend_name() == "postgresql"
        self.shown = shown(self._url)
        self._process = secrets.token_hex(8)
        self._callbacks: list[Callable[[str], None]] = []
        self._for_others: list[Callable[[str], None]] = []
        self._committing = ThreadPoolExecutor(1, "commit")
        self._listening: Listening | None = None
        self._made: WeakSet[Any] = WeakSet()
        self.trouble: Exception | None = None
        """The error of a failed write, until a later check has shown that writing works again."""
        if self.is_postgres:
            self._writing = _postgres_engine(self._url, self._connect)
            self._reading = self._writing.execution_options(isolation_level="AUTOCOMMIT")
        else:
            self._writing = sqlite.writing_engine(self._url, self._committing)
            self._reading = sqlite.reading_engine(self._url, self._committing)
        self._writer = None if self.is_postgres else Writer(self._writing)

    async def start(self, *, migrate: bool = True) -> None:
        """Open the database and update it to the newest schema; `StoreError` says why it cannot be used."""
        try:
            await self._open(migrate=migrate)
        except (SQLAlchemyError, OSError) as error:
            await self.stop()
            raise StoreError(sentence(error, self._url)) from error
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Close all connections."""
        if self._listening is not None:
            await self._listening.stop()
            self._listening = None
        if self._writer is not None:
            await self._writer.close()
        await self._reading.dispose()
        await self._writing.dispose()
        for connection in self._made:  # a connection whose setup was interrupted was never returned to the pool
            if not connection.is_closed():
                connection.terminate()
        self._committing.shutdown(wait=False)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; each statement sees the newest commit."""
        async with self._reading.connect() as db:
            yield db

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Write]:
        """One transaction: committed at the end of the block, rolled back if the block raises an error."""
        async with self._told(self._writer.transaction() if self._writer else self._writing.begin()) as w:
            yield w

    @asynccontextmanager
    async def write_many(self) -> AsyncIterator[Write]:
        """Like `write`, for migrations and for restoring a backup, which touch every row.

        A statement may take as long as it needs, and PostgreSQL may choose any plan.
        """
        if not self.is_postgres:
            async with self.write() as w:
                yield w
            return
        async with _without_limits(self._url, self._connect) as engine, self._told(engine.begin()) as w:
            yield w

    @asynccontextmanager
    async def _told(self, transaction: AbstractAsyncContextManager[AsyncConnection]) -> AsyncIterator[Write]:
        """A transaction whose topics are announced after the commit."""
        written: Iterable[str] = ()
        try:
            async with transaction as db:
                w = Write(db)
                yield w
                written = w.topics
                if written and self.is_postgres:
                    payloads = [f"{self._process} {topic}" for topic in written]
                    await db.execute(NOTIFY, {"channel": CHANNEL, "payloads": payloads})
        except Exception as error:
            if is_trouble(error) and not is_deadlock(error):
                self.trouble = error
            raise
        finally:  # an interrupted commit may still have happened; listeners will check
            for topic in written:
                self._tell(topic, self._callbacks)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading on which all statements see the same snapshot."""
        if self.is_postgres:
            engine = self._writing.execution_options(isolation_level="REPEATABLE READ")
            async with engine.begin() as db:
                yield db
        else:
            async with self._reading.connect() as db:
                await db.exec_driver_sql("BEGIN")
                try:
                    yield db
                finally:
                    try:
                        await db.exec_driver_sql("ROLLBACK")
                    except BaseException:
                        await db.invalidate()  # otherwise the next reader would see this old snapshot forever
                        raise

    def listen(self, callback: Callable[[str], None]) -> None:
        """Call back with each topic announced after a commit, here or in another process; "*" if anything may differ."""
        self._callbacks.append(callback)

    def listen_to_others(self, callback: Callable[[str], None]) -> None:
        """Call back like `listen`, but only for what other processes wrote."""
        self._for_others.append(callback)

    def _tell_of_others(self, topic: str) -> None:
        self._tell(topic, [*self._callbacks, *self._for_others])

    def _tell(self, topic: str, callbacks: list[Callable[[str], None]]) -> None:
        for callback in callbacks:
            try:
                callback(topic)
            except Exception:
                log.exception("A listener failed on %r", topic)  # what was written stays written

    async def _connect(self, *where: Any, **how: Any) -> Any:
        connection = await asyncpg.connect(*where, **how)
        self._made.add(connection)
        return connection

    async def _open(self, *, migrate: bool) -> None:
        if not self.is_postgres:
            Path(str(self._url.database)).parent.mkdir(parents=True, exist_ok=True)
        async with self._writing.connect() as db:
            newest = await db.run_sync(migrations.check)
        if not newest:
            if not migrate:
                raise StoreError(
                    say("The database {shown} has an older schema and must be migrated first.", shown=self.shown)
                )
            async with self.write_many() as w:
                await w.db.run_sync(migrations.migrate)
        if self.is_postgres:
            self._listening = Listening(self._url, self._process, self._tell_of_others, self._connect)
            await self._listening.start()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """A database that is started on entry and stopped on exit."""
    database = Database(url)
    await database.start()
    try:
        yield database
    finally:
        await database.stop()


def _postgres_engine(url: URL, connect: Callable[..., Awaitable[Any]]) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=POOL,
        max_overflow=0,
        pool_timeout=WAIT,
        pool_pre_ping=True,
        connect_args={
            "async_creator_fn": connect,
            "timeout": WAIT,
            "command_timeout": COMMAND_TIMEOUT,
            "server_settings": {
                "application_name": "signoria",
                **{f"enable_{way}": off for way, off in BY_INDEX.items()},
            },
        },
    )


@asynccontextmanager
async def _without_limits(url: URL, connect: Callable[..., Awaitable[Any]]) -> AsyncIterator[AsyncEngine]:
    """Connections to PostgreSQL without the limits meant for requests."""
    settings = {"application_name": "signoria"}
    engine = create_async_engine(
        url,
        poolclass=NullPool,
        connect_args={"async_creator_fn": connect, "timeout": WAIT, "server_settings": settings},
    )
    try:
        yield engine
    finally:
        await engine.dispose()
