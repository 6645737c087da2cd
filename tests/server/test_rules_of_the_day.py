"""A game whose moves are not possible by any rules that are known says so; the others go on."""

from random import Random

import pytest

from signoria.server import seating
from signoria.server.duties import Duties
from signoria.server.errors import OtherRules
from signoria.server.house import House
from signoria.server.room import Room
from signoria.server.seating import Chair, Wish
from tests.databases import in_loop
from tests.server.house_of_tests import arrive, open_house
from tests.server.houses import a_house, a_person, a_table, kept_row, let_house_act, play


async def under_other_rules(house: House, room: Room) -> None:
    """Its version is not known, and its first step is none of the game any more."""
    async with house.changing(room) as w:
        await w.db.exec_driver_sql("UPDATE tables SET rules = '0' WHERE id = ?", (room.row.id,))
        if room.n:
            step = '{"do":"take","city":"roma"}'
            await w.db.exec_driver_sql("UPDATE steps SET step = ? WHERE table_id = ? AND n = 0", (step, room.row.id))
    house.rooms.clear()


@in_loop
async def test_a_game_of_other_rules_is_kept_and_not_misread(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        room = await a_table(house, await a_person(house), "muratore")
        await play(house, room, Random(1), 1)
        table_id = room.row.id
        await under_other_rules(house, room)
        del room
        with pytest.raises(OtherRules, match="version 0 of the rules of Patrician"):
            await house.room(table_id)
        async with house.database.write() as w:
            await w.db.exec_driver_sql("UPDATE tables SET due_at = 1")
        await let_house_act(Duties(house))
        assert (await kept_row(house, table_id)).due_at == house.now() + 24 * 3600_000  # and not again at once


@in_loop
async def test_a_table_begins_under_the_rules_of_the_day(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna = await a_person(house)
        chairs = (Chair("me"), Chair("open"))
        row = await seating.open_table(house, anna, Wish(game="patrician", options={}, chairs=chairs))
        await under_other_rules(house, await house.room(row.id))
        room = await house.room(row.id)
        await seating.fill(house, room, anna, "muratore")
        assert room.row.state == "playing" and room.row.rules == room.game.version


@in_loop
async def test_the_page_says_so(sqlite_url: str) -> None:
    async with open_house(sqlite_url, pace=60_000) as (app, house):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(house, anna.user, "muratore")
        await play(house, room, Random(1), 1)
        path = f"/tables/{room.row.id}"
        await under_other_rules(house, room)
        del room
        answer = await anna.look(path)
        assert answer.status_code == 409
        assert "Played by other rules" in answer.text
