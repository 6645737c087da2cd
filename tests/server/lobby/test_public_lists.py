"""The public lists of the lobby are read again only after a change."""

import asyncio
from typing import Any

import pytest

from signoria.server.lobby import opening, public_lists
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.lobby.public_lists import PublicLists, PublicListsSnapshot
from signoria.server.play.service import TableService
from signoria.store import lists as store_lists
from signoria.store import tables
from signoria.store.tables import TableRow
from tests.databases import in_loop
from tests.server.services import a_person, a_service, until

OPEN_SEAT = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))
MANY = 50


async def an_open_table(service: TableService) -> TableRow:
    return await opening.open_table(service, await a_person(service), OPEN_SEAT)


async def set_clock(service: TableService, row: TableRow, clock: int) -> None:
    """Change a table in the lists without a notification."""
    async with service.database.write() as w:
        await tables.change(w.db, row.id, clock=clock)


@in_loop
async def test_lists_are_read_at_most_twice_despite_many_changes(sqlite_url: str) -> None:
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
async def test_asking_for_fresh_lists_still_yields_to_other_tasks(sqlite_url: str) -> None:
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
async def test_viewers_are_notified_after_any_error(sqlite_url: str) -> None:
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
async def test_ended_notifier_task_is_restarted_by_the_next_viewer(sqlite_url: str) -> None:
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
async def test_first_viewer_is_notified_of_earlier_moves(sqlite_url: str) -> None:
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
async def test_viewers_are_notified_when_lists_change_back(sqlite_url: str) -> None:
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
