"""Two transactions on the same rows at the same time: neither fails, and neither undoes the other."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import text

from signoria.store import blocks, heartbeat, people, tables
from signoria.store.database import Database
from signoria.store.errors import UserGone
from signoria.store.tables import SeatRow
from signoria.store.trouble import is_deadlock
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


async def write(database: Database, call: Callable[[Any], Awaitable[Any]]) -> Any:
    """Call a function of the store in its own transaction."""
    async with database.write() as w:
        return await call(w.db)


async def begin(database: Database, call: Callable[[Any], Awaitable[Any]]) -> "asyncio.Task[Any]":
    """Start such a transaction; return when it has ended or waits for another one."""
    task = asyncio.create_task(write(database, call))
    while not task.done():
        async with database.read() as db:
            if (await db.execute(text(WAITING))).scalar_one():
                break
        await asyncio.sleep(0.01)
    return task


@in_loop
async def test_two_people_can_block_the_same_person_at_the_same_time(postgres_url: str) -> None:
    async with opened(postgres_url) as database:
        async with database.write() as w:
            anna, bruno = await a_user(w.db, "Anna"), await a_user(w.db, "Bruno")
        async with database.write() as w:
            await blocks.add_block(w.db, anna.id, bruno.id, NOW)
            second = await begin(database, lambda db: blocks.add_block(db, anna.id, bruno.id, NOW + 1))
            assert not second.done()
        await second
        async with database.read() as db:
            assert [row.created_at for row in await blocks.blocks_of(db, anna.id)] == [NOW]


@in_loop
async def test_two_hosts_can_remove_the_same_person_at_the_same_time(postgres_url: str) -> None:
    async with opened(postgres_url) as database:
        async with database.write() as w:
            anna, _ = await a_user(w.db, "Anna"), await a_table(w.db)
        async with database.write() as w:
            await blocks.add_removal(w.db, "t1", anna.id)
            second = await begin(database, lambda db: blocks.add_removal(db, "t1", anna.id))
            assert not second.done()
        await second
        async with database.read() as db:
            assert await blocks.removed_from(db, "t1") == {anna.id}


@in_loop
async def test_person_whose_account_is_being_deleted_cannot_be_blocked(postgres_url: str) -> None:
    async with opened(postgres_url) as database:
        async with database.write() as w:
            anna, bruno, _ = await a_user(w.db, "Anna"), await a_user(w.db, "Bruno"), await a_table(w.db)
        async with database.write() as w:
            await people.delete_user(w.db, bruno.id)
            block = await begin(database, lambda db: blocks.add_block(db, anna.id, bruno.id, NOW))
            removal = await begin(database, lambda db: blocks.add_removal(db, "t1", bruno.id))
        with pytest.raises(UserGone, match="account was deleted"):
            await block
        await removal
        async with database.read() as db:
            assert not await blocks.blocks_of(db, anna.id)
            assert not await blocks.removed_from(db, "t1")


@in_loop
async def test_deleted_person_is_neither_blocked_nor_removed(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        anna, _ = await a_user(w.db, "Anna"), await a_table(w.db)
        await blocks.add_removal(w.db, "t1", "nobody")
        with pytest.raises(UserGone, match="account was deleted"):
            await blocks.add_block(w.db, anna.id, "nobody", NOW)
        assert not await blocks.removed_from(w.db, "t1")


@in_loop
async def test_guest_who_returns_at_that_moment_is_not_deleted(postgres_url: str) -> None:
    async def come_back(db: Any) -> None:
        await people.saw(db, back.id, NOW)
        await people.set_password(db, known.id, "hash")
        seat = SeatRow("t1", 0, user_id=seated.id, name="seated")
        await tables.set_seat(db, seat)
        await tables.change(db, "t2", host_id=host.id)

    async with opened(postgres_url) as database:
        async with database.write() as w:
            names = ("back", "known", "seated", "host", "gone")
            back, known, seated, host, gone = [await a_user(w.db, name, 1) for name in names]
            await a_table(w.db)
            await a_table(w.db, "t2")
        async with database.write() as w:
            await come_back(w.db)
            deleting = await begin(database, lambda db: people.delete_stale_guests(db, before=9))
        assert await deleting == (1, None)
        async with database.read() as db:
            left = [user.name for user in (back, known, seated, host, gone) if await people.find_user(db, user.id)]
            table = await tables.find_table(db, "t1")
        assert left == ["back", "known", "seated", "host"]
        assert table is not None and table.seats[0].user_id == seated.id


@in_loop
async def test_session_that_is_extended_at_that_moment_is_not_deleted(postgres_url: str) -> None:
    async with opened(postgres_url) as database:
        async with database.write() as w:
            anna = await a_user(w.db)
            await people.add_session(w.db, anna.id, "hash", 1, expires_at=5)
        async with database.write() as w:
            await people.prolong_session(w.db, "hash", NOW)
            deleting = await begin(database, lambda db: people.delete_expired_sessions(db, 5))
        assert await deleting == 0
        async with database.read() as db:
            assert await people.session_user(db, "hash", 6) is not None


@in_loop
async def test_giving_time_back_locks_tables_in_the_order_of_their_ids(postgres_url: str) -> None:
    def give_back(db: Any) -> Awaitable[int]:
        return heartbeat.give_back(db, NOW, NOW + 1000, grace=0, recent=0, without_clock=1000)

    async with opened(postgres_url) as database:
        async with database.write() as w:  # an index has them in the opposite order
            for number in range(4):
                state = "open" if number % 2 else "playing"
                await a_table(w.db, f"t{number}", state=state, due_at=NOW - number, touched_at=NOW - number)
        async with database.write() as w:
            await tables.hold_table(w.db, "t0")
            giving = await begin(database, give_back)
            for number in range(1, 4):
                await tables.hold_table(w.db, f"t{number}")
        assert await giving == 2


@in_loop
async def test_deadlock_does_not_count_as_an_outage(postgres_url: str) -> None:
    async def hold(db: Any, first: str, second: str) -> None:
        await db.execute(text("SET LOCAL deadlock_timeout = '10ms'"))
        await tables.hold_table(db, first)
        await both.wait()
        await tables.hold_table(db, second)

    both = asyncio.Barrier(2)
    async with opened(postgres_url) as database:
        async with database.write() as w:
            await a_table(w.db)
            await a_table(w.db, "t2")
        told = await asyncio.gather(
            write(database, lambda db: hold(db, "t1", "t2")),
            write(database, lambda db: hold(db, "t2", "t1")),
            return_exceptions=True,
        )
        assert [is_deadlock(error) for error in told if error] == [True]
        assert database.trouble is None
