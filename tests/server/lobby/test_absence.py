"""Games never hang: clocks, leaving and returning, stand-ins, deleted users, and bots that take over."""

import asyncio
from random import Random

import msgspec
import pytest

from signoria.kernel.errors import NoUndo
from signoria.server.errors import Conflict, NotAllowed, StaleVersion
from signoria.server.lobby import absence, opening
from signoria.server.lobby.catalogue import level_title
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.people.account_deletion import erase_user
from signoria.server.play import bot_failures
from signoria.server.play import scheduler as scheduler_module
from signoria.server.play.bot_pool import Ticket
from signoria.server.play.bot_turns import BotTurns
from signoria.server.play.claims import LEASE
from signoria.server.play.clocks import MISSED, WITHOUT_CLOCK, deadline
from signoria.server.play.room import Room
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.server.settings import rate
from signoria.store import duties, ratings, tables
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.application import UNLIMITED, arrive, open_app
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
    kept_steps,
    legal,
    make_step,
    play,
    turn_of,
    undo,
    until,
)

Pair = tuple[User, User]


async def a_pair(service: TableService) -> Pair:
    return await a_person(service, "Anna"), await a_person(service, "Bruno")


# Clocks


@in_loop
async def test_bot_plays_after_the_clock_runs_out_until_the_player_returns(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=60), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(59.9)
        await do_what_is_due(scheduler)
        assert room.n == 0
        assert not any(each.away for each in room.row.seats)
        clock.pass_seconds(0.1)
        await do_what_is_due(scheduler)
        assert [each.away for each in room.row.seats] == [seat == 0, seat == 1]
        name = pair[seat].name
        [said] = [message.text for message in room.messages]
        assert name in said and "out of time" in said and level_title(LEVEL) in said
        assert turn_of(room) == 1 - seat  # the bot has played on, and now the other is asked
        assert {step.seat for step in await kept_steps(service, room.row.id) if step.by == "bot"} == {seat}
        with pytest.raises(Conflict, match="Take your seat back"):
            await service.make_step(room, pair[seat].id, seat, room.n, legal(room)[0])
        await absence.come_back(service, room, pair[seat], seat)
        assert [message.text for message in room.messages] == [said, f"{name} is back."]
        await play(service, room, Random(1), until_n=room.n + 30)
        await do_what_is_due(scheduler)
        assert not any(each.away for each in room.row.seats)
        await check_kept(service, room)
        await scheduler.stop()


@in_loop
async def test_clock_covers_a_whole_turn_and_restarts_with_the_next(sqlite_url: str) -> None:
    clock, rng = Clock(), Random(2)
    async with a_service(sqlite_url, clock) as service:
        room = await a_table(service, *await a_pair(service), game="il-principe", clock=60)
        went_on = came_round = 0
        while room.row.state == "playing":
            seat, since, n, chose = turn_of(room), room.row.turn_at, room.n, room.row.choosing
            clock.pass_seconds(1)
            await make_step(service, room, seat, n, a_step(room, rng))
            if room.row.state != "playing":
                break
            made = (await kept_steps(service, room.row.id))[n:]
            same = turn_of(room) == seat and {step.seat for step in made} == {seat}
            went_on += same
            came_round += turn_of(room) == seat and not same  # the server has made the other's step
            goes_on = chose if room.row.choosing else same  # everyone chooses at the same time, with one clock
            assert room.row.turn_at == (since if goes_on else clock.now)
            assert room.row.due_at == (room.row.turn_at or 0) + 60_000
        assert went_on
        assert came_round


@in_loop
async def test_player_who_just_returned_keeps_the_seat(database_url: str) -> None:
    """The process that claimed the bot's turn finds that the player has returned, so the bot does not move."""
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair, clock=60)
        seat, step = turn_of(room), legal(room)[0]
        await absence.leave(service, room, pair[seat], seat)
        await absence.come_back(service, room, pair[seat], seat)
        assert not await absence.clock_out(service, room, 0)
        with pytest.raises(StaleVersion, match="come back"):
            await service.make_step(room, None, seat, 0, step)
        assert not room.row.seats[seat].away
        await make_step(service, room, seat, 0, step)
        await check_kept(service, room)


@in_loop
async def test_leaving_and_returning_gains_no_time(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=60), Scheduler(service)
        seat, due = turn_of(room), room.row.due_at
        for _ in range(5):
            clock.pass_seconds(10)
            await absence.leave(service, room, pair[seat], seat)
            await absence.come_back(service, room, pair[seat], seat)
            assert (room.row.due_at, deadline(room.row)) == (due, due)
        clock.pass_seconds(10)
        await do_what_is_due(scheduler)
        assert room.row.seats[seat].away
        await scheduler.stop()


