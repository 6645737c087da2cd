"""The public lists of the lobby: read again when they changed, without end or rest only where something is wrong."""

import asyncio
from typing import Any

import pytest

from signoria.server.lobby import public_lists, seating
from signoria.server.lobby.public_lists import PublicLists, PublicListsSnapshot
from signoria.server.lobby.seating import SeatRequest, TableRequest
from signoria.server.play.service import TableService
from signoria.store import lists as store_lists
from signoria.store import tables
from signoria.store.tables import TableRow
from tests.databases import in_loop
from tests.server.services import a_person, a_service, until

OPEN_SEAT = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))
MANY = 50


async def an_open_table(service: TableService) -> TableRow:
    return await seating.open_table(service, await a_person(service), OPEN_SEAT)


async def set_clock(service: TableService, row: TableRow, clock: int) -> None:
    """Change what the lists show of a table without telling anybody."""
    async with service.database.write() as w:
        await tables.change(w.db, row.id, clock=clock)


@in_loop
async def test_the_lists_are_read_at_most_twice_however_much_changes_meanwhile(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with a_service(sqlite_url) as service:
            lists, read, readings = PublicLists(service), store_lists.public_tables, 0

            async def public_tables(*given: Any) -> Any:
                nonlocal readings
                readings += 1
                assert readings < MANY
                lists._hear("lobby")
                return await read(*given)

            monkeypatch.setattr(public_lists, "public_tables", public_tables)
            await lists.current()
            assert readings == 3  # one of each list
            await asyncio.gather(lists.current(), lists.current())
            assert readings == 6


@in_loop
async def test_whoever_asks_just_when_the_lists_were_read_lets_others_run(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with a_service(sqlite_url) as service:
            lists, shield, shields = PublicLists(service), asyncio.shield, 0
            asking: list[asyncio.Task[PublicListsSnapshot]] = []

            class Part(PublicListsSnapshot):
                def __init__(self, *given: Any) -> None:
                    super().__init__(*given)
                    if not asking:  # comes between the end of the task and what follows from its end
                        lists._hear("lobby")
                        asking.append(asyncio.create_task(lists.current()))

            def counted(*given: Any) -> Any:
                nonlocal shields
                shields += 1
                assert shields < MANY
                return shield(*given)

            monkeypatch.setattr(public_lists, "PublicListsSnapshot", Part)
            monkeypatch.setattr(asyncio, "shield", counted)
            await lists.current()
            await asking[0]


@in_loop
async def test_those_who_look_are_told_after_any_error(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(public_lists, "REST", 0.01)
        async with a_service(sqlite_url) as service:
            lists, changed = PublicLists(service), asyncio.Event()
            await lists.current()
            read, failures = store_lists.public_tables, 0

            async def public_tables(*given: Any) -> Any:
                nonlocal failures
                if failures < 3:
                    failures += 1
                    raise RuntimeError("something nobody thought of")
                return await read(*given)

            with lists.viewing(changed):
                await until(lambda: not lists._heard.is_set())
                changed.clear()
                monkeypatch.setattr(public_lists, "public_tables", public_tables)
                await an_open_table(service)
                await until(changed.is_set)
                assert failures == 3


@in_loop
async def test_an_ended_task_that_tells_is_started_again_by_the_next_who_looks(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        lists, changed = PublicLists(service), asyncio.Event()
        await lists.current()
        with lists.viewing(asyncio.Event()):
            assert lists._telling is not None
            lists._telling.cancel()
            await asyncio.wait([lists._telling])
            with lists.viewing(changed):
                await an_open_table(service)
                await until(changed.is_set)


@in_loop
async def test_the_first_who_looks_is_told_of_moves_that_were_made_before(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(public_lists, "REST", 60.0)
        async with a_service(sqlite_url) as service:
            lists, changed, row = PublicLists(service), asyncio.Event(), await an_open_table(service)
            known = await lists.current()
            await set_clock(service, row, 60)
            lists._hear(f"table:{row.id}")
            with lists.viewing(changed):
                assert lists.shown() is known  # as a page gets it that comes back with the id of this version
                await until(changed.is_set)
                assert lists.shown() is not known


@in_loop
async def test_lists_that_become_what_they_were_before_are_told_too(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(public_lists, "REST", 0.01)
        async with a_service(sqlite_url) as service:
            lists, changed, row = PublicLists(service), asyncio.Event(), await an_open_table(service)
            first = await lists.current()
            with lists.viewing(changed):
                lists._hear("lobby")
                await until(changed.is_set)
                await set_clock(service, row, 60)
                lists._changes += 1
                assert (await lists.current()).version != first.version  # read by somebody who opened the page
                changed.clear()
                await set_clock(service, row, 0)
                lists._hear("lobby")
                await until(changed.is_set)
                assert (await lists.current()).version == first.version
