"""Number of tables per address: enough for many people, but not unlimited."""

from collections.abc import Iterable

import msgspec
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from signoria.server.errors import TooMany
from signoria.server.guard.limits import RateLimiter, TableLimiter
from signoria.server.settings import Rates, Settings, rate
from signoria.store import tables
from tests.databases import in_loop
from tests.server.application import UNLIMITED, arrive, open_app
from tests.server.people.notifications.post_office import Browser, push_service
from tests.server.services import a_person, a_service, a_table


@in_loop
async def test_number_of_tables_per_address_is_limited(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        opening = TableLimiter(service.database, RateLimiter(UNLIMITED), most=2)
        anna = await a_person(service)
        rooms = [await a_table(service, anna, "muratore") for _ in range(2)]
        for room in rooms:
            await opening.check(anna.id, "1.1.1.1")
            opening.note("1.1.1.1", room.row.id)
        with pytest.raises(TooMany, match="2 tables from your address"):
            await opening.check("somebody else", "1.1.1.1")
        await opening.check(anna.id, "1.1.1.2")
        async with service.changing(rooms[0]) as w:
            await w.db.exec_driver_sql("UPDATE tables SET state = 'over' WHERE id = ?", (rooms[0].row.id,))
        await opening.check("somebody else", "1.1.1.1")


@in_loop
async def test_table_that_is_opened_during_the_check_of_another_counts(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_service(sqlite_url) as service:
        opening = TableLimiter(service.database, RateLimiter(UNLIMITED), most=2)
        anna = await a_person(service)
        ids = [(await a_table(service, anna, "muratore")).row.id for _ in range(2)]
        for table_id in ("over", "over too"):
            opening.note("1.1.1.1", table_id)
        asked = tables.still_going_on

        async def opened_meanwhile(db: AsyncConnection, table_ids: Iterable[str]) -> set[str]:
            found = await asked(db, table_ids)
            for table_id in ids:
                opening.note("1.1.1.1", table_id)
            return found

        monkeypatch.setattr(tables, "still_going_on", opened_meanwhile)
        with pytest.raises(TooMany, match="2 tables from your address"):
            await opening.check(anna.id, "1.1.1.1")


@in_loop
async def test_more_guests_do_not_allow_more_tables_per_address(sqlite_url: str) -> None:
    rates = Rates(tables=rate("off"), tables_here=rate("2/h"), requests=rate("off"))
    async with open_app(sqlite_url, rates=rates) as (app, _):
        guests = [await arrive(app, f"Guest {number}") for number in range(3)]
        answers = [await guest.send("/play-now", game="patrician") for guest in guests]
        assert [answer.status_code for answer in answers] == [303, 303, 429]
        assert "new tables from your address" in answers[-1].text


def test_many_people_behind_one_address_can_play() -> None:
    usual, pupils = Settings(), 50
    assert min(usual.rates.guests.burst, usual.rates.tables_here.burst, usual.rates.requests.burst) >= 3 * pupils
    assert usual.most_tables_here >= 10 * pupils


@in_loop
async def test_sitting_down_and_standing_up_again_and_again_is_limited(sqlite_url: str) -> None:
    """Each time the others at the table are notified."""
    rates = msgspec.structs.replace(UNLIMITED, chat=rate("1/h up to 3"))
    async with open_app(sqlite_url, rates=rates) as (app, _):
        anna, bruno, carla = [await arrive(app, name) for name in ("Anna", "Bruno", "Carla")]
        opened = await anna.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "open"})
        table = opened.headers["location"]
        statuses = []
        for _ in range(4):
            statuses.append((await bruno.send(f"{table}/sit", seat=1)).status_code)
            await bruno.send(f"{table}/stand", seat=1)
        assert statuses == [303, 303, 303, 429]
        statuses = []
        for _ in range(4):
            statuses.append((await carla.call(f"/api/v1{table}/sit", seat=1)).status_code)
            await carla.call(f"/api/v1{table}/stand", seat=1)
        assert statuses == [200, 200, 200, 429]


@in_loop
async def test_new_browsers_for_push_messages_are_limited_per_address(sqlite_url: str) -> None:
    """Each names a server to which this one will send requests."""
    rates = msgspec.structs.replace(UNLIMITED, browsers_here=rate("1/h up to 2"))
    async with push_service() as (push, settings), open_app(sqlite_url, rates=rates, **settings) as (app, _):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        path, statuses = "/api/v1/notifications/browsers", []
        for person, name in ((anna, "a"), (anna, "a"), (bruno, "b"), (anna, "a"), (bruno, "c")):
            one = Browser(f"{push.address}/{name}")
            answer = await person.call(path, endpoint=one.endpoint, p256dh=one.p256dh, auth=one.auth)
            statuses.append(answer.status_code)
        assert statuses == [200, 200, 200, 200, 429]
