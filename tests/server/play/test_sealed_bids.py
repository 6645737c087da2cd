"""Sealed bids raise by the minimum automatically, and others cannot see them."""

import asyncio
from random import Random
from typing import Any

import pytest

from signoria.games.il_principe.rulebook.steps import Bid, Pass
from signoria.server.errors import BadField, Conflict, NotAllowed
from signoria.server.lobby import absence
from signoria.server.play import orders
from signoria.server.play.room import Room
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.store import people
from signoria.store.orders import orders_at
from signoria.store.people import User
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.services import (
    Clock,
    a_person,
    a_service,
    a_table,
    check_kept,
    do_what_is_due,
    kept_row,
    kept_steps,
    make,
    make_step,
    turn_of,
    undo,
)

PACE = 1000


def view_of(room: Room, seat: int | None = None) -> Any:
    assert room.position is not None
    return room.position.table.view(seat)


async def at_auction(service: TableService, *names: str, **wish: Any) -> tuple[Room, list[User], str]:
    """A game in its first auction, its players in bidding order, and the lot."""
    sitting = [await a_person(service, name) for name in names]
    room = await a_table(service, *sitting, game="il-principe", **wish)
    rng = Random(8)
    while view_of(room).auction is None:
        assert room.position is not None
        await make(service, room, rng.choice(room.position.table.legal))
    first = turn_of(room)
    return room, [sitting[(first + place) % len(names)] for place in range(len(names))], view_of(room).auction.colour


def seat_of(room: Room, user: User) -> int:
    return room.seats_of(user.id)[0]


async def seal(service: TableService, room: Room, user: User, lot: str, most: int | None) -> None:
    await orders.seal(service, room, user, seat_of(room, user), lot, most)


def bids(room: Room, since: int) -> list[tuple[int, Any]]:
    """The bids with their seats."""
    assert room.position is not None
    return [(taken.seat, taken.step) for taken in room.position.table.steps[since:]]


@in_loop
async def test_two_sealed_bids_raise_by_the_minimum_up_to_the_lower_maximum(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=PACE) as service:
        room, (anna, bruno, carla), lot = await at_auction(service, "Anna", "Bruno", "Carla")
        scheduler, begun = Scheduler(service), room.n
        await seal(service, room, carla, lot, 0)
        await seal(service, room, bruno, lot, 3)
        await do_what_is_due(scheduler)
        assert room.n == begun, "it is Anna's turn, and she has told nothing"
        await seal(service, room, anna, lot, 5)
        await do_what_is_due(scheduler)
        assert room.n == begun, "nothing is answered at once"
        for _ in range(6):
            clock.pass_seconds(3 * PACE / 1000)
            await do_what_is_due(scheduler)
        a, b, c = (seat_of(room, user) for user in (anna, bruno, carla))
        told = [(a, Bid(1)), (b, Bid(2)), (c, Pass()), (a, Bid(3)), (b, Pass())]
        assert bids(room, begun)[:5] == told
        assert view_of(room).principe == a
        assert {step.by for step in await kept_steps(service, room.row.id) if step.n >= begun} == {"person"}
        await check_kept(service, room)


@in_loop
async def test_first_to_reach_an_equal_maximum_wins(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno), lot = await at_auction(service, "Anna", "Bruno")
        begun = room.n
        await seal(service, room, anna, lot, 3)
        await seal(service, room, bruno, lot, 3)
        await do_what_is_due(Scheduler(service))
        a, b = seat_of(room, anna), seat_of(room, bruno)
        assert bids(room, begun)[:4] == [(a, Bid(1)), (b, Bid(2)), (a, Bid(3)), (b, Pass())]


