"""A total time with an increment, and vacations in slow games."""

from random import Random
from typing import Any

import pytest

from signoria.kernel.errors import NoUndo
from signoria.server.errors import BadField, Conflict
from signoria.server.lobby import absence, rematches
from signoria.server.people import vacations
from signoria.server.play.clocks import TOTAL_CLOCKS, deadline
from signoria.server.play.ordered_steps import orders_of
from signoria.server.play.room import Room
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.server.run.heartbeat import Heartbeat
from signoria.store import tables
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.play.test_orders import at_offers, choose, lay, plans, seat_of, view_of
from tests.server.services import (
    Clock,
    a_person,
    a_service,
    a_step,
    a_table,
    check_kept,
    do_what_is_due,
    kept_row,
    make,
    make_step,
    play,
    turn_of,
    undo,
)

TOTAL, MORE = TOTAL_CLOCKS[0]
DAY = 24 * 3600


async def a_pair(service: TableService) -> tuple[User, User]:
    return await a_person(service, "Anna"), await a_person(service, "Bruno")


def left(room: Room, seat: int) -> float:
    return (room.row.seats[seat].time_left or 0) / 1000


async def end_turn(service: TableService, room: Room, rng: Random) -> None:
    """Make steps until it is another seat's turn."""
    seat = turn_of(room)
    while room.row.state == "playing" and turn_of(room) == seat:
        await service.make_step(room, room.row.seats[seat].user_id, seat, room.n, a_step(room, rng))


@in_loop
async def test_total_time_runs_only_during_the_own_turns_and_every_turn_adds_the_increment(database_url: str) -> None:
    clock, rng = Clock(), Random(1)
    async with a_service(database_url, clock) as service:
        room = await a_table(service, *await a_pair(service), total_time=TOTAL, increment=MORE)
        first = turn_of(room)
        assert [left(room, seat) for seat in (0, 1)] == [TOTAL, TOTAL]
        assert deadline(room.row) == clock.now + 1000 * TOTAL
        clock.pass_seconds(100)
        await end_turn(service, room, rng)
        assert (left(room, first), left(room, 1 - first)) == (TOTAL - 100 + MORE, TOTAL)
        clock.pass_seconds(30)
        await end_turn(service, room, rng)
        assert (left(room, first), left(room, 1 - first)) == (TOTAL - 100 + MORE, TOTAL - 30 + MORE)
        assert deadline(room.row) == clock.now + 1000 * (TOTAL - 100 + MORE)
        await check_kept(service, room)


@in_loop
async def test_bot_plays_when_the_total_time_is_up_and_the_player_returns_with_the_increment(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, total_time=TOTAL, increment=MORE), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(TOTAL - 1)
        await do_what_is_due(scheduler)
        assert not room.row.seats[seat].away
        clock.pass_seconds(1)
        await do_what_is_due(scheduler)
        assert room.row.seats[seat].away
        assert turn_of(room) == 1 - seat
        assert left(room, seat) == MORE
        await absence.come_back(service, room, pair[seat], seat)
        await end_turn(service, room, Random(2))
        assert deadline(room.row) == clock.now + 1000 * MORE
        await check_kept(service, room)


@in_loop
async def test_player_whose_total_time_is_up_cannot_return_in_the_same_turn(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=60_000) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, total_time=TOTAL, increment=MORE), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(TOTAL)
        await do_what_is_due(scheduler)
        with pytest.raises(Conflict, match="time for this move is up"):
            await absence.come_back(service, room, pair[seat], seat)


@in_loop
async def test_leaving_and_returning_wins_no_total_time(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=60_000) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair, total_time=TOTAL, increment=MORE)
        seat = turn_of(room)
        clock.pass_seconds(50)
        await absence.leave(service, room, pair[seat], seat)
        clock.pass_seconds(5)
        await absence.come_back(service, room, pair[seat], seat)
        assert deadline(room.row) == clock.now + 1000 * (TOTAL - 50)


async def end_turn_that_can_be_undone(
    service: TableService, room: Room, clock: Clock, seconds: float
) -> tuple[int, int]:
    """Play until a person has ended a turn and can undo that; the seat, and what it had left before, in milliseconds."""
    rng = Random(5)
    while True:
        seat, choosing, left = turn_of(room), room.row.choosing, (deadline(room.row) or 0) - clock.now
        used = min(int(1000 * seconds), left - 500)
        clock.now += used
        await service.make_step(room, room.row.seats[seat].user_id, seat, room.n, a_step(room, rng))
        assert room.position is not None
        if turn_of(room) != seat and room.position.table.may_undo == seat and not (choosing or room.row.choosing):
            return seat, left - used


