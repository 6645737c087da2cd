"""Players lose no time through restarts, backups, suspended machines or clock jumps."""

import asyncio
import errno
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from signoria.server.lobby import opening
from signoria.server.lobby.absence import missed
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play import scheduler as scheduler_module
from signoria.server.play.clocks import MISSED, deadline
from signoria.server.play.room import Room
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.server.run.clean_up import CleanUp
from signoria.server.run.heartbeat import GRACE, OFTEN, SELDOM, SLACK, Heartbeat
from signoria.store.backup import backup
from signoria.store.heartbeat import Beat, give_back, read_beat, write_beat
from signoria.store.restoring import restore
from signoria.store.tables import change
from tests.databases import in_loop, opened
from tests.server.services import (
    LEVEL,
    Clock,
    a_person,
    a_service,
    a_step,
    a_table,
    check_kept,
    do_what_is_due,
    kept_row,
    make_step,
    play,
    turn_of,
    until,
)

HOUR = 3600


async def people_at(service: TableService, **wish: Any) -> Room:
    return await a_table(service, await a_person(service, "Anna"), await a_person(service, "Bruno"), **wish)


async def beat_of(service: TableService) -> Beat | None:
    async with service.database.read() as db:
        return await read_beat(db)


async def go_on(beat: Heartbeat, clock: Clock, seconds: float) -> None:
    """Let time pass while the server runs."""
    while seconds > 0:
        assert await beat.keep()
        clock.pass_seconds(min(seconds, OFTEN / 1000))
        seconds -= OFTEN / 1000
    assert await beat.keep()


async def acts(service: TableService) -> None:
    """What a process does after its start: first the heartbeat, then the due work."""
    scheduler = Scheduler(service)
    assert await scheduler.heartbeat.keep()
    await do_what_is_due(scheduler)
    await scheduler.stop()


def left(room: Room, service: TableService) -> float:
    """Seconds until the current player's clock runs out."""
    return ((deadline(room.row) or 0) - service.now()) / 1000


def nobody_is_away(room: Room) -> bool:
    return not any(seat.away for seat in room.row.seats)


@pytest.mark.parametrize("crashed", [False, True], ids=["stopped", "crashed"])
@in_loop
async def test_restart_gives_back_the_time_the_server_was_down(database_url: str, crashed: bool) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        table_id = (await people_at(service, clock=600)).row.id
        heartbeat = Heartbeat(service)
        await go_on(heartbeat, clock, 100)
        if not crashed:
            clock.pass_seconds(3)
            await heartbeat.stop()
    clock.pass_seconds(HOUR)
    async with a_service(database_url, clock) as service:
        await acts(service)
        room = await service.room(table_id)
        assert nobody_is_away(room)
        assert 500 <= left(room, service) <= 550 if crashed else left(room, service) == 497
        assert room.row.due_at == deadline(room.row)
        clock.pass_seconds(left(room, service))
        await do_what_is_due(Scheduler(service))
        assert not nobody_is_away(room), "clocks still run out"


@in_loop
async def test_clocks_do_not_change_while_the_server_runs(database_url: str) -> None:
    """Even if something was due soon at one heartbeat and nothing for long after that."""
    clock = Clock()
    async with a_service(database_url, clock) as service:
        heartbeat = Heartbeat(service)
        room = await people_at(service, clock=60)
        await go_on(heartbeat, clock, 10)
        carla, dario = await a_person(service, "Carla"), await a_person(service, "Dario")
        other = await a_table(service, carla, dario, clock=0)
        began = other.row.turn_at
        await play(service, room, Random(1))
        assert room.row.state == "over"
        await go_on(heartbeat, clock, 2 * SELDOM / 1000)
        assert (await kept_row(service, other.row.id)).turn_at == began


