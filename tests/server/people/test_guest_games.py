"""A guest who signs in keeps their games."""

from random import Random
from typing import Any

import pytest

from signoria.server.lobby import opening, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.people import guest_games
from signoria.store import blocks, moderation, ratings, ties
from signoria.store.orders import OrdersRow, find_orders, put_orders
from signoria.store.ties import FOLLOW, MUTE
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.people.notifications.post_office import Browser, push_service
from tests.server.services import a_table, play

PASSWORD = "una parola lunga"


@in_loop
async def test_guests_games_move_to_the_account_at_sign_in(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, guest, other = await arrive(app, "Anna"), await arrive(app, "Ginevra"), await arrive(app, "Bruno")
        await anna.send("/account/password", password=PASSWORD)
        assert anna.user and guest.user and other.user
        wish = TableRequest(
            game="il-principe",
            options={},
            seats=(SeatRequest("me"), SeatRequest("open"), SeatRequest("bot", bot="muratore")),
        )
        hosted, shared = [
            await service.room((await opening.open_table(service, guest.user, wish)).id) for _ in range(2)
        ]
        await seating.sit(service, hosted, other.user, 1)
        await seating.sit(service, shared, anna.user, 1)
        for room in (hosted, shared):
            await seating.begin(service, room)
        async with service.database.write() as w:
            await put_orders(w.db, OrdersRow(hosted.row.id, 0, guest.user.id, round=1, most={"green": 3}))
        assert "guest Ginevra" in (await guest.look("/sign-in")).text
        wrong = await guest.send("/sign-in", name="Anna", password="another")
        assert wrong.status_code == 422 and hosted.seats_of(guest.user.id) == (0,)
        assert (await guest.send("/sign-in", name="Anna", password=PASSWORD)).status_code == 303
        assert hosted.seats_of(anna.user.id) == (0,) and hosted.row.host_id == anna.user.id
        assert shared.seats_of(anna.user.id) == (1,)  # who sits at a table already does not see a second hand
        async with service.database.read() as db:
            kept = await find_orders(db, hosted.row.id, 0)
        assert kept is not None and kept.user_id == anna.user.id
        page = (await guest.look(f"/tables/{hosted.row.id}")).text
        assert "(you)" in page


@in_loop
async def test_guest_who_signs_in_to_a_banned_account_keeps_their_games(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, guest = await arrive(app, "Anna"), await arrive(app, "Ginevra")
        await anna.send("/account/password", password=PASSWORD)
        assert anna.user and guest.user
        room = await a_table(service, guest.user, "muratore")
        async with service.database.write() as w:
            await moderation.set_banned(w.db, anna.user.id, service.now())
        refused = await guest.send("/sign-in", name="Anna", password=PASSWORD)
        assert refused.status_code == 403 and "banned" in refused.text
        await service.refresh(room)
        assert room.seats_of(guest.user.id) == (0,) and room.row.rated and not room.messages


@in_loop
async def test_guest_can_sign_in_again_to_move_the_remaining_games(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_games, "AT_A_TIME", 1)
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, guest = await arrive(app, "Anna"), await arrive(app, "Ginevra")
        await anna.send("/account/password", password=PASSWORD)
        assert anna.user and guest.user
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("bot", bot="muratore")))
        rooms = [await service.room((await opening.open_table(service, guest.user, wish)).id) for _ in range(3)]
        real, calls = guest_games._hand_all, 0

        async def fail_once(*given: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise OSError("the database is gone")
            await real(*given)

        monkeypatch.setattr(guest_games, "_hand_all", fail_once)
        failed = await guest.send("/sign-in", name="Anna", password=PASSWORD)
        assert failed.status_code >= 500
        assert "set-cookie" not in failed.headers
        assert sum(room.seats_of(anna.user.id) == (0,) for room in rooms) == 1
        assert "guest Ginevra" in (await guest.look("/sign-in")).text
        assert (await guest.send("/sign-in", name="Anna", password=PASSWORD)).status_code == 303
        assert all(room.seats_of(anna.user.id) == (0,) for room in rooms)
        assert "Anna" in (await guest.look("/account")).text


@in_loop
async def test_guest_who_signs_in_cannot_choose_which_rated_games_count(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, guest, other = await arrive(app, "Anna"), await arrive(app, "Ginevra"), await arrive(app, "Bruno")
        await anna.send("/account/password", password=PASSWORD)
        assert anna.user and guest.user and other.user
        room = await a_table(service, guest.user, other.user)
        friendly = await a_table(service, guest.user, other.user, rated=False)
        rated = [room.row.counts]
        await guest.send("/sign-in", name="Anna", password=PASSWORD)
        rated.append(room.row.counts)
        assert room.seats_of(anna.user.id) == (0,) and rated == [True, False]
        assert [message.text for message in room.messages] == [
            "Ginevra signed in to an account, so this game is no longer rated."
        ]
        assert not friendly.messages
        await play(service, room, Random(1))
        assert room.row.state == "over" and "ratings" not in (room.row.result or {})
        async with service.database.read() as db:
            assert await ratings.ratings_of(db, anna.user.id) == await ratings.ratings_of(db, other.user.id) == []


@in_loop
async def test_blocks_and_ties_of_guests_do_not_exceed_what_an_account_can_have(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_games, "MOST_BLOCKS", 3)
    monkeypatch.setattr(guest_games, "MOST_TIES", 3)
    async with open_app(database_url) as (app, service):
        anna, guest = await arrive(app, "Anna"), await arrive(app, "Ginevra")
        others = [await arrive(app, name) for name in ("Bruno", "Carla", "Dario")]
        assert anna.user and guest.user and all(one.user for one in others)
        await anna.send("/account/password", password=PASSWORD)
        bruno, carla, dario = [one.user.id for one in others if one.user]
        async with service.database.write() as w:
            await blocks.add_block(w.db, anna.user.id, bruno, 1)
            for at, other in enumerate((bruno, carla, dario), 2):
                await blocks.add_block(w.db, guest.user.id, other, at)
            await blocks.add_block(w.db, anna.user.id, guest.user.id, 5)
            await ties.add_tie(w.db, anna.user.id, bruno, FOLLOW, 1)
            await ties.add_tie(w.db, carla, anna.user.id, FOLLOW, 1)
            for other in (bruno, carla, dario):
                await ties.add_tie(w.db, guest.user.id, other, FOLLOW, 2)
                await ties.add_tie(w.db, other, guest.user.id, FOLLOW, 2)
            await ties.add_tie(w.db, guest.user.id, dario, MUTE, 3)
        await guest.send("/sign-in", name="Anna", password=PASSWORD)
        async with service.database.read() as db:
            assert await blocks.blocked_by(db, anna.user.id) == {bruno, dario}
            mine = {(tie.kind, tie.other_id) for tie in await ties.ties_of(db, anna.user.id, 10)}
            assert mine == {(FOLLOW, bruno), (MUTE, dario)} | mine & {(FOLLOW, carla), (FOLLOW, dario)}
            assert len(mine) == 3
            assert await ties.tied_to(db, anna.user.id, FOLLOW, [bruno, carla, dario]) == {bruno, carla, dario}
            assert await ties.ties_of(db, guest.user.id, 10) == []


@in_loop
async def test_nothing_moves_between_two_accounts(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        for person in (anna, bruno):
            await person.send("/account/password", password=PASSWORD)
        assert anna.user and bruno.user
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("bot", bot="muratore")))
        room = await service.room((await opening.open_table(service, bruno.user, wish)).id)
        await bruno.send("/sign-in", name="Anna", password=PASSWORD)
        assert room.seats_of(bruno.user.id) == (0,) and room.seats_of(anna.user.id) == ()


@in_loop
async def test_guest_keeps_invitations_and_push_messages_at_sign_in_and_registration(database_url: str) -> None:
    async with push_service() as (push, settings), open_app(database_url, **settings) as (app, _service):
        anna, guest, host = await arrive(app, "Anna"), await arrive(app, "Ginevra"), await arrive(app, "Bruno")
        await anna.send("/account/password", password=PASSWORD)
        browser = Browser(f"{push.address}/x")
        keys = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
        assert (await guest.client.post("/api/v1/notifications/browsers", json=keys)).status_code == 200
        chairs = {"seat-0": "me", "seat-1": "open"}
        table = (await host.send("/tables", game="patrician", seats=2, clock=0, **chairs)).headers["location"]
        await host.send(f"{table}/invite", name="Ginevra")
        await guest.send("/sign-in", name="Anna", password=PASSWORD)
        assert [one["by"] for one in (await guest.look("/api/v1/invitations")).json()["invitations"]] == ["Bruno"]
        assert len((await guest.look("/api/v1/notifications")).json()["browsers"]) == 1
        await guest.send("/account/password", old=PASSWORD, password=PASSWORD + "!")
        assert len((await guest.look("/api/v1/notifications")).json()["browsers"]) == 1
