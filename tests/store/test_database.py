"""Transactions are saved completely or not at all, and announced after they are saved."""

import asyncio
import logging
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from signoria.store import sqlite
from signoria.store.people import add_user, user_named
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_user


@in_loop
async def test_failed_transaction_is_neither_saved_nor_announced(database_url: str) -> None:
    async with opened(database_url) as database:
        heard: list[str] = []
        database.listen(heard.append)
        with pytest.raises(ZeroDivisionError):
            async with database.write() as w:
                await a_user(w.db)
                w.tell("lobby")
                raise ZeroDivisionError
        async with database.read() as db:
            assert await user_named(db, "Anna") is None
        assert heard == []
        async with database.write() as w:
            await a_user(w.db)


@in_loop
async def test_topics_are_announced_once_each_in_order_after_the_commit(database_url: str) -> None:
    async with opened(database_url) as database:
        heard: list[str] = []
        database.listen(heard.append)
        async with database.write() as w:
            await a_user(w.db)
            for topic in ("table:t1", "lobby", "table:t1"):
                w.tell(topic)
            assert heard == []
        assert heard == ["table:t1", "lobby"]


@in_loop
async def test_listener_that_fails_does_not_affect_others(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail(topic: str) -> None:
        raise ZeroDivisionError

    async with opened(database_url) as database:
        heard: list[str] = []
        database.listen(fail)
        database.listen(heard.append)
        with caplog.at_level(logging.ERROR):
            async with database.write() as w:
                w.tell("lobby")
        assert heard == ["lobby"]
        assert "A listener failed on 'lobby'" in caplog.text


@in_loop
async def test_uncommitted_changes_are_invisible_to_others(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            await a_user(w.db)
            async with database.read() as db:
                assert await user_named(db, "Anna") is None
        async with database.read() as db:
            assert await user_named(db, "Anna") is not None


@in_loop
async def test_transaction_that_is_cancelled_saves_nothing(database_url: str) -> None:
    async with opened(database_url) as database:
        begun = asyncio.Event()

        async def write() -> None:
            async with database.write() as w:
                await a_user(w.db)
                begun.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(write())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with database.write() as w:
            assert await user_named(w.db, "Anna") is None
            await a_user(w.db)


@in_loop
async def test_cancelling_at_any_moment_saves_all_or_nothing_and_announces_what_was_saved(
    database_url: str,
) -> None:
    async with opened(database_url) as database:
        heard: list[str] = []
        database.listen(heard.append)

        async def write(name: str) -> None:
            async with database.write() as w:
                await add_user(w.db, name, NOW)
                await add_user(w.db, f"friend of {name}", NOW)
                w.tell(name)

        for moment in range(30):
            task = asyncio.create_task(write(f"user {moment}"))
            for _ in range(moment):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            async with database.read() as db:
                kept = [await user_named(db, f"{who}user {moment}") is not None for who in ("", "friend of ")]
            assert kept[0] == kept[1]
            assert not kept[0] or f"user {moment}" in heard
        await write("the last")
        assert heard[-1] == "the last"


@in_loop
async def test_sqlite_waits_for_another_process_without_blocking_the_event_loop(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        other = sqlite3.connect(sqlite_url, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        async def let_go() -> None:
            await asyncio.sleep(0.05)
            other.execute("ROLLBACK")
            other.close()

        letting = asyncio.create_task(let_go())
        async with database.write() as w:
            await a_user(w.db)
        assert letting.done()
        await letting


@in_loop
async def test_sqlite_gives_up_waiting_for_a_process_that_keeps_the_lock(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url) as database:
        monkeypatch.setattr(sqlite, "WAIT", 0.05)
        other = sqlite3.connect(sqlite_url, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises((DBAPIError, sqlite3.OperationalError), match="locked"):
            async with database.write() as w:
                await a_user(w.db)
        other.close()
        async with database.write() as w:
            await a_user(w.db)


@in_loop
async def test_sqlite_syncs_to_disk_and_readers_cannot_write(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        async with database.write() as w:
            for pragma, value in [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]:
                assert (await w.db.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value
        async with database.read() as db:
            with pytest.raises(DBAPIError, match="readonly"):
                await a_user(db)


@in_loop
async def test_snapshot_does_not_change(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.snapshot() as db:
            assert await user_named(db, "Berta") is None
            async with database.write() as w:
                await a_user(w.db)
            assert await user_named(db, "Anna") is None
        async with database.snapshot() as db:
            assert await user_named(db, "Anna") is not None


@in_loop
async def test_stopped_database_is_a_single_file_that_can_be_copied(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database, database.write() as w:
        await a_user(w.db)
    assert [path.name for path in Path(sqlite_url).parent.iterdir()] == ["signoria.db"]
