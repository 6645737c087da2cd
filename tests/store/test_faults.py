"""SQLite fails at every point in turn: saved data stays, nothing is saved by half, and the next write works."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from signoria.store.database import Database
from signoria.store.trouble import is_trouble
from tests.databases import in_loop, opened
from tests.store.faults import Faults

TOGETHER = 3


async def prepare(db: Database) -> None:
    async with db.write() as w:
        await w.db.execute(text("CREATE TABLE pairs (number INTEGER, half INTEGER)"))


async def add(db: Database, number: int, fails: bool = False) -> None:
    """Two rows that belong together."""
    async with db.write() as w:
        for half in (1, 2):
            await w.db.execute(text("INSERT INTO pairs VALUES (:number, :half)"), {"number": number, "half": half})
            if fails:
                raise ValueError


async def kept(db: Database) -> list[tuple[int, int]]:
    async with db.read() as reading:
        rows = await reading.execute(text("SELECT number, half FROM pairs ORDER BY number, half"))
        return [(number, half) for number, half in rows]


def pairs(numbers: list[int]) -> list[tuple[int, int]]:
    return [(number, half) for number in numbers for half in (1, 2)]


async def write_together(db: Database, first: int) -> list[BaseException | None]:
    """Several writers at once, the second of which fails on purpose."""
    writing = (add(db, first + place, fails=place == 1) for place in range(TOGETHER))
    return await asyncio.gather(*writing, return_exceptions=True)


@pytest.mark.parametrize("gives_up", [False, True], ids=["", "and SQLite gives the transaction up"])
@in_loop
async def test_any_single_failure_loses_nothing_and_writing_continues(sqlite_url: str, gives_up: bool) -> None:
    with Faults().installed() as faults:
        async with opened(sqlite_url) as db:
            await prepare(db)
            faults.fail_at(0)
            await write_together(db, 0)
            points = list(faults.calls)
            assert {"BEGIN", "SAVEPOINT", "INSERT", "ROLLBACK", "RELEASE", "COMMIT"} <= set(points)
            expected = [0, 2]
            for number in range(1, len(points) + 1):
                faults.fail_at(number, gives_up=gives_up)
                async with asyncio.timeout(10):
                    told = await write_together(db, 10 * number)
                assert faults.failed, points[number - 1]
                acknowledged = [10 * number + place for place, error in enumerate(told) if error is None]
                assert all(isinstance(error, ValueError) or is_trouble(error) for error in told if error), told
                expected += acknowledged
                assert await kept(db) == pairs(expected), (number, points[number - 1], told)
                faults.fail_at(0)
                await add(db, 10 * number + 9)
                expected.append(10 * number + 9)
            assert await kept(db) == pairs(expected)


@pytest.mark.parametrize("error", ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"])
@in_loop
async def test_writing_works_again_after_the_file_could_not_be_written_for_a_while(sqlite_url: str, error: str) -> None:
    with Faults().installed() as faults:
        async with opened(sqlite_url) as db:
            await prepare(db)
            for point in ("OPEN", "BEGIN", "SAVEPOINT", "INSERT", "COMMIT"):
                faults.fail_always(point, "ROLLBACK", error=error)
                if point == "OPEN":
                    faults.fail_always("OPEN", "BEGIN", error=error)  # the next one needs another connection
                for _ in range(2):
                    with pytest.raises(OperationalError) as found:
                        await add(db, 1)
                    assert is_trouble(found.value)
                assert db.trouble is not None
                faults.mend()
                assert await kept(db) == []
            await add(db, 2)
            assert await kept(db) == pairs([2])


@in_loop
async def test_transaction_that_sqlite_abandoned_does_not_count_as_saved(sqlite_url: str) -> None:
    """Even if the caller that got the error ignores it: the others in the transaction get an error from the commit."""

    async def swallows(db: Database) -> None:
        async with db.write() as w:
            await w.db.exec_driver_sql("ROLLBACK")

    async with opened(sqlite_url) as db:
        await prepare(db)
        told = await asyncio.gather(add(db, 1), swallows(db), add(db, 2), return_exceptions=True)
        assert [error is None for error in told] == [False, False, True]
        assert all(is_trouble(error) for error in told if error)
        assert await kept(db) == pairs([2])


@in_loop
async def test_caller_that_is_cancelled_twice_does_not_affect_others(sqlite_url: str) -> None:
    async with opened(sqlite_url) as db:
        await prepare(db)
        first, second = asyncio.create_task(add(db, 1)), asyncio.create_task(add(db, 2))
        for _ in range(200):  # until the first has written and waits for the commit
            await asyncio.sleep(0)
            if db._writer and db._writer._kept and not db._writer.turn.locked():
                break
        first.cancel()
        await asyncio.sleep(0)
        first.cancel()
        told = await asyncio.gather(first, second, return_exceptions=True)
        assert told[1] is None
        assert (2, 1) in await kept(db)
