"""A user can delete their account at any time without blocking a game."""

import asyncio
import re
from typing import Any

import pytest

from signoria.server.people import account_deletion, guest_games
from signoria.server.play.service import TableService
from signoria.store.database import Write
from signoria.store.messages import add_message, messages_of
from signoria.store.people import user_named
from signoria.store.tables import SeatRow, add_table, any_tables_of, find_table
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
from tests.server.services import a_person, a_service
from tests.store.rows import table_row


async def game_against_bots(person: Person) -> str:
    answer = await person.send("/play-now", game="patrician")
    assert answer.status_code == 303
    found = re.fullmatch(r"/tables/([\w-]+)(\?.*)?", answer.headers["location"])
    assert found
    return found[1]


async def until_over(service: TableService, table_id: str) -> None:
    async with asyncio.timeout(60):
        while True:
            async with service.database.read() as db:
                row = await find_table(db, table_id)
            assert row is not None
            if row.state == "over":
                return
            await asyncio.sleep(0.05)


@in_loop
async def test_bot_plays_for_a_deleted_user(database_url: str) -> None:
    async with open_app(database_url) as (app, service):
        ann = await arrive(app, "Ann")
        table = await game_against_bots(ann)
        answer = await ann.send("/account/delete")
        assert answer.status_code == 303
        await until_over(service, table)
        assert "Ann" not in (await (await arrive(app, "Ben")).look(f"/tables/{table}")).text
        assert (await ann.look("/account")).text.count("Ann") == 0
        async with service.database.read() as db:
            assert await user_named(db, "Ann") is None


@in_loop
async def test_messages_of_a_deleted_user_disappear_from_live_pages(database_url: str) -> None:
    async with open_app(database_url, pace=60_000) as (app, service):
        ann, ben = await arrive(app, "Ann"), await arrive(app, "Ben")
        table = await game_against_bots(ben)
        for person, text in ((ann, "Buona sera"), (ben, "Salve")):
            await person.send(f"/tables/{table}/chat", text=text)
        room = await service.room(table)
        with room.viewing() as changed:
            await ann.send("/account/delete")
            async with asyncio.timeout(10):
                await changed.wait()
        assert [message.text for message in room.messages] == ["Salve"]


@in_loop
async def test_deleted_user_leaves_open_tables(database_url: str) -> None:
    async with open_app(database_url) as (app, service):
        ann, ben = await arrive(app, "Ann"), await arrive(app, "Ben")
        form: dict[str, Any] = {"game": "patrician", "seats": 3, "seat-0": "me", "clock": 0, "access": "open"}
        opened = [await host.send("/tables", **form) for host in (ann, ben)]
        of_ann, of_ben = (answer.headers["location"].split("/")[2].partition("?")[0] for answer in opened)
        assert (await ann.send(f"/tables/{of_ben}/sit", seat=1)).status_code == 303
        await ann.send("/account/delete")
        async with service.database.read() as db:
            closed, open_still = await find_table(db, of_ann), await find_table(db, of_ben)
        assert closed is not None
        assert closed.state == "closed"
        assert open_still is not None
        assert open_still.state == "open"
        assert [seat.name for seat in open_still.seats] == ["Ben", None, None]
        assert "Ann" not in (await ben.look(f"/tables/{of_ben}")).text


@in_loop
async def test_deleted_user_leaves_thousands_of_games_in_batches(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_deletion, "AT_A_TIME", 2)
    monkeypatch.setattr(account_deletion, "MESSAGES", 2)
    monkeypatch.setattr(guest_games, "AT_A_TIME", 2)
    async with a_service(database_url) as service:
        ann, guest = await a_person(service, "Ann"), await a_person(service, "Ginevra")
        async with service.database.write() as w:
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
        await guest_games.hand_over_guest_games(service, guest, ann)
        async with service.database.read() as db:
            assert await any_tables_of(db, guest.id, 9) == ["t3"]
            assert len(await any_tables_of(db, ann.id, 9)) == 7
        shown = []

        async def show(w: Write) -> None:
            shown.append([topic for topic in w.topics if topic.startswith("table:")])

        assert await account_deletion.erase_user(service.database, ann.id, 9, show)
        assert not await account_deletion.erase_user(service.database, ann.id, 9, show)
        assert max(map(len, shown)) == 2
        async with service.database.read() as db:
            assert await any_tables_of(db, ann.id, 9) == []
            rows = [await find_table(db, f"t{place}") for place in range(7)]
            said = [await messages_of(db, f"t{place}") for place in range(7)]
        assert {seat.name for row in rows if row for seat in row.seats} == {"someone", "Ginevra"}
        assert not [message for of_table in said for message in of_table if message.user_id or "Ann" in message.text]
