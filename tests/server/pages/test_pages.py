"""Pages and forms, and error messages for bad requests."""

import asyncio
import re
from typing import Any

import httpx
import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from signoria import from_record
from signoria.games import GAMES
from signoria.server.pages import replays
from signoria.server.people.sessions import Identity
from signoria.server.play.guided_game import GENTLE_LEVEL
from signoria.server.play.replay import score_history_of
from signoria.server.play.room import Room, encode_step
from signoria.server.play.service import TableService
from signoria.store import people, tables
from tests.databases import in_loop
from tests.server.application import BASE, Person, arrive, open_app
from tests.server.services import make_step

NASTY = [
    "",
    "x",
    "-1",
    "99999999999999999999",
    "0x10",
    "1.5",
    "<script>alert(1)</script>",
    "\0",
    "%00",
    "é" * 150,
    "null",
    "{}",
]
"""Invalid values for any field."""
BIG = "x" * 70_000


def location(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def table_of(service: TableService, answer: Any) -> Room:
    return await service.room(location(answer).removeprefix("/tables/").partition("?")[0])


def form_routes(app: Starlette) -> list[str]:
    routes = [route for route in app.routes if isinstance(route, Route)]
    return [route.path for route in routes if "POST" in (route.methods or ()) and "/api/" not in route.path]


@in_loop
async def test_new_visitor_can_play_with_one_click(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        newcomer = Person(app, None, None)
        assert "Play now" in (await newcomer.look("/")).text
        room = await table_of(service, await newcomer.send("/play-now", game="patrician"))
        assert room.row.state == "playing"
        page = await newcomer.look(f"/tables/{room.row.id}")
        assert "Your hand" in page.text


def proposed(page: str, game: str) -> list[str]:
    """What "Play now" proposes: the number of players, and the bot."""
    form = page[page.index(f'name="game" value="{game}"') :].partition("</form>")[0]
    return re.findall(r'<option value="([^"]+)" selected', form)


@in_loop
async def test_play_now_proposes_an_easy_game_and_then_the_last_choice(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Anna")
        assert proposed((await person.look("/")).text, "patrician") == ["2", GENTLE_LEVEL]
        first = await table_of(service, await person.send("/play-now", game="patrician"))
        assert [seat.bot for seat in first.row.seats] == [None, GENTLE_LEVEL]
        assert not first.row.rated
        result = {"winners": [0], "scores": [{"total": 1}, {"total": 0}]}
        async with service.changing(first) as w:
            await tables.finish(w.db, first.row.id, result, service.now())
        assert proposed((await person.look("/")).text, "patrician") == ["2", GENTLE_LEVEL]
        second = await table_of(
            service, await person.send("/play-now", game="patrician", level="capomastro", seats=4, rated="on")
        )
        assert [seat.bot for seat in second.row.seats] == [None, *["capomastro"] * 3]
        assert second.row.rated
        lobby = (await person.look("/")).text
        assert proposed(lobby, "patrician") == ["4", "capomastro"]
        assert lobby.count('name="rated" value="off" checked') == 2
        assert proposed(lobby, "il-principe") == [str(GAMES["il-principe"].first_players), GENTLE_LEVEL]
        for wrong in ({"seats": 9}, {"level": "nobody"}, {"rated": "perhaps"}):
            assert (await person.send("/play-now", game="patrician", **wrong)).status_code == 422


@in_loop
async def test_opponent_at_ones_own_level_gets_stronger_after_a_win_and_weaker_after_a_loss(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        guest = await arrive(app, "Anna")
        met = []
        for points in ((1, 0), (1, 0), (0, 1), (0, 1), (0, 1)):
            room = await table_of(service, await guest.send("/play-now", game="patrician", level="own-level", seats=2))
            met.append(room.row.seats[1].bot)
            assert not room.row.rated
            result = {"winners": [points.index(1)], "scores": [{"total": total} for total in points]}
            async with service.changing(room) as w:
                await tables.finish(w.db, room.row.id, result, service.now())
        assert met == ["muratore", "scalpellino", "capomastro", "scalpellino", "muratore"]
        fields = {"seats": 3, "clock": 0, "seat-0": "me", "seat-1": "own-level", "seat-2": "avaro", "access": "invited"}
        row = (await table_of(service, await guest.send("/tables", game="patrician", **fields))).row
        assert [seat.bot for seat in row.seats] == [None, "garzone", "avaro"]
        row = (await table_of(service, await guest.send("/tables", game="il-principe", **fields))).row
        assert [seat.bot for seat in row.seats] == [None, "muratore", "avaro"], "each game has its own level"


@in_loop
async def test_table_is_rated_only_if_the_form_says_so(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Anna")
        for rated, counts in (("off", False), ("on", True)):
            fields = {"game": "patrician", "seats": 2, "clock": 0, "seat-0": "me", "rated": rated}
            assert (await table_of(service, await person.send("/tables", **fields))).row.rated is counts


@in_loop
async def test_end_of_a_rated_game_shows_what_it_changed(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        fields = {"game": "patrician", "seats": 2, "clock": 0, "seat-0": "me", "seat-1": "open", "rated": "on"}
        room = await table_of(service, await anna.send("/tables", **fields))
        await bruno.send(f"/tables/{room.row.id}/sit", seat=1)
        await bruno.send(f"/tables/{room.row.id}/start")
        while room.row.state == "playing":
            assert room.position is not None and room.row.turn is not None
            await make_step(service, room, room.row.turn, room.n, room.position.table.legal[0])
        told = "rating 25.0 → "
        page = (await anna.look(f"/tables/{room.row.id}")).text
        assert page.partition('id="over"')[2].partition('class="sheet"')[0].count(told) == 2
        service.rooms.clear()
        service._held.clear()
        assert (await bruno.look(f"/tables/{room.row.id}")).text.count(told) == page.count(told)


@in_loop
async def test_rules_can_be_shown_beside_a_table(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        person = await arrive(app)
        part = (await person.look("/rules/patrician/clauses")).text
        assert 'id="rule-P15"' in part
        assert "<html" not in part
        assert (await person.look("/rules/chess/clauses")).status_code == 404


@pytest.mark.slow  # every form with every invalid value
@in_loop
async def test_every_form_answers_invalid_input_with_a_sentence(database_url: str) -> None:
    async with open_app(database_url) as (app, service):
        person, stranger = await arrive(app, "Anna"), await arrive(app, "Bea")
        waiting = await table_of(
            service, await person.send("/tables", game="patrician", seats=3, clock=0, **{"seat-0": "me"})
        )
        playing = await table_of(service, await person.send("/play-now", game="il-principe"))
        fields = [
            "seat",
            "n",
            "step",
            "bid",
            "level",
            "salt",
            "text",
            "name",
            "password",
            "old",
            "game",
            "seats",
            "clock",
        ]
        for path in form_routes(app):
            if path in ("/sign-out", "/account/delete"):
                continue
            for room in (waiting, playing) if "{id}" in path else (waiting,):
                address = path.replace("{id}", room.row.id).replace("{n:int}", "2").replace("{token}", "nothing")
                for place, value in enumerate(NASTY):
                    who, script = (stranger, False) if place % 4 == 3 else (person, True)
                    answer = await who.send(address, script=script, **dict.fromkeys(fields, value))
                    assert answer.status_code < 500, (address, value, answer.text)
                    assert "<script>alert" not in answer.text
                assert (await person.send(address, text=BIG)).status_code == 413
        gone = [
            await person.send(p.replace("{id}", "nowhere").replace("{n:int}", "2").replace("{token}", "x"))
            for p in form_routes(app)
            if "{id}" in p
        ]
        assert {answer.status_code for answer in gone} == {404}
        assert all("There is no table" in answer.text for answer in gone)


@in_loop
async def test_invalid_characters_are_rejected_in_every_encoding(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app)
        room = await table_of(service, await person.send("/play-now", game="patrician"))
        for path, field in ((f"/tables/{room.row.id}/chat", "text"), ("/sign-in", "name"), ("/sign-in", "password")):
            answer = await person.client.post(
                path,
                content=f'--x\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n\\ud800\r\n--x--\r\n'.encode(),
                headers={"content-type": "multipart/form-data; boundary=x; charset=unicode_escape"},
            )
            assert answer.status_code == 422, answer.text
            assert field in answer.text


@in_loop
async def test_unknown_addresses_are_not_found(database_url: str) -> None:
    async with open_app(database_url) as (app, service):
        person = await arrive(app)
        room = await table_of(service, await person.send("/play-now", game="patrician"))
        for path, status in {
            "/nothing": 404,
            "/tables/nothing": 404,
            "/tables/%00": 404,
            "/tables/%00/log": 404,
            "/invited/%00": 404,
            "/tables/new?game=chess": 422,
            "/rules/chess": 404,
            "/rules/clause/P99": 404,
            "/invited/nothing": 404,
            f"/tables/{room.row.id}?seat=x": 422,
            f"/tables/{room.row.id}/record": 409,
            f"/tables/{room.row.id}/check": 409,
            f"/tables/{room.row.id}/replay/0": 409,
            f"/tables/{room.row.id}/replay/0/help": 409,
            f"/tables/{room.row.id}/replay/x": 404,
            f"/tables/{room.row.id}/replay/{'1' * 5000}": 404,
        }.items():
            answer = await person.look(path)
            assert answer.status_code == status, (path, answer.text)
            assert "<h1" in answer.text
        assert (await person.look(f"/tables/{room.row.id}?seat=77")).status_code == 200


@in_loop
async def test_illegal_step_is_answered_with_its_clause(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        person = await arrive(app)
        room = await table_of(
            service,
            await person.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "device"}),
        )
        assert room.row.turn is not None
        fields = {"seat": room.row.turn, "n": 0, "step": '{"do":"build","site":0}'}
        answer = await person.send(f"/tables/{room.row.id}/steps", script=True, **fields)
        assert answer.status_code == 422
        assert "/rules/clause/P11" in answer.text
        assert room.n == 0


@in_loop
async def test_repeated_step_is_made_once_and_an_outdated_page_is_updated(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app)
        room = await table_of(
            service,
            await person.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "device"}),
        )
        assert room.position is not None and room.row.turn is not None
        first, second = room.position.table.legal[:2]
        fields = {"seat": room.row.turn, "n": 0, "step": encode_step(first)}
        assert (await person.send(f"/tables/{room.row.id}/steps", script=True, **fields)).status_code == 200
        assert (await person.send(f"/tables/{room.row.id}/steps", script=True, **fields)).status_code == 200
        made = room.n
        stale = await person.send(f"/tables/{room.row.id}/steps", script=True, **fields | {"step": encode_step(second)})
        assert stale.status_code == 409
        assert "has moved on" in stale.text
        assert 'id="table"' in stale.text
        assert room.n == made


@in_loop
async def test_shared_device_shows_a_hand_only_after_confirmation(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Anna")
        chairs = {"seat-0": "me", "seat-1": "device", "name-1": "Bruno", "seat-2": "device", "name-2": "Carla"}
        room = await table_of(service, await person.send("/tables", game="patrician", seats=3, clock=0, **chairs))
        turn = room.row.turn
        assert turn is not None and room.position is not None
        name = ["Anna", "Bruno", "Carla"][turn]
        covered = (await person.look(f"/tables/{room.row.id}")).text
        assert f"?seat={turn}" in covered and name in covered
        assert '"do":"play"' not in covered
        shown = (await person.look(f"/tables/{room.row.id}?seat={turn}")).text
        assert '"do":"play"' in shown
        other = (await person.look(f"/tables/{room.row.id}?seat={(turn + 1) % 3}")).text
        assert '"do":"play"' not in other


@in_loop
async def test_only_an_invitation_lets_a_person_sit_down(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        host, stranger = await arrive(app, "Anna"), await arrive(app, "Bea")
        wish: dict[str, Any] = {"game": "patrician", "seats": 2, "clock": 60, "seat-0": "me"}
        assert (await host.send("/tables", access="secret", **wish)).status_code == 422  # and not open to everybody
        room = await table_of(service, await host.send("/tables", access="invited", **wish))
        page = (await host.look(f"/tables/{room.row.id}")).text
        link = re.search(r"/invited/[\w-]+", page)
        assert link
        assert link[0] not in (await stranger.look(f"/tables/{room.row.id}")).text
        assert room.row.id not in (await stranger.look("/")).text
        assert (await stranger.send(f"/tables/{room.row.id}/sit", seat=1)).status_code == 403
        invited = (await stranger.look(link[0])).text
        assert "You are invited" in invited
        assert "Anna</b> invites you" in invited
        assert "Friendly game" in invited
        secret = link[0].removeprefix("/invited/")
        location(await stranger.send(f"/tables/{room.row.id}/sit", seat=1, invitation=secret))
        assert room.row.seats[1].name == "Bea"
        location(await stranger.send(f"/tables/{room.row.id}/start"))
        assert room.row.state == "playing"


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
@in_loop
async def test_finished_game_can_be_replayed_downloaded_checked_and_continued(sqlite_url: str, game: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Anna")
        chairs = {"seat-0": "me", "seat-1": "device"}
        room = await table_of(service, await person.send("/tables", game=game, seats=2, clock=0, **chairs))
        while room.row.state == "playing":
            assert room.position is not None and room.row.turn is not None
            await make_step(service, room, room.row.turn, room.n, room.position.table.legal[0])
        base = f"/tables/{room.row.id}"
        page = (await person.look(base)).text
        assert room.row.seed in page
        assert room.row.result is not None
        for score in room.row.result["scores"]:
            assert str(score["total"]) in page
        record = (await person.look(f"{base}/record")).content
        assert from_record(record.strip()).over
        check = (await person.look(f"{base}/check")).text
        assert 'class="holds"' in check and 'class="fails"' not in check
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(replays, "from_record", None)  # it is checked once for all who ask
            assert (await person.look(f"{base}/check")).text == check
        assert room.position is not None
        last = len(room.position.log)
        for n in (0, 1, last // 2, last):
            for eyes in ("", "?seat=none", "?seat=open", "?seat=0", "?seat=1"):
                assert (await person.look(f"{base}/replay/{n}{eyes}")).status_code == 200
        stranger = Person(app, None, None)
        for who, eyes, hand in ((person, "", True), (person, "?seat=none", False), (stranger, "", False)):
            assert ('id="hand"' in (await who.look(f"{base}/replay/3{eyes}")).text) is hand
            explained = (await who.look(f"{base}/replay/3/help{eyes}")).text
            assert ("<h2>Your hand</h2>" in explained) is (hand and game == "patrician")  # the other explains buildings
        turns = [turn.n for turn in score_history_of(room)]
        middle = (await person.look(f"{base}/replay/{turns[3] - 1}")).text
        for go, n in (("turn-back", turns[2]), ("turn-forward", turns[3])):
            assert re.search(rf'data-go="{go}" href="[^"]*/replay/{n}\?seat=0"', middle)
        assert (await person.look(f"{base}/replay/{last + 1}")).status_code == 422
        for eyes in ("2", "-1", "x", "%C2%B2", "1" * 5000):
            assert (await person.look(f"{base}/replay/0?seat={eyes}")).status_code == 422
        again = await table_of(
            service, await person.send(f"{base}/replay/{last // 2}/play-on", seat=1, level="garzone")
        )
        assert again.row.n >= last // 2 and again.row.seed == room.row.seed and not again.row.rated
        while again.row.state == "playing":
            turn = again.row.turn
            if turn is None or again.played_by_bot(turn):
                await again.next_change()
                continue
            assert again.position is not None
            await make_step(service, again, turn, again.n, again.position.table.legal[0])
        assert again.row.state == "over"


@in_loop
async def test_chat_reaches_all_viewers_and_is_escaped(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person, watcher = await arrive(app, "Anna"), Person(app, None, None)
        room = await table_of(service, await person.send("/play-now", game="patrician"))
        assert (
            await person.send(f"/tables/{room.row.id}/chat", text="<b>hello</b> 'there'", script=True)
        ).status_code == 200
        page = (await watcher.look(f"/tables/{room.row.id}")).text
        assert "&lt;b&gt;hello&lt;/b&gt;" in page and "<b>hello" not in page
        assert (await person.send(f"/tables/{room.row.id}/chat", text="x" * 501)).status_code == 422


@in_loop
async def test_deleting_an_account_deletes_all_personal_data(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Annamaria")
        room = await table_of(service, await person.send("/play-now", game="patrician"))
        assert location(await person.send("/account/delete")) == "/"
        watcher = Person(app, None, None)
        for path in ("/", f"/tables/{room.row.id}", "/ratings"):
            assert "Annamaria" not in (await watcher.look(path)).text
        while room.row.state == "playing":
            await room.next_change()
        assert room.row.state == "over"


@in_loop
async def test_deleting_an_account_with_a_password_requires_it(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        person = await arrive(app, "Annamaria")
        await person.send("/account/password", password="una parola lunga")
        for wrong in ({}, {"password": "un'altra parola"}):
            answer = await person.send("/account/delete", **wrong)
            assert answer.status_code == 422
            assert "Wrong current password" in answer.text
        assert location(await person.send("/account/delete", password="una parola lunga")) == "/"
        assert "Annamaria" not in (await person.look("/account")).text


@in_loop
async def test_token_cannot_delete_the_account(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        person = await arrive(app, "Anna")
        _, secret = await app.state.accounts.make_token(Identity(person.user), "bot")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as program:
            answer = await program.post("/account/delete", headers={"authorization": f"Bearer {secret}"})
        assert answer.status_code == 403, answer.text
        assert "Anna" in (await person.look("/account")).text


@in_loop
async def test_only_requests_from_own_pages_change_anything(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        person = await arrive(app)
        person.client.headers["origin"] = "http://elsewhere.test"
        for path in form_routes(app):
            if path.startswith("/mail/stop/"):  # mail programs send this themselves; its secret is enough
                continue
            answer = await person.send(path.replace("{id}", "x").replace("{n:int}", "1").replace("{token}", "x"))
            assert answer.status_code == 403, path


def test_form_offers_the_options_of_the_games() -> None:
    from signoria.games import GAMES

    for game in GAMES.values():
        fields = {field.name for field in msgspec.structs.fields(game.options_type)} - {"players"}
        assert {option.name for option in game.option_labels} == fields
        assert all(option.clause in {clause.id for clause in game.clauses} for option in game.option_labels)


@in_loop
async def test_new_name_is_shown_at_the_players_tables(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Anna")
        room = await table_of(service, await person.send("/play-now", game="patrician"))
        assert (await person.send("/account/name", name="Beatrice")).status_code == 200
        assert room.row.seats[0].name == "Beatrice"
        assert "Anna" not in (await person.look(f"/tables/{room.row.id}")).text


@in_loop
async def test_taken_name_does_not_prevent_accepting_an_invitation(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        host, _ = await arrive(app, "Anna"), await arrive(app, "Marco")
        room = await table_of(
            service,
            await host.send("/tables", game="patrician", seats=3, clock=60, access="invited", **{"seat-0": "me"}),
        )
        secret, newcomer, another = room.row.invitation, Person(app, None, None), Person(app, None, None)
        location(await newcomer.send(f"/tables/{room.row.id}/sit", seat=1, name="Marco", invitation=secret))
        assert room.row.seats[1].name == "Marco"
        twice = await another.send(f"/tables/{room.row.id}/sit", seat=2, name="MARCO", invitation=secret)
        assert twice.status_code == 409 and "another name" in twice.text


@in_loop
async def test_replaced_player_is_told_and_can_return_with_one_click(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        person = await arrive(app, "Anna")
        room = await table_of(service, await person.send("/play-now", game="il-principe"))
        page = (await person.send(f"/tables/{room.row.id}/leave", script=True)).text
        assert "until you take your seat back" in page
        assert "Take my seat back" in page and "Your turn" not in page and 'class="can"' not in page
        page = (await person.send(f"/tables/{room.row.id}/return", script=True)).text
        assert "Take my seat back" not in page
        page = (await person.send(f"/tables/{room.row.id}/resign", script=True)).text
        assert "You resigned" in page


@in_loop
async def test_final_page_names_the_players_and_the_margin(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        person = await arrive(app, "Anna")
        room = await table_of(service, await person.send("/play-now", game="patrician", level="capomastro"))
        await person.send(f"/tables/{room.row.id}/resign")
        while room.row.state == "playing":
            await room.next_change()
        page = (await person.look(f"/tables/{room.row.id}")).text
        assert "Muratore for Anna" in page
        assert room.row.result is not None
        result = page.partition('id="asked"')[2].partition("</div>")[0]
        assert ("You are " in result) == (0 not in room.row.result["winners"])


@in_loop
async def test_name_of_an_account_cannot_be_used_by_others_at_a_table(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna, bea = await arrive(app, "Anna"), await arrive(app, "Bea")
        assert (await anna.send("/account/password", password="correct horse")).status_code == 200
        room = await table_of(
            service, await bea.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "open"})
        )
        stranger = Person(app, None, None)
        refused = await stranger.send(f"/tables/{room.row.id}/sit", seat=1, name="anna", script=True)
        assert refused.status_code == 409 and "taken" in refused.text
        location(await anna.send(f"/tables/{room.row.id}/sit", seat=1))


@in_loop
async def test_live_page_ends_with_its_session(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna = await arrive(app, "Anna")
        room = await table_of(service, await anna.send("/play-now", game="patrician"))
        answering = asyncio.create_task(anna.first_event(f"/tables/{room.row.id}/stream", until_ended=True))
        while not room.viewers:
            await asyncio.sleep(0.01)
        await anna.send("/sign-out")
        assert b": closing" in await asyncio.wait_for(answering, 10)


async def listening_by_token(app: Starlette, service: TableService, room: Room, secret: str) -> "asyncio.Task[bytes]":
    """A program that follows a table with a token until its stream ends."""
    program = Person(app, None, None)
    program.headers["authorization"] = f"Bearer {secret}"
    path = f"/api/v1/tables/{room.row.id}/events"
    before = len(room.viewers)
    listening = asyncio.create_task(program.first_event(path, until_ended=True))
    while len(room.viewers) == before and not listening.done():
        await asyncio.sleep(0.01)
    return listening


@pytest.mark.parametrize("how", ["one", "all", "password"])
@in_loop
async def test_stream_ends_when_its_token_is_revoked(how: str, sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna = await arrive(app, "Anna")
        room = await table_of(service, await anna.send("/play-now", game="patrician"))
        row, secret = await app.state.accounts.make_token(Identity(anna.user), "bot")
        await app.state.accounts.make_token(Identity(anna.user), "another")
        listening = await listening_by_token(app, service, room, secret)
        if how == "password":
            page = (await anna.send("/account/password", password="una parola lunga")).text
            assert "all tokens are revoked" in page
        else:
            await anna.send(f"/account/tokens/{row.id}/delete" if how == "one" else "/account/tokens/delete")
        assert (await asyncio.wait_for(listening, 10)).endswith(b": closing\n\n")
        again = await listening_by_token(app, service, room, secret)
        assert (await asyncio.wait_for(again, 10)).startswith(b"401")
        listed = (await anna.look("/account")).text
        assert ("another" in listed) == (how == "one")


@in_loop
async def test_stream_in_another_process_ends_when_its_token_is_revoked(postgres_url: str) -> None:
    async with open_app(postgres_url, pace=60_000) as (app, service), open_app(postgres_url) as (other, elsewhere):
        anna = await arrive(app, "Anna")
        room = await table_of(service, await anna.send("/play-now", game="patrician"))
        row, secret = await app.state.accounts.make_token(Identity(anna.user), "bot")
        listening = await listening_by_token(other, elsewhere, await elsewhere.room(room.row.id), secret)
        await anna.send(f"/account/tokens/{row.id}/delete")
        assert (await asyncio.wait_for(listening, 10)).endswith(b": closing\n\n")


@in_loop
async def test_stream_ends_even_if_the_notification_of_the_revocation_is_lost(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna = await arrive(app, "Anna")
        room = await table_of(service, await anna.send("/play-now", game="patrician"))
        _, secret = await app.state.accounts.make_token(Identity(anna.user), "bot")
        monkeypatch.setattr("signoria.server.people.sessions.REMEMBERED", 0)
        listening = await listening_by_token(app, service, room, secret)
        async with service.database.write() as w:
            await people.delete_tokens(w.db, anna.user.id if anna.user else "")  # and nobody is told
        await anna.send(f"/tables/{room.row.id}/chat", text="a word for those who may hear it")
        heard = await asyncio.wait_for(listening, 10)
        assert heard.endswith(b": closing\n\n") and b"a word for those" not in heard
