"""Responses to bad requests say what is wrong, name the field, and are problem+json."""

from typing import Any

import pytest

from signoria.server.api.calls import read_query
from signoria.server.api.requests import TableListQuery
from signoria.server.errors import BadField
from tests.databases import in_loop
from tests.server.api.clients import BOT, ME, new_app, served

PATRICIAN = {"game": "patrician", "seats": [ME, BOT]}
HUGE = int("9" * 4000)

MESSAGES: list[tuple[str, Any, str]] = [
    ("/tables", {}, "game"),
    ("/tables", {"game": "chess", "seats": [ME, BOT]}, "game"),
    ("/tables", {"game": "patrician"}, "seats"),
    ("/tables", {"game": "patrician", "seats": [ME]}, "seats"),
    ("/tables", {"game": "patrician", "seats": [ME] * 6}, "seats"),
    ("/tables", {"game": "patrician", "seats": [BOT, BOT]}, "seats"),
    ("/tables", {"game": "patrician", "seats": [ME, {"kind": "bot"}]}, "seats[1].bot"),
    ("/tables", {"game": "patrician", "seats": [ME, {"kind": "bot", "bot": "x"}]}, "seats[1].bot"),
    ("/tables", {"game": "patrician", "seats": [ME, {"kind": "open", "bot": "muratore"}]}, "seats[1].bot"),
    ("/tables", {"game": "patrician", "seats": [ME, {"kind": "open", "name": "Y"}]}, "seats[1].name"),
    ("/tables", {"game": "patrician", "seats": [{"kind": "me", "name": "\0"}, BOT]}, "seats[0].name"),
    ("/tables", {"game": "patrician", "seats": [ME, {"kind": "me", "x": 1}]}, "seats[1].x"),
    ("/tables", {**PATRICIAN, "options": {"players": 3}}, "options.players"),
    ("/tables", {**PATRICIAN, "options": {"variant": True}}, "variant"),
    ("/tables", {**PATRICIAN, "options": {"messengers": 1}}, "messengers"),
    ("/tables", {**PATRICIAN, "options": {"tokens": "sideways"}}, "tokens"),
    ("/tables", {**PATRICIAN, "options": {"tokens": "\0"}}, "tokens"),
    ("/tables", {**PATRICIAN, "options": []}, "options"),
    ("/tables", {**PATRICIAN, "clock": 61}, "clock"),
    ("/tables", {**PATRICIAN, "clock": HUGE}, "clock"),
    ("/tables", {**PATRICIAN, "stand_in": "nobody"}, "stand_in"),
    ("/tables", {**PATRICIAN, "rated": "yes"}, "rated"),
    ("/tables", {**PATRICIAN, "colour": "red"}, "colour"),
    ("/tables", [], "(the whole message)"),
    ("/tables/{}/sit", {"seat": 9}, "seat"),
    ("/tables/{}/sit", {"seat": -1}, "seat"),
    ("/tables/{}/sit", {"seat": 0.5}, "seat"),
    ("/tables/{}/sit", {"seat": 0, "name": "x" * 25}, "name"),
    ("/tables/{}/sit", {"seat": 0, "name": "a\0b"}, "name"),
    ("/tables/{}/chat", {"text": ""}, "text"),
    ("/tables/{}/chat", {"text": " \n "}, "text"),
    ("/tables/{}/chat", {"text": "a\0b"}, "text"),
    ("/tables/{}/chat", {"text": "x" * 501}, "text"),
    ("/tables/{}/salt", {"seat": 0, "salt": "\0"}, "salt"),
    ("/tables/{}/bot", {"seat": 0}, "level"),
    ("/tables/{}/fill", {"level": ""}, "level"),
    ("/tables/{}/steps", {"seat": 0, "n": 0}, "step"),
    ("/tables/{}/steps", {"seat": 0, "n": 0, "step": {}}, "step.do"),
    ("/tables/{}/steps", {"seat": 0, "n": 0, "step": {"do": "bid", "ducats": 3}}, "step.do"),
    ("/tables/{}/steps", {"seat": 0, "n": 0, "step": {"do": "undo"}}, "step.do"),
    ("/tables/{}/steps", {"seat": 0, "n": 0, "step": {"do": "play"}}, "step.card"),
    ("/tables/{}/steps", {"seat": 0, "n": 0, "step": {"do": "play", "card": 1}}, "step.card"),
    ("/tables/{}/steps", {"seat": 0, "n": 0, "step": {"do": "stay", "of": 1}}, "step.of"),
    ("/tables/{}/steps", {"seat": 0, "n": -1, "step": {"do": "stay"}}, "n"),
    ("/tables/{}/steps", {"seat": 0, "n": HUGE, "step": {"do": "stay"}}, "n"),
    ("/tables/{}/undo", {"seat": 0, "n": "0"}, "n"),
]


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The response to each of these bodies."""
    problems: list[dict[str, Any]] = []

    @in_loop
    async def run() -> None:
        async with served(new_app(str(tmp_path_factory.mktemp("bad") / "x.db"))) as program:
            anna = await program("Anna")
            table = await anna.open("patrician", (ME, ME))
            for path, message, _ in MESSAGES:
                problems.append(await anna.refused("POST", path.format(table), 422, json=message))

    run()
    return problems


@pytest.mark.parametrize("number", range(len(MESSAGES)))
def test_error_names_the_field(number: int, answered: list[dict[str, Any]]) -> None:
    assert answered[number]["field"] == MESSAGES[number][2]
    assert answered[number]["detail"].endswith(".")


def test_error_lists_the_allowed_values_if_there_are_few(answered: list[dict[str, Any]]) -> None:
    said = {problem["field"]: problem["possible"] for problem in answered if "possible" in problem}
    assert said["step.do"] == "play, build, move, stay, take, messenger, keep"
    assert said["seats[1].bot"].startswith("apprendista, architetto, avaro, capomastro, costruttore, garzone, muratore")
    assert said["clock"] == "0, 60, 180, 600, 3600, 86400, 259200, 604800"
    assert not said.keys() & {"n", "seat", "seats", "name", "text", "options", "step.card"}


@in_loop
async def test_invalid_json_and_other_content_types_are_rejected(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        sent_as = {"Content-Type": "application/json; charset=utf-8"}
        for body in (b"", b"{", b"\xff", b'{"game": "\xff"}', b'{"game": "\\ud800"}', b"nul", b"{'a': 1}"):
            await anna.refused("POST", "/tables", 400, content=body, headers=sent_as)
        for body in (b"9" * 60_000, b"null", b"[" * 60_000, b'{"options":' * 5_000):
            await anna.refused("POST", "/tables", 422, content=body, headers=sent_as)
        await anna.refused("POST", "/tables", 413, content=b" " * 70_000, headers=sent_as)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "", "application/jsonx", "application/xml"):
            problem = await anna.refused("POST", "/tables", 415, content=b"{}", headers={"Content-Type": kind})
            assert "application/json" in problem["detail"]


@in_loop
async def test_wrong_methods_and_paths_are_rejected(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, ME))
        for method, path, allowed in (
            ("PUT", "/tables", "GET, HEAD, POST"),
            ("DELETE", f"/tables/{table}", "GET, HEAD"),
            ("GET", f"/tables/{table}/sit", "POST"),
            ("POST", f"/tables/{table}/events", "GET, HEAD"),
        ):
            answer = await anna.ask(method, path)
            assert answer.status_code == 405 and answer.headers["content-type"] == "application/problem+json"
            assert sorted(answer.headers["allow"].split(", ")) == allowed.split(", ")
        for odd in ("%00", "%ff", "a%2Fb", "x" * 41, "%F0%9F%8E%B2", "'--", "a b", "a.b", "-"):
            for path in ("", "/view", "/record", "/events", "/replay/0"):
                await anna.refused("GET", f"/tables/{odd}{path}", 404)
        await anna.refused("GET", "/nothing", 404)
        await anna.refused("GET", "/ratings/chess", 404)
        for n in ("%00", "9" * 5000):
            await anna.refused("GET", f"/tables/{table}/replay/{n}", 404)
        for n in ("x", "-1", "1.0", "9" * 40, "+1", "٣"):
            await anna.refused("GET", f"/tables/{table}/replay/{n}", 422)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("limit=", "limit"),
        ("limit=1&limit=2", "limit"),
        ("limit=%00", "limit"),
        (f"limit={'9' * 5000}", "limit"),
        ("state=closed", "state"),
        ("state=", "state"),
        ("order=new", "order"),
    ],
)
@in_loop
async def test_wrong_query_parameters_are_rejected(query: str, field: str, sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        nobody = await program()
        assert (await nobody.refused("GET", f"/tables?{query}", 422))["field"] == field


@in_loop
async def test_unknown_callers_are_rejected(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        nobody = await program()
        await nobody.refused("GET", "/me", 401)
        await nobody.refused("GET", "/tables?state=mine", 401)
        await nobody.refused("GET", "/games", 401, headers={"Authorization": "Bearer wrong"})
        await nobody.refused("POST", "/tables", 403, json=PATRICIAN)
        await nobody.refused("POST", "/tables", 401, json=PATRICIAN, headers={"Origin": "http://house.test"})


@in_loop
async def test_too_many_requests_are_rejected_with_retry_after(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url, most_tables=2)) as program:
        anna = await program("Anna")
        for _ in range(2):
            await anna.open("patrician", (ME, ME))
        assert "2 tables" in (await anna.refused("POST", "/tables", 429, json=PATRICIAN))["detail"]


def test_a_field_given_twice_is_found_without_comparing_every_pair() -> None:
    class Name(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    pairs: list[tuple[str, str]] = [(Name(number), "") for number in (*range(5_000), 4_999)]
    with pytest.raises(BadField, match="4999: given more than once"):
        read_query(pairs, TableListQuery)
    assert Name.compared < 10 * len(pairs)
