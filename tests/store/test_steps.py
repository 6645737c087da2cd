"""Steps are kept once, in order, whoever races for them."""

import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from signoria.store.database import Database
from signoria.store.steps import StepExists, StepRow, add_steps, steps_of
from signoria.store.tables import advance, find_table
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table


def step(n: int, by: str = "person") -> StepRow:
    return StepRow(n, seat=n % 2, step=f'{{"do":"take","card":{n}}}', by=by, at=NOW + n)


@in_loop
async def test_steps_come_back_in_order_from_where_they_are_asked_for(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            await a_table(w.db)
            await a_table(w.db, "t2")
            await add_steps(w.db, "t1", [])
            await add_steps(w.db, "t1", [step(0)])
            await add_steps(w.db, "t1", [step(1), step(2), step(3)])
            await add_steps(w.db, "t2", [step(0)])
        async with database.read() as db:
            assert await steps_of(db, "t1") == [step(0), step(1), step(2), step(3)]
            assert await steps_of(db, "t1", after=2) == [step(2), step(3)]
            assert await steps_of(db, "nowhere") == []


@in_loop
async def test_a_step_that_was_made_already_is_refused_with_all_beside_it(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            await a_table(w.db)
            await add_steps(w.db, "t1", [step(1)])
        with pytest.raises(StepExists, match="Step 0 of this game"):
            async with database.write() as w:
                await add_steps(w.db, "t1", [step(0), step(1)])
        async with database.read() as db:
            assert await steps_of(db, "t1") == [step(1)]


@in_loop
async def test_a_step_at_no_table_is_a_mistake_and_not_a_repetition(database_url: str) -> None:
    async with opened(database_url) as database:
        with pytest.raises(IntegrityError):
            async with database.write() as w:
                await add_steps(w.db, "nowhere", [step(0)])


@in_loop
async def test_of_twenty_that_race_for_a_step_one_makes_it(database_url: str) -> None:
    async def race(database: Database, racer: int) -> int | None:
        try:
            async with database.write() as w:
                await add_steps(w.db, "t1", [step(0, by=f"racer {racer}")])
                await advance(w.db, "t1", 0, 1, 1, NOW, None, NOW, 0)
                await asyncio.sleep(0)
        except StepExists:
            return None
        return racer

    async with opened(database_url) as one, opened(database_url) as other:
        async with one.write() as w:
            await a_table(w.db)
        made = await asyncio.gather(*(race((one, other)[racer % 2], racer) for racer in range(20)))
        winners = [racer for racer in made if racer is not None]
        async with one.read() as db:
            assert [row.by for row in await steps_of(db, "t1")] == [f"racer {winner}" for winner in winners]
            table = await find_table(db, "t1")
        assert len(winners) == 1
        assert table is not None
        assert table.n == 1


@in_loop
async def test_a_table_advances_from_where_it_is_only(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            before = await a_table(w.db)
            assert await advance(w.db, "t1", 0, 2, 1, NOW + 1, NOW + 9, NOW + 5, before.revision)
            assert not await advance(w.db, "t1", 0, 3, 0, NOW, None, NOW, before.revision)
            assert not await advance(w.db, "t1", 2, 3, 0, NOW, None, NOW, before.revision + 1)
            assert not await advance(w.db, "nowhere", 0, 3, 0, NOW, None, NOW, before.revision)
        async with database.read() as db:
            table = await find_table(db, "t1")
        assert table is not None
        assert (table.n, table.turn, table.turn_at, table.due_at, table.touched_at) == (2, 1, NOW + 1, NOW + 9, NOW + 5)
        assert table.revision == before.revision
