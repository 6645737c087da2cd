"""One seat per person at public tables, removing players, and blocking people."""

from random import Random

import msgspec
import pytest

from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound
from signoria.server.lobby import opening, rematches, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.people import blocking
from signoria.server.play.page_models import page_version, table_page
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import blocks, people, tables
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import LEVEL, a_person, a_service, a_table, play

ME, OPEN, BOT, DEVICE = (
    SeatRequest("me"),
    SeatRequest("open"),
    SeatRequest("bot", bot=LEVEL),
    SeatRequest("device", name="Carla"),
)


async def open_for(service: TableService, host: User, *chairs: SeatRequest, invited: bool = False) -> Room:
    wish = TableRequest(game="patrician", options={}, seats=chairs, invited=invited)
    return await service.room((await opening.open_table(service, host, wish)).id)


# One person, one seat


@in_loop
async def test_one_person_has_one_seat_at_a_public_table(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await open_for(service, anna, ME, OPEN, OPEN, OPEN)
        await seating.sit(service, room, bruno, 1)
        for user, seat, name in ((bruno, 2, "Bruno 2"), (bruno, 3, None), (anna, 2, "Anna 2")):
            with pytest.raises(Conflict, match="already have a seat"):
                await seating.sit(service, room, user, seat, name)
        assert [seat.user_id for seat in room.row.seats] == [anna.id, bruno.id, None, None]


@in_loop
async def test_shared_device_is_allowed_with_bots_or_by_invitation(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        begun = await open_for(service, anna, ME, DEVICE, BOT)
        assert begun.row.state == "playing"
        last = await open_for(service, anna, ME, OPEN, BOT)
        await seating.sit(service, last, anna, 1, "Carla")  # the last seat, and bots in the others
        await seating.put_bot(service, last, anna, 2, None)
        with pytest.raises(Conflict, match="on one device"):
            await seating.sit(service, last, bruno, 2)
        invited = await open_for(service, anna, ME, DEVICE, OPEN, OPEN, invited=True)
        await seating.sit(service, invited, bruno, 2, invitation=invited.row.invitation)
        await seating.sit(service, invited, bruno, 3, "Dora")
        await seating.start(service, invited, anna)


@pytest.mark.parametrize("chairs", [(ME, DEVICE, OPEN), (ME, ME, OPEN, BOT)])
@in_loop
async def test_shared_device_with_open_seats_requires_an_invitation(
    chairs: tuple[SeatRequest, ...], sqlite_url: str
) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        with pytest.raises(BadField, match="invite only") as refused:
            await open_for(service, anna, *chairs)
        assert refused.value.field == "seats"
        assert (await open_for(service, anna, *chairs, invited=True)).row.state == "open"


@in_loop
async def test_rematch_with_a_shared_device_is_by_invitation(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await open_for(service, anna, ME, DEVICE, OPEN, invited=True)
        await seating.sit(service, room, bruno, 2, invitation=room.row.invitation)
        await seating.begin(service, room)
        await play(service, room, Random(1))
        room.row = msgspec.structs.replace(room.row, invitation=None)  # as games could be before
        async with service.database.write() as w:
            await tables.change(w.db, room.row.id, invitation=None)
        again = await service.room(await rematches.rematch(service, room, bruno))
        assert again.row.invitation is not None
        assert await rematches.rematch(service, room, anna) == again.row.id
        assert [seat.user_id for seat in again.row.seats] == [anna.id, anna.id, bruno.id]


@in_loop
async def test_player_cannot_take_the_name_of_another_at_the_table(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await open_for(service, anna, ME, DEVICE, OPEN, invited=True)
        other = await open_for(service, bruno, ME, OPEN)
        await seating.sit(service, room, bruno, 2, invitation=room.row.invitation)
        async with service.database.write() as w:
            await people.rename(w.db, bruno.id, "CarIa")  # with a capital I
        await seating.rename(service, bruno.id, "Bruno", "CarIa")
        assert [seat.name for seat in room.row.seats] == ["Anna", "Carla", "Bruno"]
        assert other.row.seats[0].name == "CarIa"


# Removing


@in_loop
async def test_removed_player_cannot_sit_down_again(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await open_for(service, anna, ME, OPEN, OPEN)
        await seating.sit(service, room, bruno, 1)
        with pytest.raises(NotAllowed):
            await seating.remove(service, room, bruno, 0)
        with pytest.raises(Conflict, match="your own"):
            await seating.remove(service, room, anna, 0)
        with pytest.raises(Conflict, match="No person sits"):
            await seating.remove(service, room, anna, 2)
        before = page_version(service, room, bruno)
        await seating.remove(service, room, anna, 1)
        assert page_version(service, room, bruno) != before
        assert room.seats_of(bruno.id) == ()
        assert (
            room.messages[-1].text == "The host removed the player in seat 2."
        )  # and no name, which would outlive them
        for seat in (1, 2):
            with pytest.raises(NotAllowed, match="The host removed you"):
                await seating.sit(service, room, bruno, seat)
        page = table_page(service, room, bruno, None)
        assert page.removed and not page.may_sit
        assert not table_page(service, room, anna, None).removed
        await seating.sit(service, room, await a_person(service, "Carla"), 1)
    async with a_service(database_url) as service:  # and after a restart
        assert table_page(service, await service.room(room.row.id), bruno, None).removed


# Blocking


async def blocked(service: TableService, user: User, other: User) -> User:
    return await blocking.block(service, user, other.id)


@in_loop
async def test_blocked_person_cannot_sit_down_and_is_not_told_why(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno, carla = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")]
        await blocked(service, anna, bruno)
        hosted = await open_for(service, anna, ME, OPEN, OPEN)
        joined = await open_for(service, carla, ME, OPEN, OPEN)
        await seating.sit(service, joined, anna, 1)
        for room in (hosted, joined):
            with pytest.raises(NotAllowed) as refused:
                await seating.sit(service, room, bruno, 2)
            assert "block" not in str(refused.value), "they are not told"
        theirs = await open_for(service, bruno, ME, OPEN)
        with pytest.raises(NotAllowed, match="You have blocked Bruno, who is at this table"):
            await seating.sit(service, theirs, anna, 1)
        async with service.database.read() as db:
            [block] = await blocks.blocks_of(db, anna.id)
        assert (block.name, block.blocked_id) == ("Bruno", bruno.id)
        with pytest.raises(NotFound):
            await blocking.unblock(service, bruno, block.id)
        await blocking.unblock(service, anna, block.id)
        await seating.sit(service, hosted, bruno, 2)
        await seating.sit(service, theirs, anna, 1)


@in_loop
async def test_rematch_with_a_blocked_person_is_refused(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno)
        await play(service, room, Random(1))
        await blocked(service, anna, bruno)
        again = await service.room(await rematches.rematch(service, room, bruno))
        with pytest.raises(NotAllowed, match="You have blocked Bruno"):
            await rematches.rematch(service, room, anna)
        assert again.seats_of(anna.id) == ()
        await seating.close(service, again, bruno)
        again = await service.room(await rematches.rematch(service, room, anna))
        with pytest.raises(NotAllowed, match="cannot join"):
            await rematches.rematch(service, room, bruno)


@in_loop
async def test_invalid_and_too_many_blocks_are_refused(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocking, "MOST_BLOCKS", 1)
    async with a_service(sqlite_url) as service:
        anna, bruno, carla = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")]
        with pytest.raises(Conflict, match="yourself"):
            await blocked(service, anna, anna)
        assert (await blocked(service, anna, bruno)).blocked == {bruno.id}
        assert (await blocking.block_named(service, anna, "BRUNO")).blocked == {bruno.id}  # once more changes nothing
        with pytest.raises(Conflict, match="Unblock someone first"):
            await blocked(service, anna, carla)
        with pytest.raises(BadField, match="'Dora'"):
            await blocking.block_named(service, anna, "Dora")


@in_loop
async def test_blocks_are_deleted_with_either_account(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno, carla = [await a_person(service, name) for name in ("Anna", "Bruno", "Carla")]
        for user, other in ((anna, bruno), (bruno, carla), (carla, anna)):
            await blocked(service, user, other)
        async with service.database.write() as w:
            await people.delete_user(w.db, anna.id)
        async with service.database.read() as db:
            assert [await blocks.blocked_by(db, user.id) for user in (anna, bruno, carla)] == [set(), {carla.id}, set()]


@in_loop
async def test_blocks_and_removals_move_when_a_guest_signs_in(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, guest, bruno, carla = [await arrive(app, name) for name in ("Anna", "Ginevra", "Bruno", "Carla")]
        await anna.send("/account/password", password="una parola lunga")
        assert anna.user and guest.user and bruno.user and carla.user
        for user, other in (
            (guest.user, bruno.user),  # both have blocked Bruno, and Carla has blocked both
            (anna.user, bruno.user),
            (carla.user, guest.user),
            (carla.user, anna.user),
            (guest.user, anna.user),  # nobody blocks themselves in the end
            (bruno.user, guest.user),
        ):
            await blocked(service, user, other)
        removed = await open_for(service, bruno.user, ME, OPEN)
        async with service.database.write() as w:
            await blocks.add_removal(w.db, removed.row.id, guest.user.id)
        dora = await a_person(service, "Dora")
        lost, kept = await open_for(service, dora, ME, OPEN), await open_for(service, dora, ME, OPEN)
        for room in (lost, kept):
            await seating.sit(service, room, guest.user, 1)
        async with service.database.write() as w:
            await blocks.add_removal(w.db, lost.row.id, anna.user.id)
        assert (await guest.send("/sign-in", name="Anna", password="una parola lunga")).status_code == 303
        async with service.database.read() as db:
            assert await blocks.blocked_by(db, anna.user.id) == {bruno.user.id}
            assert await blocks.blocked_by(db, guest.user.id) == set()
            assert await blocks.blocked_by(db, carla.user.id) == {anna.user.id}
            assert await blocks.blocked_by(db, bruno.user.id) == {anna.user.id}
            assert anna.user.id in await blocks.removed_from(db, removed.row.id)
        assert kept.row.seats[1].user_id == anna.user.id
        assert lost.row.seats[1].user_id is None


# Pages and programs


async def at_one_table(service: TableService, *people: Person) -> Room:
    users = [person.user for person in people if person.user]
    return await a_table(service, *users)


@in_loop
async def test_messages_of_blocked_people_are_hidden(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno, watcher = [await arrive(app, name) for name in ("Anna", "Bruno", "Walter")]
        room = await at_one_table(service, anna, bruno)
        page, events = f"/tables/{room.row.id}", f"/api/v1/tables/{room.row.id}/events"
        for person, text in ((bruno, "insults"), (anna, "please stop"), (bruno, "more of it")):
            await person.send(f"{page}/chat", text=text)
        first = room.messages[0].id
        answer = await anna.send(f"{page}/block", script=True, message=first)
        assert answer.status_code == 200 and 'class="notice good"' in answer.text
        for text in ((await anna.look(page)).text, answer.text, (await anna.first_event(events)).decode()):
            assert "please stop" in text and "insults" not in text and "more of it" not in text
        assert "2 messages from people you" in (await anna.look(page)).text
        live = (await anna.first_event(f"{page}/stream")).decode()
        assert "please stop" in live and "insults" not in live
        for other in (bruno, watcher):
            for path in (page, f"{page}/stream", events):
                text = (await other.first_event(path) if path != page else (await other.look(path)).content).decode()
                assert (
                    "insults" in text and "more of it" in text and "blocked" not in text.lower().replace("blocked/", "")
                )
        account = (await anna.look("/account")).text
        assert "Bruno" in account and "Unblock" in account
        async with service.database.read() as db:
            [block] = await blocks.blocks_of(db, anna.user.id if anna.user else "")
        assert (await anna.send(f"/account/blocks/{block.id}/delete")).status_code == 303
        assert "insults" in (await anna.look(page)).text  # nothing is lost
        assert (await anna.send("/account/blocks", name="bruno")).status_code == 303
        assert "insults" not in (await anna.look(page)).text


@in_loop
async def test_spectator_with_blocks_gets_a_separate_page(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno, walter, other = [await arrive(app, name) for name in ("Anna", "Bruno", "Walter", "Wanda")]
        room = await at_one_table(service, anna, bruno)
        page = f"/tables/{room.row.id}"
        await bruno.send(f"{page}/chat", text="insults")
        await walter.send(f"{page}/block", seat=1)
        drawn = [(await person.first_event(f"{page}/stream")).decode() for person in (other, walter, other)]
        assert ["insults" in one for one in drawn] == [True, False, True]


@in_loop
async def test_api_can_block_and_remove(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        room = await open_for(service, anna.user, ME, OPEN, OPEN)
        await seating.sit(service, room, bruno.user, 1)
        at = f"/api/v1/tables/{room.row.id}"
        assert (await bruno.client.post(f"{at}/remove", json={"seat": 0})).status_code == 403
        answer = await anna.client.post(f"{at}/block", json={"seat": 1})
        assert (answer.status_code, answer.json()) == (200, {"blocked": 1})
        assert (await anna.client.post(f"{at}/block", json={"seat": 1, "message": 2})).status_code == 422
        assert (await anna.client.post(f"{at}/block", json={"message": 2})).status_code == 404
        assert (await anna.client.post(f"{at}/remove", json={"seat": 1})).json()["seats"][1]["kind"] == "empty"
        assert (await bruno.client.post(f"{at}/sit", json={"seat": 1})).status_code == 403
        [block] = (await anna.client.get("/api/v1/blocks")).json()["blocks"]
        assert block["name"] == "Bruno"
        assert (await bruno.client.delete(f"/api/v1/blocks/{block['id']}")).status_code == 404
        assert (await anna.client.delete(f"/api/v1/blocks/{block['id']}")).json() == {"blocks": []}
        assert (await anna.client.post("/api/v1/blocks", json={"name": "Bruno"})).json() == {"blocked": 1}
