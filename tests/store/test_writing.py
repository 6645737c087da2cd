"""Several callers write at the same time: one commit for all, and failures stay separate."""

import asyncio
import sqlite3

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from signoria.store.database import Database
from signoria.store.sqlite_driver import Connection
from tests.databases import in_loop, opened

MANY = 20


async def add(db: Database, number: int, fails: bool = False) -> None:
    async with db.write() as w:
        await w.db.execute(text("INSERT INTO numbers VALUES (:number)"), {"number": number})
        if fails:
            raise ValueError(number)


async def numbers(db: Database) -> list[int]:
    async with db.read() as reading:
        return [number for (number,) in await reading.execute(text("SELECT number FROM numbers ORDER BY number"))]


async def prepare(db: Database) -> None:
    async with db.write() as w:
        await w.db.execute(text("CREATE TABLE numbers (number INTEGER)"))


@in_loop
async def test_concurrent_writes_are_committed_together(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        made: list[int] = []
        commit = Connection.commit

        async def counted(self: Connection) -> None:
            made.append(1)
            await commit(self)

        async with opened(sqlite_url) as db:
            await prepare(db)
            monkeypatch.setattr(Connection, "commit", counted)
            await asyncio.gather(*(add(db, number) for number in range(MANY)))
            assert await numbers(db) == list(range(MANY))
            assert len(made) < MANY / 2


@in_loop
async def test_failed_write_does_not_affect_others(sqlite_url: str) -> None:
    async with opened(sqlite_url) as db:
        await prepare(db)
        results = await asyncio.gather(*(add(db, n, n % 3 == 0) for n in range(MANY)), return_exceptions=True)
        assert [n for n, result in enumerate(results) if isinstance(result, ValueError)] == list(range(0, MANY, 3))
        assert await numbers(db) == [n for n in range(MANY) if n % 3]


@in_loop
async def test_failed_commit_is_reported_to_all_callers_and_the_next_one_works(sqlite_url: str) -> None:
    async def fails(_: Connection) -> None:
        raise OperationalError("COMMIT", None, sqlite3.OperationalError("disk I/O error"))

    async with opened(sqlite_url) as db:
        await prepare(db)
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(Connection, "commit", fails)
            results = await asyncio.gather(*(add(db, number) for number in range(3)), return_exceptions=True)
        assert [type(result) for result in results] == [OperationalError] * 3
        await add(db, 7)
        assert await numbers(db) == [7]


@in_loop
async def test_nobody_takes_an_abandoned_transaction_for_saved(sqlite_url: str) -> None:
    async def gives_up(db: Database) -> None:
        async with db.write() as w:
            await w.db.exec_driver_sql("ROLLBACK")
            raise ValueError

    async with opened(sqlite_url) as db:
        await prepare(db)
        results = await asyncio.gather(add(db, 1), gives_up(db), add(db, 2), return_exceptions=True)
        assert [type(result) for result in results] == [OperationalError, ValueError, type(None)]
        assert await numbers(db) == [2]


@in_loop
async def test_caller_that_is_cancelled_during_the_commit_has_still_written(sqlite_url: str) -> None:
    written = asyncio.Event()

    async def writes(db: Database) -> None:
        async with db.write() as w:
            await w.db.execute(text("INSERT INTO numbers VALUES (1)"))
            written.set()  # from here on it waits only for the commit

    async with opened(sqlite_url) as db:
        await prepare(db)
        writing = asyncio.create_task(writes(db))
        await written.wait()
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert await numbers(db) == [1]
