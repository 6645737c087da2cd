"""On PostgreSQL, every process hears what the others write, even if connections are lost."""

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import text

from signoria.store.database import Database
from tests.databases import in_loop, opened
from tests.store.rows import a_user

END_LISTENERS = text(
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'"
)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.005)


def heard_by(database: Database) -> list[str]:
    heard: list[str] = []
    database.listen(heard.append)
    return heard


@in_loop
async def test_each_process_hears_each_commit_once(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as other:
        here, there = heard_by(one), heard_by(other)
        async with one.write() as w:
            await a_user(w.db)
            w.tell("table:t1")
            w.tell("lobby")
            await asyncio.sleep(0.02)
            assert there == []
        assert here == ["table:t1", "lobby"]
        await until(lambda: len(there) == 2)
        async with other.write() as w:
            w.tell("table:t2 with spaces, ünd")
        await until(lambda: len(here) == 3)
        await asyncio.sleep(0.02)
        assert here == there == ["table:t1", "lobby", "table:t2 with spaces, ünd"]


@in_loop
async def test_rolled_back_changes_are_not_announced(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as other:
        there = heard_by(other)
        with pytest.raises(ZeroDivisionError):
            async with one.write() as w:
                w.tell("lobby")
                raise ZeroDivisionError
        async with one.write() as w:
            w.tell("the next")
        await until(lambda: bool(there))
        assert there == ["the next"]


@in_loop
async def test_listener_that_was_cut_off_reconnects_and_reports_that_anything_may_have_changed(
    postgres_url: str,
) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as other:
        here, there = heard_by(one), heard_by(other)
        async with one.read() as db:
            assert (await db.execute(END_LISTENERS)).scalar_one() == 2
        await until(lambda: here == ["*"] and there == ["*"])
        async with one.write() as w:
            w.tell("lobby")
        await until(lambda: there == ["*", "lobby"])
        assert here == ["*", "lobby"]


@in_loop
async def test_connections_that_were_cut_off_are_replaced(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as other:
        async with one.write() as w:
            await a_user(w.db)
        async with other.read() as db:
            everybody = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            await db.execute(text(f"{everybody} AND pid <> pg_backend_pid()"))
        async with one.write() as w:
            await a_user(w.db, "Berta")


@in_loop
async def test_connection_that_was_never_returned_is_closed(postgres_url: str) -> None:
    async with opened(postgres_url) as database:
        lost = await database._connect(postgres_url)  # as for a caller that was cancelled right afterwards
        assert not lost.is_closed()
    assert lost.is_closed()
