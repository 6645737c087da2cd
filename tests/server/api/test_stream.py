"""A stream sends every event once and in order, at any time and in any process."""

import asyncio
import random
from functools import partial
from typing import Any

import pytest

from signoria.server.api import stream
from signoria.server.play.room import Room
from signoria.store import messages
from signoria.store.messages import MessageRow
from tests.databases import in_loop
from tests.server.api.clients import BOT, ME, Heard, Listener, Program, new_app, play, served, service_of

OPEN = {"kind": "open"}


def over(heard: list[Heard]) -> bool:
    return bool(heard) and heard[-1].name == "table" and heard[-1].data["state"] == "over"


def asked_at(n: int, heard: list[Heard]) -> bool:
    return bool(heard) and heard[-1].name == "turn" and heard[-1].data["n"] == n


async def eventful(anna: Program) -> str:
    """A finished game with undo, absence and chat."""
    table, rng = await anna.open("patrician", (ME, BOT)), random.Random(3)
    room = await service_of(anna.app).room(table)
    for turn in range(4):
        await play(anna, table, 0, rng, steps=1)
        await anna.post(f"/tables/{table}/chat", {"text": f"turn {turn}"})
        if room.position and room.position.table.may_undo == 0:
            undo = await anna.ask("POST", f"/tables/{table}/undo", json={"seat": 0, "n": room.n})
            assert undo.status_code in (200, 409)
    await anna.post(f"/tables/{table}/leave", {"seat": 0})
    await anna.post(f"/tables/{table}/return", {"seat": 0})
    await play(anna, table, 0, rng)
    return table