@in_loop
async def test_player_whose_time_is_up_can_return_only_after_the_turn(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=700) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=60), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(60)
        await do_what_is_due(scheduler)
        assert room.row.seats[seat].away
        assert room.row.turn == seat, "the bot takes its time"
        said = len(room.messages)
        with pytest.raises(Conflict, match=r"time for this move is up.*come back after"):
            await absence.come_back(service, room, pair[seat], seat)
        assert len(room.messages) == said
        while room.row.turn == seat:
            clock.pass_seconds(1)
            await do_what_is_due(scheduler)
        await absence.come_back(service, room, pair[seat], seat)
        assert not room.row.seats[seat].away
        await scheduler.stop()


@pytest.mark.parametrize("seconds", [60, 0])
@in_loop
async def test_player_whose_time_is_up_can_return_to_a_paused_game(database_url: str, seconds: int) -> None:
    """No bot finishes that turn, because the server crashed each time. The player has the full time for it."""
    clock = Clock()
    async with a_service(database_url, clock, pace=700) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=seconds), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(seconds or MISSED)
        if seconds:
            await do_what_is_due(scheduler)
        else:
            await absence.stand_in(service, room, pair[1 - seat], seat)
        clock.pass_seconds(1)
        async with service.database.write() as w:
            [claim] = await duties.claim_due(w.db, clock.now, clock.now, 1)
            for _ in range(bot_failures.MOST_ATTEMPTS):
                await duties.count_attempts(w.db, [claim.table_id])
        await do_what_is_due(scheduler)
        assert (await kept_row(service, room.row.id)).due_at is None
        clock.pass_seconds(3600)
        await absence.come_back(service, room, pair[seat], seat)
        assert not room.row.seats[seat].away
        due = clock.now + 1000 * (seconds or WITHOUT_CLOCK)
        assert (room.row.turn_at, room.row.due_at) == (clock.now, due)
        assert f"{pair[seat].name} is back" in room.messages[-1].text
        await absence.leave(service, room, pair[seat], seat)  # the crashes before do not count any more
        clock.pass_seconds(1)
        await do_what_is_due(scheduler)
        assert room.n > 0
        await scheduler.stop()


@in_loop
async def test_game_stays_paused_when_its_absent_player_resigns_or_is_deleted(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair)
        seat = turn_of(room)
        await absence.leave(service, room, pair[seat], seat)
        async with service.database.write() as w:
            await tables.change(w.db, room.row.id, due_at=None)
        await absence.leave(service, room, pair[seat], seat, resign=True)
        assert room.row.due_at is None
        await erase_user(service.database, pair[seat].id, service.now(), service.show_changes)
        assert room.row.due_at is None


@in_loop
async def test_player_replaced_without_a_clock_can_return_after_the_turn(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=700) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(MISSED - 1)
        await absence.leave(service, room, pair[seat], seat)
        await absence.come_back(service, room, pair[seat], seat)
        assert not absence.missed(room.row, seat, service.now())
        clock.pass_seconds(1)
        assert absence.missed(room.row, seat, service.now()), "leaving and coming back is no answer"
        await absence.stand_in(service, room, pair[1 - seat], seat)
        with pytest.raises(Conflict, match="come back after"):
            await absence.come_back(service, room, pair[seat], seat)
        while room.row.turn == seat:
            clock.pass_seconds(1)
            await do_what_is_due(scheduler)
        await absence.come_back(service, room, pair[seat], seat)
        await scheduler.stop()


@in_loop
async def test_undoing_the_end_of_a_turn_gains_no_time(database_url: str) -> None:
    clock, rng = Clock(), Random(5)
    async with a_service(database_url, clock) as service:
        room = await a_table(service, *await a_pair(service), game="il-principe", clock=60)
        taken_back = 0
        while taken_back < 4:
            seat, n = turn_of(room), room.n
            clock.pass_seconds(7 if taken_back < 3 else 60)
            left = (deadline(room.row) or 0) - clock.now
            await make_step(service, room, seat, n, a_step(room, rng))
            position = room.position
            assert position is not None
            if room.row.turn == seat or position.table.may_undo != seat or room.row.choosing:
                continue
            assert deadline(room.row) == clock.now + 60_000, "the other has a whole clock"
            clock.pass_seconds(5)
            if left <= 0:  # the step came too late, and before the server took the seat away
                with pytest.raises(NoUndo, match="time for that move is up"):
                    await undo(service, room, seat, room.n)
                break
            await undo(service, room, seat, room.n)
            assert turn_of(room) == seat
            assert (deadline(room.row) or 0) - clock.now == left - 5_000, "the time until it was taken back counts"
            assert room.row.due_at == deadline(room.row)
            taken_back += 1
            await make_step(service, room, seat, room.n, a_step(room, rng))
        await check_kept(service, room)


