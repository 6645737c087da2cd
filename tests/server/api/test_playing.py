"""A program opens a table, plays and replays the game."""

import random

import pytest

from signoria.games import from_record
from tests.databases import in_loop
from tests.server.api.clients import BOT, ME, new_app, play, served, service_of


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
@in_loop
async def test_whole_game_can_be_played(game: str, sqlite_url: str) -> None:
    app = new_app(sqlite_url)
    async with served(app) as program:
        anna, nobody = await program("Anna"), await program()
        table = await anna.open(game, (ME, BOT, BOT))
        facts = await nobody.get(f"/tables/{table}")
        assert facts["state"] == "playing" and facts["seed"] is None and facts["result"] is None
        assert [seat["kind"] for seat in facts["seats"]] == ["person", "bot", "bot"]
        problem = await anna.refused("GET", f"/tables/{table}/record", 409)
        assert "over" in problem["detail"]
        made = await play(anna, table, 0, random.Random(1))
        facts = await nobody.get(f"/tables/{table}")
        assert facts["state"] == "over" and facts["result"]["winners"] and len(facts["seed"]) == 64
        assert made["state"] in ("playing", "over")
        record = await nobody.ask("GET", f"/tables/{table}/record")
        assert record.headers["content-type"] == "application/json"
        end = from_record(record.content)
        assert end.record.result == facts["result"]
        first = await nobody.get(f"/tables/{table}/replay/0", seat=1)
        assert first["view"]["seat"] == 1 and first["n"] == 0
        open_end = await nobody.get(f"/tables/{table}/replay/{len(end.steps)}", seat="open")
        assert open_end["turn"] is None
        assert (await nobody.refused("GET", f"/tables/{table}/replay/{len(end.steps) + 1}", 422))["field"] == "n"
        ratings = await nobody.get(f"/ratings/{game}")
        assert {line["name"] for line in ratings["ratings"]} >= {"Anna", "Muratore"}
        assert game in (await anna.get("/me"))["ratings"]
        again = await anna.post(f"/tables/{table}/rematch")
        assert (await anna.get(f"/tables/{again['table']}"))["state"] == "playing"
        assert (await anna.post(f"/tables/{table}/rematch")) == again
        onwards = (await anna.post(f"/tables/{table}/replay/5/play-on", {"seat": 1, "level": "garzone"}))["table"]
        facts = await anna.get(f"/tables/{onwards}")
        assert (facts["state"], facts["rated"], facts["seats"][1]["mine"]) == ("playing", False, True)
        await anna.refused("POST", f"/tables/{onwards}/replay/5/play-on", 409, json={"seat": 1})


@in_loop
async def test_repeated_request_makes_one_step(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, ME))
        facts = await anna.get(f"/tables/{table}")
        legal = await anna.get(f"/tables/{table}/legal", seat=facts["turn"])
        request = {"seat": facts["turn"], "n": 0, "step": legal["legal"][0]}
        made = await anna.post(f"/tables/{table}/steps", request)
        assert made["events"][0]["event"] == "CardPlayed" and made["events"][0]["clause"] == "P10"
        assert made["events"][0]["says"].endswith(".")
        assert await anna.post(f"/tables/{table}/steps", request) == made
        other = {**request, "step": legal["legal"][1]}
        problem = await anna.refused("POST", f"/tables/{table}/steps", 409, json=other)
        assert problem["n"] == made["n"] and problem["type"] == "urn:signoria:stale-version"


@in_loop
async def test_undo(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, ME))
        turn = (await anna.get(f"/tables/{table}"))["turn"]
        before = await anna.get(f"/tables/{table}/view", seat=turn)
        made = await anna.post(f"/tables/{table}/steps", {"seat": turn, "n": 0, "step": before["view"]["legal"][0]})
        undone = await anna.post(f"/tables/{table}/undo", {"seat": turn, "n": made["n"]})
        assert undone["events"] == [] and undone["n"] > made["n"]
        after = await anna.get(f"/tables/{table}/view", seat=turn)
        assert after["view"] == before["view"]
        problem = await anna.refused("POST", f"/tables/{table}/undo", 409, json={"seat": turn, "n": undone["n"]})
        assert problem["type"].endswith("no-undo")


@in_loop
async def test_illegal_step_is_rejected_with_its_clause(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, ME))
        turn = (await anna.get(f"/tables/{table}"))["turn"]
        wrong = {"seat": turn, "step": {"do": "build", "site": 1}}
        judged = await anna.post(f"/tables/{table}/why-not", wrong)
        assert judged["refusal"]["clause"].startswith("P")
        problem = await anna.refused("POST", f"/tables/{table}/steps", 422, json={**wrong, "n": 0})
        assert problem["clause"] == judged["refusal"]["clause"] and "play" in problem["possible"]
        legal = (await anna.get(f"/tables/{table}/legal", seat=turn))["legal"]
        assert await anna.post(f"/tables/{table}/why-not", {"seat": turn, "step": legal[0]}) == {"refusal": None}
        other = await anna.refused(
            "POST", f"/tables/{table}/steps", 409, json={"seat": 1 - turn, "n": 0, "step": legal[0]}
        )
        assert other["type"] == "urn:signoria:not-your-turn"
        assert (await anna.get(f"/tables/{table}/legal", seat=1 - turn))["legal"] == []


