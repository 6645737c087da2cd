"""All bots get their turn, a failing bot is replaced, and a bot that crashes the server does so only a few times."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from threading import Event
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from signoria.bots import Budget, Explanation
from signoria.bots import find_bot as real_bot
from signoria.kernel.errors import BadOption
from signoria.server.errors import TooMany, Unavailable
from signoria.server.lobby import absence
from signoria.server.play import bot_failures, bot_pool, bot_turns
from signoria.server.play import scheduler as scheduler_module
from signoria.server.play.claims import LEASE
from signoria.server.play.hints import HintRequester
from signoria.server.play.replay import replay_game
from signoria.server.play.room import Room, encode_step
from signoria.server.play.scheduler import BACKOFF, GRACE, PUT_BACK, RELEASE, SOON, Scheduler
from signoria.server.play.service import TableService
from signoria.server.run import process
from signoria.store import duties, tables
from signoria.store.people import User
from signoria.store.schema import tables as kept_tables
from tests.databases import in_loop
from tests.server.application import open_app
from tests.server.services import (
    Clock,
    a_person,
    a_service,
    a_table,
    do_what_is_due,
    kept_row,
    kept_steps,
    legal,
    make,
    turn_of,
    until,
)

PATIENCE = 30.0
STRONG = "architetto"


class Thought:
    """A bot that thinks until the test stops it."""

    def __init__(self, view: Any, hurried: Any) -> None:
        self.view, self.hurried, self.may_end = view, hurried, Event()


class Bots:
    """All bots, delayed or failing as the test wants."""

    def __init__(self) -> None:
        self.thoughts: list[Thought] = []
        self.hold = True
        self.fail: set[str] = set()
        self.real: set[str] = set()

    def find(self, level: str) -> Any:
        return real_bot(level) if level in self.real else Bot(self, level)

    def think(self, view: Any, budget: Budget) -> None:
        thought = Thought(view, budget.stop)
        self.thoughts.append(thought)
        if self.hold:
            thought.may_end.wait(PATIENCE)

    def let_go(self) -> None:
        self.hold = False
        for thought in self.thoughts:
            thought.may_end.set()


class Bot:
    """One of them."""

    def __init__(self, bots: Bots, level: str) -> None:
        self._bots, self._level = bots, level

    def decide(self, view: Any, _rng: Random, budget: Budget) -> Any:
        self._bots.think(view, budget)
        if self._level in self._bots.fail:
            raise RuntimeError("it does not want to")
        return view.legal[-1]

    def explain(self, view: Any, _rng: Random | None, budget: Budget) -> Explanation:
        self._bots.think(view, budget)
        return Explanation(view.seat, (), "", (), (), 1, 0.1)


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bots]:
    made = Bots()
    monkeypatch.setattr(bot_turns, "find_bot", made.find)
    yield made
    made.let_go()


@contextmanager
def watched(room: Room) -> Iterator[None]:
    with room.viewing():
        yield


async def a_bots_turn(service: TableService, person: User, **wish: Any) -> Room:
    """A table where it is a strong bot's turn."""
    room = await a_table(service, person, STRONG, **wish)
    while turn_of(room) == 0:
        await make(service, room, legal(room)[0])
    return room


async def abandon(service: TableService, hosts: list[User], number: int) -> list[str]:
    """Abandoned tables of these people where a bot's turn is overdue."""
    template = await a_table(service, hosts[0], STRONG, stand_in=STRONG)
    await absence.leave(service, template, hosts[0], 0)
    row = await kept_row(service, template.row.id)
    ids = [f"abandoned-{place}" for place in range(number)]
    async with service.database.write() as w:
        await tables.change(w.db, template.row.id, due_at=None)
        for place, table_id in enumerate(ids):
            seats = tuple(msgspec.structs.replace(seat, table_id=table_id) for seat in row.seats)
            due, host = service.now() - 10_000 + place, hosts[place % len(hosts)].id
            await tables.add_table(
                w.db, msgspec.structs.replace(row, id=table_id, host_id=host, due_at=due, seats=seats)
            )
    return ids