@in_loop
async def test_without_a_clock_a_bot_takes_over_after_a_long_time(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room, scheduler = await a_table(service, *await a_pair(service)), Scheduler(service)
        clock.pass_seconds(WITHOUT_CLOCK)
        await do_what_is_due(scheduler)
        assert sum(seat.away for seat in room.row.seats) == 1
        await scheduler.stop()


# Leaving


@in_loop
async def test_bots_play_for_players_who_left_and_give_the_seat_back(database_url: str) -> None:
    async with a_service(database_url) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair), Scheduler(service)
        seat = turn_of(room)
        await absence.leave(service, room, pair[seat], seat)
        await absence.leave(service, room, pair[seat], seat)  # twice is once
        await do_what_is_due(scheduler)
        assert turn_of(room) == 1 - seat
        assert len(room.messages) == 1
        await absence.come_back(service, room, pair[seat], seat)
        await play(service, room, Random(3), until_n=room.n + 10)
        await check_kept(service, room)
        for own in (0, 1):
            await absence.leave(service, room, pair[own], own)
        await do_what_is_due(scheduler)
        assert room.row.state == "over"
        await check_kept(service, room)
        with pytest.raises(Conflict, match="over"):
            await absence.come_back(service, room, pair[0], 0)
        await scheduler.stop()


@in_loop
async def test_player_who_resigned_cannot_return(database_url: str) -> None:
    async with a_service(database_url) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair)
        seat = turn_of(room)
        await absence.leave(service, room, pair[seat], seat)
        await absence.leave(service, room, pair[seat], seat, resign=True)
        with pytest.raises(Conflict, match="resigned"):
            await absence.come_back(service, room, pair[seat], seat)
        with pytest.raises(Conflict, match="resigned"):
            await service.make_step(room, pair[seat].id, seat, 0, legal(room)[0])
        with pytest.raises(Conflict, match="resigned"):
            await service.undo(room, pair[seat].id, seat, 0)
        with pytest.raises(NotAllowed):
            await service.make_step(room, pair[1 - seat].id, seat, 0, legal(room)[0])
        with pytest.raises(NotAllowed):
            await absence.leave(service, room, pair[seat], 1 - seat)


@in_loop
async def test_others_can_call_a_stand_in_for_an_inactive_player(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(MISSED - 1)
        with pytest.raises(Conflict, match="3 minutes"):
            await absence.stand_in(service, room, pair[1 - seat], seat)
        clock.pass_seconds(1)
        with pytest.raises(NotAllowed):
            await absence.stand_in(service, room, await a_person(service, "Carla"), seat)
        with pytest.raises(Conflict):
            await absence.stand_in(service, room, pair[1 - seat], 1 - seat)
        await absence.stand_in(service, room, pair[1 - seat], seat)
        await do_what_is_due(scheduler)
        assert turn_of(room) == 1 - seat
        [said] = [message.text for message in room.messages]
        assert f"{pair[seat].name} is away" in said and level_title(LEVEL) in said
        await scheduler.stop()


@in_loop
async def test_bot_plays_for_a_deleted_user_and_only_the_other_player_is_rated(database_url: str) -> None:
    async with a_service(database_url) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair), Scheduler(service)
        seat = turn_of(room)
        assert await erase_user(service.database, pair[seat].id, service.now())
        await service.refresh(room)
        await do_what_is_due(scheduler)
        assert turn_of(room) == 1 - seat
        await absence.leave(service, room, pair[1 - seat], 1 - seat)
        await do_what_is_due(scheduler)
        assert room.row.state == "over"
        await check_kept(service, room)
        async with service.database.read() as db:
            assert [row.who for row in await ratings.top_ratings(db, "patrician", 10)] == [pair[1 - seat].id]
        await scheduler.stop()


@pytest.mark.parametrize("api", [False, True], ids=["page", "api"])
@in_loop
async def test_leaving_and_returning_counts_towards_the_chat_limit(sqlite_url: str, api: bool) -> None:
    few = msgspec.structs.replace(UNLIMITED, chat=rate("1/h up to 5"))
    async with open_app(sqlite_url, rates=few, pace=60_000) as (app, service):
        anna, bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user is not None
        assert bruno.user is not None
        room = await a_table(service, anna.user, bruno.user)
        statuses = []
        for way in ("leave", "return") * 4:
            if api:
                answer = await anna.client.post(f"/api/v1/tables/{room.row.id}/{way}", json={"seat": 0})
            else:
                answer = await anna.send(f"/tables/{room.row.id}/{way}", script=True)
            statuses.append(answer.status_code)
        assert statuses == [200] * 5 + [429] * 3
        assert len(room.messages) == 5


