"""Steps are saved once and in order, even if many requests compete."""

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
async def test_steps_are_returned_in_order_from_a_given_number(database_url: str) -> None:
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
async def test_step_that_was_already_made_is_refused_together_with_its_batch(database_url: str) -> None:
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
async def test_step_at_an_unknown_table_is_an_error_and_not_a_repetition(database_url: str) -> None:
    async with opened(database_url) as database:
        with pytest.raises(IntegrityError):
            async with database.write() as w:
                await add_steps(w.db, "nowhere", [step(0)])


@in_loop
async def test_only_one_of_twenty_makes_the_same_step(database_url: str) -> None:
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
async def test_table_advances_only_from_its_current_version(database_url: str) -> None:
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
