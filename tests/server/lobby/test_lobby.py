"""The live lobby, and changes to a person that affect all their tables."""

import asyncio
import re
from html import unescape
from typing import Any

import pytest
from sqlalchemy.exc import TimeoutError as NoConnection

from signoria.server.live import streams
from signoria.server.lobby import opening, public_lists, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.pages import lobby
from signoria.server.play import table_chat
from signoria.server.settings import Settings
from signoria.store import lists, tables
from signoria.web import pages
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_person, a_service, a_table, kept_row, until


@in_loop
async def test_live_lobby_follows_tables_that_the_viewer_joins_later(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user is not None and bruno.user is not None
        looking = asyncio.create_task(anna.first_event("/lobby/stream", until_ended=True))
        watched = f"games:{anna.user.id}"
        await until(lambda: watched in service.watching)
        chairs = (SeatRequest("me"), SeatRequest("open"))
        row = await opening.open_table(service, bruno.user, TableRequest(game="patrician", options={}, seats=chairs))
        await seating.sit(service, await service.room(row.id), anna.user, 1)
        await until(lambda: f"table:{row.id}" in service.watching)
        service.close()
        await looking
        assert service.watching == {}


OPEN_SEAT = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))


class Costs:
    """Counts how often the lobby is read and rendered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.public = self.own = self.drawn = 0
        read_public, read_own, draw = lists.public_tables, lists.latest_tables, pages.lobby_public

        async def public_tables(*given: Any, **named: Any) -> Any:
            self.public += 1
            return await read_public(*given, **named)

        async def latest_tables(*given: Any) -> Any:
            self.own += 1
            return await read_own(*given)

        def lobby_public(*given: Any) -> Any:
            self.drawn += 1
            return draw(*given)

        monkeypatch.setattr(public_lists, "public_tables", public_tables)
        monkeypatch.setattr(lobby, "latest_tables", latest_tables)
        monkeypatch.setattr(pages, "lobby_public", lobby_public)

    @property
    def all(self) -> tuple[int, int, int]:
        """How often the public lists were read, a user's own lists were read, and the public lists were rendered."""
        return self.public // 3, self.own, self.drawn

    def take(self) -> tuple[int, int, int]:
        """The same counts, which are then reset."""
        taken = self.all
        self.public = self.own = self.drawn = 0
        return taken


async def some_beats(pages: list[bytearray]) -> None:
    """Let several keepalive intervals pass without changes."""
    before = [page.count(b"event: beat") for page in pages]
    await until(lambda: all(page.count(b"event: beat") >= n + 5 for page, n in zip(pages, before, strict=True)))


@in_loop
async def test_public_lists_are_read_and_rendered_once_for_all_viewers(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.05)
        monkeypatch.setattr(public_lists, "REST", 0.1)
        monkeypatch.setattr(lobby, "REST", 0.0)
        costs = Costs(monkeypatch)
        async with open_app(sqlite_url, pace=60_000) as (app, service):
            people = [await arrive(app, f"Anna {place}") for place in range(8)] + [Person(app, None, None)] * 8
            host = people[0].user
            assert host is not None
            sent = [bytearray() for _ in people]
            looking = [
                asyncio.create_task(one.first_event("/lobby/stream", until_ended=True, sent=page))
                for one, page in zip(people, sent, strict=True)
            ]
            await until(lambda: len(app.state.public_lists._viewers) == 16 and all(b"\nid: " in page for page in sent))
            await some_beats(sent)
            assert costs.take() == (1, 8, 1)
            await some_beats(sent)
            assert costs.take() == (0, 0, 0)
            row = await opening.open_table(service, host, OPEN_SEAT)
            await until(lambda: all(row.id.encode() in page for page in sent))
            await some_beats(sent)
            public, own, drawn = costs.take()
            assert (public, drawn) == (1, 2)  # for everybody, and without it for the host, who has it above
            assert 1 <= own <= 2  # the host's
            await table_chat.say(service, await service.room(row.id), host, "Who plays?")
            await until(lambda: costs.own)
            await some_beats(sent)
            assert costs.take() == (0, 1, 0)
            service.close()
            texts = [(await one).decode() for one in looking]
            assert {text.count(f'<h3><a href="/tables/{row.id}"') for text in texts[1:]} == {1}  # each was sent it once
            assert service.watching == {}