@in_loop
async def test_undo_gives_back_neither_time_nor_increment(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room = await a_table(service, *await a_pair(service), total_time=TOTAL, increment=MORE, game="il-principe")
        seat, had = await end_turn_that_can_be_undone(service, room, clock, 1)
        clock.pass_seconds(3)
        await undo(service, room, seat, room.n)
        assert turn_of(room) == seat
        assert (deadline(room.row) or 0) - clock.now == had - 3_000
        await check_kept(service, room)


@in_loop
async def test_undo_gives_back_no_time_when_the_next_player_leaves_and_returns(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair, total_time=TOTAL, increment=MORE, game="il-principe")
        seat, had = await end_turn_that_can_be_undone(service, room, clock, 1)
        other = turn_of(room)
        clock.pass_seconds(100)
        before = deadline(room.row)
        await absence.leave(service, room, pair[other], other)
        await absence.come_back(service, room, pair[other], other)
        assert deadline(room.row) == before
        await undo(service, room, seat, room.n)
        assert (deadline(room.row) or 0) - clock.now == had - 100_000
        await check_kept(service, room)


@in_loop
async def test_undo_is_too_late_when_the_total_time_has_run_out_since(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room = await a_table(service, *await a_pair(service), total_time=TOTAL, increment=MORE, game="il-principe")
        seat, had = await end_turn_that_can_be_undone(service, room, clock, 60)
        clock.now += had + 1
        with pytest.raises(NoUndo, match="time for that move is up"):
            await undo(service, room, seat, room.n)


# Where all choose at the same time


@in_loop
async def test_everyone_uses_their_own_time_until_they_have_chosen(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, (first, early, last) = await at_offers(service, total_time=TOTAL, increment=MORE)
        clock.pass_seconds(10)
        await choose(service, room, early, plans(room, early)[0])
        assert of(room, early) == TOTAL - 10 + MORE
        clock.pass_seconds(20)
        await choose(service, room, early, ())  # the time between a choice and taking it back does not count
        assert of(room, early) == TOTAL - 10 + 30
        await choose(service, room, early, plans(room, early)[0])
        assert of(room, early) == TOTAL - 10 + MORE
        clock.pass_seconds(5)
        await choose(service, room, last, plans(room, last)[0])
        assert of(room, last) == TOTAL - 35 + MORE
        clock.pass_seconds(5)
        await choose(service, room, first, plans(room, first)[0])
        assert of(room, first) == TOTAL - 40 + MORE
        await do_what_is_due(Scheduler(service))
        assert room.row.choosing == 0 and room.n > 0
        assert [of(room, user) for user in (first, early, last)] == [
            TOTAL - 40 + MORE,
            TOTAL - 10 + MORE,
            TOTAL - 35 + MORE,
        ]


@in_loop
async def test_whose_cards_the_server_lays_after_the_last_choice_pays_no_time_twice(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, (first, early, late) = await at_offers(service, total_time=TOTAL, increment=MORE)
        for user in (early, late):
            clock.pass_seconds(10)
            await choose(service, room, user, plans(room, user)[0])
        clock.pass_seconds(100)
        await lay(service, room, first)
        await do_what_is_due(Scheduler(service))
        assert view_of(room).phase == 2
        assert [of(room, user) for user in (first, early, late)] == [
            TOTAL - 120 + MORE,
            TOTAL - 10 + MORE,
            TOTAL - 20 + MORE,
        ]
        await check_kept(service, room)


@in_loop
@pytest.mark.parametrize("by_undo", [False, True])
async def test_laying_cards_otherwise_than_chosen_wins_no_increment(database_url: str, by_undo: bool) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=60_000) as service:
        room, (first, _, _) = await at_offers(service, total_time=TOTAL, increment=MORE)
        seat, steps = seat_of(room, first), plans(room, first)[0]
        for _ in range(3):
            clock.pass_seconds(1)
            if by_undo:
                await make_step(service, room, seat, room.n, steps[0])
                await choose(service, room, first, plans(room, first)[0])
                assert of(room, first) > TOTAL
                await undo(service, room, seat, room.n)
            else:
                await choose(service, room, first, steps)
                assert of(room, first) > TOTAL
                await make_step(service, room, seat, room.n, steps[0])
                await undo(service, room, seat, room.n)
            assert turn_of(room) == seat
            assert (deadline(room.row) or 0) - clock.now > 1000 * (TOTAL - 4)
        clock.pass_seconds(10)
        await lay(service, room, first)
        assert of(room, first) == TOTAL - 13 + MORE
        await check_kept(service, room)


@in_loop
async def test_undo_where_all_choose_at_the_same_time_costs_no_time_twice(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, (first, second, _) = await at_offers(service, total_time=TOTAL, increment=MORE)
        clock.pass_seconds(200)
        await lay(service, room, first)
        assert of(room, first) == TOTAL - 200 + MORE and turn_of(room) == seat_of(room, second)
        clock.pass_seconds(10)
        seat = seat_of(room, first)
        await undo(service, room, seat, room.n)
        assert turn_of(room) == seat
        assert (deadline(room.row) or 0) - clock.now == 1000 * (TOTAL - 200)  # as with a choice that is taken back
        clock.pass_seconds(5)
        await lay(service, room, first)
        assert of(room, first) == TOTAL - 205 + MORE
        await check_kept(service, room)


@in_loop
async def test_leaving_after_a_choice_wins_no_time(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=60_000) as service:
        room, (_, early, _) = await at_offers(service, total_time=TOTAL, increment=MORE)
        seat = seat_of(room, early)
        for _ in range(3):
            clock.pass_seconds(10)
            await choose(service, room, early, plans(room, early)[0])
            clock.pass_seconds(5)
            await absence.leave(service, room, early, seat)
            clock.pass_seconds(5)
            await absence.come_back(service, room, early, seat)
        clock.pass_seconds(10)
        await choose(service, room, early, plans(room, early)[0])
        assert of(room, early) == TOTAL - 4 * 10 + MORE
        await check_kept(service, room)


@in_loop
@pytest.mark.parametrize(("used", "has"), [(10, TOTAL - 10), (TOTAL, MORE)])
async def test_returning_to_a_paused_game_wins_no_total_time(database_url: str, used: int, has: int) -> None:
    """But the player has time to move: a bot that took over at once would crash the server again."""
    clock = Clock()
    async with a_service(database_url, clock, pace=60_000) as service:
        room, (first, _, _) = await at_offers(service, total_time=TOTAL, increment=MORE)
        clock.pass_seconds(used)
        await absence.leave(service, room, first, seat_of(room, first))
        async with service.changing(room) as w:
            await tables.change(w.db, room.row.id, due_at=None)
        clock.pass_seconds(3600)
        await absence.come_back(service, room, first, seat_of(room, first))
        assert deadline(room.row) == clock.now + 1000 * has
        assert room.row.due_at == deadline(room.row)
        await check_kept(service, room)


def of(room: Room, user: User) -> float:
    """What a person has left, in seconds."""
    return left(room, seat_of(room, user))


@in_loop
async def test_lost_time_is_given_back_to_a_total_time(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        heartbeat = Heartbeat(service)
        room = await a_table(service, *await a_pair(service), total_time=TOTAL, increment=MORE)
        await heartbeat.keep()
        clock.pass_seconds(100)
        await heartbeat.stop()
        stopped = clock.now
        clock.pass_seconds(2 * 3600)
        again = Heartbeat(service)
        await again.keep()
        row = await kept_row(service, room.row.id)
        assert deadline(row) == clock.now + 1000 * (TOTAL - 100)
        assert row.due_at == deadline(row)
        assert stopped < clock.now


@in_loop
async def test_whole_game_with_a_total_time_is_stored_as_it_is_played(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room = await a_table(service, *await a_pair(service), total_time=TOTAL, increment=MORE)
        await play(service, room, Random(3))
        await check_kept(service, room)
        anna = User(room.row.host_id or "", "Anna", guest=True, created_at=0, seen_at=0)
        again = await service.room(await rematches.rematch(service, room, anna))
        assert (again.row.total_time, again.row.increment, again.row.clock) == (TOTAL, MORE, 0)


@in_loop
@pytest.mark.parametrize(
    "wrong",
    [
        {"total_time": 7, "increment": 0},
        {"total_time": TOTAL, "increment": 1},
        {"total_time": TOTAL, "increment": MORE, "clock": 60},
    ],
)
async def test_other_total_times_are_refused(sqlite_url: str, wrong: dict[str, Any]) -> None:
    async with a_service(sqlite_url) as service:
        with pytest.raises(BadField, match=r"300\+5"):
            await a_table(service, *await a_pair(service), **wrong)


# Vacations


@in_loop
async def test_slow_clock_stands_still_during_a_vacation(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=DAY), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(3600)
        await vacations.start_vacation(service, pair[seat], 5)
        clock.pass_seconds(5 * DAY)
        await do_what_is_due(scheduler)
        assert deadline(room.row) == clock.now + 1000 * (DAY - 3600)  # an hour was used before
        assert not room.row.seats[seat].away
        clock.pass_seconds(DAY - 3600)
        await do_what_is_due(scheduler)
        assert room.row.seats[seat].away
        await check_kept(service, room)


@in_loop
async def test_vacation_comes_too_late_when_the_time_is_up(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=DAY), Scheduler(service)
        seat = turn_of(room)
        clock.pass_seconds(DAY)
        await vacations.start_vacation(service, pair[seat], 5)  # before the server has noticed
        await do_what_is_due(scheduler)
        assert room.row.seats[seat].away


@in_loop
async def test_turn_that_begins_during_a_vacation_starts_its_clock_afterwards(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair, clock=DAY)
        seat = turn_of(room)
        await vacations.start_vacation(service, pair[1 - seat], 3)
        until = clock.now + 3000 * DAY
        clock.pass_seconds(DAY // 2)
        await end_turn(service, room, Random(1))
        assert deadline(room.row) == until + 1000 * DAY
        await vacations.end_vacation(service, pair[1 - seat])
        assert deadline(room.row) == clock.now + 1000 * DAY
        assert (await vacations.vacation_state(service, pair[1 - seat])).days_left == 30 - 1  # half a day counts as one
        await check_kept(service, room)


async def next_offers(service: TableService, room: Room) -> None:
    """Play until everyone lays cards again."""
    rng, number = Random(4), orders_of(view_of(room)).round_of(view_of(room).known)
    while orders_of(view_of(room)).round_of(view_of(room).known) == number:
        await make(service, room, a_step(room, rng))
    assert view_of(room).asked == "offer"


@in_loop
@pytest.mark.parametrize("place", range(3))
async def test_choice_that_opens_during_a_vacation_begins_for_everyone_after_it(database_url: str, place: int) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, sitting = await at_offers(service, clock=DAY)
        away, until = sitting[place], clock.now + 1000 * 10 * DAY
        await vacations.start_vacation(service, away, 10)
        await next_offers(service, room)
        assert deadline(room.row) == until + 1000 * DAY
        seat = turn_of(room)
        clock.pass_seconds(60)
        while turn_of(room) == seat:
            await make(service, room, a_step(room, Random(1)))
        assert deadline(room.row) == until + 1000 * DAY
        clock.pass_seconds(60)
        await undo(service, room, seat, room.n)
        assert turn_of(room) == seat and deadline(room.row) == until + 1000 * DAY
        clock.pass_seconds(3600)
        await vacations.end_vacation(service, away)
        assert deadline(room.row) == clock.now + 1000 * DAY
        await do_what_is_due(Scheduler(service))
        assert not any(seat.away for seat in room.row.seats)
        await check_kept(service, room)


@in_loop
async def test_clock_stands_still_for_a_person_on_vacation_and_not_for_the_bot_in_the_seat(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=60_000) as service:
        room, (first, away, _) = await at_offers(service, clock=DAY)
        seat, opened_at = seat_of(room, away), clock.now
        await absence.leave(service, room, away, seat)
        await vacations.start_vacation(service, away, 10)
        until = clock.now + 1000 * 10 * DAY
        assert deadline(room.row) == opened_at + 1000 * DAY
        clock.pass_seconds(60)
        await absence.come_back(service, room, away, seat)
        assert deadline(room.row) == room.row.due_at == until + 1000 * (DAY - 60)
        clock.pass_seconds(3600)
        await absence.leave(service, room, away, seat)
        assert deadline(room.row) == room.row.due_at == clock.now + 1000 * (DAY - 60)
        clock.pass_seconds(60)
        await absence.come_back(service, room, away, seat)
        assert deadline(room.row) == room.row.due_at == until + 1000 * (DAY - 120)
        clock.pass_seconds(3600)
        await vacations.end_vacation(service, away)
        assert deadline(room.row) == room.row.due_at == clock.now + 1000 * (DAY - 120)
        await do_what_is_due(Scheduler(service))
        assert turn_of(room) == seat_of(room, first) and not any(seat.away for seat in room.row.seats)
        await check_kept(service, room)


@in_loop
async def test_game_that_starts_during_a_vacation_waits_for_its_end(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        away = await a_person(service, "Carla")
        await vacations.start_vacation(service, away, 10)
        pair, until = await a_pair(service), clock.now + 1000 * 10 * DAY
        for _ in range(5):  # who is asked first differs
            room = await a_table(service, *pair, away, clock=DAY, game="il-principe")
            assert deadline(room.row) == room.row.due_at == until + 1000 * DAY
            await check_kept(service, room)


@in_loop
async def test_fast_clock_runs_during_a_vacation(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room, scheduler = await a_table(service, *pair, clock=600), Scheduler(service)
        seat = turn_of(room)
        await vacations.start_vacation(service, pair[seat], 3)
        clock.pass_seconds(600)
        await do_what_is_due(scheduler)
        assert room.row.seats[seat].away


@in_loop
async def test_downtime_does_not_move_a_turn_that_begins_after_a_vacation(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair, heartbeat = await a_pair(service), Heartbeat(service)
        room = await a_table(service, *pair, clock=DAY)
        seat = turn_of(room)
        await vacations.start_vacation(service, pair[seat], 10)
        before = deadline(room.row)
        await heartbeat.keep()
        await heartbeat.stop()
        clock.pass_seconds(2 * DAY)
        await Heartbeat(service).keep()
        assert deadline(await kept_row(service, room.row.id)) == before


@in_loop
async def test_vacation_days_are_limited_per_year(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, vacation_days=5) as service:
        anna = await a_person(service)
        with pytest.raises(BadField, match="1 to 5 days"):
            await vacations.start_vacation(service, anna, 6)
        await vacations.start_vacation(service, anna, 5)
        with pytest.raises(Conflict, match="already on vacation"):
            await vacations.start_vacation(service, anna, 1)
        clock.pass_seconds(5 * DAY)
        with pytest.raises(BadField, match="no vacation days left"):
            await vacations.start_vacation(service, anna, 1)
        with pytest.raises(Conflict, match="not on vacation"):
            await vacations.end_vacation(service, anna)
        clock.pass_seconds(365 * DAY)
        assert (await vacations.vacation_state(service, anna)).days_left == 5


@in_loop
@pytest.mark.parametrize("own", [False, True])
async def test_undo_during_a_vacation_wins_no_time(database_url: str, own: bool) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        pair = await a_pair(service)
        room = await a_table(service, *pair, clock=DAY, game="il-principe")
        seat, _ = await end_turn_that_can_be_undone(service, room, clock, 0)
        await undo(service, room, seat, room.n)
        clock.pass_seconds(3600)
        await vacations.start_vacation(service, pair[seat if own else 1 - seat], 20)
        clock.pass_seconds(DAY // 2)
        ends_at = deadline(room.row)
        await end_turn_that_can_be_undone(service, room, clock, 0)
        assert turn_of(room) == 1 - seat
        clock.pass_seconds(3600)
        await undo(service, room, seat, room.n)
        assert turn_of(room) == seat and deadline(room.row) == ends_at
        await check_kept(service, room)
        await end_turn_that_can_be_undone(service, room, clock, 0)
        clock.pass_seconds(DAY)
        if own:
            await undo(service, room, seat, room.n)
            assert deadline(room.row) == ends_at
        else:
            with pytest.raises(NoUndo, match="time for that move is up"):
                await undo(service, room, seat, room.n)


@in_loop
async def test_downtime_does_not_count_for_a_move_that_is_taken_back(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock) as service:
        room, heartbeat = (
            await a_table(service, *await a_pair(service), clock=DAY, game="il-principe"),
            Heartbeat(service),
        )
        seat, had = await end_turn_that_can_be_undone(service, room, clock, 3600)
        await heartbeat.keep()
        await heartbeat.stop()
        clock.pass_seconds(DAY // 2)
        await Heartbeat(service).keep()
        await service.refresh(room)
        clock.pass_seconds(60)
        await undo(service, room, seat, room.n)
        assert turn_of(room) == seat and (deadline(room.row) or 0) - clock.now == had - 60_000
        await check_kept(service, room)
