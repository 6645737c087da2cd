"""Profiles: finished games are counted when they end, and people decide who sees them."""

import json
import re
from random import Random

import msgspec
import pytest

from signoria.server.people import profiles
from signoria.server.people.account_data import account_data
from signoria.server.people.profiles import GameStatistics
from signoria.server.play import table_chat
from signoria.server.play.service import TableService
from signoria.server.settings import rate
from signoria.store import statistics
from signoria.store.people import User
from signoria.store.statistics import Count, PlayedRow
from tests.databases import in_loop
from tests.server.application import UNLIMITED, Person, arrive, open_app
from tests.server.services import LEVEL, a_person, a_service, a_table, play

PASSWORD = "una parola lunga"


async def statistics_of(service: TableService, user: User) -> list[GameStatistics]:
    async with service.database.read() as db:
        return await profiles.all_statistics(db, user.id)


def count(user: User, kind: str, key: str, *, won: bool, points: int = 5) -> Count:
    return Count(user.id, "patrician", kind, key, 1, int(won), points, int(won), int(won))


@in_loop
@pytest.mark.parametrize("game", ["patrician", "il-principe"])
async def test_finished_game_is_counted_for_its_people(database_url: str, game: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service, "Anna"), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno, LEVEL, game=game)
        assert await statistics_of(service, anna) == []
        await play(service, room, Random(1))
        result = room.row.result or {}
        for seat, user, other in ((0, anna, "Bruno"), (1, bruno, "Anna")):
            [told] = await statistics_of(service, user)
            won = seat in result["winners"]
            points = result["scores"][seat]["total"]
            assert (told.game, told.total.games, told.total.wins, told.total.points) == (game, 1, int(won), points)
            assert (told.total.streak, told.total.best_streak) == (int(won), int(won))
            assert [(one.key, one.games) for one in told.players] == [("3", 1)]
            assert {(one.name, one.bot) for one in told.opponents} == {(other, None), ("", LEVEL)}
            assert sum(told.sources.values()) == points
            [curve] = told.curve
            assert curve.mu == pytest.approx(result["ratings"][seat]["after"]) and curve.sigma
            assert [one.table_id for one in told.best] == [one.table_id for one in told.latest] == [room.row.id]
            assert told.habits["opening"] and set(told.habits) == set(room.game.habit_titles)
            assert all(room.game.habit_name(kind, one.key) for kind, ones in told.habits.items() for one in ones)


@in_loop
async def test_streaks_and_best_games_are_kept(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service, "Anna"), await a_person(service, "Bruno")
        rooms = [await a_table(service, anna, bruno) for _ in range(5)]
        for n, (room, won) in enumerate(zip(rooms, (True, True, False, True, True), strict=True)):
            one = PlayedRow(anna.id, room.row.id, "patrician", 2, 10 * (n % 3), 1 if won else 2, won, n)
            async with service.database.write() as w:
                await statistics.add_played(w.db, [one], [count(anna, "all", "", won=won, points=one.points)])
        [told] = await statistics_of(service, anna)
        assert (told.total.games, told.total.wins, told.total.streak, told.total.best_streak) == (5, 4, 2, 2)
        assert [one.points for one in told.best] == [20, 10, 10, 0, 0]
        assert [one.ended_at for one in told.latest] == [4, 3, 2, 1, 0]


@in_loop
async def test_games_on_one_device_and_from_a_position_do_not_count(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service, "Anna")
        shared = await a_table(service, anna, anna, invited=True)
        await play(service, shared, Random(1))
        assert await statistics_of(service, anna) == []