async def attempts(service: TableService, table_id: str) -> int:
    async with service.database.read() as db:
        query = select(kept_tables.c.attempts).where(kept_tables.c.id == table_id)
        return int((await db.execute(query)).scalar_one())


async def die_of(service: TableService, room: Room) -> None:
    """A process starts the due work and crashes; its claim expires."""
    async with service.database.write() as w:
        [claim] = await duties.claim_due(w.db, service.now(), service.now(), 1)
        assert claim.table_id == room.row.id
        await duties.count_attempts(w.db, [claim.table_id])


def said(room: Room) -> list[str]:
    return [message.text for message in room.messages if message.user_id is None]


# Nobody starves


async def leave_116_tables(service: TableService, bots: Bots) -> Scheduler:
    """Four guests at one address open tables and leave them; all bot threads are busy."""
    guests = [await a_person(service, f"Guest {place}") for place in range(4)]
    for guest in guests:
        service.addresses.note(guest.id, "10.0.0.1")
    await abandon(service, guests, 116)
    scheduler = Scheduler(service)
    while await scheduler.start_due() == 0.0:
        pass
    await until(lambda: len(bots.thoughts) == 1)
    return scheduler


@in_loop
async def test_new_player_does_not_wait_for_116_abandoned_tables(database_url: str, bots: Bots) -> None:
    async with a_service(database_url, bot_threads=2) as service:
        scheduler = await leave_116_tables(service, bots)
        room = await a_bots_turn(service, await a_person(service, "Stranger"))
        n = room.n
        with watched(room):
            await scheduler.start_due()
            await until(lambda: len(bots.thoughts) == 2)
            bots.thoughts[1].may_end.set()
            await until(lambda: room.n > n)
        assert not bots.thoughts[0].may_end.is_set()
        bots.let_go()
        await scheduler.stop()


@in_loop
async def test_new_player_is_served_next_with_one_thread(sqlite_url: str, bots: Bots) -> None:
    async with a_service(sqlite_url, bot_threads=1) as service:
        scheduler = await leave_116_tables(service, bots)
        room = await a_bots_turn(service, await a_person(service, "Stranger"))
        n = room.n
        with watched(room):
            await scheduler.start_due()
            assert scheduler.bot_pool.waiting("watched") == 1
            bots.thoughts[0].may_end.set()
            await until(lambda: len(bots.thoughts) == 2)
            bots.thoughts[1].may_end.set()
            await until(lambda: room.n > n)
        bots.let_go()
        await scheduler.stop()


@in_loop
async def test_queue_is_limited_and_the_rest_is_retried_soon(sqlite_url: str, bots: Bots) -> None:
    async with a_service(sqlite_url, bot_threads=1) as service:
        guest = await a_person(service)
        ids, scheduler = await abandon(service, [guest], 40), Scheduler(service)
        while (wait := await scheduler.start_due()) == 0.0:
            pass
        assert wait == SOON
        assert len(scheduler.tasks) == 1 + 4
        due = [(await kept_row(service, table_id)).due_at for table_id in ids]
        assert due.count(service.now() + PUT_BACK) >= 27
        assert sum([await attempts(service, table_id) for table_id in ids]) == 1  # only what is being done is counted
        bots.let_go()
        await scheduler.stop()


@in_loop
async def test_unwatched_tables_still_progress(sqlite_url: str, bots: Bots) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, bot_threads=1, pace=60_000) as service:
        ids, scheduler = await abandon(service, [await a_person(service)], 12), Scheduler(service)
        bots.hold = False
        for _ in range(6):
            await do_what_is_due(scheduler)
            clock.pass_seconds(PUT_BACK / 1000)
        assert all([(await kept_row(service, table_id)).n for table_id in ids])
        await scheduler.stop()


