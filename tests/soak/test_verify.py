"""The campaign finds every kind of damage to a database."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest
from sqlalchemy import text

from signoria.server.play.claims import LEASE
from signoria.soak.players import Witness
from signoria.soak.verify import wrong_tables
from signoria.store import steps
from signoria.store.database import Database
from tests.server.services import LEVEL, NOW, a_person, a_service, a_table, play, turn_of

Damage = Callable[[Database, str, Witness], Awaitable[None]]


async def found_after(url: str, damage: Damage | None, until_n: int = 30, *, against: str | None = None) -> list[str]:
    """What is found wrong with a table that was damaged in this way, against a bot on its turn."""
    async with a_service(url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, against or bruno)
        await play(service, room, Random(1), until_n)
        while against and not room.played_by_bot(turn_of(room)):
            await play(service, room, Random(1), room.n + 1)
        witness = Witness()
        async with service.database.read() as db:
            for step in await steps.steps_of(db, room.row.id):
                witness.sent[room.row.id, step.n] = {(step.seat, step.step)}
                if step.by == "person":
                    witness.acknowledged[room.row.id, step.n] = (step.seat, step.step)
        if damage:
            await damage(service.database, room.row.id, witness)
        return await wrong_tables(service.database, witness, [room.row.id], lambda: NOW)


def statement(sql: str) -> Damage:
    async def damage(store: Database, table_id: str, _witness: Witness) -> None:
        async with store.write() as w:
            await w.db.execute(text(sql), {"id": table_id})

    return damage


async def never_sent(_store: Database, table_id: str, witness: Witness) -> None:
    last = max(n for _, n in witness.acknowledged)
    del witness.acknowledged[table_id, last], witness.sent[table_id, last]


async def refused(_store: Database, table_id: str, witness: Witness) -> None:
    last = max(n for _, n in witness.acknowledged)
    witness.refused.append(((table_id, last), witness.acknowledged.pop((table_id, last))))


DAMAGES = {
    "was acknowledged": statement("DELETE FROM steps WHERE table_id = :id AND n = (SELECT max(n) FROM steps)"),
    "without a gap": statement("UPDATE tables SET n = n + 1 WHERE id = :id"),
    "nobody sent": never_sent,
    "was refused": refused,
    "cannot be replayed": statement(
        "UPDATE steps SET step = (SELECT step FROM steps WHERE n = 0) WHERE table_id = :id AND n = 7"
    ),
    "its steps say": statement("UPDATE tables SET turn = 1 - turn WHERE id = :id"),
    "is gone": statement("DELETE FROM tables WHERE id = :id"),
}


@pytest.mark.parametrize("says", DAMAGES)
def test_damage_is_found(says: str, sqlite_url: str) -> None:
    found = asyncio.run(found_after(sqlite_url, DAMAGES[says]))
    assert any(says in sentence for sentence in found), found


@pytest.mark.parametrize("until_n", [30, 10_000])
def test_undamaged_table_has_no_errors(until_n: int, sqlite_url: str) -> None:
    assert asyncio.run(found_after(sqlite_url, None, until_n)) == []


def test_wrong_result_is_found(sqlite_url: str) -> None:
    damage = statement("UPDATE tables SET result = '{}' WHERE id = :id")
    assert "has the result" in asyncio.run(found_after(sqlite_url, damage, 10_000))[0]


def test_bots_turn_that_is_due_too_late_is_found(sqlite_url: str) -> None:
    damage = statement(f"UPDATE tables SET due_at = {NOW + LEASE + 1} WHERE id = :id")
    found = asyncio.run(found_after(sqlite_url, damage, 1, against=LEVEL))
    assert any("a bot's turn" in sentence for sentence in found)
