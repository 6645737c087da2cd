"""The language of pages, streams, announcements and errors: the account's, the cookie's or the browser's."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from signoria.games import GAMES
from signoria.kernel import language as languages
from signoria.kernel.language import PSEUDO
from signoria.web import rules as told_rules
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app

MARK = b"\xe2\x9f\xa6"
"""The bracket around texts of the pseudo-language."""


def reading(person: Person, language: str) -> None:
    """Read in this language from now on, as the cookie keeps it."""
    session = person.headers["cookie"].partition(";")[0]
    person.headers["cookie"] = person.client.headers["cookie"] = f"{session}; language={language}"


@in_loop
async def test_page_is_told_in_the_language_of_the_browser_the_cookie_or_the_account(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        answer = await anna.client.get("/ratings", headers={"accept-language": "nl-BE, en;q=0.5"})
        assert '<html lang="nl">' in answer.text
        assert answer.headers["content-language"] == "nl"
        assert {"Accept-Language", "Cookie"} <= {name.strip() for name in answer.headers["vary"].split(",")}
        reading(anna, "de")
        assert '<html lang="de">' in (await anna.client.get("/ratings", headers={"accept-language": "nl"})).text
        chosen = await anna.client.post(
            "/language", data={"language": "it"}, headers={"referer": "http://house.test/rules/patrician?x=1"}
        )
        assert chosen.headers["location"] == "/rules/patrician?x=1"
        assert "language=it" in chosen.headers["set-cookie"]
        assert '<html lang="it">' in (await anna.look("/ratings")).text, "the account comes before an older cookie"


@in_loop
async def test_unknown_language_is_refused_and_other_sites_are_no_place_to_go_back_to(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        refused = await anna.client.post("/language", data={"language": "xx"})
        assert refused.status_code == 422
        assert "en, it, nl, fr, de" in refused.text
        for page in (
            "http://elsewhere.test/x",
            "",
            "http://house.test//elsewhere.test",
            "http://[house.test/",
            "http://house.test]",
        ):
            answer = await anna.client.post("/language", data={"language": "fr"}, headers={"referer": page})
            assert answer.headers["location"] == "/"


@in_loop
async def test_viewers_of_one_table_each_get_it_in_their_own_language(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna, bruno, carla = [await arrive(app, name) for name in ("Anna", "Bruno", "Carla")]
        opened = await anna.send("/play-now", game="patrician", seats=2)
        where = opened.headers["location"]
        reading(carla, PSEUDO)
        assert MARK not in await bruno.first_event(f"{where}/stream")
        assert MARK in await carla.first_event(f"{where}/stream")
        assert MARK not in await bruno.first_event(f"{where}/stream")
        assert MARK in await carla.first_event("/lobby/stream")
        assert MARK not in await bruno.first_event("/lobby/stream")


@in_loop
async def test_announcements_are_told_in_the_language_of_the_reader(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna = await arrive(app, "Anna")
        where = (await anna.send("/play-now", game="patrician", seats=2)).headers["location"]
        reading(anna, PSEUDO)
        await anna.send(f"{where}/leave")
        room = await service.room(where.rpartition("/")[2])
        assert room.messages[-1].text.startswith("Anna left for now."), "stored in English, and as data"
        assert "⟦Anna léft för ñöw." in (await anna.look(where)).text


@in_loop
async def test_refusals_and_problems_are_told_in_the_language_of_the_request(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        where = (await anna.send("/play-now", game="patrician", seats=2)).headers["location"]
        reading(anna, PSEUDO)
        refused = await anna.send(f"{where}/steps", seat=0, n=0, step='{"do":"take","city":"roma"}')
        assert "⟦" in refused.text.partition('id="notice"')[2].partition("</p>")[0]
        english = (await anna.client.get("/api/v1/nowhere", headers={"cookie": ""})).json()
        german = (await anna.client.get("/api/v1/nowhere", headers={"cookie": "", "accept-language": "de"})).json()
        assert english["title"] == "Not found"
        assert german["title"] != english["title"] and german["detail"] != english["detail"]


def noting(threads: list[threading.Thread], function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which notes the threads that call it."""

    def noted(*args: Any) -> Any:
        threads.append(threading.current_thread())
        return function(*args)

    return noted


@in_loop
async def test_first_reader_of_a_language_does_not_keep_others_waiting(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are read, and rules drawn for the first time, beside the event loop."""
    reading_texts: list[threading.Thread] = []
    monkeypatch.setattr(languages, "read_catalogue", noting(reading_texts, languages.read_catalogue))
    for texts in (languages.SHARED, *(game.texts for game in GAMES.values())):
        monkeypatch.setattr(texts, "_read", {languages.ENGLISH: texts.translations(languages.ENGLISH)})
    for path in ("/rules/patrician/full", "/rules/patrician/clauses", "/service-worker.js"):
        drawing: list[threading.Thread] = []
        told_rules.draw_clauses.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(told_rules, "parts_of", noting(drawing, told_rules.parts_of))
            async with open_app(sqlite_url) as (app, _):
                visitor = Person(app, None, None)
                answer = await visitor.client.get(path, headers={"accept-language": "fr"})
                assert answer.status_code == 200
                assert answer.headers["content-language"] == "fr"
        assert drawing[0] is not threading.current_thread()
    assert reading_texts
    assert threading.current_thread() not in reading_texts