@in_loop
async def test_player_returning_to_a_waiting_table_is_served_first(sqlite_url: str, bots: Bots) -> None:
    async with a_service(sqlite_url, bot_threads=1) as service:
        guests = [await a_person(service, f"Guest {place}") for place in range(5)]
        ids, scheduler = await abandon(service, guests, 5), Scheduler(service)
        while await scheduler.start_due() == 0.0:
            pass
        await until(lambda: len(bots.thoughts) == 1)
        last = await service.room(ids[-1])
        service.note_activity(last, guests[-1].id)
        scheduler._look_who_watches()
        bots.thoughts[0].may_end.set()
        await until(lambda: len(bots.thoughts) == 2)
        bots.thoughts[1].may_end.set()
        await until(lambda: last.n > 0)
        bots.let_go()
        await scheduler.stop()


@in_loop
async def test_most_of_140_hints_by_14_guests_are_refused_at_once(sqlite_url: str, bots: Bots) -> None:
    async with a_service(sqlite_url, bot_threads=2) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        assert room.position is not None
        view = room.position.table.view(0)
        askers = [HintRequester(f"guest {place % 14}", "10.0.0.1") for place in range(140)]
        asked = [asyncio.create_task(scheduler.bot_turns.consider(view, requester)) for requester in askers]
        await until(lambda: sum(task.done() for task in asked) >= 140 - 1 - 16)
        refused = [task.exception() for task in asked if task.done()]
        assert {type(error) for error in refused} == {TooMany, Unavailable}
        assert all(error.retry_after for error in refused if isinstance(error, (TooMany, Unavailable)))
        await until(lambda: len(bots.thoughts) == 1)
        n = room.n
        await scheduler.start_due()  # a bot's turn has a thread all the same
        await until(lambda: len(bots.thoughts) == 2)
        bots.thoughts[1].may_end.set()
        await until(lambda: room.n > n)
        stranger = asyncio.create_task(scheduler.bot_turns.consider(view, HintRequester("stranger", "10.0.0.2")))
        await asyncio.sleep(0)
        bots.thoughts[0].may_end.set()
        await until(lambda: len(bots.thoughts) >= 3)
        bots.thoughts[2].may_end.set()
        await stranger
        bots.let_go()
        await asyncio.gather(*asked, return_exceptions=True)
        await scheduler.stop()


@in_loop
async def test_waiting_for_a_thread_does_not_count_as_thinking(
    sqlite_url: str, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_service(sqlite_url, bot_threads=1) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        n, bots.hold = room.n, False
        async with scheduler.bot_pool.ask("watched", "a", "a"):
            await scheduler.start_due()
            await asyncio.sleep(0)
            real = asyncio.get_running_loop().time
            monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: real() + 60.0)
        await until(lambda: room.n > n)
        assert said(room) == []
        assert len(bots.thoughts) == 1
        await scheduler.stop()


# Bots that fail


def simple_step(room: Room) -> str:
    """The move of the simple bot."""
    assert room.position is not None
    return encode_step(
        real_bot(bot_failures.FALLBACK_BOT).decide(room.position.table.view(turn_of(room)), Random(0), Budget())
    )