@in_loop
async def test_guest_who_signs_in_keeps_all_statistics(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, guest, bruno = await arrive(app, "Anna"), await arrive(app, "Ginevra"), await arrive(app, "Bruno")
        await anna.send("/account/password", password=PASSWORD)
        assert anna.user and guest.user and bruno.user
        for player in (anna.user, guest.user):
            await play(service, await a_table(service, player, bruno.user), Random(3))
        before = [*await statistics_of(service, anna.user), *await statistics_of(service, guest.user)]
        assert (await guest.send("/sign-in", name="Anna", password=PASSWORD)).status_code == 303
        [told] = await statistics_of(service, anna.user)
        assert told.total.games == 2 and told.total.points == sum(one.total.points for one in before)
        assert [(one.name, one.against.games) for one in told.opponents] == [("Bruno", 2)]
        assert len(told.latest) == 2
        [of_bruno] = await statistics_of(service, bruno.user)
        assert [(one.name, one.against.games) for one in of_bruno.opponents] == [("Anna", 2)]


@in_loop
async def test_deleted_account_leaves_no_trace_in_the_statistics_of_others(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        await play(service, await a_table(service, anna.user, bruno.user), Random(3))
        assert "Bruno" in (await anna.look("/people/Anna")).text
        await bruno.send("/account/delete")
        assert (await anna.look("/people/Bruno")).status_code == 404
        page = (await anna.look("/people/Anna")).text
        assert "Bruno" not in page and bruno.user.id not in page
        [told] = await statistics_of(service, anna.user)
        assert (told.total.games, told.opponents) == (1, [])


async def with_a_game(app: object, service: TableService) -> tuple[Person, Person]:
    anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")  # type: ignore[arg-type]
    assert anna.user and bruno.user
    await play(service, await a_table(service, anna.user, bruno.user), Random(3))
    return anna, bruno


@in_loop
async def test_profile_says_everything_about_the_games(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        _anna, bruno = await with_a_game(app, service)
        page = (await bruno.look("/people/Anna")).text
        for says in (
            "Wins by number of players",
            "Wins by opponent",
            "Average points by source",
            "Best games",
            "Wins in a row",
        ):
            assert says in page
        assert 'href="/people/Bruno"' in page
        told = (await bruno.look("/api/v1/people/Anna")).json()
        assert told["visible"] and told["games"]["patrician"]["games"] == 1
        assert (await bruno.look("/people/anna")).headers["location"] == "/people/Anna"
        assert (await bruno.look("/people/Nobody")).status_code == 404


@in_loop
async def test_people_decide_who_sees_their_profile(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await with_a_game(app, service)
        assert "is saved" in (await anna.send("/account/profile", shown_to="me")).text
        for viewer in (bruno, Person(app, None, None)):
            page = (await viewer.look("/people/Anna")).text
            assert "does not show their statistics" in page and "Best games" not in page
            told = (await viewer.look("/api/v1/people/Anna")).json()
            assert (told["visible"], told["games"]) == (False, {})
        assert "Best games" in (await anna.look("/people/Anna")).text
        assert (await anna.send("/account/profile", shown_to="nobody")).status_code == 422


@in_loop
async def test_profile_names_tables_by_invitation_only_to_its_player(sqlite_url: str) -> None:
    """Anyone who knows the id of a table can watch it and read its chat."""
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user and bruno.user
        rooms = [await a_table(service, anna.user, bruno.user, invited=private) for private in (False, True, True)]
        for room in rooms:
            await play(service, room, Random(3))
        public, *private = [room.row.id for room in rooms]
        for path in ("/people/Anna", "/api/v1/people/Anna"):
            own = (await anna.look(path)).text
            assert all(one in own for one in (public, *private)), path
            for viewer in (bruno, Person(app, None, None)):
                seen = (await viewer.look(path)).text
                assert public in seen and not any(one in seen for one in private), path
        told = (await bruno.look("/api/v1/people/Anna")).json()["games"]["patrician"]
        assert [len(told[listed]) for listed in ("best", "latest", "curve")] == [3, 3, 3]


@in_loop
async def test_names_lead_to_profiles(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await with_a_game(app, service)
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await table_chat.say(service, room, bruno.user, "Hello")
        link = re.compile(r'<a class="player" href="/people/(\w+)">')
        assert link.findall((await anna.look(f"/tables/{room.row.id}")).text).count("Bruno") == 2  # seat and chat
        for path in ("/", "/ratings", "/tables?of=finished"):
            assert {"Anna", "Bruno"} <= set(link.findall((await anna.look(path)).text)), path


@in_loop
async def test_people_can_download_everything_about_them(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await with_a_game(app, service)
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await table_chat.say(service, room, anna.user, "my own words")
        await table_chat.say(service, room, bruno.user, "words of another")
        answer = await anna.look("/account/data")
        assert "attachment" in answer.headers["content-disposition"]
        data = msgspec.json.decode(answer.content)
        assert data["account"]["name"] == "Anna" and len(data["games"]) == 1
        assert [said["text"] for said in data["messages"]] == ["my own words"]
        assert [one["table"] for one in data["tables"]] == [room.row.id]
        assert "words of another" not in answer.text and bruno.user.id not in answer.text
        assert (await anna.look("/api/v1/me/data")).json() == data
        assert (await Person(app, None, None).look("/account/data")).status_code == 401


@in_loop
async def test_data_of_a_person_who_wrote_much_comes_in_pieces_and_not_too_often(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise everyone else waits while it is written and compressed."""
    monkeypatch.setattr("signoria.server.people.account_data.AT_A_TIME", 3)
    rates = msgspec.structs.replace(UNLIMITED, downloads=rate("1/h up to 2"))
    async with open_app(sqlite_url, rates=rates) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user
        room = await a_table(service, anna.user, "garzone")
        for number in range(8):
            await table_chat.say(service, room, anna.user, f"message {number}")
        pieces = await account_data(service, anna.user)
        assert max(piece.count(b'"message ') for piece in pieces) == 3
        data = (await anna.look("/account/data")).json()
        assert data == json.loads(b"".join(pieces))
        assert [one["text"] for one in data["messages"]] == [f"message {number}" for number in range(8)]
        assert (data["games"], [one["table"] for one in data["tables"]]) == ([], [room.row.id])
        assert (await anna.look("/api/v1/me/data")).json() == data
        assert (await anna.look("/account/data")).status_code == 429
        assert (await anna.look("/api/v1/me/data")).status_code == 429
