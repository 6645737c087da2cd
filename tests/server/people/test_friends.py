"""Following, muting and reporting people, and what moderators can do."""

import re
from random import Random

import msgspec
import pytest

from signoria.cli import run
from signoria.server.errors import NotAllowed
from signoria.server.lobby import inviting
from signoria.server.people import friends
from signoria.server.people.profiles import find_profile
from signoria.server.play import table_chat
from signoria.server.settings import Rates, rate
from signoria.store import moderation, ratings
from signoria.store.ratings import RatingRow
from signoria.web.environment import rating_change
from signoria.web.models import RatingChangeModel
from tests.cli.test_cli import Capture, output
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_table, play

PASSWORD = "una parola lunga"


async def some(app: object, *names: str) -> list[Person]:
    return [await arrive(app, name) for name in names]  # type: ignore[arg-type]


async def opened_by(host: Person, access: str = "open") -> str:
    chairs = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
    answer = await host.send("/tables", game="patrician", seats=3, clock=0, access=access, **chairs)
    return str(answer.headers["location"])


def part(page: str, name: str) -> str:
    """A section of a page, by its id."""
    found = re.search(rf'<section class="panel[^"]*" id="{name}".*?</section>', page, re.S)
    return found[0] if found else ""


# Following


@in_loop
async def test_open_tables_of_people_you_follow_come_first_in_the_lobby(database_url: str) -> None:
    async with open_app(database_url) as (app, _):
        anna, bruno, carla = await some(app, "Anna", "Bruno", "Carla")
        table, private = await opened_by(bruno), await opened_by(bruno, "invited")
        assert part((await anna.look("/")).text, "followed") == ""
        assert (await anna.send("/people/Bruno/follow")).status_code == 303
        page = (await anna.look("/")).text
        assert table in part(page, "followed") and private not in page
        assert table not in part(page, "open")  # and only there
        assert table in part((await carla.look("/")).text, "open")
        assert "Stop following Bruno" in (await anna.look("/people/Bruno")).text
        assert (await anna.look("/api/v1/ties")).json()["follows"][0]["name"] == "Bruno"
        assert (await anna.send("/people/Bruno/unfollow")).status_code == 303
        assert (await anna.send("/people/Bruno/unfollow")).status_code == 404
        assert (await anna.send("/people/Anna/follow")).status_code == 422