@in_loop
async def test_stream_of_a_finished_game_starts_at_the_beginning(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna, nobody = await program("Anna"), await program()
        table = await eventful(anna)
        heard = await Listener(nobody, f"/tables/{table}/events").until(over)
        steps = [event for event in heard if event.name in ("step", "undo")]
        room = await service_of(anna.app).room(table)
        assert [event.data["n"] for event in steps] == list(range(1, room.n + 1))
        assert {"undo", "step", "chat", "table"} == {event.name for event in heard}
        assert room.position is not None
        standing = [event for event in steps if event.name == "step"]
        for event in steps:
            if event.name == "undo":
                standing.remove([one for one in standing if one.data["n"] < event.data["n"]][-1])
        assert [[said["says"] for said in event.data["events"]] for event in standing] == [
            [str(happened) for happened in told.events] for told in room.position.log
        ]
        assert heard[-1].data["result"]["winners"] and heard[-1].data["seed"]
        assert steps[-1].data["turn"] is None


@in_loop
async def test_stream_continues_exactly_after_any_event(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await eventful(anna)
        whole = list(await Listener(anna, f"/tables/{table}/events").until(over))
        assert len({event.id for event in whole}) == len(whole)
        for place in random.Random(5).sample(range(len(whole) - 1), 12):
            rest = await Listener(anna, f"/tables/{table}/events", last=whole[place].id).until(over)
            assert rest == whole[place + 1 :]
        after = Listener(anna, f"/tables/{table}/events", query=f"after={whole[-2].id}")
        assert await after.until(over) == whole[-1:]


@in_loop
async def test_reconnecting_listener_gets_the_same_events_as_a_permanent_one(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna, nobody, rng = await program("Anna"), await program(), random.Random(8)
        table = await anna.open("il-principe", (ME, BOT, BOT))
        stays = Listener(nobody, f"/tables/{table}/events")
        playing = asyncio.ensure_future(play(anna, table, 0, rng))
        pieces: list[Heard] = []
        while not over(pieces):
            goes = Listener(nobody, f"/tables/{table}/events", last=pieces[-1].id if pieces else "")
            await goes.until(lambda heard: len(heard) > rng.randrange(30) or over(heard))
            pieces += await goes.hang_up()
        await playing
        whole = await stays.until(over)
        assert [event for event in pieces if event.name != "table"] == [e for e in whole if e.name != "table"]
        assert pieces[-1] == whole[-1]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_stream_continues_after_a_restart(kind: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("sqlite_url" if kind == "sqlite" else "postgres_url")

    @in_loop
    async def run() -> None:
        async with served(new_app(url)) as program:
            anna = await program("Anna")
            table = await anna.open("patrician", (ME, ME))
            facts = await anna.get(f"/tables/{table}")
            listener = Listener(anna, f"/tables/{table}/events")
            for seat in (facts["turn"],):
                await play(anna, table, seat, random.Random(1), steps=2)
            await anna.post(f"/tables/{table}/chat", {"text": "before"})
            heard = list(await listener.until(lambda all_: all_[-1:] != [] and all_[-1].name == "chat"))
        assert listener.ended
        async with served(new_app(url)) as program:
            nobody = await program()
            again = anna._replace(app=nobody.app, http=nobody.http)
            again.http.headers["Authorization"] = f"Bearer {anna.token}"
            await again.post(f"/tables/{table}/chat", {"text": "after"})
            listener = Listener(nobody, f"/tables/{table}/events", last=heard[-1].id)
            rest = await listener.until(len)  # type: ignore[arg-type]
            assert [(event.name, event.data["text"]) for event in rest] == [("chat", "after")]
            whole = Listener(nobody, f"/tables/{table}/events")
            assert [e for e in await whole.until(lambda all_: len(all_) > len(heard)) if e.name != "table"] == [
                event for event in [*heard, *rest] if event.name != "table"
            ]

    run()


@in_loop
async def test_stream_continues_in_another_process(postgres_url: str) -> None:
    one, two = new_app(postgres_url), new_app(postgres_url)
    async with served(one) as program, served(two) as elsewhere:
        anna, nobody = await program("Anna"), await elsewhere()
        table = await anna.open("patrician", (ME, ME))
        turn = (await anna.get(f"/tables/{table}"))["turn"]
        there = Listener(nobody, f"/tables/{table}/events")
        await there.until(len)  # type: ignore[arg-type]
        here = Listener(anna, f"/tables/{table}/events")
        await play(anna, table, turn, random.Random(1), steps=2)
        await here.until(lambda heard: len(heard) >= 3)
        last = here.heard[1].id
        rest = await Listener(nobody, f"/tables/{table}/events", last=last).until(lambda heard: len(heard) >= 1)
        assert rest[0] == here.heard[2]
        assert (await there.until(lambda heard: len(heard) >= 3))[1:] == here.heard[1:]


@in_loop
async def test_simultaneous_messages_in_two_processes_are_sent_once_in_one_order(postgres_url: str) -> None:
    async with served(new_app(postgres_url)) as program, served(new_app(postgres_url)) as elsewhere:
        anna, there = await program("Anna"), await elsewhere("Bruno")
        table = await anna.open("patrician", (ME, OPEN))
        listeners = [Listener(listener, f"/tables/{table}/events") for listener in (anna, there)]
        await asyncio.gather(
            *(one.post(f"/tables/{table}/chat", {"text": str(number)}) for number in range(30) for one in (anna, there))
        )
        first, second = [
            [event.data["id"] for event in await listener.until(lambda all_: len(all_) > 60) if event.name == "chat"]
            for listener in listeners
        ]
        assert first == second == sorted(set(first)) and len(first) == 60


@in_loop
async def test_seat_gets_an_event_on_its_turn(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna, bruno = await program("Anna"), await program("Bruno")
        table = await anna.open("patrician", (ME, OPEN))
        await bruno.post(f"/tables/{table}/sit", {"seat": 1})
        hers = Listener(anna, f"/tables/{table}/events", query="seat=0")
        his = Listener(bruno, f"/tables/{table}/events", query="seat=1")
        await anna.post(f"/tables/{table}/start")
        rng = random.Random(4)
        room = await service_of(anna.app).room(table)
        while room.row.state == "playing":
            seat = room.row.turn
            assert seat is not None
            program_, listener = ((anna, hers), (bruno, his))[seat]
            heard = await listener.until(partial(asked_at, room.n))
            await program_.post(
                f"/tables/{table}/steps", {"seat": seat, "n": room.n, "step": rng.choice(heard[-1].data["legal"])}
            )
        for listener, seat in ((hers, 0), (his, 1)):
            turns = [event for event in await listener.until(over) if event.name == "turn"]
            assert len({event.data["n"] for event in turns}) == len(turns)
            assert {event.data["seat"] for event in turns} == {seat}
        nothing_new = Listener(anna, f"/tables/{table}/events", last=hers.heard[-1].id, query="seat=0")
        await asyncio.sleep(0.1)
        assert await nothing_new.hang_up() == []


@pytest.mark.parametrize("page", [10, stream.PAGE])
@in_loop
async def test_long_chat_is_streamed_completely_in_batches(
    sqlite_url: str, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "PAGE", page)
    read, pages = messages.messages_after, []

    async def messages_after(*given: Any) -> list[MessageRow]:
        pages.append(await read(*given))
        return pages[-1]

    monkeypatch.setattr(messages, "messages_after", messages_after)
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, OPEN))
        for number in range(130):
            await anna.post(f"/tables/{table}/chat", {"text": str(number)})
        heard = await Listener(anna, f"/tables/{table}/events").until(lambda all_: len(all_) > 130)
        assert [event.data["text"] for event in heard if event.name == "chat"] == [str(number) for number in range(130)]
        assert max(map(len, pages)) <= page


@in_loop
async def test_stream_can_start_from_now(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, ME))
        facts = await anna.get(f"/tables/{table}")
        await play(anna, table, facts["turn"], random.Random(2), steps=1)
        facts = await anna.get(f"/tables/{table}")
        listener = Listener(anna, f"/tables/{table}/events", query=f"after={facts['event']}")
        await anna.post(f"/tables/{table}/chat", {"text": "now"})
        assert [event.name for event in await listener.until(len)] == ["chat"]  # type: ignore[arg-type]


@in_loop
async def test_invalid_event_ids_are_rejected(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        path = f"/tables/{await anna.open('patrician', (ME, ME))}/events"
        for last in ("x", "1", "1.2.3", "-1.0.0.0", "1.1.1.1.1", "999999.0.0.0", "1.1.1.1 "):
            problem = await anna.refused("GET", path, 422, headers={"Last-Event-ID": last})
            assert problem["field"] == "Last-Event-ID"
        assert (await anna.refused("GET", f"{path}?after=x", 422))["field"] == "after"
        assert (await anna.ask("HEAD", path)).status_code == 200


@in_loop
async def test_open_streams_are_counted_and_released(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url, most_streams=2)) as program:
        anna = await program("Anna")
        path = f"/tables/{await anna.open('patrician', (ME, ME))}/events"
        listeners = [Listener(anna, path) for _ in range(3)]
        for listener in listeners[:2]:
            await listener.until(len)  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        assert sorted(listener.status for listener in listeners) == [200, 200, 429]
        for listener in listeners:
            await listener.hang_up()
        assert len(anna.app.state.stream_limiter) == 0
        room: Room = next(iter(service_of(anna.app).rooms.values()))
        assert not room.viewers
