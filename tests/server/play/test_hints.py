"""Hints use only what a seat sees, are shown only to that seat, and do not exist in rated games."""

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.requests import ClientDisconnect, Request

from signoria.bots import Considered, Explanation
from signoria.server.errors import Conflict, NotAllowed, Unavailable
from signoria.server.pages.common import cancel_on_disconnect
from signoria.server.play import hints
from signoria.server.play.hints import HintRequester
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.server.settings import rate
from signoria.store import duties, ratings
from tests.databases import in_loop
from tests.server.application import UNLIMITED, arrive, open_app
from tests.server.services import LEVEL, a_person, a_service, a_table, legal, make, make_step, play, turn_of, until

ASKER = HintRequester("somebody")


class Adviser:
    """Answers at once, and records the views it was shown."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.given_up = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def __call__(self, view: Any, _asker: HintRequester) -> Explanation:
        self.shown.append(view)
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        weights = (0.7, 0.26, 0.04)
        looked = tuple(Considered(step, weight, 0.5, 9.0) for step, weight in zip(view.legal, weights, strict=False))
        return Explanation(view.seat, looked, "", (0.5, 0.5), (9.0, 9.0), 100, 0.1)


async def games_rated(service: TableService, room: Room, user_id: str) -> int:
    async with service.database.read() as db:
        found = await ratings.ratings_for(db, room.row.game, [user_id])
    return found[user_id].games if user_id in found else 0


@in_loop
async def test_hint_is_cached_for_its_seat_while_the_position_lasts(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        people = [await arrive(app, "Anna"), await arrive(app, "Bruno")]
        room = await a_table(service, *(person.user for person in people if person.user), rated=False)
        adviser = app.state.scheduler.bot_turns.consider = Adviser()
        seat, here = turn_of(room), f"/tables/{room.row.id}"
        asking, other = people[seat], people[1 - seat]
        page = (await asking.look(here)).text
        assert 'id="ask-hint"' in page
        assert 'id="hint"' not in page
        assert 'id="ask-hint"' not in (await other.look(here)).text
        for _ in range(2):
            answer = await asking.send(f"{here}/hint", script=True, seat=seat)
            assert answer.status_code == 200
            assert "Architetto suggests" in answer.text
            assert "70%" in answer.text
            assert "4%" not in answer.text
        assert len(adviser.shown) == 1
        assert adviser.shown[0].seat == seat
        assert 'id="hint"' in (await asking.look(here)).text
        assert 'id="hint"' not in (await other.look(here)).text
        assert (await other.send(f"{here}/hint", script=True, seat=seat)).status_code == 403
        refused = await other.send(f"{here}/hint", script=True, seat=1 - seat)
        assert refused.status_code == 409
        await make_step(service, room, seat, room.n, legal(room)[0])
        assert 'id="hint"' not in (await asking.look(here)).text


@in_loop
async def test_late_hint_is_not_shown(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"), rated=False)
        adviser, seat = Adviser(), turn_of(room)
        adviser.may_answer.clear()
        asked = asyncio.create_task(hints.give_hint(room, seat, ASKER, adviser))
        await asyncio.sleep(0)
        await make_step(service, room, seat, room.n, legal(room)[0])
        adviser.may_answer.set()
        await asked
        assert room.cached_hints == {}


@in_loop
async def test_refused_hint_does_not_make_a_rated_game_friendly(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, LEVEL)
        while turn_of(room) != 0:
            await make(service, room, legal(room)[0])
        with pytest.raises(NotAllowed):
            await hints.give_hint(room, 0, ASKER, Adviser())
        await play(service, room, Random(3))
        assert await games_rated(service, room, anna.id) == 1


@in_loop
async def test_no_hints_at_tables_without_hints(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        rated = await a_table(service, anna, bruno)
        without = await a_table(service, anna, bruno, rated=False, hints=False)
        alone = await a_table(service, anna, LEVEL)
        for room, sentence in ((rated, "Rated"), (alone, "Rated"), (without, "off at this table")):
            with pytest.raises(NotAllowed, match=sentence):
                await hints.give_hint(room, turn_of(room), ASKER, Adviser())
        friendly = await a_table(service, anna, bruno, rated=False)
        with pytest.raises(Conflict, match="your turn"):
            await hints.give_hint(friendly, 1 - turn_of(friendly), ASKER, Adviser())


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
@in_loop
async def test_hint_comes_from_the_strongest_bot(sqlite_url: str, game: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(service, anna.user, "garzone", game=game, rated=False)
        async with asyncio.timeout(60):
            while room.row.turn != 0:
                await room.next_change()
        answer = await anna.send(f"/tables/{room.row.id}/hint", script=True, seat=0)
        assert answer.status_code == 200
        assert "Architetto suggests" in answer.text


@in_loop
async def test_same_hint_is_computed_once_and_cancelled_with_its_last_caller(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"), rated=False)
        adviser, seat = Adviser(), turn_of(room)
        adviser.may_answer.clear()
        asked = [asyncio.create_task(hints.give_hint(room, seat, ASKER, adviser)) for _ in range(3)]
        await until(lambda: adviser.shown)
        asked[0].cancel()
        await asyncio.wait(asked[:1])
        adviser.may_answer.set()
        await asyncio.gather(*asked[1:])
        assert len(adviser.shown) == 1
        assert room.cached_hints[seat].hint is not None
        room.cached_hints.clear()
        adviser.may_answer.clear()
        alone = asyncio.create_task(hints.give_hint(room, seat, ASKER, adviser))
        await until(lambda: len(adviser.shown) == 2)
        alone.cancel()
        await asyncio.wait([alone])
        await until(lambda: adviser.given_up == 1)
        assert room.pending_hints == {}


@in_loop
async def test_refused_hint_says_when_to_ask_again(sqlite_url: str) -> None:
    async def full(_view: Any, _asker: HintRequester) -> Explanation:
        raise Unavailable("Too many people are waiting for a hint.", 30)

    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(service, anna.user, LEVEL, rated=False)
        while turn_of(room) != 0:
            await make(service, room, legal(room)[0])
        app.state.scheduler.bot_turns.consider = full
        answer = await anna.send(f"/tables/{room.row.id}/hint", script=True, seat=0)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
        assert "Too many people are waiting for a hint." in answer.text


@in_loop
async def test_hint_that_crashed_the_server_twice_is_not_tried_again(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        room = await a_table(service, anna.user, LEVEL, rated=False)
        while turn_of(room) != 0:
            await make(service, room, legal(room)[0])
        app.state.scheduler.bot_turns.consider = adviser = Adviser()
        async with service.database.write() as w:  # as after two crashed processes
            for _ in range(2):
                await duties.count_attempts(w.db, [room.row.id])
        refused = await anna.send(f"/tables/{room.row.id}/hint", script=True, seat=0)
        assert refused.status_code == 503
        assert adviser.shown == []
        await make(service, room, legal(room)[0])
        while turn_of(room) != 0:
            await make(service, room, legal(room)[0])
        assert (await anna.send(f"/tables/{room.row.id}/hint", script=True, seat=0)).status_code == 200
        async with service.database.read() as db:
            assert await duties.attempts_at(db, room.row.id) == 0


@in_loop
async def test_hints_are_limited_per_address_too(sqlite_url: str) -> None:
    rates = msgspec.structs.replace(UNLIMITED, hints_here=rate("1/h up to 1"))
    async with open_app(sqlite_url, pace=60_000, rates=rates) as (app, service):
        statuses = []
        for name in ("Anna", "Bruno"):
            guest = await arrive(app, name)
            assert guest.user is not None
            room = await a_table(service, guest.user, LEVEL, rated=False)
            while turn_of(room) != 0:
                await make(service, room, legal(room)[0])
            app.state.scheduler.bot_turns.consider = Adviser()
            answer = await guest.send(f"/tables/{room.row.id}/hint", script=True, seat=0)
            statuses.append(answer.status_code)
            assert service.addresses.of(guest.user.id) == "127.0.0.1"
        assert statuses == [200, 429]
        assert int(answer.headers["retry-after"]) > 60


@in_loop
async def test_others_at_the_same_address_do_not_wait_for_a_hint(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000, most_requests=1) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user is not None
        room = await a_table(service, anna.user, LEVEL, rated=False)
        while turn_of(room) != 0:
            await make(service, room, legal(room)[0])
        app.state.scheduler.bot_turns.consider = adviser = Adviser()
        adviser.may_answer.clear()
        asked = asyncio.create_task(anna.send(f"/tables/{room.row.id}/hint", script=True, seat=0))
        await until(lambda: bool(adviser.shown))
        looked = asyncio.create_task(bruno.look("/"))
        await until(looked.done)
        assert looked.result().status_code == 200
        adviser.may_answer.set()
        assert (await asked).status_code == 200


@pytest.mark.parametrize("hangs_up", [True, False])
@in_loop
async def test_hint_is_cancelled_when_the_client_hangs_up(hangs_up: bool) -> None:
    ended, may_go = [], asyncio.Event()

    async def work() -> str:
        try:
            await (asyncio.Event().wait() if hangs_up else asyncio.sleep(0))
        finally:
            ended.append(1)
        return "done"

    async def receive() -> Any:
        if not hangs_up:
            await may_go.wait()
        return {"type": "http.disconnect"}

    request = Request({"type": "http", "method": "POST", "path": "/", "headers": []}, receive)
    if hangs_up:
        with pytest.raises(ClientDisconnect):
            await cancel_on_disconnect(request, work())
    else:
        assert await cancel_on_disconnect(request, work()) == "done"
    assert ended == [1]
