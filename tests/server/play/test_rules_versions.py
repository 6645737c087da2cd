"""A game whose moves fit no known version of the rules shows an error; other games continue."""

from random import Random

import pytest

from signoria.server.errors import OtherRules
from signoria.server.lobby import opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.room import Room
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.services import a_person, a_service, a_table, do_what_is_due, kept_row, play


async def under_other_rules(service: TableService, room: Room) -> None:
    """Give it an unknown version, and a first step that does not exist."""
    async with service.changing(room) as w:
        await w.db.exec_driver_sql("UPDATE tables SET rules = '0' WHERE id = ?", (room.row.id,))
        if room.n:
            step = '{"do":"take","city":"roma"}'
            await w.db.exec_driver_sql("UPDATE steps SET step = ? WHERE table_id = ? AND n = 0", (step, room.row.id))
    service.rooms.clear()


@in_loop
async def test_game_of_an_unknown_rules_version_is_kept_but_not_replayed(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), "muratore")
        await play(service, room, Random(1), 1)
        table_id = room.row.id
        await under_other_rules(service, room)
        del room
        with pytest.raises(OtherRules, match="version 0 of the rules of Patrician"):
            await service.room(table_id)
        async with service.database.write() as w:
            await w.db.exec_driver_sql("UPDATE tables SET due_at = 1")
        await do_what_is_due(Scheduler(service))
        assert (await kept_row(service, table_id)).due_at == service.now() + 24 * 3600_000  # and not again at once


@in_loop
async def test_new_table_uses_the_current_rules_version(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        chairs = (SeatRequest("me"), SeatRequest("open"))
        row = await opening.open_table(service, anna, TableRequest(game="patrician", options={}, seats=chairs))
        await under_other_rules(service, await service.room(row.id))
        room = await service.room(row.id)
        await seating.fill(service, room, anna, "muratore")
        assert room.row.state == "playing" and room.row.rules == room.game.version


@in_loop
async def test_a_game_goes_on_under_the_earlier_rules_that_it_began_with(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        await play(service, room, Random(1), 3)
        monkeypatch.setattr(type(room.game), "older_versions", frozenset({"earlier"}))
        async with service.changing(room) as w:
            await w.db.exec_driver_sql("UPDATE tables SET rules = 'earlier'")
        table_id = room.row.id
        service.rooms.clear()
        del room
        room = await service.room(table_id)
        assert room.position is not None
        assert (room.n, room.position.table.rules) == (3, "earlier")
        await play(service, room, Random(1))
        assert room.position.table.record.rules == "earlier"


@in_loop
async def test_page_of_a_game_with_unknown_rules_says_so(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(service, anna.user, "muratore")
        await play(service, room, Random(1), 1)
        path = f"/tables/{room.row.id}"
        await under_other_rules(service, room)
        del room
        answer = await anna.look(path)
        assert answer.status_code == 409
        assert "version of the rules" in answer.text
