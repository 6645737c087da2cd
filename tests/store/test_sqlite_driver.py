"""The driver of SQLite: statements run at once in the event loop, commits wait for the disk in a thread."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from signoria.soak.intercept import opening
from signoria.store import sqlite_driver
from signoria.store.sqlite_driver import Connection
from tests.databases import in_loop

PATIENCE = 60.0


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as threads:
        yield threads


def connect(path: Path, executor: Executor) -> Connection:
    """A connection to a file with a table of numbers."""
    connection = Connection(str(path / "x.db"), 1.0, executor)
    connection.execute("CREATE TABLE IF NOT EXISTS numbers (number INTEGER PRIMARY KEY)")
    return connection


def numbers(path: Path) -> list[int]:
    """The saved numbers."""
    other = sqlite3.connect(path / "x.db")
    try:
        return [number for (number,) in other.execute("SELECT number FROM numbers ORDER BY number")]
    finally:
        other.close()


def intercepted(monkeypatch: pytest.MonkeyPatch, of: str, before: Callable[[], None]) -> None:
    """Call a function before each statement of a kind."""

    def intercept(statement: str, _connection: sqlite3.Connection | None, call: Callable[[], Any]) -> Any:
        if statement.startswith(of):
            before()
        return call()

    monkeypatch.setattr(sqlite_driver, "open_file", opening(intercept))


def test_statements_run_in_the_event_loop_and_commits_in_a_thread(
    tmp_path: Path, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, list[int]] = {"INSERT": [], "COMMIT": []}

    async def write() -> None:
        for kind, noted in threads.items():
            with monkeypatch.context() as patch:
                intercepted(patch, kind, lambda noted=noted: noted.append(threading.get_ident()))  # type: ignore[misc]
                connection = connect(tmp_path, executor)
            connection.execute("BEGIN IMMEDIATE")
            cursor = connection.cursor()
            await cursor.execute("INSERT INTO numbers VALUES (?)", (len(kind) + len(numbers(tmp_path)),))
            assert cursor.rowcount == 1
            open_before = connection.in_transaction
            await connection.commit()
            assert (open_before, connection.in_transaction) == (True, False)
            await connection.close()

    asyncio.run(write())
    assert threads["INSERT"] == [threading.get_ident()]
    [beside] = threads["COMMIT"]
    assert beside != threading.get_ident()
    assert len(numbers(tmp_path)) == 2


def test_event_loop_runs_while_the_disk_writes(
    tmp_path: Path, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = threading.Event()

    def wait_for_the_disk() -> None:
        disk.wait(PATIENCE)

    intercepted(monkeypatch, "COMMIT", wait_for_the_disk)

    async def write() -> None:
        connection = connect(tmp_path, executor)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO numbers VALUES (1)")
        committing = asyncio.create_task(connection.commit())
        for _ in range(10):
            await asyncio.sleep(0)
        assert not committing.done()
        assert numbers(tmp_path) == []
        disk.set()
        await committing
        assert numbers(tmp_path) == [1]
        await connection.close()

    asyncio.run(write())


def test_caller_cancelled_during_a_commit_waits_for_the_disk(
    tmp_path: Path, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, begun = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        disk.wait(PATIENCE)

    intercepted(monkeypatch, "COMMIT", wait)

    async def write() -> None:
        connection = connect(tmp_path, executor)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO numbers VALUES (1)")
        committing = asyncio.create_task(connection.commit())
        await asyncio.to_thread(begun.wait, PATIENCE)
        committing.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        assert not committing.done()
        disk.set()
        with pytest.raises(asyncio.CancelledError):
            await committing
        assert not connection.in_transaction
        assert numbers(tmp_path) == [1]
        await connection.close()

    asyncio.run(write())


@in_loop
async def test_commit_and_rollback_without_a_transaction_do_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        connection = connect(tmp_path, executor)
        executor.shutdown()  # no thread is asked
        await connection.commit()
        await connection.rollback()
        await connection.close()


@in_loop
async def test_rolled_back_changes_are_not_saved(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        connection = connect(tmp_path, executor)
        connection.execute("BEGIN IMMEDIATE")
        cursor = connection.cursor()
        await cursor.executemany("INSERT INTO numbers VALUES (?)", [(1,), (2,)])
        assert cursor.rowcount == 2
        await cursor.execute("SELECT number FROM numbers ORDER BY number")
        assert [column[0] for column in cursor.description] == ["number"]
        assert await cursor.fetchone() == (1,)
        assert await cursor.fetchall() == [(2,)]
        await connection.rollback()
        assert numbers(tmp_path) == []
        await connection.close()


@in_loop
async def test_error_is_raised_by_the_statement_that_fails(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        connection = connect(tmp_path, executor)
        cursor = connection.cursor()
        await cursor.execute("INSERT INTO numbers VALUES (1)")
        with pytest.raises(sqlite3.IntegrityError):
            await cursor.execute("INSERT INTO numbers VALUES (1)")
        await connection.close()