@in_loop
async def test_live_lobby_shows_a_new_table_of_a_person_you_follow(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna, bruno = await some(app, "Anna", "Bruno")
        await anna.send("/people/Bruno/follow")
        first = await anna.first_event("/lobby/stream")
        last = re.search(rb"id: (\S+)", first)
        assert last and b'id="followed"' not in first
        table = await opened_by(bruno)
        again = await anna.first_event("/lobby/stream", last=last[1].decode())
        assert table in part(again.decode(), "followed")


@in_loop
async def test_people_you_follow_are_invited_with_one_click(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna, bruno = await some(app, "Anna", "Bruno")
        await anna.send("/people/Bruno/follow")
        table = await opened_by(anna)
        assert '<button name="name" value="Bruno">Invite Bruno</button>' in (await anna.look(table)).text
        await anna.send(f"{table}/invite", name="Bruno")
        assert 'value="Bruno"' not in (await anna.look(table)).text
        answer = await anna.send("/people/Bruno/invite", game="il-principe")
        assert answer.status_code == 303
        invited = (await bruno.look("/api/v1/invitations")).json()["invitations"]
        assert {one["table"] for one in invited} == {table[8:], answer.headers["location"][8:]}


@in_loop
async def test_only_friends_can_invite_a_person_who_has_many_invitations(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inviting, "MOST_RECEIVED", 1)
    async with open_app(sqlite_url) as (app, _):
        anna, bruno, carla = await some(app, "Anna", "Bruno", "Carla")
        await anna.send("/people/Carla/follow")
        statuses = [
            (await one.send("/people/Anna/invite", game="patrician")).status_code for one in (bruno, bruno, carla)
        ]
        assert statuses == [303, 409, 303]


@in_loop
async def test_profile_for_friends_is_shown_to_people_whom_its_owner_follows(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna, bruno, carla = await some(app, "Anna", "Bruno", "Carla")
        await anna.send("/account/profile", shown_to="friends")
        await anna.send("/people/Bruno/follow")
        await carla.send("/people/Anna/follow")  # which changes nothing
        async with service.database.read() as db:
            seen = [(await find_profile(db, "Anna", viewer.user)).visible for viewer in (anna, bruno, carla)]
            assert seen == [True, True, False] and not (await find_profile(db, "Anna", None)).visible


@in_loop
async def test_guest_who_signs_in_keeps_the_people_they_follow(database_url: str) -> None:
    async with open_app(database_url) as (app, _service):
        anna, guest, _bruno, carla = await some(app, "Anna", "Ginevra", "Bruno", "Carla")
        await anna.send("/account/password", password=PASSWORD)
        for person in ("Bruno", "Anna"):
            await guest.send(f"/people/{person}/follow")
        await anna.send("/people/Bruno/follow")
        await carla.send("/people/Ginevra/mute")
        await guest.send("/sign-in", name="Anna", password=PASSWORD)
        assert [one["name"] for one in (await guest.look("/api/v1/ties")).json()["follows"]] == ["Bruno"]
        assert [one["name"] for one in (await carla.look("/api/v1/ties")).json()["mutes"]] == ["Anna"]


# Muting


@in_loop
async def test_muted_person_is_not_heard_but_can_play(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno = await some(app, "Anna", "Bruno")
        assert anna.user and bruno.user
        room = await a_table(service, anna.user, bruno.user)
        await table_chat.say(service, room, bruno.user, "an unwanted word")
        assert "an unwanted word" in (await anna.look(f"/tables/{room.row.id}")).text
        assert (await anna.send("/people/Bruno/mute")).status_code == 303
        assert "an unwanted word" not in (await anna.look(f"/tables/{room.row.id}")).text
        assert "an unwanted word" in (await bruno.look(f"/tables/{room.row.id}")).text
        table = await opened_by(anna)
        assert (await bruno.send(f"{table}/sit", seat=1)).status_code == 303
        await anna.send("/people/Bruno/unmute")
        assert "an unwanted word" in (await anna.look(f"/tables/{room.row.id}")).text


@in_loop
async def test_blocked_person_is_no_friend_and_is_not_told(database_url: str) -> None:
    async with open_app(database_url) as (app, service):
        anna, bruno = await some(app, "Anna", "Bruno")
        await anna.send("/account/profile", shown_to="friends")
        await anna.send("/people/Bruno/follow")
        for one, other in ((anna, "Bruno"), (bruno, "Anna")):
            assert (await one.send(f"/people/{other}/invite", game="patrician")).status_code == 303
        await anna.send("/people/Bruno/block")
        async with service.database.read() as db:
            assert not (await find_profile(db, "Anna", bruno.user)).visible
        for person in (anna, bruno):
            assert (await person.look("/api/v1/invitations")).json()["invitations"] == []
        assert (await anna.send("/people/Bruno/follow")).status_code == 409
        assert (await bruno.send("/people/Anna/follow")).status_code == 303  # as if nothing had happened


@in_loop
async def test_ratings_of_people_who_limit_their_profile_are_shown_nowhere_else(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno = await some(app, "Anna", "Bruno")
        assert anna.user and bruno.user
        async with service.database.write() as w:
            for user in (anna.user, bruno.user):
                await ratings.set_rating(w.db, RatingRow("patrician", user.id, user.id, 31.4, 2.0, 9))
        for shown_to, names in (("everyone", {"Anna", "Bruno"}), ("me", {"Bruno"}), ("friends", {"Bruno"})):
            await anna.send("/account/profile", shown_to=shown_to)
            ranked = (await bruno.look("/api/v1/ratings/patrician")).json()["ratings"]
            assert {one["name"] for one in ranked} == names
            for path in ("/tables?of=finished&player=Anna", "/api/v1/tables?state=over&player=Anna"):
                assert (await bruno.look(path)).status_code == (200 if "Anna" in names else 403)
                assert (await anna.look(path)).status_code == 200
            page = (await bruno.look("/ratings")).text
            assert ("/people/Anna" in page) == ("Anna" in names)
        seats = (await bruno.look(f"/api/v1/tables/{(await a_table(service, anna.user, bruno.user)).row.id}")).json()[
            "seats"
        ]
        assert [bool(seat["rating"]) for seat in seats] == [False, True]


@in_loop
async def test_rating_changes_of_people_who_limit_their_profile_are_shown_to_nobody_else(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno = await some(app, "Anna", "Bruno")
        assert anna.user and bruno.user
        assert (await anna.send("/account/profile", shown_to="me")).status_code == 200
        room = await a_table(service, anna.user, bruno.user)
        await play(service, room, Random(1))
        changes = msgspec.convert((room.row.result or {})["ratings"], tuple[RatingChangeModel, ...])
        anna_rated, bruno_rated = map(rating_change, changes)
        for path in (f"/tables/{room.row.id}", "/", "/tables?of=finished"):
            seen = (await bruno.look(path)).text
            assert bruno_rated in seen and anna_rated not in seen, path
            assert anna_rated in (await anna.look(path)).text, path


@in_loop
async def test_number_of_people_to_follow_is_limited(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends, "MOST_TIES", 1)
    async with open_app(sqlite_url) as (app, _):
        anna, _, _ = await some(app, "Anna", "Bruno", "Carla")
        await anna.send("/people/Bruno/follow")
        assert (await anna.send("/people/Carla/follow")).status_code == 409


# Moderation


@in_loop
async def test_message_is_reported_from_the_chat(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno, host = await some(app, "Anna", "Bruno", "Carla")
        assert anna.user and bruno.user
        await make_moderator(service, host)
        room = await a_table(service, anna.user, bruno.user)
        await table_chat.say(service, room, bruno.user, "a rude word")
        page = (await anna.look(f"/tables/{room.row.id}")).text
        link = re.search(r'href="(/people/Bruno\?table=[^"#]+)#report"', page)
        assert link
        form = (await anna.look(link[1].replace("&amp;", "&"))).text
        fields = dict(re.findall(r'<input type="hidden" name="(table|message)" value="([^"]+)">', form))
        assert fields == {"table": room.row.id, "message": str(room.messages[-1].id)} and "a rude word" in form
        assert "a rude word" not in (await anna.look(link[1].replace("Bruno", "Carla").replace("&amp;", "&"))).text
        await anna.send("/people/Bruno/report", text="He insulted me.", **fields)
        assert "a rude word" in (await host.look("/moderation")).text
        assert (await anna.look("/people/Bruno?table=nowhere&message=1")).status_code in (200, 404)


@in_loop
async def test_reports_are_limited_per_address_and_end_with_a_ban(sqlite_url: str) -> None:
    rates = Rates(**dict.fromkeys(Rates.__struct_fields__, rate("off")) | {"reports_here": rate("1/h up to 3")})
    async with open_app(sqlite_url, rates=rates) as (app, service):
        anna, bruno, host = await some(app, "Anna", "Bruno", "Carla")
        await make_moderator(service, host)
        statuses = [
            (await one.send("/people/Carla/report", text="x")).status_code for one in (anna, bruno, anna, bruno)
        ]
        assert statuses == [200, 200, 200, 429]
        await host.send("/moderation/ban", name="Anna")
        assert [one["by"] for one in (await host.look("/api/v1/moderation")).json()["reports"]] == ["Bruno"]


@in_loop
async def test_moderation_over_the_api_is_logged_and_only_for_moderators(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno, host = await some(app, "Anna", "Bruno", "Carla")
        assert anna.user and bruno.user
        await make_moderator(service, host)
        room = await a_table(service, anna.user, bruno.user)
        await table_chat.say(service, room, bruno.user, "a rude word")
        body = {"text": "Insults.", "table": room.row.id, "message": room.messages[-1].id}
        assert (await anna.call("/api/v1/people/Bruno/report", **body)).status_code == 200
        root, about = "/api/v1/moderation", "/api/v1/moderation/people/Bruno"
        for other in (anna, bruno):
            for path in (f"{about}/ban", f"{about}/mute", f"{root}/reports/1/dismiss"):
                assert (await other.call(path, how_long="7")).status_code == 404
            assert (await other.look(root)).status_code == (await other.look(about)).status_code == 404
        [report] = (await host.look(root)).json()["reports"]
        assert (report["by"], report["about"], report["quoted"]) == ("Anna", "Bruno", "a rude word")
        assert (await host.call(f"{root}/reports/{report['id']}/dismiss")).json()["reports"] == []
        muted = await host.call(f"{about}/mute", how_long="7", why="Insults.")
        assert muted.json()["muted_until"] > service.now()
        assert (await host.call(f"{about}/mute", how_long="8")).status_code == 422
        table = await opened_by(bruno)
        assert (await host.call(f"{root}/tables/{table[8:]}/close", why="x")).status_code == 200
        assert (await host.call(f"{root}/tables/{room.row.id}/close", why="x")).status_code == 409
        assert (await host.call(f"{about}/rename", name="Anna")).status_code == 409
        assert (await host.call(f"{about}/rename", name="Beppe")).json()["name"] == "Beppe"
        assert (await host.call(f"{root}/people/Beppe/ban")).json()["banned_at"]
        assert (await bruno.look("/account")).status_code == 303
        assert (await host.call(f"{root}/people/Beppe/unban")).json()["banned_at"] is None
        assert (await host.call(f"{root}/people/Carla/ban")).status_code == 403
        done = [line["action"] for line in (await host.look(root)).json()["log"]]
        assert done == ["unban", "ban", "rename", "close", "mute-7", "dismiss"]


async def make_moderator(service: object, person: Person) -> None:
    assert person.user
    async with service.database.write() as w:  # type: ignore[attr-defined]
        await moderation.set_moderator(w.db, person.user.id, moderator=True)


@in_loop
async def test_report_reaches_the_moderators_and_nobody_else(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno, host = await some(app, "Anna", "Bruno", "Carla")
        assert anna.user and bruno.user
        await make_moderator(service, host)
        room = await a_table(service, anna.user, bruno.user)
        await table_chat.say(service, room, bruno.user, "a rude word")
        message = room.messages[-1].id
        told = await anna.send("/people/Bruno/report", text="He insulted me.", table=room.row.id, message=message)
        assert "will read your report" in told.text
        page = (await host.look("/moderation")).text
        assert "He insulted me." in page and "a rude word" in page and f"/tables/{room.row.id}" in page
        for other in (anna, bruno, Person(app, None, None)):
            assert (await other.look("/moderation")).status_code == 404
        assert (await anna.send("/moderation/ban", name="Bruno")).status_code == 404
        report = re.search(r'name="report" value="(\d+)"', page)
        assert report
        assert (await host.send("/moderation/dismiss", report=report[1])).status_code == 303
        page = (await host.look("/moderation")).text
        assert "He insulted me." not in page and "Carla answered a report." in page
        assert (await anna.send("/people/Bruno/report", text=" ")).status_code == 422
        assert (await anna.send("/people/Anna/report", text="me")).status_code == 422


@in_loop
async def test_moderator_mutes_renames_bans_and_closes_and_all_is_logged(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        anna, bruno, host = await some(app, "Anna", "Bruno", "Carla")
        assert anna.user and bruno.user and host.user
        await bruno.send("/account/password", password=PASSWORD)
        await make_moderator(service, host)
        room = await a_table(service, anna.user, bruno.user)
        await host.send("/moderation/mute", name="Bruno", how_long="7", why="insults")
        with pytest.raises(NotAllowed, match="muted you"):
            await table_chat.say(service, room, bruno.user, "again")
        await host.send("/moderation/mute", name="Bruno", how_long="off")
        await table_chat.say(service, room, bruno.user, "again")
        table = await opened_by(bruno)
        assert (await host.send("/moderation/close", table=f"http://house.test{table}")).status_code == 303
        assert "closed" in (await bruno.look(table)).text
        assert (await host.send("/moderation/rename", name="Bruno", new="Beppe")).status_code == 303
        assert (await host.look("/people/Beppe")).status_code == 200
        assert (await host.look("/people/Bruno")).status_code == 404
        assert (await host.send("/moderation/ban", name="Beppe", why="insults again")).status_code == 303
        assert (await bruno.look("/account")).status_code == 303  # signed out
        refused = await bruno.send("/sign-in", name="Beppe", password=PASSWORD)
        assert refused.status_code == 403 and "banned" in refused.text
        page = (await host.look("/moderation?name=Beppe")).text
        for done in (
            "Carla muted Beppe for a week.",
            "Carla let Beppe write messages again.",
            "Carla closed a table of Beppe.",
            "Carla renamed Beppe.",
            "Carla banned Beppe.",
            "insults again",
        ):
            assert done in page
        await host.send("/moderation/unban", name="Beppe")
        assert (await bruno.send("/sign-in", name="Beppe", password=PASSWORD)).status_code == 303
        assert (await host.send("/moderation/ban", name="Carla")).status_code == 403  # not oneself


@in_loop
async def make_database(url: str) -> None:
    async with open_app(url) as (app, _):
        await arrive(app, "Anna")


def test_host_makes_and_removes_moderators(sqlite_url: str, capsys: Capture) -> None:
    make_database(sqlite_url)
    assert output(capsys, "admin", "moderator", "Anna", "--database", sqlite_url).strip() == "Anna is a moderator."
    assert "no longer" in output(capsys, "admin", "moderator", "Anna", "--remove", "--database", sqlite_url)
    assert run(["admin", "moderator", "Nobody", "--database", sqlite_url]) != 0
    capsys.readouterr()


@in_loop
async def test_name_given_by_a_moderator_is_like_that_of_a_guest(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna, bruno, host = await some(app, "Anna", "Bruno", "Carla")
        await make_moderator(service, host)
        names = iter(["Anna", "Carla", "Ginevra 4821", *["Anna"] * 20])
        monkeypatch.setattr("signoria.server.people.moderation.made_up_name", lambda: next(names, "Anna"))
        assert (await host.call("/api/v1/moderation/people/Bruno/rename")).json()["name"] == "Ginevra 4821"
        assert (await bruno.look("/api/v1/me")).json()["name"] == "Ginevra 4821"
        refused = await host.call("/api/v1/moderation/people/Anna/rename", name="Carla")
        assert refused.status_code == 409 and refused.json()["field"] == "name"
        names = iter(["Carla"] * 20)
        assert (await host.call("/api/v1/moderation/people/Anna/rename")).status_code == 409
        assert [line["action"] for line in (await host.look("/api/v1/moderation")).json()["log"]] == ["rename"]
        assert (await anna.look("/api/v1/me")).json()["name"] == "Anna"
