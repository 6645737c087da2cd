"""Somebody deletes their account in the middle of everything, and nobody's game hangs."""

import asyncio
import re
from typing import Any

import pytest

from signoria.server import arriving, forgetting
from signoria.server.house import House
from signoria.store.database import Write
from signoria.store.messages import add_message, messages_of
from signoria.store.people import user_named
from signoria.store.tables import SeatRow, add_table, any_tables_of, find_table
from tests.databases import in_loop
from tests.server.house_of_tests import Person, arrive, open_house
from tests.server.houses import a_house, a_person
from tests.store.rows import table_row


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


@in_loop
async def test_thousands_of_games_are_left_a_few_at_a_time(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "AT_A_TIME", 2)
    monkeypatch.setattr(forgetting, "MESSAGES", 2)
    monkeypatch.setattr(arriving, "AT_A_TIME", 2)
    async with a_house(database_url) as house:
        ann, guest = await a_person(house, "Ann"), await a_person(house, "Ginevra")
        async with house.database.write() as w:
            for place in range(7):
                sitting = [SeatRow(f"t{place}", 0, user_id=guest.id, name="Ginevra")]
                if place == 3:  # where she sits already: the guest's seat stays the guest's
                    sitting.append(SeatRow(f"t{place}", 1, user_id=ann.id, name="Ann"))
                state = ("over", "closed", "playing")[place % 3]
                host = guest.id if place % 2 else None
                row = table_row(f"t{place}", state=state, touched_at=place, host_id=host, seats=tuple(sitting))
                await add_table(w.db, row)
                for text in ("Salve", "Addio"):
                    await add_message(w.db, row.id, user_id=ann.id, seat=None, name="Ann", text=text, at=1)
        await arriving.bring_along(house, guest, ann)
        async with house.database.read() as db:
            assert await any_tables_of(db, guest.id, 9) == ["t3"]
            assert len(await any_tables_of(db, ann.id, 9)) == 7
        shown = []

        async def show(w: Write) -> None:
            shown.append([topic for topic in w.topics if topic.startswith("table:")])

        assert await forgetting.forget_user(house.database, ann.id, 9, show)
        assert not await forgetting.forget_user(house.database, ann.id, 9, show)
        assert max(map(len, shown)) == 2
        async with house.database.read() as db:
            assert await any_tables_of(db, ann.id, 9) == []
            rows = [await find_table(db, f"t{place}") for place in range(7)]
            said = [await messages_of(db, f"t{place}") for place in range(7)]
        assert {seat.name for row in rows if row for seat in row.seats} == {"someone", "Ginevra"}
        assert said == [[]] * 7
