"""One person, one seat among strangers; hosts who remove players; people who block others."""

from random import Random

import msgspec
import pytest

from signoria.server import blocking, meeting, seating
from signoria.server.errors import BadField, Conflict, NotAllowed, NotFound
from signoria.server.house import House
from signoria.server.room import Room
from signoria.server.seating import Chair, Wish
from signoria.server.showing import table_page, version_of
from signoria.store import blocks, people, tables
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.house_of_tests import Person, arrive, open_house
from tests.server.houses import LEVEL, a_house, a_person, a_table, play

ME, OPEN, BOT, DEVICE = Chair("me"), Chair("open"), Chair("bot", bot=LEVEL), Chair("device", name="Carla")


async def open_for(house: House, host: User, *chairs: Chair, invited: bool = False) -> Room:
    wish = Wish(game="patrician", options={}, chairs=chairs, invited=invited)
    return await house.room((await seating.open_table(house, host, wish)).id)


# One person, one seat


@in_loop
async def test_a_stranger_has_one_seat_at_a_table_that_anybody_may_join(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await open_for(house, anna, ME, OPEN, OPEN, OPEN)
        await seating.sit(house, room, bruno, 1)
        for user, seat, name in ((bruno, 2, "Bruno 2"), (bruno, 3, None), (anna, 2, "Anna 2")):
            with pytest.raises(Conflict, match="You have a seat at this table already"):
                await seating.sit(house, room, user, seat, name)
        assert [seat.user_id for seat in room.row.seats] == [anna.id, bruno.id, None, None]


@in_loop
async def test_friends_share_a_device_among_bots_or_by_invitation(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        begun = await open_for(house, anna, ME, DEVICE, BOT)
        assert begun.row.state == "playing"
        last = await open_for(house, anna, ME, OPEN, BOT)
        await seating.sit(house, last, anna, 1, "Carla")  # the last seat, and bots in the others
        await seating.put_bot(house, last, anna, 2, None)
        with pytest.raises(Conflict, match="several people on one device"):
            await seating.sit(house, last, bruno, 2)
        invited = await open_for(house, anna, ME, DEVICE, OPEN, OPEN, invited=True)
        await seating.sit(house, invited, bruno, 2, invitation=invited.row.invitation)
        await seating.sit(house, invited, bruno, 3, "Dora")
        await seating.start(house, invited, anna)


@pytest.mark.parametrize("chairs", [(ME, DEVICE, OPEN), (ME, ME, OPEN, BOT)])
@in_loop
async def test_a_shared_device_beside_open_seats_needs_invitations(chairs: tuple[Chair, ...], sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna = await a_person(house)
        with pytest.raises(BadField, match="Make it by invitation") as refused:
            await open_for(house, anna, *chairs)
        assert refused.value.field == "seats"
        assert (await open_for(house, anna, *chairs, invited=True)).row.state == "open"


@in_loop
async def test_the_rematch_of_a_shared_device_and_others_is_by_invitation(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await open_for(house, anna, ME, DEVICE, OPEN, invited=True)
        await seating.sit(house, room, bruno, 2, invitation=room.row.invitation)
        await seating.begin(house, room)
        await play(house, room, Random(1))
        room.row = msgspec.structs.replace(room.row, invitation=None)  # as games could be before
        async with house.database.write() as w:
            await tables.change(w.db, room.row.id, invitation=None)
        again = await house.room(await meeting.rematch(house, room, bruno))
        assert again.row.invitation is not None
        assert await meeting.rematch(house, room, anna) == again.row.id
        assert [seat.user_id for seat in again.row.seats] == [anna.id, anna.id, bruno.id]


@in_loop
async def test_nobody_renames_themselves_into_a_namesake_at_a_table(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await open_for(house, anna, ME, DEVICE, OPEN, invited=True)
        other = await open_for(house, bruno, ME, OPEN)
        await seating.sit(house, room, bruno, 2, invitation=room.row.invitation)
        async with house.database.write() as w:
            await people.rename(w.db, bruno.id, "CarIa")  # with a capital I
        await seating.rename(house, bruno.id, "Bruno", "CarIa")
        assert [seat.name for seat in room.row.seats] == ["Anna", "Carla", "Bruno"]
        assert other.row.seats[0].name == "CarIa"


# Removing


@in_loop
async def test_the_host_removes_a_player_for_good(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await open_for(house, anna, ME, OPEN, OPEN)
        await seating.sit(house, room, bruno, 1)
        with pytest.raises(NotAllowed):
            await seating.remove(house, room, bruno, 0)
        with pytest.raises(Conflict, match="your own"):
            await seating.remove(house, room, anna, 0)
        with pytest.raises(Conflict, match="No person sits"):
            await seating.remove(house, room, anna, 2)
        before = version_of(house, room, bruno)
        await seating.remove(house, room, anna, 1)
        assert version_of(house, room, bruno) != before
        assert room.seats_of(bruno.id) == ()
        assert (
            room.messages[-1].text == "The host removed the player in White's seat."
        )  # and no name, which would outlive them
        for seat in (1, 2):
            with pytest.raises(NotAllowed, match="The host removed you"):
                await seating.sit(house, room, bruno, seat)
        page = table_page(house, room, bruno, None)
        assert page.removed and not page.may_sit
        assert not table_page(house, room, anna, None).removed
        await seating.sit(house, room, await a_person(house, "Carla"), 1)
    async with a_house(database_url) as house:  # and after a restart
        assert table_page(house, await house.room(room.row.id), bruno, None).removed


# Blocking


async def blocked(house: House, user: User, other: User) -> User:
    return await blocking.block(house, user, other.id)


@in_loop
async def test_whoever_is_blocked_cannot_sit_down_and_is_not_told_why(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna, bruno, carla = [await a_person(house, name) for name in ("Anna", "Bruno", "Carla")]
        await blocked(house, anna, bruno)
        hosted = await open_for(house, anna, ME, OPEN, OPEN)
        joined = await open_for(house, carla, ME, OPEN, OPEN)
        await seating.sit(house, joined, anna, 1)
        for room in (hosted, joined):
            with pytest.raises(NotAllowed) as refused:
                await seating.sit(house, room, bruno, 2)
            assert str(refused.value) == "You cannot sit down at this table."
        theirs = await open_for(house, bruno, ME, OPEN)
        with pytest.raises(NotAllowed, match="You have blocked Bruno, who is at this table"):
            await seating.sit(house, theirs, anna, 1)
        async with house.database.read() as db:
            [block] = await blocks.blocks_of(db, anna.id)
        assert (block.name, block.blocked_id) == ("Bruno", bruno.id)
        with pytest.raises(NotFound):
            await blocking.unblock(house, bruno, block.id)
        await blocking.unblock(house, anna, block.id)
        await seating.sit(house, hosted, bruno, 2)
        await seating.sit(house, theirs, anna, 1)


@in_loop
async def test_nobody_meets_again_whom_they_blocked(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await a_table(house, anna, bruno)
        await play(house, room, Random(1))
        await blocked(house, anna, bruno)
        again = await house.room(await meeting.rematch(house, room, bruno))
        with pytest.raises(NotAllowed, match="You have blocked Bruno"):
            await meeting.rematch(house, room, anna)
        assert again.seats_of(anna.id) == ()
        await seating.close(house, again, bruno)
        again = await house.room(await meeting.rematch(house, room, anna))
        with pytest.raises(NotAllowed, match=r"^You cannot sit down at this table\.$"):
            await meeting.rematch(house, room, bruno)


@in_loop
async def test_blocking_has_its_limits(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocking, "MOST_BLOCKS", 1)
    async with a_house(sqlite_url) as house:
        anna, bruno, carla = [await a_person(house, name) for name in ("Anna", "Bruno", "Carla")]
        with pytest.raises(Conflict, match="yourself"):
            await blocked(house, anna, anna)
        assert (await blocked(house, anna, bruno)).blocked == {bruno.id}
        assert (await blocking.block_named(house, anna, "BRUNO")).blocked == {bruno.id}  # once more changes nothing
        with pytest.raises(Conflict, match="Unblock someone first"):
            await blocked(house, anna, carla)
        with pytest.raises(BadField, match="Nobody here is called 'Dora'"):
            await blocking.block_named(house, anna, "Dora")


@in_loop
async def test_blocks_go_with_either_account(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna, bruno, carla = [await a_person(house, name) for name in ("Anna", "Bruno", "Carla")]
        for user, other in ((anna, bruno), (bruno, carla), (carla, anna)):
            await blocked(house, user, other)
        async with house.database.write() as w:
            await people.delete_user(w.db, anna.id)
        async with house.database.read() as db:
            assert [await blocks.blocked_by(db, user.id) for user in (anna, bruno, carla)] == [set(), {carla.id}, set()]


@in_loop
async def test_blocks_and_removals_come_along_when_a_guest_signs_in(database_url: str) -> None:
    async with open_house(database_url, pace=60_000) as (app, house):
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
            await blocked(house, user, other)
        removed = await open_for(house, bruno.user, ME, OPEN)
        async with house.database.write() as w:
            await blocks.add_removal(w.db, removed.row.id, guest.user.id)
        dora = await a_person(house, "Dora")
        lost, kept = await open_for(house, dora, ME, OPEN), await open_for(house, dora, ME, OPEN)
        for room in (lost, kept):
            await seating.sit(house, room, guest.user, 1)
        async with house.database.write() as w:
            await blocks.add_removal(w.db, lost.row.id, anna.user.id)
        assert (await guest.send("/sign-in", name="Anna", password="una parola lunga")).status_code == 303
        async with house.database.read() as db:
            assert await blocks.blocked_by(db, anna.user.id) == {bruno.user.id}
            assert await blocks.blocked_by(db, guest.user.id) == set()
            assert await blocks.blocked_by(db, carla.user.id) == {anna.user.id}
            assert await blocks.blocked_by(db, bruno.user.id) == {anna.user.id}
            assert anna.user.id in await blocks.removed_from(db, removed.row.id)
        assert kept.row.seats[1].user_id == anna.user.id
        assert lost.row.seats[1].user_id is None


# Pages and programs


async def at_one_table(house: House, *people: Person) -> Room:
    users = [person.user for person in people if person.user]
    return await a_table(house, *users)


@in_loop
async def test_the_messages_of_whoever_is_blocked_are_not_shown(sqlite_url: str) -> None:
    async with open_house(sqlite_url, pace=60_000) as (app, house):
        anna, bruno, watcher = [await arrive(app, name) for name in ("Anna", "Bruno", "Walter")]
        room = await at_one_table(house, anna, bruno)
        page, events = f"/tables/{room.row.id}", f"/api/v1/tables/{room.row.id}/events"
        for person, text in ((bruno, "insults"), (anna, "please stop"), (bruno, "more of it")):
            await person.send(f"{page}/chat", text=text)
        first = room.messages[0].id
        answer = await anna.send(f"{page}/block", script=True, message=first)
        assert answer.status_code == 200 and "Blocked: you no longer see" in answer.text
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
        async with house.database.read() as db:
            [block] = await blocks.blocks_of(db, anna.user.id if anna.user else "")
        assert (await anna.send(f"/account/blocks/{block.id}/delete")).status_code == 303
        assert "insults" in (await anna.look(page)).text  # nothing is lost
        assert (await anna.send("/account/blocks", name="bruno")).status_code == 303
        assert "insults" not in (await anna.look(page)).text


@in_loop
async def test_a_watcher_who_has_blocked_somebody_has_a_page_of_their_own(sqlite_url: str) -> None:
    async with open_house(sqlite_url, pace=60_000) as (app, house):
        anna, bruno, walter, other = [await arrive(app, name) for name in ("Anna", "Bruno", "Walter", "Wanda")]
        room = await at_one_table(house, anna, bruno)
        page = f"/tables/{room.row.id}"
        await bruno.send(f"{page}/chat", text="insults")
        await walter.send(f"{page}/block", seat=1)
        drawn = [(await person.first_event(f"{page}/stream")).decode() for person in (other, walter, other)]
        assert ["insults" in one for one in drawn] == [True, False, True]


@in_loop
async def test_programs_block_and_remove_too(sqlite_url: str) -> None:
    async with open_house(sqlite_url, pace=60_000) as (app, house):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        room = await open_for(house, anna.user, ME, OPEN, OPEN)
        await seating.sit(house, room, bruno.user, 1)
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