@in_loop
async def test_unresponsive_database_does_not_end_live_pages(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(streams, "AGAIN", 0.01)
        monkeypatch.setattr(public_lists, "REST", 0.01)
        monkeypatch.setattr(lobby, "REST", 0.0)
        async with open_app(sqlite_url, pace=60_000) as (app, service):
            anna = await arrive(app, "Anna")
            assert anna.user is not None
            await anna.look("/")  # so that it is known who she is
            read, down, refused, sent = service.database.read, True, 0, bytearray()

            def unread() -> Any:
                nonlocal refused
                if down:
                    refused += 1
                    raise NoConnection("The pool is used up.")
                return read()

            monkeypatch.setattr(service.database, "read", unread)
            looking = asyncio.create_task(anna.first_event("/lobby/stream", until_ended=True, sent=sent))
            await until(lambda: refused > 5)
            down = False
            await opening.open_table(service, anna.user, OPEN_SEAT)
            await until(lambda: b"Anna" in sent)
            service.close()
            await looking


@in_loop
async def test_new_name_appears_at_every_table(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        rooms = [await a_table(service, bruno, "muratore", anna) for _ in range(3)]
        service.settings = Settings(most_tables=2)
        async with service.database.write() as w:
            await tables.change(w.db, rooms[2].row.id, rules="of another day")  # which this server cannot show
        rooms_known = [room.row.id for room in rooms]
        service.rooms.clear()
        del rooms[2:]
        await seating.rename(service, anna.id, "Anna", "Annina")
        assert {(await kept_row(service, table_id)).seats[2].name for table_id in rooms_known} == {"Annina"}
        assert {room.row.seats[2].name for room in rooms} == {"Annina"}


@in_loop
async def test_number_of_tables_per_person_is_limited(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000, most_tables=2) as (app, service):
        host, anna = await arrive(app, "Carla"), await arrive(app, "Anna")
        for _ in range(2):
            await anna.send("/play-now", game="patrician")
        assert host.user is not None
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))
        row = await opening.open_table(service, host.user, wish)
        answers = [await anna.send(f"/tables/{row.id}/sit", seat=1), await anna.send("/play-now", game="patrician")]
        assert [answer.status_code for answer in answers] == [429, 429]
        assert "2 tables" in answers[0].text


@in_loop
async def test_new_password_gives_the_browser_a_new_session(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        before = anna.headers["cookie"]
        answer = await anna.send("/account/password", password="una parola lunga")
        assert 'class="notice good"' in answer.text
        fresh = answer.headers["set-cookie"].partition(";")[0]
        assert fresh != before
        assert (await anna.client.get("/account", headers={"cookie": before})).status_code == 303
        assert (await anna.client.get("/account", headers={"cookie": fresh})).status_code == 200


@in_loop
async def test_local_server_accepts_only_its_own_host_names(sqlite_url: str) -> None:
    async with open_app(sqlite_url, hosts=()) as (app, _):
        anna = await arrive(app)
        for host, status in {
            "127.0.0.1:8420": 200,
            "localhost:8420": 200,
            "[::1]:8420": 200,
            "rebound.example.org:8420": 404,
        }.items():
            for path in ("/", "/metrics"):
                assert (await anna.client.get(path, headers={"host": host})).status_code == status, (host, path)


@in_loop
async def test_table_cannot_be_opened_under_another_persons_name(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, _):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        await anna.send("/account/password", password="una parola lunga")
        seats = {"seat-0": "me", "seat-1": "device", "seat-2": "device", "name-1": "Nonna"}
        for name, says in {"Ánna": "taken", "Nonna": "Another player"}.items():
            answer = await bruno.send("/tables", game="patrician", seats=3, clock=0, **seats, **{"name-2": name})
            assert answer.status_code == 409
            assert says in answer.text


@in_loop
async def test_busy_lobby_shows_all_own_games_and_links_to_the_rest(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user is not None
        chairs = (SeatRequest("me"), SeatRequest("open"))
        rows = [
            await opening.open_table(service, anna.user, TableRequest(game=game, options={}, seats=chairs))
            for game in ("patrician", "il-principe")
            for _ in range(15)
        ]
        lobby = (await anna.look("/")).text
        assert all(f"/tables/{row.id}" in lobby for row in rows)
        assert 'href="/tables?of=mine"' in lobby
        path, found = "/tables?of=open", set[str]()
        while path:
            page = (await bruno.look(path)).text
            found |= {row.id for row in rows if f"/tables/{row.id}" in page}
            path = next(map(unescape, re.findall(r'href="([^"]*)" rel="next"', page)), "")
        assert found == {row.id for row in rows}
        page = (await bruno.look("/tables?of=open&game=il-principe&player=ANNA")).text
        assert [row.id for row in rows if f"/tables/{row.id}" in page] == [row.id for row in rows[15:]]
        assert 'id="notice"' in (await bruno.look("/tables?player=Carlo")).text
        assert "/tables/" + rows[0].id not in (await bruno.look("/tables?of=mine")).text
        for wrong in ("of=theirs", "game=chess", "after=yesterday"):
            answer = await bruno.look(f"/tables?{wrong}")
            assert answer.status_code == 422 and wrong.partition("=")[2] in answer.text


@in_loop
async def test_ducats_are_hidden_unless_the_card_tracker_is_on(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, _):
        anna = await arrive(app, "Anna")
        chairs = {"seat-0": "me", "seat-1": "muratore", "seat-2": "muratore"}
        for game, agreed, shown in (
            ("il-principe", {}, False),
            ("il-principe", {"aid": "on"}, True),
            ("patrician", {}, False),
            ("patrician", {"aid": "on"}, True),
        ):
            opened = await anna.send("/tables", game=game, seats=3, clock=0, **chairs, **agreed)
            table = (await anna.look(opened.headers["location"])).text
            assert ('id="remembered"' in table) is shown
            assert (table.count(">?<span") == 2) is (game == "il-principe" and not shown)
        for game, usual in (("il-principe", False), ("patrician", True)):
            form = (await anna.look(f"/tables/new?game={game}")).text
            assert ('name="aid" value="on" checked' in form) is usual
