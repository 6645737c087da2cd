"""Somebody deletes their account in the middle of everything, and nobody's game hangs."""

import asyncio
import re
from typing import Any

from signoria.server.house import House
from signoria.store.people import user_named
from signoria.store.tables import find_table
from tests.databases import in_loop
from tests.server.house_of_tests import Person, arrive, open_house


async def game_against_bots(person: Person) -> str:
    answer = await person.send("/play-now", game="patrician")
    assert answer.status_code == 303
    found = re.fullmatch(r"/tables/([\w-]+)(\?.*)?", answer.headers["location"])
    assert found
    return found[1]


async def until_over(house: House, table_id: str) -> None:
    async with asyncio.timeout(60):
        while True:
            async with house.database.read() as db:
                row = await find_table(db, table_id)
            assert row is not None
            if row.state == "over":
                return
            await asyncio.sleep(0.05)


@in_loop
async def test_a_bot_plays_on_for_whoever_is_deleted(database_url: str) -> None:
    async with open_house(database_url) as (app, house):
        ann = await arrive(app, "Ann")
        table = await game_against_bots(ann)
        answer = await ann.send("/account/delete")
        assert answer.status_code == 303
        await until_over(house, table)
        assert "Ann" not in (await (await arrive(app, "Ben")).look(f"/tables/{table}")).text
        assert (await ann.look("/account")).text.count("Ann") == 0
        async with house.database.read() as db:
            assert await user_named(db, "Ann") is None


@in_loop
async def test_what_somebody_said_goes_with_them_from_the_pages_that_show_it(database_url: str) -> None:
    async with open_house(database_url, pace=60_000) as (app, house):
        ann, ben = await arrive(app, "Ann"), await arrive(app, "Ben")
        table = await game_against_bots(ben)
        for person, text in ((ann, "Buona sera"), (ben, "Salve")):
            await person.send(f"/tables/{table}/chat", text=text)
        room = await house.room(table)
        with room.looking() as changed:
            await ann.send("/account/delete")
            async with asyncio.timeout(10):
                await changed.wait()
        assert [message.text for message in room.messages] == ["Salve"]


@in_loop
async def test_open_tables_lose_whoever_is_deleted(database_url: str) -> None:
    async with open_house(database_url) as (app, house):
        ann, ben = await arrive(app, "Ann"), await arrive(app, "Ben")
        form: dict[str, Any] = {"game": "patrician", "seats": 3, "seat-0": "me", "clock": 0, "access": "open"}
        opened = [await host.send("/tables", **form) for host in (ann, ben)]
        of_ann, of_ben = (answer.headers["location"].split("/")[2].partition("?")[0] for answer in opened)
        assert (await ann.send(f"/tables/{of_ben}/sit", seat=1)).status_code == 303
        await ann.send("/account/delete")
        async with house.database.read() as db:
            closed, open_still = await find_table(db, of_ann), await find_table(db, of_ben)
        assert closed is not None
        assert closed.state == "closed"
        assert open_still is not None
        assert open_still.state == "open"
        assert [seat.name for seat in open_still.seats] == ["Ben", None, None]
        assert "Ann" not in (await ben.look(f"/tables/{of_ben}")).text
