"""With a full or failing disk the server answers 503, loses no step, and recovers afterwards."""

import asyncio
from html import unescape
from random import Random

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest
from sqlalchemy.exc import DBAPIError

from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.server.run import heartbeat
from signoria.store.trouble import is_trouble
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_person, a_service, a_step, a_table, check_kept, make, turn_of
from tests.store.faults import Faults

SAYS = "the server's disk is full, so it cannot save anything"


async def at_table(service: TableService, *people: Person) -> Room:
    users = [person.user for person in people]
    return await a_table(service, *[user for user in users if user])


async def send_step(room: Room, people: list[Person], api: bool) -> tuple[int, str, str | None]:
    """Make a step for the seat whose turn it is; return status, text and Retry-After."""
    seat, step = turn_of(room), a_step(room, Random(1))
    if api:
        body = {"seat": seat, "n": room.n, "step": msgspec.to_builtins(step)}
        answer = await people[seat].client.post(f"/api/v1/tables/{room.row.id}/steps", json=body)
    else:
        encoded = msgspec.json.encode(step).decode()
        answer = await people[seat].send(f"/tables/{room.row.id}/steps", script=True, seat=seat, n=room.n, step=encoded)
    return answer.status_code, unescape(answer.text), answer.headers.get("retry-after")


async def health(person: Person) -> tuple[int, str]:
    answer = await person.look("/healthz")
    return answer.status_code, answer.json()["database"]


@pytest.mark.parametrize("api", [False, True], ids=["page", "api"])
@in_loop
async def test_full_disk_is_reported_and_play_continues_when_there_is_room(sqlite_url: str, api: bool) -> None:
    with Faults().installed() as faults, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(heartbeat, "AGAIN", 0.0)
        async with open_app(sqlite_url) as (app, service):
            people = [await arrive(app, name) for name in ("Anna", "Bruno")]
            room = await at_table(service, *people)
            assert (await send_step(room, people, api))[0] == 200
            assert await health(people[0]) == (200, "ok")
            n = room.n
            for point in ("SAVEPOINT", "INSERT", "UPDATE", "RELEASE", "COMMIT", "BEGIN"):
                faults.fail_always(point)
                status, text, again = await send_step(room, people, api)
                assert (status, again) == (503, "30"), point
                assert SAYS in text
                assert (await people[0].look(f"/tables/{room.row.id}")).status_code == 200, "looking is possible"
                assert (await health(people[0]))[0] == 503, point
                faults.mend()
                assert await health(people[0]) == (200, "ok"), "without a restart, and though nobody has written"
                assert room.n == n
            assert (await send_step(room, people, api))[0] == 200
            assert room.n > n
            await check_kept(service, room)


@in_loop
async def test_health_check_fails_while_the_disk_is_full(sqlite_url: str) -> None:
    """As with a really full disk: rows can be changed but not added."""
    with Faults().installed() as faults, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(heartbeat, "AGAIN", 0.0)
        async with open_app(sqlite_url) as (app, service):
            people = [await arrive(app, name) for name in ("Anna", "Bruno")]
            room = await at_table(service, *people)

            faults.limit_room(0)
            text = "x" * 400
            said = {(await people[0].send(f"/tables/{room.row.id}/chat", text=text)).status_code for _ in range(40)}
            assert said == {303, 503}
            assert await health(people[0]) == (503, "cannot be written")
            assert await health(people[0]) == (503, "cannot be written"), "a change of what is there proves nothing"
            faults.limit_room(1000)
            assert await health(people[0]) == (200, "ok")
            assert (await people[0].send(f"/tables/{room.row.id}/chat", text=text)).status_code == 303
            await check_kept(service, room)


@in_loop
async def test_health_check_writes_when_nothing_else_does(sqlite_url: str) -> None:
    with Faults().installed() as faults, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(heartbeat, "PROVED", 0.0)
        monkeypatch.setattr(heartbeat, "AGAIN", 0.0)
        async with open_app(sqlite_url) as (app, _):
            person = Person(app, None, None)
            assert await health(person) == (200, "ok")
            faults.fail_always("COMMIT", error="SQLITE_IOERR")
            assert await health(person) == (503, "cannot be written")
            faults.mend()
            assert await health(person) == (200, "ok")
            monkeypatch.setattr(heartbeat, "PROVED", 30.0)
            faults.fail_at(0)
            await asyncio.gather(*(health(person) for _ in range(20)))
            assert "COMMIT" not in faults.calls, "whoever asks often makes nobody write often"


@in_loop
async def test_game_continues_after_each_sqlite_call_failed_once(sqlite_url: str) -> None:
    """Every call of a step, with and without SQLite abandoning the transaction."""
    with Faults().installed() as faults:
        async with a_service(sqlite_url) as service:
            room, rng = (
                await a_table(service, await a_person(service, "Anna"), await a_person(service, "Bruno")),
                Random(4),
            )
            faults.fail_at(0)
            await make(service, room, a_step(room, rng))
            points = len(faults.calls)
            assert points >= 6
            for number in range(1, points + 1):
                for gives_up in (False, True):
                    n = room.n
                    faults.fail_at(number, error="SQLITE_IOERR", gives_up=gives_up)
                    try:
                        await make(service, room, a_step(room, rng))
                    except DBAPIError as error:
                        assert is_trouble(error)
                        assert room.n == n
                    else:
                        assert room.n > n
                    await service.refresh(room)
                    await check_kept(service, room)
                    faults.fail_at(0)
                    await make(service, room, a_step(room, rng))
                    await check_kept(service, room)


@in_loop
async def test_read_only_postgresql_is_reported_and_play_continues_afterwards(postgres_url: str) -> None:
    """As after a switch to a standby: connections are cut, and new ones cannot write."""

    async def only_read(on: str) -> None:
        admin = await asyncpg.connect(postgres_url)
        try:
            await admin.execute("SET default_transaction_read_only = off")
            name = await admin.fetchval("SELECT current_database()")
            await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {on}")
            await admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
                name,
            )
        finally:
            await admin.close()

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(heartbeat, "AGAIN", 0.0)
        async with open_app(postgres_url) as (app, service):
            people = [await arrive(app, name) for name in ("Anna", "Bruno")]
            room = await at_table(service, *people)
            assert (await send_step(room, people, api=True))[0] == 200
            n = room.n
            await only_read("on")
            status, text, again = await send_step(room, people, api=True)
            assert (status, again, room.n) == (503, "30", n)
            assert "the server cannot write to its disk" in text
            assert await health(people[0]) == (503, "cannot be written")
            await only_read("off")
            assert await health(people[0]) == (200, "ok")
            assert (await send_step(room, people, api=True))[0] == 200
            await check_kept(service, room)
