"""What is due is claimed by exactly one of many processes."""

import asyncio

from signoria.store.database import Database
from signoria.store.duties import Claim, claim_due, claim_these, count_attempts, end_attempts, next_due, resume
from signoria.store.tables import SeatRow, advance, find_table, hold_table, set_seat
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user


def marks(claims: list[Claim]) -> list[tuple[str, int]]:
    return [(claim.table_id, claim.n) for claim in claims]


@in_loop
async def test_due_table_is_claimed_once_and_again_after_the_claim_has_expired(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        assert await next_due(w.db) is None
        await a_table(w.db, due_at=NOW, n=7)
        await a_table(w.db, "later", due_at=NOW + 1)
        await a_table(w.db, "over", due_at=NOW - 5, state="over")
        assert await next_due(w.db) == NOW
        assert await claim_due(w.db, NOW - 1, NOW + 100, 9) == []
        assert marks(await claim_due(w.db, NOW, NOW + 100, 9)) == [("t1", 7)]
        assert await claim_due(w.db, NOW, NOW + 100, 9) == []
        assert await next_due(w.db) == NOW + 1
        assert marks(await claim_due(w.db, NOW + 99, NOW + 200, 9)) == [("later", 0)]
        assert marks(await claim_due(w.db, NOW + 100, NOW + 200, 9)) == [("t1", 7)]


@in_loop
async def test_tables_due_longest_come_first_up_to_the_limit(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        for place in range(9):
            await a_table(w.db, f"t{place}", due_at=NOW - place)
        first = marks(await claim_due(w.db, NOW, NOW + 100, 4))
        assert sorted(first) == [("t5", 0), ("t6", 0), ("t7", 0), ("t8", 0)]


@in_loop
async def test_only_one_of_twenty_gets_the_same_due_table(database_url: str) -> None:
    async def race(database: Database) -> bool:
        async with database.write() as w:
            got = await claim_due(w.db, NOW, NOW + 100, 1)
            await asyncio.sleep(0)
            return bool(got)

    async with opened(database_url) as one, opened(database_url) as other:
        async with one.write() as w:
            await a_table(w.db, due_at=NOW)
        assert sum(await asyncio.gather(*(race((one, other)[racer % 2]) for racer in range(20)))) == 1


@in_loop
async def test_many_share_the_due_tables_without_waiting_for_each_other(database_url: str) -> None:
    async def look(database: Database) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        while True:
            async with database.write() as w:
                more = marks(await claim_due(w.db, NOW, NOW + 100, 3))
                await asyncio.sleep(0.001)
            if not more:
                return found
            found += more

    async with opened(database_url) as one, opened(database_url) as other:
        async with one.write() as w:
            for place in range(40):
                await a_table(w.db, f"t{place}", due_at=NOW - 1)
        found = await asyncio.gather(*(look((one, other)[racer % 2]) for racer in range(8)))
        claimed = [table_id for rows in found for table_id, _ in rows]
        assert sorted(claimed) == sorted(f"t{place}" for place in range(40))


@in_loop
async def test_row_that_another_is_claiming_is_skipped(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as other:
        async with one.write() as w:
            await a_table(w.db, due_at=NOW)
            await a_table(w.db, "t2", due_at=NOW)
        async with one.write() as w:
            first = await claim_due(w.db, NOW, NOW + 100, 1)
            async with other.write() as v:
                second = await claim_due(v.db, NOW, NOW + 100, 9)
        assert len(first) == len(second) == 1
        assert first != second


@in_loop
async def test_only_one_of_many_gets_a_seat_at_a_locked_table(database_url: str) -> None:
    async def sit(database: Database, user_id: str) -> bool:
        async with database.write() as w:
            table = await hold_table(w.db, "t1")
            assert table is not None
            if table.seats[0].user_id is not None:
                return False
            await asyncio.sleep(0.001)
            await set_seat(w.db, SeatRow("t1", 0, user_id=user_id, name=user_id))
            return True

    async with opened(database_url) as one, opened(database_url) as other:
        async with one.write() as w:
            await a_table(w.db, state="open")
            users = [(await a_user(w.db, f"user {place}")).id for place in range(10)]
        sat = await asyncio.gather(*(sit((one, other)[place % 2], user) for place, user in enumerate(users)))
        async with other.read() as db:
            table = await find_table(db, "t1")
        assert table is not None
        assert table.seats[0].user_id == users[sat.index(True)]
        assert sum(sat) == 1


@in_loop
async def test_named_tables_are_claimed_before_others_that_have_been_due_longer(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        for place in range(9):
            await a_table(w.db, f"t{place}", due_at=NOW - place)
        await a_table(w.db, "later", due_at=NOW + 1)
        assert await claim_these(w.db, [], NOW, NOW + 100) == []
        assert marks(await claim_these(w.db, ["t0", "later", "nowhere"], NOW, NOW + 100)) == [("t0", 0)]
        assert await claim_these(w.db, ["t0"], NOW, NOW + 100) == []
        assert ("t0", 0) not in marks(await claim_due(w.db, NOW, NOW + 100, 20))


@in_loop
async def test_claim_contains_the_host_and_whether_a_bot_has_to_move(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        anna = await a_user(w.db)
        for table_id, turn, away in (("bot", 1, False), ("person", 0, False), ("away", 0, True)):
            seats = (SeatRow(table_id, 0, user_id=anna.id, away=away), SeatRow(table_id, 1, bot="muratore"))
            await a_table(w.db, table_id, due_at=NOW, turn=turn, host_id=anna.id, seats=seats)
        claims = {claim.table_id: claim for claim in await claim_due(w.db, NOW, NOW + 100, 9)}
    assert {table_id: claim.bot for table_id, claim in claims.items()} == {"bot": True, "person": False, "away": True}
    assert {claim.host_id for claim in claims.values()} == {anna.id}


@in_loop
async def test_attempts_are_counted_until_one_ends_or_a_step_is_saved(database_url: str) -> None:
    async def attempts(now: int) -> dict[str, int]:
        return {claim.table_id: claim.attempts for claim in await claim_due(w.db, now, now + 1, 9)}

    async with opened(database_url) as database, database.write() as w:
        await a_table(w.db, due_at=NOW)
        await a_table(w.db, "t2", due_at=NOW)
        await count_attempts(w.db, [])
        assert await attempts(NOW) == {"t1": 0, "t2": 0}
        await count_attempts(w.db, ["t1", "t2"])
        await count_attempts(w.db, ["t1"])
        assert await attempts(NOW + 1) == {"t1": 2, "t2": 1}
        await end_attempts(w.db, "t2")
        assert await advance(w.db, "t1", 0, 1, 1, NOW, NOW, NOW, 0)
        assert await attempts(NOW + 2) == {"t1": 0, "t2": 0}


@in_loop
async def test_only_paused_games_can_be_resumed(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        await a_table(w.db, due_at=None)
        await a_table(w.db, "t2", due_at=NOW + 5)
        await a_table(w.db, "over", due_at=None, state="over")
        await count_attempts(w.db, ["t1"])
        resumed = [await resume(w.db, table_id, NOW) for table_id in ("t1", "t2", "over", "nowhere")]
        assert resumed == [True, False, False, False]
        [claim] = await claim_due(w.db, NOW, NOW + 1, 9)
        assert (claim.table_id, claim.attempts) == ("t1", 0)
