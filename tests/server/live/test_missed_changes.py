"""Live pages show changes by other processes even without a notification."""

import asyncio
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest

from signoria.server.live import missed_changes
from signoria.server.live.missed_changes import MissedChanges
from signoria.server.lobby import opening, public_lists, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.pages import lobby
from signoria.server.play import room_cache, table_chat
from signoria.server.play.room import Room
from signoria.store import messages, tables
from signoria.store.listening import Listening
from signoria.store.schema import sessions
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.services import a_person, a_service, a_step, a_table, make, until

OPEN_SEAT = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))


@in_loop
async def test_missed_steps_messages_and_seat_changes_are_found(sqlite_url: str) -> None:
    async with (
        a_service(sqlite_url) as service,
        a_service(sqlite_url) as other,
    ):  # SQLite does not notify them of each other
        anna, rng = await a_person(service), Random(1)
        shown = await a_table(service, anna, "muratore")
        room = await other.room(shown.row.id)

        async def a_message() -> None:
            await table_chat.say(other, room, anna, "Good luck!")

        async def a_move() -> None:
            await make(other, room, a_step(room, rng))

        async def another_name() -> None:
            await seating.rename(other, anna.id, "Anna", "Annina")

        with shown.viewing() as changed:
            for change in (a_message, a_move, another_name):
                changed.clear()
                await change()
                assert shown.table_version != room.table_version
                await service.reload_missed()
                await until(changed.is_set)
                assert shown.table_version == room.table_version
            changed.clear()
            await service.reload_missed()
            assert not service._background and not changed.is_set()


@in_loop
async def test_only_viewed_tables_are_compared_and_in_batches(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_cache, "COMPARED", 2)
    async with a_service(sqlite_url) as service, a_service(sqlite_url) as other:
        anna = await a_person(service)
        rooms = [await a_table(service, anna, "muratore") for _ in range(6)]
        for room in (rooms[1], rooms[5]):
            await table_chat.say(other, await other.room(room.row.id), anna, "Good luck!")
        find, catch_up = tables.find_versions, service.catch_up
        compared: list[int] = []
        read: list[Room] = []

        async def find_versions(db: Any, table_ids: list[str]) -> Any:
            compared.append(len(table_ids))
            return await find(db, table_ids)

        async def counted(room: Room) -> None:
            read.append(room)
            await catch_up(room)

        monkeypatch.setattr(tables, "find_versions", find_versions)
        monkeypatch.setattr(service, "catch_up", counted)
        with ExitStack() as looking:
            for room in rooms[:5]:
                looking.enter_context(room.viewing())
            await service.reload_missed()
            await until(lambda: not service._background)
        assert compared == [2, 2, 1]
        assert read == [rooms[1]]


@in_loop
async def test_table_page_shows_messages_whose_notification_was_lost(postgres_url: str) -> None:
    async with a_service(postgres_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, "muratore")
        async with service.database.write() as w:
            await messages.add_message(w.db, room.row.id, anna.id, 0, "Anna", "Good luck!", 1)
        assert [said.text for said in (await service.room(room.row.id)).messages] == ["Good luck!"]


@in_loop
async def test_live_pages_of_another_process_update_without_notifications(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Listening, "_hear", lambda *_: None)
    monkeypatch.setattr(missed_changes, "EVERY", 0.05)
    monkeypatch.setattr(missed_changes, "ROUNDS", 1)
    monkeypatch.setattr(public_lists, "REST", 0.01)
    monkeypatch.setattr(lobby, "REST", 0.0)
    async with open_app(postgres_url, pace=60_000) as (app, service), open_app(postgres_url) as (other, elsewhere):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user is not None and bruno.user is not None
        row = await opening.open_table(service, anna.user, OPEN_SEAT)
        pages, table, lists = [], bytearray(), bytearray()
        for person, path, sent in ((anna, f"/tables/{row.id}/stream", table), (bruno, "/lobby/stream", lists)):
            person.app = other
            pages.append(asyncio.create_task(person.first_event(path, until_ended=True, sent=sent)))
        await until(lambda: b"\nid: " in table and b"\nid: " in lists)
        await table_chat.say(service, await service.room(row.id), anna.user, "Who plays?")
        public = await opening.open_table(service, anna.user, OPEN_SEAT)
        invited = TableRequest(game="patrician", options={}, seats=OPEN_SEAT.seats, invited=True)
        own = await opening.open_table(service, bruno.user, invited)
        await until(lambda: b"Who plays?" in table)
        await until(lambda: public.id.encode() in lists and own.id.encode() in lists)
        elsewhere.close()
        await asyncio.gather(*pages)


@in_loop
async def test_pages_of_people_who_signed_out_end(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        people = [await arrive(app, name) for name in ("Anna", "Bruno")]
        pages = [asyncio.create_task(one.first_event("/lobby/stream", until_ended=True)) for one in people]
        await until(lambda: len(app.state.stream_limiter) == 2)
        assert people[0].user is not None
        async with service.database.write() as w:
            await w.db.execute(sessions.delete().where(sessions.c.user_id == people[0].user.id))
        app.state.sessions._remembered.clear()  # half a minute later
        missed = MissedChanges(service, app.state.public_lists, app.state.connections)
        for _ in range(missed_changes.ROUNDS):
            await missed.look()
        await asyncio.wait_for(pages[0], 30)
        assert not pages[1].done()
        service.close()
        await pages[1]