@in_loop
async def test_time_of_a_short_database_outage_is_given_back(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room, heartbeat = await people_at(service, clock=60), Heartbeat(service)
        await go_on(heartbeat, clock, 50)
        before = left(room, service)

        async def fails(in_any_case: bool) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(heartbeat, "_look", fails)
            for _ in range(2):
                clock.pass_seconds(5)
                assert not await heartbeat.keep()
        clock.pass_seconds(5)
        assert await heartbeat.keep()
        await service.refresh(room)
        assert left(room, service) >= before


@in_loop
async def test_player_with_little_time_left_gets_some_to_return(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        rooms = [await people_at(service, clock=60)]
        carla, dario = await a_person(service, "Carla"), await a_person(service, "Dario")
        rooms.append(await a_table(service, carla, dario, clock=180))
        await go_on(Heartbeat(service), clock, 55)
        clock.pass_seconds(65)  # nothing is left of the short one
        await acts(service)
        for room in rooms:
            await service.refresh(room)
            assert nobody_is_away(room)
        assert [left(room, service) for room in rooms] == [60, 125]
        await go_on(Heartbeat(service), clock, 100)
        clock.pass_seconds(1)
        await acts(service)
        await service.refresh(rooms[1])
        assert left(rooms[1], service) == GRACE / 1000


@in_loop
async def test_without_a_heartbeat_downtime_counts_from_the_last_activity(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room = await people_at(service, clock=600)
        clock.pass_seconds(24 * HOUR)
        await acts(service)
        await service.refresh(room)
        assert nobody_is_away(room)
        assert left(room, service) == 600


@in_loop
async def test_restoring_an_hour_old_backup_costs_no_player_their_seat(
    sqlite_url: str, postgres_url: str, tmp_path: Path
) -> None:
    clock, path = Clock(), tmp_path / "backup.jsonl.gz"
    async with a_service(sqlite_url, clock) as service:
        table_id = (await people_at(service, clock=180)).row.id
        await go_on(Heartbeat(service), clock, 30)
        await backup(service.database, path)
    clock.pass_seconds(HOUR)
    async with opened(postgres_url) as database:
        async with database.write() as w:  # a server was started there already
            await write_beat(w.db, None, Beat(clock.now, None))
        await restore(database, path)
    async with a_service(postgres_url, clock) as service:
        await acts(service)
        room = await service.room(table_id)
        assert nobody_is_away(room)
        assert left(room, service) == 150


@in_loop
async def test_time_is_given_back_once_for_any_number_of_processes(postgres_url: str) -> None:
    clock = Clock()
    async with a_service(postgres_url, clock) as one, a_service(postgres_url, clock) as other:
        room = await people_at(one, clock=600)
        await go_on(Heartbeat(one), clock, 100)
        clock.pass_seconds(HOUR)
        beats = [Heartbeat(service) for service in (one, other, one, other)]
        await asyncio.gather(*(beat.keep() for beat in beats))
        await one.refresh(room)
        assert 500 <= left(room, one) <= 550
        before = left(room, one)
        clock.pass_seconds(OFTEN / 1000)
        for beat in beats:
            await beat.keep()
        await one.refresh(room)
        assert left(room, one) == before - OFTEN / 1000, "the others are alive, so nothing is given back again"
        there = await other.room(room.row.id)
        assert there.row.turn_at == room.row.turn_at


@in_loop
async def test_additional_process_gives_no_time_back(postgres_url: str) -> None:
    clock = Clock()
    async with a_service(postgres_url, clock) as service:
        room = await people_at(service, clock=60)
        await Heartbeat(service).keep()
        clock.pass_seconds(4)
        await Heartbeat(service).keep()
        await service.refresh(room)
        assert left(room, service) == 56


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 400 * 24 * HOUR, -400 * 24 * HOUR])
@in_loop
async def test_jump_of_the_system_clock_changes_nothing(sqlite_url: str, jump: int) -> None:
    """A jump forward looks like a suspended machine."""
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=700) as service:
        anna = await a_person(service, "Carla")
        room, bots = await people_at(service, clock=600), await a_table(service, anna, LEVEL)
        if bots.row.turn == 0:
            await make_step(service, bots, 0, 0, a_step(bots, Random(1)))
            while bots.row.turn == 0:
                await make_step(service, bots, 0, bots.n, a_step(bots, Random(1)))
        scheduler = Scheduler(service)
        await go_on(scheduler.heartbeat, clock, 100)
        clock.pass_seconds(jump)
        later = await a_table(service, anna, await a_person(service, "Dario"), clock=600)  # before the jump is noticed
        clock.pass_seconds(1)
        await scheduler.heartbeat.keep()
        for each in (room, bots, later):
            await service.refresh(each)
        assert left(room, service) == 500
        assert 599 <= left(later, service) <= 600
        assert nobody_is_away(room)
        before = bots.n
        clock.pass_seconds(1)
        await do_what_is_due(scheduler)
        assert bots.n > before, "bots do not wait until the clock has come round again"
        await check_kept(service, bots)
        await scheduler.stop()


@in_loop
async def test_machine_with_a_fast_clock_does_not_count_as_a_jump(postgres_url: str) -> None:
    clock, ahead = Clock(), Clock()
    ahead.pass_seconds(3 * SLACK / 1000)
    async with a_service(postgres_url, ahead) as fast, a_service(postgres_url, clock) as slow:
        room = await people_at(fast, clock=600)
        beats = [Heartbeat(fast), Heartbeat(slow)]
        for _ in range(4):
            for beat in beats:
                await beat.keep()
            for each in (clock, ahead):
                each.pass_seconds(OFTEN / 1000)
        await fast.refresh(room)
        assert left(room, fast) == 600 - 4 * OFTEN / 1000
        await go_on(beats[1], clock, 200)  # the fast process is gone, and its time is now in the past
        assert left(await slow.room(room.row.id), slow) <= 600


