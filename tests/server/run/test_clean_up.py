"""Clean-up: abandoned tables, inactive guests and expired sessions."""

import pytest
from sqlalchemy import func, insert, select

from signoria.server.errors import Conflict
from signoria.server.lobby import opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.room import Room
from signoria.server.run import clean_up as clean_up_module
from signoria.server.run.clean_up import HOUR, CleanUp
from signoria.store import people
from signoria.store.schema import sessions, users
from tests.databases import in_loop
from tests.server.services import (
    Clock,
    a_person,
    a_service,
    a_table,
    kept_row,
)


@in_loop
async def test_unused_open_tables_are_closed_automatically(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        anna, clean_up = await a_person(service), CleanUp(service)
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))
        stale, looked_at, lively = [
            await service.room((await opening.open_table(service, anna, wish)).id) for _ in range(3)
        ]
        begun = await a_table(service, anna, await a_person(service, "Bruno"))
        before = clock.now + 1
        clock.now += 24 * HOUR - 1
        await seating.sit(service, lively, await a_person(service, "Carla"), 1)
        await clean_up.tidy()
        assert {room.row.state for room in (stale, looked_at, lively)} == {"open"}
        clock.now += 2
        with looked_at.viewing():
            await clean_up.tidy()
        states = [(await kept_row(service, room.row.id)).state for room in (stale, looked_at, lively, begun)]
        assert states == ["closed", "open", "open", "playing"]
        assert not await seating.close_stale(service, begun, before)  # it began while the list was read
        assert not await seating.close_stale(service, lively, before)
        assert (await kept_row(service, begun.row.id)).state == "playing"
        await clean_up.tidy()
        assert looked_at.row.state == "closed"
        with pytest.raises(Conflict, match="closed"):
            await seating.sit(service, stale, anna, 1)


@in_loop
async def test_viewed_or_failing_tables_do_not_prevent_others_from_being_closed(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean_up_module, "CLOSED_AT_ONCE", 2)
    monkeypatch.setattr(clean_up_module, "BETWEEN_BATCHES", 0.0)
    clock = Clock()
    async with a_service(database_url, clock) as service:
        anna, clean_up, rooms = await a_person(service), CleanUp(service), []
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))
        for _ in range(6):
            clock.now += 1
            rooms.append(await service.room((await opening.open_table(service, anna, wish)).id))
        real = service.room

        async def fail_at_the_third(table_id: str) -> Room:
            if table_id == rooms[2].row.id:
                raise ValueError("broken")
            return await real(table_id)

        monkeypatch.setattr(service, "room", fail_at_the_third)
        clock.now += 24 * HOUR + 1
        with rooms[0].viewing(), rooms[1].viewing():
            await clean_up.tidy()
        states = [(await kept_row(service, room.row.id)).state for room in rooms]
        assert states == ["open"] * 3 + ["closed"] * 3


@in_loop
async def test_one_cleanup_deletes_a_limited_number_of_batches_of_guests_and_sessions(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean_up_module, "BETWEEN_BATCHES", 0.0)
    monkeypatch.setattr(clean_up_module, "MOST_BATCHES", 3)
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        clean_up = CleanUp(service)
        async with service.database.write() as w:
            for key in (f"guest {place}" for place in range(3 * people.BATCH + 30)):
                await w.db.execute(insert(users).values(id=key, name=key, name_key=key, created_at=1, seen_at=1))
            anna = await people.add_user(w.db, "Anna", clock.now)
            for place in range(180):
                await people.add_session(w.db, anna.id, f"hash {place}", 1, 2)

        async def left() -> list[int]:
            counts = [select(func.count()).select_from(kind) for kind in (users, sessions)]
            async with service.database.read() as db:
                return [(await db.execute(count)).scalar_one() for count in counts]

        await clean_up.tidy()
        assert await left() == [31, 30]
        await clean_up.tidy()
        assert await left() == [1, 0]
