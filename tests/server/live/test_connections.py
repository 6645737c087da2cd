"""Live pages end when their user signs out, even if this process was not notified."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete
from starlette.applications import Starlette
from starlette.datastructures import Headers

from signoria.server.live import missed_changes, streams
from signoria.server.pages import tables
from signoria.server.people import blocking
from signoria.server.people import sessions as sessions_module
from signoria.server.people.sessions import Identity
from signoria.server.play.page_models import page_version
from signoria.server.play.service import TableService
from signoria.store import blocks
from signoria.store.schema import sessions, tokens
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import until


def listening(person: Person) -> "asyncio.Task[bytes]":
    """A lobby page that stays open until the server ends it."""
    return asyncio.create_task(person.first_event("/lobby/stream", until_ended=True))


async def opened(app: Starlette, count: int) -> None:
    async with asyncio.timeout(30):
        while len(app.state.stream_limiter) != count:
            await asyncio.sleep(0.002)


async def miss(service: TableService, *, of: Person) -> None:
    """A user signs out in another process while this one cannot listen."""
    assert of.user is not None
    async with service.database.write() as w:
        for credentials in (sessions, tokens):
            await w.db.execute(delete(credentials).where(credentials.c.user_id == of.user.id))
    service.database._tell_of_others("*")


@in_loop
async def test_after_missed_notifications_only_pages_of_signed_out_people_end(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(missed_changes, "EVERY", 3600.0)  # which would find it too, later
    async with open_app(sqlite_url) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        program = Person(app, anna.user, None)
        _, secret = await app.state.accounts.make_token(await who(app, anna), "bot")
        program.headers["authorization"] = f"Bearer {secret}"
        pages = [listening(person) for person in (anna, program, bruno, Person(app, None, None))]
        await opened(app, 4)
        await miss(service, of=anna)
        await asyncio.wait_for(asyncio.gather(*pages[:2]), 30)
        await opened(app, 2)
        assert not any(page.done() for page in pages[2:])
        service.close()
        await asyncio.gather(*pages[2:])


@in_loop
async def test_idle_live_table_does_not_query_its_viewer(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.01)
        monkeypatch.setattr(sessions_module, "REMEMBERED", 0)
        fetched = asked = 0
        ask = sessions_module.Sessions.authenticate

        def counted_version(*given: Any) -> str:
            nonlocal fetched
            fetched += 1
            return page_version(*given)

        async def counted_ask(*given: Any, **named: Any) -> Any:
            nonlocal asked
            asked += 1
            return await ask(*given, **named)

        async with open_app(sqlite_url, pace=60_000) as (app, service):
            anna = await arrive(app, "Anna")
            table = (await anna.send("/play-now", game="patrician")).headers["location"]
            monkeypatch.setattr(tables, "page_version", counted_version)
            monkeypatch.setattr(sessions_module.Sessions, "authenticate", counted_ask)
            page = asyncio.create_task(anna.first_event(f"{table}/stream", until_ended=True))
            await until(lambda: fetched > 5)
            assert asked == 1  # when it came
            service.close()
            await page


@in_loop
async def test_live_table_ends_when_its_viewer_blocks_or_unblocks_a_person(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user is not None and bruno.user is not None
        table = (await anna.send("/play-now", game="patrician")).headers["location"]
        for blocked in (True, False):
            page = asyncio.create_task(anna.first_event(f"{table}/stream", until_ended=True))
            await opened(app, 1)
            if blocked:
                await blocking.block(service, anna.user, bruno.user.id)
            else:
                async with service.database.read() as db:
                    [block] = await blocks.blocks_of(db, anna.user.id)
                await blocking.unblock(service, anna.user, block.id)
            assert (await asyncio.wait_for(page, 30)).endswith(b": closing\n\n")


async def who(app: Starlette, person: Person) -> Identity:
    found: Identity = (await app.state.sessions.authenticate(Headers(person.headers))).identity
    return found
