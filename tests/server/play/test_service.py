"""A step is made exactly once or not at all, and a step that the database refuses changes nothing."""

import asyncio
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from signoria.kernel.errors import IllegalStep, NotYourTurn, NoUndo
from signoria.server.errors import Conflict, NotFound, StaleVersion
from signoria.server.lobby import absence, seating
from signoria.server.lobby.catalogue import level_title
from signoria.server.play.room import UNDO, Room, encode_step
from signoria.server.play.service import TableService
from signoria.store import messages, tables
from signoria.store.database import Database
from tests.databases import in_loop, opened
from tests.server.services import (
    LEVEL,
    PATIENCE,
    a_person,
    a_service,
    a_step,
    a_table,
    check_kept,
    kept_row,
    kept_steps,
    legal,
    looks,
    make_step,
    play,
    turn_of,
    undo,
    until,
)


@in_loop
async def test_repeated_step_is_made_once_even_after_later_steps(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        seat, step = turn_of(room), legal(room)[0]
        await asyncio.gather(*(make_step(service, room, seat, 0, step) for _ in range(5)))
        after = room.n
        assert [entry.step for entry in await kept_steps(service, room.row.id) if entry.by == "person"] == [
            encode_step(step)
        ]
        await play(service, room, Random(1), until_n=after + 4)
        before = room.n
        await make_step(service, room, seat, 0, step)
        assert room.n == before
        await check_kept(service, room)


@in_loop
async def test_repeating_the_last_step_of_a_game_is_not_an_error(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        rng = Random(2)
        while room.row.state == "playing":
            n, seat, step = room.n, turn_of(room), a_step(room, rng)
            await make_step(service, room, seat, n, step)
        await make_step(service, room, seat, n, step)
        with pytest.raises(Conflict, match="over"):
            await make_step(service, room, seat, room.n, step)
        await check_kept(service, room)


@in_loop
async def test_only_one_of_several_steps_for_the_same_position_is_saved(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        seat, choices = turn_of(room), legal(room)
        assert len(choices) > 1
        made = await asyncio.gather(
            *(make_step(service, room, seat, 0, step) for step in choices), return_exceptions=True
        )
        assert made.count(None) == 1
        assert all(isinstance(error, StaleVersion) for error in made if error is not None)
        assert (await kept_steps(service, room.row.id))[0].step == encode_step(choices[made.index(None)])
        await check_kept(service, room)


@in_loop
async def test_step_for_a_position_that_never_existed_is_stale(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        for n in (-1, 1, 10**6):
            with pytest.raises(StaleVersion):
                await make_step(service, room, turn_of(room), n, legal(room)[0])
        assert await kept_steps(service, room.row.id) == []


@in_loop
async def test_illegal_or_out_of_turn_step_changes_nothing(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        before, seat = room.position, turn_of(room)
        with pytest.raises(NotYourTurn):
            await make_step(service, room, 1 - seat, 0, legal(room)[0])
        await make_step(service, room, seat, 0, legal(room)[0])
        other = await a_table(service, await a_person(service, "Carla"), await a_person(service, "Dino"))
        refused = 0
        for step in legal(other):
            if step not in legal(room):
                refused += 1
                with pytest.raises(IllegalStep):
                    await make_step(service, room, turn_of(room), room.n, step)
        assert refused
        assert before is not None
        assert before.n == 0
        await check_kept(service, room)


@in_loop
async def test_whole_games_are_saved_as_played(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        for game, options in (("patrician", {"messengers": True, "ambassadors": True}), ("il-principe", {})):
            room = await a_table(service, anna, bruno, LEVEL, game=game, options=options)
            await play(service, room, Random(3))
            assert room.row.state == "over"
            await check_kept(service, room)


# Taking back


@in_loop
async def test_undo_restores_the_game(sqlite_url: str) -> None:
    """In whole games, undo restores the position, including automatic steps."""
    undone = with_house = refused = 0
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        for game in ("patrician", "il-principe"):
            room, rng = await a_table(service, anna, bruno, game=game), Random(4)
            while room.row.state == "playing":
                seat, before = turn_of(room), room.position
                assert before is not None
                await make_step(service, room, seat, room.n, a_step(room, rng))
                after = room.position
                assert after is not None
                if rng.random() < 0.5 or room.row.state != "playing":
                    continue
                try:
                    await undo(service, room, seat, room.n)
                except NoUndo:
                    refused += 1
                    assert room.position is after
                    continue
                undone += 1
                with_house += after.n - before.n > 1
                assert room.position is not None
                assert room.position.log == before.log
                assert looks(room.position.table) == looks(before.table)
                assert room.row.turn == seat
                await make_step(service, room, seat, room.n, a_step(room, rng))
            await check_kept(service, room)
    assert undone > 10
    assert refused > 10
    assert with_house


@in_loop
async def test_repeated_undo_takes_back_one_step(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        rng = Random(5)
        assert room.position is not None
        while not (room.position.table.may_undo is not None and room.position.table.may_undo == turn_of(room)):
            await play(service, room, rng, until_n=room.n + 1)
        seat, n, stood = turn_of(room), room.n, len(room.position.log)
        await asyncio.gather(undo(service, room, seat, n), undo(service, room, seat, n))
        await undo(service, room, seat, n)
        assert len(room.position.log) < stood
        assert [entry.step for entry in (await kept_steps(service, room.row.id))[n:]].count(UNDO) == room.n - n
        await check_kept(service, room)


@in_loop
async def test_undo_is_refused_before_the_first_step_and_for_other_seats(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        with pytest.raises(NoUndo, match="no move to undo"):
            await undo(service, room, turn_of(room), 0)
        seat = turn_of(room)
        await make_step(service, room, seat, 0, legal(room)[0])
        with pytest.raises(NoUndo):
            await undo(service, room, 1 - seat, room.n)
        await check_kept(service, room)


# What goes without asking


@in_loop
async def test_server_plays_forced_steps_and_passes_the_turn_on(sqlite_url: str) -> None:
    """Players are never asked for forced steps, unless these could not be undone."""
    by_house = handed_on = asked_all_the_same = 0
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        for game in ("patrician", "il-principe"):
            room, rng = await a_table(service, anna, bruno, LEVEL, game=game), Random(6)
            while room.row.state == "playing":
                n, seat = room.n, turn_of(room)
                await play(service, room, rng, until_n=n + 1)
                made = (await kept_steps(service, room.row.id))[n + 1 :]
                assert all(step.by == "house" for step in made)
                by_house += len(made)
                handed_on += any(step.seat != seat for step in made)
                assert room.position is not None
                if room.row.state == "playing" and room.position.table.obvious is not None:
                    asked_all_the_same += 1
                    assert room.position.table.may_undo == turn_of(room)
                    assert room.played_by_bot(turn_of(room)) is None
            await check_kept(service, room)
    assert by_house
    assert handed_on


# What the store refuses


class Broken(Exception):
    """For example a full disk."""


def failing(monkeypatch: pytest.MonkeyPatch, database: Database, *, after_commit: bool) -> None:
    """The next transaction fails, either before writing or after writing but before the reply."""
    whole = database.write

    @asynccontextmanager
    async def once() -> AsyncIterator[Any]:
        monkeypatch.undo()
        async with whole() as w:
            yield w
            if not after_commit:
                raise Broken
        raise Broken

    monkeypatch.setattr(database, "write", once)


@in_loop
async def test_failed_write_changes_nothing_and_the_next_step_works(
    database_url: str,
) -> None:
    monkeypatch = pytest.MonkeyPatch()
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        await play(service, room, Random(7), until_n=3)
        before, row = room.position, room.row
        seat, n, step = turn_of(room), room.n, legal(room)[0]
        failing(monkeypatch, service.database, after_commit=False)
        with pytest.raises(Broken):
            await make_step(service, room, seat, n, step)
        assert room.position is before
        assert room.row == row
        await check_kept(service, room)
        await make_step(service, room, seat, n, step)
        assert room.n > n
        await check_kept(service, room)


@in_loop
async def test_write_that_failed_after_saving_is_found_and_can_be_repeated(database_url: str) -> None:
    monkeypatch = pytest.MonkeyPatch()
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        seat, step = turn_of(room), legal(room)[0]
        with room.viewing() as changed:
            failing(monkeypatch, service.database, after_commit=True)
            with pytest.raises(Broken):
                await make_step(service, room, seat, 0, step)
            await asyncio.wait_for(changed.wait(), 10)  # viewers see it nevertheless
        await make_step(service, room, seat, 0, step)
        assert [entry.by for entry in await kept_steps(service, room.row.id)].count("person") == 1
        await check_kept(service, room)


@in_loop
async def test_failed_change_of_seats_changes_nothing(database_url: str) -> None:
    monkeypatch = pytest.MonkeyPatch()
    async with a_service(database_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, await a_person(service, "Bruno"))
        failing(monkeypatch, service.database, after_commit=False)
        with pytest.raises(Broken):
            await absence.leave(service, room, anna, 0)
        assert [seat.away for seat in room.row.seats] == [False, False]
        await absence.leave(service, room, anna, 0)
        assert [seat.away for seat in room.row.seats] == [True, False]
        assert [level_title(LEVEL) in said.text for said in room.messages] == [True]
        await check_kept(service, room)


@in_loop
async def test_saved_step_is_shown_although_reading_failed_at_first(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, await a_person(service, "Bruno"))
        catch_up = service.catch_up
        for change in (absence.leave(service, room, anna, 0), service.say(room, "Buona sera", "Anna", 0, anna.id)):

            async def fail(_room: Room) -> None:
                monkeypatch.setattr(service, "catch_up", catch_up)
                raise OSError("the disk is away for a moment")

            monkeypatch.setattr(service, "catch_up", fail)
            with room.viewing() as changed:
                with pytest.raises(OSError, match="the disk"):
                    await change
                await until(changed.is_set)
        assert room.row.seats[0].away
        assert room.messages[-1].text == "Buona sera"


@in_loop
async def test_requests_cancelled_at_any_moment_lose_and_duplicate_nothing(database_url: str) -> None:
    async with a_service(database_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        rng, cut = Random(8), 0
        for turns in range(60):
            if room.row.state != "playing":
                break
            seat, n, step = turn_of(room), room.n, a_step(room, rng)
            request = asyncio.create_task(make_step(service, room, seat, n, step))
            for _ in range(turns % 20):
                await asyncio.sleep(0)
            request.cancel()
            cut += isinstance((await asyncio.gather(request, return_exceptions=True))[0], asyncio.CancelledError)
            await make_step(service, room, seat, n, step)
            assert (await kept_steps(service, room.row.id))[n].step == encode_step(step)
        assert cut > 10
        await check_kept(service, room)


# Tables in memory


@in_loop
async def test_room_removed_from_memory_is_restored_unchanged(database_url: str) -> None:
    async with a_service(database_url, rest_after=1) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, LEVEL, LEVEL)
        await play(service, room, Random(9), until_n=12)
        await service.say(room, "Buona sera", "Anna", 0, anna.id)
        with room.viewing():
            room.used_at -= 1000
            service.evict_idle()
            assert await service.room(room.row.id) is room
        table_id, version, said = room.row.id, room.version, room.messages
        room.used_at -= 1000
        service.evict_idle()
        assert service.rooms == {}
        gone = weakref.ref(room)
        del room
        assert gone() is None
        again, same = await asyncio.gather(service.room(table_id), service.room(table_id))
        assert again is same
        assert again.version == version
        assert again.messages == said
        await check_kept(service, again)
        await play(service, again, Random(10))
        assert again.row.state == "over"


@in_loop
async def test_step_at_a_room_that_left_memory_is_seen_by_later_viewers(
    database_url: str,
) -> None:
    async with a_service(database_url, rest_after=1) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        room.used_at -= 1000
        service.evict_idle()
        later = await service.room(room.row.id)
        with later.viewing() as changed:
            await make_step(service, room, turn_of(room), room.n, legal(room)[0])
            assert changed.is_set()
        assert later.n == room.n


@in_loop
async def test_number_of_resting_tables_in_memory_is_limited(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoria.server.play.room_cache.MOST_RESTING", 3)
    async with a_service(sqlite_url) as service:
        pair = await a_person(service), await a_person(service, "Bruno")
        ids = [(await a_table(service, *pair)).row.id for _ in range(6)]
        assert set(service.rooms) == set(ids[3:])
        with (await service.room(ids[0])).viewing():
            for table_id in ids:
                await service.room(table_id)
            assert set(service.rooms) == {ids[0], *ids[3:]}


@in_loop
async def test_unknown_table_is_not_found(database_url: str) -> None:
    async with a_service(database_url) as service:
        for _ in range(2):
            with pytest.raises(NotFound):
                await service.room("nowhere")
        assert service.rooms == {}


# Several processes


async def the_same(service: TableService, room: Room) -> Room:
    return await service.room(room.row.id)


@in_loop
async def test_action_in_another_process_uses_the_newest_position(postgres_url: str) -> None:
    """Even if that process was not notified yet."""
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        other.reload = lambda topic: None  # type: ignore[method-assign]
        other.database._for_others.clear()
        anna, bruno = await a_person(one), await a_person(one, "Bruno")
        here = await a_table(one, anna, bruno)
        there = await the_same(other, here)
        rng = Random(11)
        for _ in range(12):
            await play(one, here, rng, until_n=here.n + 1)
            seat, n, step = turn_of(here), here.n, a_step(here, rng)
            await make_step(other, there, seat, n, step)
            await make_step(one, here, seat, n, step)
            assert (await the_same(one, here)).n == there.n
        await absence.leave(one, here, anna, 0)
        assert (await the_same(other, there)).row.seats[0].away
        await check_kept(other, there)


@in_loop
async def test_viewers_in_another_process_see_everything(postgres_url: str) -> None:
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        anna, bruno = await a_person(one), await a_person(one, "Bruno")
        here = await a_table(one, anna, bruno)
        there = await the_same(other, here)
        seen: list[str] = []

        async def look() -> None:
            with there.viewing() as changed:
                while True:
                    await changed.wait()
                    changed.clear()
                    seen.append(there.version)

        looking = asyncio.create_task(look())
        await asyncio.sleep(0)
        await play(one, here, Random(12), until_n=5)
        await one.say(here, "Buona sera", "Anna", 0, anna.id)
        await absence.leave(one, here, bruno, 1)
        await until(lambda: seen and seen[-1] == here.version)
        # its own changes do not hide changes it has not read yet
        await asyncio.gather(one.say(here, "uno", "Anna", 0, anna.id), other.say(there, "due", "Bruno", 1, bruno.id))
        await until(lambda: here.messages == there.messages and len(here.messages) == 4)
        await until(lambda: seen[-1] == there.version == here.version)
        # neither does a failed change
        async with one.database.write() as w:
            await tables.change(w.db, here.row.id)
        with pytest.raises(Conflict):
            await seating.sit(other, there, anna, 0)
        await until(lambda: seen[-1] == there.version)
        assert there.row.revision == (await kept_row(one, here.row.id)).revision
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


@in_loop
async def test_changes_while_a_table_is_being_read_are_not_missed(postgres_url: str) -> None:
    """A step that is made and announced while the table is being read."""
    monkeypatch, heard = pytest.MonkeyPatch(), asyncio.Event()
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        here = await a_table(one, await a_person(one), await a_person(one, "Bruno"))
        read_messages = messages.messages_of

        async def in_between(*given: Any, **named: Any) -> Any:
            monkeypatch.undo()
            await play(one, here, Random(13), until_n=3)
            await asyncio.wait_for(heard.wait(), PATIENCE)
            return await read_messages(*given, **named)

        other.database.listen_to_others(lambda _: heard.set())
        monkeypatch.setattr(messages, "messages_of", in_between)
        there = await the_same(other, here)
        await until(lambda: there.version == here.version)
        await check_kept(other, there)


@in_loop
async def test_table_is_read_again_until_the_database_answers(postgres_url: str) -> None:
    monkeypatch = pytest.MonkeyPatch()
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        here = await a_table(one, await a_person(one), await a_person(one, "Bruno"))
        there = await the_same(other, here)
        failed = 0

        def no_read() -> Any:
            nonlocal failed
            failed += 1
            raise Broken

        monkeypatch.setattr(other.database, "read", no_read)
        await play(one, here, Random(14), until_n=3)
        await until(lambda: failed)
        monkeypatch.undo()
        await until(lambda: there.version == here.version)


@in_loop
async def test_same_step_in_two_processes_at_once_is_made_once(postgres_url: str) -> None:
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        here = await a_table(one, await a_person(one), await a_person(one, "Bruno"))
        there, rng = await the_same(other, here), Random(15)
        while here.row.state == "playing" and here.n < 40:
            seat, n, choices = turn_of(here), here.n, legal(here)
            mine, theirs = rng.choice(choices), rng.choice(choices)
            made = await asyncio.gather(
                make_step(one, here, seat, n, mine), make_step(other, there, seat, n, theirs), return_exceptions=True
            )
            assert None in made
            assert mine == theirs or made.count(None) == 1
            assert all(error is None or isinstance(error, StaleVersion) for error in made)
            await one.refresh(here)
            await other.refresh(there)
        await check_kept(one, here)
        await check_kept(other, there)


@in_loop
async def test_cutting_every_database_connection_loses_nothing(postgres_url: str) -> None:
    cut_off = text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    rng, failed = Random(16), 0
    async with a_service(postgres_url) as service, opened(postgres_url) as axe:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        for _ in range(40):
            seat, n, step = turn_of(room), room.n, a_step(room, rng)
            request = asyncio.create_task(make_step(service, room, seat, n, step))
            for _ in range(rng.randrange(12)):
                await asyncio.sleep(0.0005)
            async with axe.read() as db:
                await db.execute(cut_off)
            try:
                await request
            except (SQLAlchemyError, OSError):
                failed += 1
                async with asyncio.timeout(PATIENCE):
                    while room.position is None or room.position.entries[n : n + 1] != ((seat, encode_step(step)),):
                        with suppress(SQLAlchemyError, OSError):
                            await make_step(service, room, seat, n, step)
        assert failed
        await service.refresh(room)
        await check_kept(service, room)


@in_loop
async def test_bots_wait_for_an_undo_on_the_page_but_not_for_programs(sqlite_url: str) -> None:
    async with a_service(sqlite_url, undo_wait=3000) as service:
        person, waits = await a_person(service), list[int]()
        for bots_wait in (True, False):
            room, rng = await a_table(service, person, LEVEL, game="il-principe"), Random(5)
            while True:  # until the person has made a move that can be undone, and the bot is to move
                seat, by_person = turn_of(room), turn_of(room) == 0
                step = a_step(room, rng)
                await service.make_steps(
                    room, person.id if by_person else None, seat, room.n, (step,), bots_wait=bots_wait
                )
                assert room.position is not None
                if by_person and turn_of(room) == 1 and room.position.table.may_undo == 0:
                    break
            waits.append((room.row.due_at or 0) - service.now())
        assert waits == [3000, 0]