@in_loop
async def test_hanging_bot_is_replaced_by_the_simple_bot(
    sqlite_url: str, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_run, limits = bot_pool.Ticket.run, iter([0.0])  # the strong bot has no time, the simple one enough

    async def run(place: bot_pool.Ticket, work: Any, _seconds: float, answered_late: Any) -> Any:
        return await real_run(place, work, next(limits, PATIENCE), answered_late)

    monkeypatch.setattr(bot_pool.Ticket, "run", run)
    bots.real = {bot_failures.FALLBACK_BOT}
    async with a_service(sqlite_url, bot_threads=1) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        assert room.row.rated
        expected, n = simple_step(room), room.n
        await scheduler.start_due()
        await until(lambda: room.n > n and bots.thoughts)
        assert scheduler.bot_pool.stuck == 1
        assert (await kept_steps(service, room.row.id))[n].step == expected
        while turn_of(room) == 0:
            await make(service, room, legal(room)[0])
        await do_what_is_due(scheduler)
        assert len(bots.thoughts) == 1  # it gets no second thread while it has the first
        assert said(room) == [str(bot_failures.replaced_message(STRONG, "slow"))]
        bots.let_go()
        await until(lambda: scheduler.bot_pool.stuck == 0)
        await scheduler.stop()


@in_loop
async def test_bot_that_fails_twice_loses_its_seat(sqlite_url: str, bots: Bots) -> None:
    bots.real, bots.fail, bots.hold = {bot_failures.FALLBACK_BOT}, {STRONG}, False
    async with a_service(sqlite_url, bot_threads=1) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        expected, n = simple_step(room), room.n
        await do_what_is_due(scheduler)
        assert (await kept_steps(service, room.row.id))[n].step == expected
        assert said(room)[0] == str(bot_failures.replaced_message(STRONG, "error"))
        for _ in range(3):
            while turn_of(room) == 0:
                await make(service, room, legal(room)[0])
            await do_what_is_due(scheduler)
        assert room.row.seats[1].bot == bot_failures.FALLBACK_BOT
        assert len(bots.thoughts) == bot_failures.OWN_ATTEMPTS
        assert len(said(room)) == 2
        assert all(word in said(room)[1] for word in ("Architetto", "Muratore", "from now on"))
        assert room.row.rated
        await scheduler.stop()


@pytest.mark.parametrize("rated", [True, False])
@in_loop
async def test_game_waits_longer_each_time_no_bot_can_decide(sqlite_url: str, bots: Bots, rated: bool) -> None:
    clock = Clock()
    bots.fail, bots.hold = {STRONG, bot_failures.FALLBACK_BOT}, False
    async with a_service(sqlite_url, clock, bot_threads=1) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service), rated=rated), Scheduler(service)
        n = room.n
        for wait in (BACKOFF, 2 * BACKOFF, 4 * BACKOFF):
            await do_what_is_due(scheduler)
            assert (await kept_row(service, room.row.id)).due_at == clock.now + wait
            assert await attempts(service, room.row.id) == 0
            clock.pass_seconds(wait / 1000)
        assert room.n == n
        assert sum("the game is waiting" in text for text in said(room)) == 1
        bots.fail = set()
        await do_what_is_due(scheduler)
        assert room.n > n
        await scheduler.stop()


