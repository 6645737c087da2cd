"""The public lists of the lobby: read again when they changed, without end or rest only where something is wrong."""

import asyncio
from typing import Any

import pytest

from signoria.server import public_lists, seating
from signoria.server.house import House
from signoria.server.public_lists import PublicLists, PublicPart
from signoria.server.seating import Chair, Wish
from signoria.store import lists as store_lists
from signoria.store import tables
from signoria.store.tables import TableRow
from tests.databases import in_loop
from tests.server.houses import a_house, a_person, until

OPEN_SEAT = Wish(game="patrician", options={}, chairs=(Chair("me"), Chair("open")))
MANY = 50


async def an_open_table(house: House) -> TableRow:
    return await seating.open_table(house, await a_person(house), OPEN_SEAT)


async def set_clock(house: House, row: TableRow, clock: int) -> None:
    """Change what the lists show of a table without telling anybody."""
    async with house.database.write() as w:
        await tables.change(w.db, row.id, clock=clock)


@in_loop
async def test_the_lists_are_read_at_most_twice_however_much_changes_meanwhile(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with a_house(sqlite_url) as house:
            lists, read, readings = PublicLists(house), store_lists.public_tables, 0

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
        async with a_house(sqlite_url) as house:
            lists, shield, shields = PublicLists(house), asyncio.shield, 0
            asking: list[asyncio.Task[PublicPart]] = []

            class Part(PublicPart):
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

            monkeypatch.setattr(public_lists, "PublicPart", Part)
            monkeypatch.setattr(asyncio, "shield", counted)
            await lists.current()
            await asking[0]


@in_loop
async def test_those_who_look_are_told_after_any_error(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(public_lists, "REST", 0.01)
        async with a_house(sqlite_url) as house:
            lists, changed = PublicLists(house), asyncio.Event()
            await lists.current()
            read, failures = store_lists.public_tables, 0

            async def public_tables(*given: Any) -> Any:
                nonlocal failures
                if failures < 3:
                    failures += 1
                    raise RuntimeError("something nobody thought of")
                return await read(*given)

            with lists.looking(changed):
                await until(lambda: not lists._heard.is_set())
                changed.clear()
                monkeypatch.setattr(public_lists, "public_tables", public_tables)
                await an_open_table(house)
                await until(changed.is_set)
                assert failures == 3


@in_loop
async def test_an_ended_task_that_tells_is_started_again_by_the_next_who_looks(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        lists, changed = PublicLists(house), asyncio.Event()
        await lists.current()
        with lists.looking(asyncio.Event()):
            assert lists._telling is not None
            lists._telling.cancel()
            await asyncio.wait([lists._telling])
            with lists.looking(changed):
                await an_open_table(house)
                await until(changed.is_set)


@in_loop
async def test_the_first_who_looks_is_told_of_moves_that_were_made_before(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(public_lists, "REST", 60.0)
        async with a_house(sqlite_url) as house:
            lists, changed, row = PublicLists(house), asyncio.Event(), await an_open_table(house)
            known = await lists.current()
            await set_clock(house, row, 60)
            lists._hear(f"table:{row.id}")
            with lists.looking(changed):
                assert lists.shown() is known  # as a page gets it that comes back with the id of this version
                await until(changed.is_set)
                assert lists.shown() is not known


@in_loop
async def test_lists_that_become_what_they_were_before_are_told_too(sqlite_url: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(public_lists, "REST", 0.01)
        async with a_house(sqlite_url) as house:
            lists, changed, row = PublicLists(house), asyncio.Event(), await an_open_table(house)
            first = await lists.current()
            with lists.looking(changed):
                lists._hear("lobby")
                await until(changed.is_set)
                await set_clock(house, row, 60)
                lists._changes += 1
                assert (await lists.current()).version != first.version  # read by somebody who opened the page
                changed.clear()
                await set_clock(house, row, 0)
                lists._hear("lobby")
                await until(changed.is_set)
                assert (await lists.current()).version == first.version
