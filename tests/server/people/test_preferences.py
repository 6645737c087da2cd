"""Preferences apply at every table and in every process from the next step on."""

from random import Random

from signoria.server.people import preferences
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.server.settings import Rates, rate
from signoria.store.people import User, find_user
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.services import LEVEL, a_person, a_service, a_table, kept_steps, play, turn_of, until

ROUNDS = 160
"""Steps of a game with many forced moves."""


async def made_for(service: TableService, room: Room, seat: int) -> int:
    return sum(step.by == "house" and step.seat == seat for step in await kept_steps(service, room.row.id))


async def is_unasked(service: TableService, user: User) -> bool:
    async with service.database.read() as db:
        found = await find_user(db, user.id)
    assert found is not None
    return found.unasked


@in_loop
async def test_automatic_moves_follow_each_players_preference(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno, LEVEL, game="il-principe")
        await preferences.set_unasked(service, anna, False)
        assert [seat.unasked for seat in room.row.seats] == [False, True, True]
        await play(service, room, Random(6), until_n=ROUNDS)
        assert await made_for(service, room, 0) == 0
        assert await made_for(service, room, 1) > 0
        await preferences.set_unasked(service, anna, True)
        await play(service, room, Random(6), until_n=2 * ROUNDS)
        assert await made_for(service, room, 0) > 0


@in_loop
async def test_only_a_change_of_the_preference_touches_tables(database_url: str) -> None:
    """Repeating it would otherwise write every table of a person again, and redraw it for all its viewers."""
    async with open_app(database_url, rates=Rates(chat=rate("1/h up to 3"))) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(service, anna.user, LEVEL)
        revision = room.row.revision
        assert (await anna.send("/account/unasked", unasked="on")).status_code == 200
        assert (await service.room(room.row.id)).row.revision == revision
        assert (await anna.send("/account/unasked")).status_code == 200
        assert (await service.room(room.row.id)).row.revision == revision + 1
        assert (await anna.send(f"/tables/{room.row.id}/unasked", unasked="on")).status_code == 303
        assert (await service.room(room.row.id)).row.revision == revision + 2
        for path in ("/account/unasked", f"/tables/{room.row.id}/unasked", "/account/name"):
            assert (await anna.send(path, name="Bianca")).status_code == 429
        assert (await service.room(room.row.id)).row.revision == revision + 2


@in_loop
async def test_changed_preference_reaches_other_processes_at_once(postgres_url: str) -> None:
    async with a_service(postgres_url) as here, a_service(postgres_url) as there:
        anna, bruno = await a_person(here), await a_person(here, "Bruno")
        room = await a_table(here, anna, bruno)
        seen = await there.room(room.row.id)
        await preferences.set_unasked(here, anna, False)
        await until(lambda: seen.row.seats[0].unasked is False)
        assert turn_of(seen) == turn_of(room)


@in_loop
async def test_preference_is_shown_at_the_table_and_on_the_account_page(database_url: str) -> None:
    async with open_app(database_url) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(service, anna.user, LEVEL)
        here, tick = f"/tables/{room.row.id}", 'name="unasked" autocomplete="off" data-send checked'
        assert tick in (await anna.look(here)).text
        assert tick in (await anna.look("/account")).text
        answer = await anna.send(f"{here}/unasked", script=True)
        assert answer.status_code == 200
        assert "data-send>" in answer.text
        assert tick not in answer.text
        assert tick not in (await anna.look("/account")).text
        assert not await is_unasked(service, anna.user)
        told = await anna.send("/account/unasked", unasked="on")
        assert 'class="notice good"' in told.text
        assert tick in (await anna.look(here)).text
        assert await is_unasked(service, anna.user)