@in_loop
async def test_unknown_bot_is_replaced(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(level: str) -> Any:
        if level == STRONG:
            raise BadOption("There is no such bot.")
        return real_bot(level)

    monkeypatch.setattr(bot_turns, "find_bot", find)
    async with a_service(sqlite_url) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        expected, n = simple_step(room), room.n
        await do_what_is_due(scheduler)
        assert (await kept_steps(service, room.row.id))[n].step == expected
        await scheduler.stop()


@in_loop
async def test_failing_task_is_retried_with_growing_delay(
    database_url: str, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)

        async def broken(*_: object) -> Room:
            raise ValueError("broken")

        monkeypatch.setattr(service, "room", broken)
        for wait in (BACKOFF, 2 * BACKOFF):
            await do_what_is_due(scheduler)
            assert (await kept_row(service, room.row.id)).due_at == clock.now + wait
            assert await attempts(service, room.row.id) == 0
            clock.pass_seconds(wait / 1000)
        monkeypatch.undo()
        await scheduler.stop()


# A server that dies


@in_loop
async def test_simple_bot_takes_over_after_two_crashes(database_url: str) -> None:
    async with a_service(database_url) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        expected, n = simple_step(room), room.n
        await die_of(service, room)
        assert await attempts(service, room.row.id) == 1
        await die_of(service, room)
        await do_what_is_due(scheduler)
        assert room.row.seats[1].bot == bot_failures.FALLBACK_BOT
        assert (await kept_steps(service, room.row.id))[n].step == expected
        assert await attempts(service, room.row.id) == 0
        assert said(room)[0].startswith("The server crashed twice while Architetto was thinking, so Muratore plays")
        await scheduler.stop()


@in_loop
async def test_game_is_paused_after_more_crashes_and_others_continue(database_url: str, bots: Bots) -> None:
    bots.hold = False
    async with a_service(database_url) as service:
        anna = await a_person(service)
        room, scheduler = await a_bots_turn(service, anna), Scheduler(service)
        for _ in range(bot_failures.MOST_ATTEMPTS):
            await die_of(service, room)
        other = await a_bots_turn(service, anna)
        n = other.n
        await do_what_is_due(scheduler)
        assert (await kept_row(service, room.row.id)).due_at is None
        assert said(room) == [str(bot_failures.PAUSED)]
        assert other.n > n
        assert next(iter(service.metrics.tables_paused.collect())).samples[0].value == 1
        assert await scheduler.start_due() > 0
        await scheduler.stop()


@in_loop
async def test_chat_reports_resuming_and_pausing_again(database_url: str) -> None:
    async with a_service(database_url) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        for _ in range(2):
            for _ in range(bot_failures.MOST_ATTEMPTS):
                await die_of(service, room)
            await do_what_is_due(scheduler)
            async with service.database.write() as w:
                assert await bot_failures.resume(w, room.row.id, service.now())
                assert not await bot_failures.resume(w, room.row.id, service.now())
            await service.show_changes(w)
        assert said(room) == 2 * [str(bot_failures.PAUSED), str(bot_failures.RESUMED)]
        await scheduler.stop()


@in_loop
async def test_game_that_continued_after_it_was_claimed_is_not_paused(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_bots_turn(service, await a_person(service))
        due = room.row.due_at
        assert not await bot_failures.pause(
            service, room.row.id, room.n, bot_failures.MOST_ATTEMPTS
        )  # a person came back
        for _ in range(bot_failures.MOST_ATTEMPTS):
            await die_of(service, room)
        assert not await bot_failures.pause(service, room.row.id, room.n - 1, bot_failures.MOST_ATTEMPTS)
        assert said(room) == []
        assert (await kept_row(service, room.row.id)).due_at == due


@in_loop
async def test_game_paused_while_being_read_is_shown_as_paused(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_bots_turn(service, await a_person(service))
        table_id, n = room.row.id, room.n
        for _ in range(bot_failures.MOST_ATTEMPTS):
            await die_of(service, room)
        del room
        service.rooms.clear()
        gc.collect()
        real, reading, may_end = replay_game, asyncio.Event(), asyncio.Event()

        async def slow(*given: Any) -> Any:
            reading.set()
            await may_end.wait()
            return await real(*given)

        monkeypatch.setattr("signoria.server.play.room_cache.replay_game", slow)
        loading = asyncio.create_task(service.room(table_id))
        await reading.wait()
        pausing = asyncio.create_task(bot_failures.pause(service, table_id, n, bot_failures.MOST_ATTEMPTS))
        while (await kept_row(service, table_id)).due_at is not None:
            await asyncio.sleep(0)
        may_end.set()
        assert await pausing
        room = await loading
        assert room.row.due_at is None
        assert said(room) == [str(bot_failures.PAUSED)]


@in_loop
async def test_step_or_clean_shutdown_resets_the_crash_count(database_url: str, bots: Bots) -> None:
    async with a_service(database_url) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        await scheduler.start_due()
        await until(lambda: len(bots.thoughts) == 1)
        assert await attempts(service, room.row.id) == 1
        bots.let_go()
        while scheduler.tasks:
            await asyncio.wait(scheduler.tasks)
        assert await attempts(service, room.row.id) == 0
        while turn_of(room) == 0:
            await make(service, room, legal(room)[0])
        bots.hold = True
        await scheduler.start_due()
        await until(lambda: len(bots.thoughts) > 1)
        asyncio.get_running_loop().call_later(0.01, bots.let_go)
        await scheduler.stop()
        assert await attempts(service, room.row.id) == 0


@in_loop
async def test_database_outage_does_not_count_as_a_crash(
    database_url: str, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)

        def unreachable() -> Any:
            raise OSError("the database does not answer")

        for outage in range(bot_failures.MOST_ATTEMPTS + 1):
            await scheduler.start_due()
            await until(lambda: len(bots.thoughts) > outage)  # noqa: B023
            assert await attempts(service, room.row.id) == 1
            with monkeypatch.context() as patched:
                patched.setattr(service.database, "write", unreachable)
                bots.thoughts[outage].may_end.set()
                while scheduler.tasks:
                    await asyncio.wait(scheduler.tasks)
            clock.pass_seconds(LEASE / 1000)
        bots.hold = False
        n = room.n
        await do_what_is_due(scheduler)
        assert room.n > n
        await scheduler.stop()


@in_loop
async def test_suspects_of_a_crash_are_handled_one_at_a_time(sqlite_url: str, bots: Bots) -> None:
    async with a_service(sqlite_url, bot_threads=3) as service:
        ids, scheduler = await abandon(service, [await a_person(service)], 3), Scheduler(service)
        async with service.database.write() as w:
            await duties.count_attempts(w.db, ids)
        await scheduler.start_due()
        await until(lambda: len(bots.thoughts) == 1)
        assert sorted([await attempts(service, table_id) for table_id in ids]) == [1, 1, 2]
        bots.let_go()
        await scheduler.stop()


@in_loop
async def test_expired_clock_does_not_count_as_a_crash(database_url: str, bots: Bots) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_person(service, "Anna"), await a_person(service, "Bruno")
        room, scheduler = await a_table(service, *pair, clock=60), Scheduler(service)
        clock.pass_seconds(60)
        await scheduler.start_due()
        while scheduler.tasks:
            await asyncio.wait(scheduler.tasks)
        assert sum(seat.away for seat in room.row.seats) == 1
        assert await attempts(service, room.row.id) == 0
        await scheduler.stop()


# A server that stops


@in_loop
async def test_claims_are_released_before_a_hanging_bot_answers(
    database_url: str, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_module, "GRACE", 0.0)
    monkeypatch.setattr(bot_pool, "GRACE", 10 * PATIENCE)
    async with a_service(database_url) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        await scheduler.start_due()
        await until(lambda: len(bots.thoughts) == 1)
        async with asyncio.timeout(PATIENCE):
            await scheduler.stop()
        assert bots.thoughts[0].hurried.is_set()
        assert not bots.thoughts[0].may_end.is_set()
        assert (await kept_row(service, room.row.id)).due_at == service.now()
        assert await attempts(service, room.row.id) == 0


@in_loop
async def test_claims_made_during_shutdown_are_released_and_not_counted(
    database_url: str, bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_module, "GRACE", PATIENCE)
    real, claiming, may_claim = duties.claim_due, asyncio.Event(), asyncio.Event()

    async def claim(*given: Any) -> Any:
        claiming.set()
        await may_claim.wait()
        return await real(*given)

    async with a_service(database_url) as service:
        room, scheduler = await a_bots_turn(service, await a_person(service)), Scheduler(service)
        monkeypatch.setattr(duties, "claim_due", claim)
        running = asyncio.create_task(scheduler.run())
        await claiming.wait()
        service.close()
        stopping = asyncio.create_task(scheduler.stop())
        await asyncio.sleep(0)
        may_claim.set()
        await asyncio.gather(running, stopping)
        assert not bots.thoughts
        assert (await kept_row(service, room.row.id)).due_at == service.now()
        assert await attempts(service, room.row.id) == 0


@in_loop
async def test_bots_are_stopped_as_soon_as_shutdown_begins(sqlite_url: str, bots: Bots) -> None:
    """Not only after all requests have ended, which may take their whole time limit."""
    async with open_app(sqlite_url) as (app, service):
        await a_bots_turn(service, await a_person(service))
        await until(lambda: len(bots.thoughts) == 1)
        app.state.closing.set()
        await until(bots.thoughts[0].hurried.is_set)
        bots.let_go()


def test_shutdown_finishes_within_its_time_limit() -> None:
    stopping = GRACE + 3 * RELEASE
    assert max(process.GRACE, stopping) + 1.5 < process.PATIENCE  # and what was begun in the background ends