@in_loop
async def test_seat_that_cannot_return_yet_does_not_block_the_players_other_seats(sqlite_url: str) -> None:
    """Several people on one device return to all their seats with one form."""
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        clock = Clock()
        service.now = clock
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        wish = TableRequest(game="patrician", options={}, seats=(SeatRequest("me"), SeatRequest("device")), clock=60)
        room = await service.room((await opening.open_table(service, anna.user, wish)).id)
        seat = turn_of(room)
        for each in (0, 1):
            await absence.leave(service, room, anna.user, each)
        clock.pass_seconds(60)
        answer = await anna.send(f"/tables/{room.row.id}/return", script=True)
        assert answer.status_code == 409
        assert "the bot finishes your turn" in answer.text
        assert [each.away for each in room.row.seats] == [seat == 0, seat == 1]


# Whose duty it is


class HeldTurns(BotTurns):
    """Turns of bots that think until the test stops them."""

    def __init__(self, scheduler: Scheduler, think: asyncio.Event) -> None:
        super().__init__(scheduler.service, scheduler.bot_pool)
        self._think_until = think

    async def act(self, room: Room, seat: int, n: int, bot: str, ticket: Ticket) -> None:
        await self._think_until.wait()
        await super().act(room, seat, n, bot, ticket)


class Held(Scheduler):
    """A process whose bots think until the test stops them."""

    def __init__(self, service: TableService) -> None:
        super().__init__(service)
        self.think = asyncio.Event()
        self.bot_turns = HeldTurns(self, self.think)


@in_loop
async def test_claim_lasts_while_its_bot_thinks_but_ends_with_its_process(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, LEVEL)
        await absence.leave(service, room, anna, 0)
        one, other = Held(service), Scheduler(service)
        await one.start_due()
        assert len(one.tasks) == 1
        for _ in range(3):
            clock.pass_seconds(LEASE / 1000 - 1)
            await one.claims.renew(service.now() + LEASE)
            await other.start_due()
            assert not other.tasks
        clock.pass_seconds(LEASE / 1000)  # it has died, say
        await other.start_due()
        assert len(other.tasks) == 1
        await asyncio.wait(other.tasks)
        assert room.n > 0
        n = room.n
        one.think.set()  # it had only slept: its step comes too late
        await asyncio.wait(one.tasks)
        assert [step.n for step in await kept_steps(service, room.row.id)] == list(range(n))
        await check_kept(service, room)
        await one.stop()
        await other.stop()


@in_loop
async def test_stopping_process_releases_its_claims(database_url: str) -> None:
    monkeypatch = pytest.MonkeyPatch()
    async with a_service(database_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, LEVEL)
        await absence.leave(service, room, anna, 0)
        one, other = Held(service), Scheduler(service)
        await one.start_due()
        assert (await kept_row(service, room.row.id)).due_at == service.now() + LEASE
        monkeypatch.setattr(scheduler_module, "GRACE", 0.01)
        await one.stop()
        assert (await kept_row(service, room.row.id)).due_at == service.now()
        await do_what_is_due(other)
        assert room.row.state == "over"
        await other.stop()
    monkeypatch.undo()


@in_loop
async def test_claim_is_not_renewed_after_the_table_changed(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair, clock=60)
        seat = turn_of(room)
        await absence.leave(service, room, pair[seat], seat)
        one = Held(service)
        await one.start_due()
        await absence.come_back(service, room, pair[seat], seat)
        await one.claims.renew(service.now() + LEASE)
        assert (await kept_row(service, room.row.id)).due_at == service.now() + 60_000
        one.think.set()
        await asyncio.wait(one.tasks)
        assert room.n == 0  # its owner is asked
        await one.stop()


@pytest.mark.slow
@in_loop
async def test_two_processes_share_the_bots_of_many_tables(postgres_url: str) -> None:
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        anna = await a_person(one)
        rooms = [await a_table(one, anna, LEVEL, game=game) for game in ("patrician", "il-principe") * 2]
        for room in rooms:
            await absence.leave(one, room, anna, 0)
        both = [Scheduler(one), Scheduler(other)]
        running = [asyncio.create_task(scheduler.run()) for scheduler in both]
        await until(lambda: all(room.row.state == "over" for room in rooms))
        for service, scheduler in zip((one, other), both, strict=True):
            service.close()
            await scheduler.stop()
        await asyncio.gather(*running)
        by_bots = 0
        for room in rooms:
            await check_kept(one, room)
            by_bots += sum(step.by == "bot" for step in await kept_steps(one, room.row.id))
        counted = [
            sum(sample.value for sample in metric.samples if sample.name.endswith("_total"))
            for service in (one, other)
            for metric in service.metrics.bot_turns.collect()
        ]
        assert sum(counted) == by_bots