@in_loop
async def test_seats_can_be_taken_and_left(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna, bruno, nobody = await program("Anna"), await program("Bruno"), await program()
        table = await anna.open("il-principe", (ME, {"kind": "open"}, {"kind": "open"}, {"kind": "open"}), invited=True)
        assert (await nobody.get("/tables", state="open")) == {"tables": [], "next": None}
        assert (await nobody.get(f"/tables/{table}"))["invitation"] is None
        invitation = (await anna.get(f"/tables/{table}"))["invitation"]
        path = f"/tables/{table}"
        await bruno.refused("POST", f"{path}/sit", 403, json={"seat": 1})
        await bruno.refused("POST", f"{path}/sit", 403, json={"seat": 1, "invitation": "è"})
        seated = await bruno.post(f"{path}/sit", {"seat": 1, "name": "Il Bruno", "invitation": invitation})
        assert seated["seats"][1] | {"rating": None} == {
            "time_left": None, "vacation_until": None,
            "seat": 1, "title": "Sforza", "kind": "person", "name": "Il Bruno", "bot": None, "mine": True,
            "away": False, "resigned": False, "rating": None,
        } | {"title": seated["seats"][1]["title"]}  # fmt: skip
        assert (await bruno.get("/tables", state="mine"))["tables"][0]["id"] == table
        await bruno.post(f"{path}/salt", {"seat": 1, "salt": "basilico"})
        await bruno.refused("POST", f"{path}/bot", 403, json={"seat": 2, "level": "muratore"})
        await anna.post(f"{path}/bot", {"seat": 2, "level": "garzone"})
        await anna.post(f"{path}/bot", {"seat": 2, "level": None})
        await bruno.post(f"{path}/stand", {"seat": 1})
        await bruno.post(f"{path}/sit", {"seat": 3, "invitation": invitation})
        assert "1, 2" in (await anna.refused("POST", f"{path}/start", 409))["detail"]
        begun = await anna.post(f"{path}/fill", {"level": "garzone"})
        assert begun["state"] == "playing" and begun["invitation"] is None
        assert (await bruno.post(f"{path}/leave", {"seat": 3}))["seats"][3]["away"]
        assert not (await bruno.post(f"{path}/return", {"seat": 3}))["seats"][3]["away"]
        await anna.refused("POST", f"{path}/stand-in", 409, json={"seat": 3})
        assert (await bruno.post(f"{path}/resign", {"seat": 3}))["seats"][3]["resigned"]
        await bruno.refused("POST", f"{path}/return", 409, json={"seat": 3})
        said = await bruno.post(f"{path}/chat", {"text": " buona \n fortuna "})
        assert (said["text"], said["name"], said["seat"]) == ("buona fortuna", "Bruno", 3)
        await anna.refused("POST", f"{path}/close", 409)
        other = await anna.open("patrician", (ME, {"kind": "open"}))
        assert (await anna.post(f"/tables/{other}/close"))["state"] == "closed"


@in_loop
async def test_games_list_what_the_server_offers(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        nobody = await program()
        games = await nobody.get("/games")
        assert [game["name"] for game in games["games"]] == ["patrician", "il-principe"]
        anna = await program("Anna")
        for game in games["games"]:
            for option in game["options"]:
                for choice in option["choices"]:
                    table = await anna.open(game["name"], (ME, BOT), options={option["name"]: choice["value"]})
                    row = (await service_of(anna.app).room(table)).row
                    assert row.options[option["name"]] == choice["value"]
        levels = [level["id"] for level in games["levels"]]
        assert all(game["levels"] == levels for game in games["games"])
        for level in games["levels"]:
            await anna.open(seats=(ME, {"kind": "bot", "bot": level["id"]}))
        for clock in games["clocks"]:
            assert (await anna.get(f"/tables/{await anna.open(clock=clock['seconds'])}"))["clock"] == clock["seconds"]


@pytest.mark.parametrize(("game", "usually"), [("patrician", True), ("il-principe", False)])
@in_loop
async def test_table_with_and_without_card_tracker(game: str, usually: bool, sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        for wish, shown in ((None, usually), (True, True), (False, False)):
            table = await anna.open(game, (ME, BOT), memory_aid=wish)
            view = (await anna.get(f"/tables/{table}/view", seat=0))["view"]
            assert (view["remembered"] is not None) == shown