@in_loop
async def test_sealed_bid_ends_with_its_lot_and_later_lots_can_be_passed(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, sitting, lot = await at_auction(service, "Anna", "Bruno", "Carla")
        scheduler, later = Scheduler(service), [colour for colour in view_of(room).lots if colour != lot]
        anna, bruno, carla = sitting
        for user in sitting:
            await seal(service, room, user, lot, 0)
        await seal(service, room, bruno, later[0], 0)
        await seal(service, room, carla, later[0], 0)
        await do_what_is_due(scheduler)
        assert view_of(room).auction.colour == later[0]
        assert turn_of(room) == seat_of(room, anna)
        n = room.n
        await make_step(service, room, seat_of(room, anna), n, Bid(1))
        await do_what_is_due(scheduler)
        assert [step for _, step in bids(room, n)[:3]] == [Bid(1), Pass(), Pass()]
        with pytest.raises(Conflict, match="cannot bid"):
            await seal(service, room, anna, lot, 2)


@in_loop
async def test_invalid_sealed_bid_is_rejected_with_a_reason(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno), lot = await at_auction(service, "Anna", "Bruno")
        ducats = view_of(room, seat_of(room, anna)).players[seat_of(room, anna)].ducats
        with pytest.raises(BadField, match=f"You have {ducats} ducats.* 0 to {ducats}"):
            await seal(service, room, anna, lot, ducats + 1)
        with pytest.raises(NotAllowed):
            await orders.seal(service, room, bruno, seat_of(room, anna), lot, 1)
        with pytest.raises(Conflict, match="no auctions"):
            other = await a_table(service, anna, bruno)
            await seal(service, other, anna, lot, 1)


@in_loop
async def test_player_who_bids_by_hand_or_undoes_is_asked_again(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno), lot = await at_auction(service, "Anna", "Bruno")
        scheduler, a, b, begun = Scheduler(service), seat_of(room, anna), seat_of(room, bruno), room.n
        await seal(service, room, anna, lot, 1)
        await do_what_is_due(scheduler)
        assert bids(room, begun) == [(a, Bid(1))]
        await undo(service, room, a, room.n)
        await do_what_is_due(scheduler)
        assert turn_of(room) == a, "she took it back, and is asked"
        assert not view_of(room).auction.bid
        await seal(service, room, anna, lot, 2)
        await make_step(service, room, a, room.n, Bid(3))
        await make_step(service, room, b, room.n, Bid(4))
        await do_what_is_due(scheduler)
        assert turn_of(room) == a
        await seal(service, room, anna, lot, 3)
        await do_what_is_due(scheduler)
        assert view_of(room).auction is None or view_of(room).auction.colour != lot
        await check_kept(service, room)


@in_loop
async def test_sealed_bid_can_be_cancelled_without_changing_the_clock(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, _), lot = await at_auction(service, "Anna", "Bruno", clock=600)
        due = room.row.due_at
        version, revision = room.version, room.row.revision
        await seal(service, room, anna, lot, 2)
        assert PACE <= (room.row.due_at or 0) - clock.now <= 3 * PACE
        await seal(service, room, anna, lot, None)
        assert (room.row.due_at, room.version, room.row.revision) == (due, version, revision)
        clock.pass_seconds(60)
        await do_what_is_due(Scheduler(service))
        assert view_of(room).auction.bid == 0
        assert await kept_row(service, room.row.id) == room.row


@in_loop
async def test_bot_that_takes_over_ignores_sealed_bids(sqlite_url: str) -> None:
    async with a_service(sqlite_url, pace=60_000) as service:
        room, (anna, bruno), lot = await at_auction(service, "Anna", "Bruno")
        await seal(service, room, anna, lot, 2)
        await seal(service, room, bruno, lot, 2)
        await absence.leave(service, room, anna, seat_of(room, anna))
        assert list(room.orders) == [seat_of(room, bruno)]
        with pytest.raises(Conflict, match="A bot is playing for you"):
            await seal(service, room, anna, lot, 1)
        await absence.come_back(service, room, anna, seat_of(room, anna))
        async with service.database.write() as w:
            assert await people.delete_user(w.db, bruno.id)
        async with service.database.read() as db:
            assert await orders_at(db, room.row.id) == {}


@in_loop
async def test_sealed_bid_survives_a_restart(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, sitting, lot = await at_auction(service, "Anna", "Bruno")
        for user in sitting:
            await seal(service, room, user, lot, 1)
        begun, a, table_id = room.n, seat_of(room, sitting[0]), room.row.id
    clock.pass_seconds(3600)
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        scheduler = Scheduler(service)
        for _ in range(3):
            await do_what_is_due(scheduler)
            clock.pass_seconds(3 * PACE / 1000)
        again = await service.room(table_id)
        assert bids(again, begun)[:2] == [(a, Bid(1)), (1 - a, Pass())]


@in_loop
async def test_changing_sealed_bids_repeatedly_gains_no_time(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, _), lot = await at_auction(service, "Anna", "Bruno", clock=60)
        deadline, n, scheduler = room.row.due_at, room.n, Scheduler(service)
        clock.pass_seconds(59.5)
        for most in (1, None, 2, None, 1):
            await seal(service, room, anna, lot, most)
            assert (await kept_row(service, room.row.id)).due_at == deadline
        clock.pass_seconds(0.5)
        await do_what_is_due(scheduler)
        assert bids(room, n)[0] == (seat_of(room, anna), Bid(1)), "it was sealed in time"
        await scheduler.stop()


@in_loop
async def test_sealed_bid_is_used_once_and_cancelled_in_all_processes(postgres_url: str) -> None:
    clock = Clock()
    async with a_service(postgres_url, clock) as here, a_service(postgres_url, clock) as there:
        room, (anna, bruno), lot = await at_auction(here, "Anna", "Bruno")
        same, begun = await there.room(room.row.id), room.n
        await seal(here, room, anna, lot, 4)
        await seal(there, same, bruno, lot, 4)
        await seal(there, same, anna, lot, 2)
        ours, theirs = Scheduler(here), Scheduler(there)
        for _ in range(6):
            await asyncio.gather(do_what_is_due(ours), do_what_is_due(theirs))
        await here.refresh(room)
        a, b = seat_of(room, anna), seat_of(room, bruno)
        assert bids(room, begun)[:3] == [(a, Bid(1)), (b, Bid(2)), (a, Pass())]
        await check_kept(here, room)


@in_loop
async def test_sealed_bids_work_for_roles_too(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, _, _ = await at_auction(service, "Anna", "Bruno", "Carla")
        rng = Random(3)
        while view_of(room).auction is None or view_of(room).auction.what == "lot":
            assert room.position is not None
            await make(service, room, rng.choice(room.position.table.legal))
        auction, seat, n = view_of(room).auction, turn_of(room), room.n
        user = User(room.row.seats[seat].user_id or "", "", True, 0, 0)
        await seal(service, room, user, auction.what, 1)
        await do_what_is_due(Scheduler(service))
        assert bids(room, n)[0] == (seat, Bid(1))


@in_loop
async def test_page_accepts_a_sealed_bid_without_javascript_and_hides_it_from_others(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        arrived = [await arrive(app, name) for name in ("Anna", "Bruno")]
        room = await a_table(service, *(person.user for person in arrived if person.user), game="il-principe")
        rng = Random(8)
        while view_of(room).auction is None:
            assert room.position is not None
            await make(service, room, rng.choice(room.position.table.legal))
        seat, here, lot = 1 - turn_of(room), f"/tables/{room.row.id}", view_of(room).auction.colour
        owner, other, watcher = arrived[seat], arrived[1 - seat], await arrive(app, "Carla")
        to_come = next(colour for colour in view_of(room).lots if colour != lot)
        before = [await person.first_event(f"{here}/stream") for person in (other, watcher)]
        sent = await owner.send(f"{here}/sealed", seat=seat, lot=lot, most=3)
        assert sent.status_code == 303
        page = (await owner.look(here)).text
        assert "Auto-bid: 3" in page
        answer = await owner.send(f"{here}/sealed", script=True, seat=seat, **{"pass": to_come})
        assert f'name="ask" value="{to_come}" aria-pressed="true"' in answer.text
        assert [await person.first_event(f"{here}/stream") for person in (other, watcher)] == before
        told = await owner.client.get(f"/api/v1{here}/sealed?seat={seat}")
        assert told.json()["most"] == {lot: 3, to_come: 0}
        assert (await other.client.get(f"/api/v1{here}/sealed?seat={seat}")).status_code == 403
        wanted = {"seat": seat, "lot": lot, "most": None}
        kept = await owner.client.post(f"/api/v1{here}/sealed", json=wanted)
        assert kept.json()["most"] == {to_come: 0}
        assert "Auto-bid<" in (await owner.look(here)).text