@in_loop
async def test_process_suspended_while_waiting_gives_time_back_before_acting(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_module, "POLL", 0.01)
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room, scheduler = await people_at(service, clock=60), Scheduler(service)
        running = asyncio.create_task(scheduler.run())
        await until(lambda: scheduler.heartbeat._given)
        version, changed = room.version, asyncio.Event()
        clock.pass_seconds(HOUR)
        with room.viewing(changed):
            await until(changed.is_set)
        assert room.version != version, "live pages are told"
        assert left(room, service) == 60
        service.close()
        await scheduler.stop()
        await running
        assert nobody_is_away(room)


@in_loop
async def test_concurrent_step_does_not_undo_the_time_given_back(sqlite_url: str) -> None:
    clock, rng = Clock(), Random(3)
    async with a_service(sqlite_url, clock) as service:
        room = await people_at(service, game="il-principe", clock=600)
        await Heartbeat(service).keep()
        clock.pass_seconds(HOUR)
        seat = turn_of(room)
        await Heartbeat(service).keep()
        assert room.row.turn_at == clock.now - 1000 * HOUR, "this process has yet to read it again"
        await make_step(service, room, seat, room.n, a_step(room, rng))
        row = await kept_row(service, room.row.id)
        assert row.turn_at == clock.now
        assert row.due_at == clock.now + 600_000


@in_loop
async def test_heartbeat_interval_depends_on_the_next_deadline(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        heartbeat = Heartbeat(service)

        async def signs(minutes: int) -> int:
            seen = set()
            for _ in range(60 * minutes):
                assert await heartbeat.keep()
                seen.add(await beat_of(service))
                clock.pass_seconds(1)
            return len(seen)

        assert await signs(1) == 1
        assert await beat_of(service) is None, "nothing is in play, so nothing is written"
        slow = await people_at(service)  # nothing is due for 30 days
        assert await signs(20) == 20 * 60_000 // SELDOM
        anna = await a_person(service, "Carla")
        await a_table(service, anna, await a_person(service, "Dario"), clock=60)
        assert await signs(1) in (12, 13)
        async with service.database.write() as w:
            for row in (slow.row, *[room.row for room in service.rooms.values()]):
                await change(w.db, row.id, state="over", turn=None, turn_at=None, due_at=None)
        assert await signs(1) == 1
        assert (await beat_of(service) or Beat(0, 0)).until is None
        clock.pass_seconds(HOUR)
        room = await a_table(service, anna, await a_person(service, "Elena"), clock=60)
        clock.pass_seconds(1)
        await heartbeat.keep()
        await service.refresh(room)
        assert left(room, service) == 59, "an idle hour is no time in which the server was away"


@in_loop
async def test_open_tables_and_turns_without_a_clock_get_time_back_too(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room = await people_at(service)
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("open")))
        waiting = await service.room((await opening.open_table(service, await a_person(service, "Carla"), wish)).id)
        await go_on(Heartbeat(service), clock, MISSED / 2)
        clock.pass_seconds(48 * HOUR)
        scheduler = Scheduler(service)
        await scheduler.heartbeat.keep()
        await CleanUp(service).tidy()
        await service.refresh(room)
        await service.refresh(waiting)
        assert waiting.row.state == "open"
        assert not missed(room.row, turn_of(room), clock.now)
        clock.pass_seconds(MISSED)
        assert missed(room.row, turn_of(room), clock.now)
        await scheduler.stop()


@pytest.mark.parametrize("times", [2, 5])
@in_loop
async def test_deadlock_while_giving_time_back_is_not_an_outage(
    sqlite_url: str, times: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Deadlock(Exception):
        sqlstate = "40P01"

    async def collide(*given: Any, **named: Any) -> int:
        nonlocal times
        times -= 1
        if times >= 0:
            raise DBAPIError("UPDATE tables", None, Deadlock())
        return await give_back(*given, **named)

    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room = await people_at(service, clock=600)
        await Heartbeat(service).keep()
        clock.pass_seconds(HOUR)
        monkeypatch.setattr("signoria.server.run.heartbeat.give_back", collide)
        beat = Heartbeat(service)
        if times > 2:  # nothing due is done before the time was given back
            assert not await beat.keep()
            assert (await kept_row(service, room.row.id)).turn_at == room.row.turn_at
        assert await beat.keep()
        assert service.database.trouble is None
        assert (await kept_row(service, room.row.id)).turn_at == service.now()
    assert "cannot be used" not in caplog.text
