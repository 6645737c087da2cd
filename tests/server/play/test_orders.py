"""Everyone offers at the same time (I11): players choose before they are asked, and nobody else sees what they chose."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest

from signoria.games.il_principe.orders import FOUND, OFFER
from signoria.games.il_principe.rulebook.steps import Bid, Crest, Found, Offer, Pass
from signoria.kernel.errors import IllegalStep, NotYourTurn
from signoria.server.errors import Conflict, NotAllowed
from signoria.server.lobby import absence, opening
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.lobby.table_lines import table_line
from signoria.server.play import orders
from signoria.server.play.ordered_steps import has_chosen, orders_of, still_to_choose
from signoria.server.play.page_models import page_version, table_page
from signoria.server.play.room import Room, encode_step, encode_steps
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.service import TableService
from signoria.server.play.status import status_sentence
from signoria.store.orders import orders_at
from signoria.store.people import User
from signoria.web import pages
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app
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

NAMES = ("Anna", "Bruno", "Carla")
PACE = 1000


def view_of(room: Room, seat: int | None = None) -> Any:
    assert room.position is not None
    return room.position.table.view(seat)


async def at_offers(service: TableService, names: tuple[str, ...] = NAMES, **wish: Any) -> tuple[Room, list[User]]:
    """A game in which everyone lays cards, and its players in the order in which they are asked."""
    sitting = [await a_person(service, name) for name in names]
    room = await a_table(service, *sitting, game="il-principe", **wish)
    assert view_of(room).asked == "offer"
    first = turn_of(room)
    return room, [sitting[(first + place) % len(names)] for place in range(len(names))]


def seat_of(room: Room, user: User) -> int:
    return room.seats_of(user.id)[0]


def plans(room: Room, user: User, choice: str = OFFER) -> list[Any]:
    view = view_of(room, seat_of(room, user))
    return orders_of(view).plans(view, choice)


async def choose(service: TableService, room: Room, user: User, steps: Any, choice: str = OFFER) -> None:
    await orders.choose(service, room, user, seat_of(room, user), choice, steps)


async def lay(service: TableService, room: Room, user: User) -> None:
    """Lay all cards by hand."""
    seat = seat_of(room, user)
    for step in plans(room, user)[0]:
        await make_step(service, room, seat, room.n, step)


def offered(room: Room, user: User) -> dict[str, int]:
    seat = seat_of(room, user)
    found: dict[str, int] = view_of(room, seat).players[seat].offered or {}
    return found


def made(room: Room, since: int) -> list[tuple[int, Any]]:
    assert room.position is not None
    return [(taken.seat, taken.step) for taken in room.position.table.steps[since:]]


@in_loop
async def test_everyone_offers_in_any_order_and_the_game_goes_on_when_the_last_one_is_in(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=PACE) as service:
        room, (anna, bruno, carla) = await at_offers(service)
        scheduler, wanted = Scheduler(service), {user.id: plans(room, user)[-1] for user in (bruno, carla)}
        await choose(service, room, carla, wanted[carla.id])
        await choose(service, room, bruno, wanted[bruno.id])
        clock.pass_seconds(3600)
        await do_what_is_due(scheduler)
        assert room.n == 0, "it is Anna's turn"
        await lay(service, room, anna)
        assert turn_of(room) == seat_of(room, bruno)
        clock.pass_seconds(PACE / 1000)
        await do_what_is_due(scheduler)
        ordered = [(seat_of(room, user), step) for user in (bruno, carla) for step in wanted[user.id]]
        assert made(room, 2) == ordered
        assert view_of(room).phase == 2
        assert {step.by for step in await kept_steps(service, room.row.id)} == {"person"}
        assert room.orders == {}
        await check_kept(service, room)


@in_loop
async def test_player_who_is_asked_after_the_server_laid_their_cards_is_told(database_url: str) -> None:
    async with a_service(database_url) as service:
        room, sitting = await at_offers(service)
        with ExitStack() as stack:
            pages = {
                user.id: stack.enter_context(service.notifier.pages.open(user.id, None, asyncio.Event()))
                for user in sitting
            }
            for user in sitting:
                await choose(service, room, user, plans(room, user)[0])
            await do_what_is_due(Scheduler(service))
            assert view_of(room).asked == "bid"
            told = {user_id: [note.kind for note in page.take()] for user_id, page in pages.items()}
            assert told == {user.id: ["turn"] * (turn_of(room) == seat_of(room, user)) for user in sitting}


@in_loop
async def test_who_takes_back_a_move_is_not_told_about_the_own_turn(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno, _) = await at_offers(service)
        with service.notifier.pages.open(anna.id, None, asyncio.Event()) as page:
            await lay(service, room, anna)
            assert turn_of(room) == seat_of(room, bruno)
            await undo(service, room, seat_of(room, anna), room.n)
            assert turn_of(room) == seat_of(room, anna) and page.take() == []


@in_loop
async def test_steps_keep_their_meaning_for_a_seat_that_is_not_asked(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (_, bruno, _) = await at_offers(service)
        steps = plans(room, bruno)[0]
        for _ in range(2):
            with pytest.raises(NotYourTurn):
                await service.make_steps(room, bruno.id, seat_of(room, bruno), 0, steps)
            await choose(service, room, bruno, steps)
        assert room.n == 0


@in_loop
async def test_others_see_that_a_player_has_chosen_but_not_what(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno, carla) = await at_offers(service)
        one, another = plans(room, bruno)[0], plans(room, bruno)[-1]
        a, b, c = (seat_of(room, user) for user in (anna, bruno, carla))
        assert bruno.name in status_sentence(room, (c,))
        before = [page_version(service, room, user) for user in (anna, carla, None)]
        await choose(service, room, bruno, one)
        chosen = [page_version(service, room, user) for user in (anna, carla, None)]
        assert all(then != now for then, now in zip(before, chosen, strict=True))
        assert bruno.name not in status_sentence(room, (c,))
        assert anna.name in status_sentence(room, (c,))
        assert anna.name in status_sentence(room, ())
        seen = [table_page(service, room, user, None) for user in (anna, carla, None)]
        await choose(service, room, bruno, another)
        assert [table_page(service, room, user, None) for user in (anna, carla, None)] == seen
        assert table_page(service, room, bruno, None).early.chosen == another  # type: ignore[union-attr]
        assert [one.laid for one in view_of(room, a).players] == [0, 0, 0]
        await choose(service, room, bruno, ())
        assert bruno.name in status_sentence(room, (c,))
        assert has_chosen(room.position.table, room.orders) == frozenset()  # type: ignore[union-attr]
        assert still_to_choose(room.position.table, room.orders) == tuple(sorted((a, b, c)))  # type: ignore[union-attr]


@in_loop
async def test_lists_say_who_has_to_choose(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, people = await at_offers(service)
        anna, bruno, carla = people

        async def waits_for() -> list[str]:
            row = await kept_row(service, room.row.id)
            return [user.name for user in people if table_line(row, user, service.now(), {}).my_turn]

        assert await waits_for() == [user.name for user in people]
        await choose(service, room, bruno, plans(room, bruno)[0])
        assert await waits_for() == [anna.name, carla.name]
        await lay(service, room, anna)
        await do_what_is_due(Scheduler(service))
        assert await waits_for() == [carla.name]
        await lay(service, room, carla)
        assert (await kept_row(service, room.row.id)).choosing == 0
        assert len(await waits_for()) == 1


@in_loop
async def test_choice_can_be_changed_and_withdrawn_until_it_is_played(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno, _) = await at_offers(service)
        one, *_, another = plans(room, bruno)
        await choose(service, room, bruno, one)
        await choose(service, room, bruno, ())
        async with service.database.read() as db:
            assert await orders_at(db, room.row.id) == {}
        await lay(service, room, anna)
        await do_what_is_due(Scheduler(service))
        assert turn_of(room) == seat_of(room, bruno), "he withdrew it, and is asked"
        await choose(service, room, bruno, another)
        await do_what_is_due(Scheduler(service))
        assert [step for _, step in made(room, 2)] == list(another), "an order of the seat in turn is played too"


@in_loop
async def test_impossible_choice_is_refused_with_its_clause(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (anna, bruno, _) = await at_offers(service)
        hand = view_of(room, seat_of(room, bruno)).players[seat_of(room, bruno)].hand
        colour = next(iter(hand))
        with pytest.raises(IllegalStep, match="I11"):
            await choose(service, room, bruno, [Offer(colour)])
        with pytest.raises(IllegalStep, match="I11"):
            await choose(service, room, bruno, [Offer(colour)] * 3)
        missing = next(other for other in ("green", "white", "red", "blue", "yellow") if other not in hand)
        with pytest.raises(IllegalStep, match="I11"):
            await choose(service, room, bruno, [Offer(missing)] * 2)
        with pytest.raises(IllegalStep):
            await choose(service, room, bruno, [Pass(), Bid(1)])
        with pytest.raises(NotAllowed):
            await orders.choose(service, room, anna, seat_of(room, bruno), OFFER, plans(room, bruno)[0])
        with pytest.raises(Conflict, match="found"):
            await choose(service, room, bruno, [Found("siena")], FOUND)  # not in the first round
        with pytest.raises(Conflict, match="nothing"):
            other = await a_table(service, anna, bruno)
            await orders.choose(service, other, anna, 0, OFFER, [])
        assert room.orders == {}


@in_loop
async def test_orders_are_not_possible_for_people_who_share_a_device(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await on_one_device(service)
        user = user_in(room, 0)
        assert table_page(service, room, user, None).early is None
        with pytest.raises(Conflict, match="share this device"):
            await orders.choose(service, room, user, 0, OFFER, [])


async def on_one_device(service: TableService, **wish: Any) -> Room:
    """A game of two people who share a device."""
    anna = await a_person(service, "Anna")
    chairs = (SeatRequest("me"), SeatRequest("me", name="Bruno"))
    request = TableRequest(game="il-principe", options={}, seats=chairs, invited=True, **wish)
    room = await service.room((await opening.open_table(service, anna, request)).id)
    assert room.row.state == "playing"
    return room


@in_loop
async def test_cards_laid_by_hand_or_an_undo_forget_the_order(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, bruno, _) = await at_offers(service)
        scheduler, b = Scheduler(service), seat_of(room, bruno)
        one, *_, another = plans(room, bruno)
        await choose(service, room, bruno, one)
        await lay(service, room, anna)
        await make_step(service, room, b, room.n, another[0])
        assert room.orders == {}, "he changed his mind"
        clock.pass_seconds(60)
        await do_what_is_due(scheduler)
        assert turn_of(room) == b
        await undo(service, room, b, room.n)
        await choose(service, room, bruno, one)
        clock.pass_seconds(60)
        await do_what_is_due(scheduler)
        assert offered(room, bruno) == {step.colour: one.count(step) for step in one}
        await undo(service, room, b, room.n)
        clock.pass_seconds(60)
        await do_what_is_due(scheduler)
        assert turn_of(room) == b, "he took it back, and is asked"
        assert sum(offered(room, bruno).values()) == 1
        await check_kept(service, room)


@in_loop
async def test_first_player_can_undo_until_the_next_order_is_played(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, bruno, _) = await at_offers(service)
        steps = plans(room, bruno)[0]
        await choose(service, room, bruno, steps)
        await lay(service, room, anna)
        await undo(service, room, seat_of(room, anna), room.n)
        clock.pass_seconds(60)
        await do_what_is_due(Scheduler(service))
        assert turn_of(room) == seat_of(room, anna)
        assert room.orders[seat_of(room, bruno)].chosen == {OFFER: tuple(map(encode_step, steps))}


@in_loop
async def test_order_is_dropped_when_a_bot_takes_over(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, (_, bruno, _) = await at_offers(service)
        b = seat_of(room, bruno)
        await choose(service, room, bruno, plans(room, bruno)[0])
        assert not room.row.choosing >> b & 1
        await absence.leave(service, room, bruno, b)
        assert room.orders == {}
        assert room.row.choosing >> b & 1
        with pytest.raises(Conflict, match="A bot is playing for you"):
            await choose(service, room, bruno, ())


@in_loop
async def test_people_choose_while_bots_are_asked(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service, "Anna")
        for _ in range(20):
            room = await a_table(service, anna, "muratore", "muratore", game="il-principe")
            if turn_of(room) != 0:
                break
        steps = plans(room, anna)[0]
        assert (
            room.game.words.question(view_of(room, 0)).partition("?")[0]
            in table_page(service, room, anna, None).question
        )
        await choose(service, room, anna, steps)
        while turn_of(room) != 0:
            await make(service, room, room.position.table.legal[0])  # type: ignore[union-attr]
        assert await service.make_ordered_steps(room, 0, room.n)
        assert [step for seat, step in made(room, 0) if seat == 0] == list(steps)


# Clocks


@in_loop
async def test_everyone_has_the_same_time_for_a_simultaneous_choice(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, bruno, carla) = await at_offers(service, clock=60)
        opened, scheduler = clock.now, Scheduler(service)
        await choose(service, room, carla, plans(room, carla)[0])
        clock.pass_seconds(50)
        await lay(service, room, anna)
        assert turn_of(room) == seat_of(room, bruno)
        assert (room.row.turn_at, room.row.due_at) == (opened, opened + 60_000)
        clock.pass_seconds(10)
        await do_what_is_due(scheduler)
        assert room.played_by_bot(seat_of(room, bruno)), "he had a minute"
        for _ in range(2):
            await make(service, room, room.position.table.legal[0])  # type: ignore[union-attr]
        assert turn_of(room) == seat_of(room, carla)
        clock.pass_seconds(PACE / 1000)
        await do_what_is_due(scheduler)
        assert view_of(room).phase == 2
        assert room.played_by_bot(seat_of(room, carla)) is None, "she had chosen in time"
        assert room.row.turn_at == clock.now, "an auction has one clock for each turn"
        await scheduler.stop()


@in_loop
async def test_players_on_one_device_choose_one_after_another_with_a_clock_each(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        room = await on_one_device(service, clock=60)
        clock.pass_seconds(50)
        for _ in range(3):
            await make(service, room, room.position.table.legal[0])  # type: ignore[union-attr]
        assert view_of(room).asked == "offer"
        assert room.row.turn_at == clock.now


@in_loop
async def test_undo_gives_no_new_time_for_a_simultaneous_choice(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, _, _) = await at_offers(service, clock=60)
        opened = clock.now
        clock.pass_seconds(20)
        await lay(service, room, anna)
        clock.pass_seconds(20)
        await undo(service, room, seat_of(room, anna), room.n)
        assert (turn_of(room), room.row.turn_at) == (seat_of(room, anna), opened)


@in_loop
async def test_nobody_can_call_a_stand_in_for_a_player_who_has_chosen(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock, pace=PACE) as service:
        room, (anna, bruno, carla) = await at_offers(service)
        await choose(service, room, bruno, plans(room, bruno)[0])
        clock.pass_seconds(3600)
        await lay(service, room, anna)
        with pytest.raises(Conflict):
            await absence.stand_in(service, room, carla, seat_of(room, bruno))
        assert not table_page(service, room, carla, None).may_call_stand_in


@in_loop
async def test_orders_survive_a_restart(database_url: str) -> None:
    clock = Clock()
    async with a_service(database_url, clock, pace=PACE) as service:
        room, (anna, bruno, carla) = await at_offers(service, clock=60)
        wanted = {user.id: plans(room, user)[0] for user in (bruno, carla)}
        for user in (bruno, carla):
            await choose(service, room, user, wanted[user.id])
        await lay(service, room, anna)
        table_id = room.row.id
    clock.pass_seconds(3600)
    async with a_service(database_url, clock, pace=PACE) as service:
        scheduler = Scheduler(service)
        await do_what_is_due(scheduler)
        again = await service.room(table_id)
        assert [step for _, step in made(again, 2)] == [*wanted[bruno.id], *wanted[carla.id]]
        assert not any(seat.away for seat in again.row.seats)
        await check_kept(service, again)
        await scheduler.stop()


@in_loop
async def test_order_is_played_once_and_changed_in_all_processes(postgres_url: str) -> None:
    clock = Clock()
    async with a_service(postgres_url, clock) as here, a_service(postgres_url, clock) as there:
        room, (anna, bruno, carla) = await at_offers(here)
        same = await there.room(room.row.id)
        one, *_, another = plans(room, bruno)
        await choose(here, room, bruno, one)
        await choose(there, same, bruno, another)
        await choose(there, same, carla, plans(room, carla)[0])
        seen = await here.room(room.row.id)
        assert seen.orders[seat_of(room, bruno)].chosen == {OFFER: tuple(map(encode_step, another))}
        await lay(here, room, anna)
        ours, theirs = Scheduler(here), Scheduler(there)
        await asyncio.gather(do_what_is_due(ours), do_what_is_due(theirs))
        await here.refresh(room)
        assert [step for _, step in made(room, 2)][:4] == [*another, *plans_before(room, carla)]
        await check_kept(here, room)


def plans_before(room: Room, user: User) -> list[Any]:
    """The cards that a player has laid, from the steps."""
    seat = seat_of(room, user)
    return [step for who, step in made(room, 0) if who == seat][:2]


# The rest of the round


@in_loop
async def test_limits_can_be_set_for_every_lot_before_the_cards_are_turned_up(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, people = await at_offers(service)
        anna, bruno, carla = people
        for user in people:
            for colour in ("green", "white", "red", "blue", "yellow"):
                await orders.seal(service, room, user, seat_of(room, user), colour, 1 if user is carla else 0)
        await choose(service, room, bruno, plans(room, bruno)[0])
        await choose(service, room, carla, plans(room, carla)[0])
        await lay(service, room, anna)
        await do_what_is_due(Scheduler(service))
        assert view_of(room).phase == 3
        won = [step for seat, step in made(room, 6) if seat == seat_of(room, carla) and isinstance(step, Bid)]
        assert Bid(1) in won
        assert not any(isinstance(step, Bid) for seat, step in made(room, 6) if seat != seat_of(room, carla))


async def until_found(service: TableService, room: Room, fits: Callable[[Room, Any], bool]) -> tuple[Any, int, Any]:
    """Play on until the next step ends an auction whose winner may found a city: the step, the winner and their view."""
    rng = Random(11)
    while room.row.state == "playing":
        assert room.position is not None
        table = room.position.table
        for step in table.legal:
            ahead = table.copy()
            ahead.make(step)
            if not ahead.over and ahead.turn is not None:
                view = ahead.view(ahead.turn)
                if view.asked == "found" and fits(room, view):
                    return step, ahead.turn, view
        await make(service, room, rng.choice(table.legal))
    raise AssertionError("nobody could found a city")


async def with_a_city(service: TableService, fits: Callable[[Room, Any], bool]) -> tuple[Room, Any, int, Any]:
    """A game just before its winner may found a city."""
    sitting = [await a_person(service, name) for name in ("Anna", "Bruno")]
    for _ in range(20):
        room = await a_table(service, *sitting, game="il-principe", options={"variant": True})
        try:
            return (room, *await until_found(service, room, fits))
        except AssertionError:
            continue
    raise AssertionError("no such game")


def user_in(room: Room, seat: int) -> User:
    return User(room.row.seats[seat].user_id or "", "", True, 0, 0)


def affordable(_: Room, view: Any) -> bool:
    return any(isinstance(step, Found) for step in view.legal)


@in_loop
async def test_city_is_founded_with_its_crests_if_the_lot_is_won(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, step, winner, view = await with_a_city(service, affordable)
        city = next(step.city for step in view.legal if isinstance(step, Found))
        user = user_in(room, winner)
        plan = [one for one in plans(room, user, FOUND) if one[0] == Found(city)][-1]
        assert len(plan) > 1
        revision, n = room.row.revision, room.n
        await choose(service, room, user, plan[::-1], FOUND)
        assert room.row.revision == revision, "nobody else can tell"
        await make(service, room, step)
        await do_what_is_due(Scheduler(service))
        assert made(room, n + 1)[: len(plan)] == [(winner, one) for one in plan]
        assert view_of(room).founded[city] == winner
        assert winner not in room.orders
        await check_kept(service, room)


@in_loop
async def test_city_that_cannot_be_paid_for_is_dropped_with_a_note_to_its_owner(sqlite_url: str) -> None:
    def too_dear(room: Room, view: Any) -> bool:
        return any(Found(city) not in view.legal for city in view.cities) and affordable(room, view)

    async with a_service(sqlite_url) as service:
        room, step, winner, view = await with_a_city(service, too_dear)
        city, user = next(city for city in view.cities if Found(city) not in view.legal), user_in(room, winner)
        await choose(service, room, user, [Found(city)], FOUND)
        await make(service, room, step)
        await do_what_is_due(Scheduler(service))
        assert (turn_of(room), view_of(room).asked) == (winner, "found"), "they are asked"
        assert room.orders[winner].chosen == {}
        assert "I17" in table_page(service, room, user, None).order_note
        assert 'id="order-note"' in pages.table_fragment(table_page(service, room, user, None))
        assert not table_page(service, room, user_in(room, 1 - winner), None).order_note
        await choose(service, room, user, [view.legal[0] if isinstance(view.legal[0], Found) else view.legal[1]], FOUND)
        assert not table_page(service, room, user, None).order_note


@in_loop
async def test_city_that_somebody_else_founds_is_dropped_with_a_note(sqlite_url: str) -> None:
    def with_more_lots(room: Room, view: Any) -> bool:
        return bool(view.lots) and affordable(room, view)

    async with a_service(sqlite_url) as service:
        room, step, winner, view = await with_a_city(service, with_more_lots)
        city = next(step.city for step in view.legal if isinstance(step, Found))
        other = user_in(room, 1 - winner)
        await choose(service, room, other, [Found(city)], FOUND)
        for made_step in (step, Found(city)):
            await make(service, room, made_step)
        while view_of(room).asked == "crest":
            await make(service, room, next(one for one in room.position.table.legal if isinstance(one, Crest)))  # type: ignore[union-attr]
        assert room.orders[1 - winner].chosen == {}
        assert "I17" in room.orders[1 - winner].note


@in_loop
async def test_every_plan_is_possible_and_nothing_else_is(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room, _, winner, _ = await with_a_city(service, affordable)
        view = view_of(room, winner)
        game_orders = orders_of(view)
        found = game_orders.plans(view, FOUND)
        assert {plan[0].city for plan in found} == set(view.cities)
        for plan in found:
            assert game_orders.refuse(view, FOUND, plan) is None
        hidden = next(city.id for city in view.components.cities if city.id not in view.cities)
        touching = next(city for city in view.components.cities if city.id in view.cities)
        far = next(region for region in view.majorities if region not in touching.regions)
        crests = len(next(plan for plan in found if plan[0].city == touching.id and len(plan) > 1)) - 1
        for wrong in (
            [],
            [Found(hidden)],
            [Crest(far)],
            [Found(touching.id), *[Crest(far)] * crests],
            [Found(touching.id), *[Crest(touching.regions[0])] * (crests + 1)],
            [Found(touching.id), Found(touching.id)],
        ):
            assert game_orders.refuse(view, FOUND, wrong) is not None


# Pages and the API


async def at_a_table(app: Any, service: TableService, **wish: Any) -> tuple[Room, list[Person], list[int]]:
    """A game in which everyone lays cards; its people, and their seats in the order in which they are asked."""
    arrived = [await arrive(app, name) for name in NAMES]
    room = await a_table(service, *(person.user for person in arrived if person.user), game="il-principe", **wish)
    seats = [(turn_of(room) + place) % len(NAMES) for place in range(len(NAMES))]
    return room, [arrived[seat] for seat in seats], seats


@in_loop
async def test_page_takes_a_choice_without_javascript_and_tells_others_only_that_it_was_made(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        room, (anna, bruno, carla), (a, b, _) = await at_a_table(app, service)
        here, (one, *_, another) = f"/tables/{room.row.id}", plans(room, bruno.user)  # type: ignore[arg-type]
        page = (await bruno.look(here)).text
        assert "my-choice" in page
        assert 'form="order"' in page
        assert NAMES[a] in page.partition('id="asked"')[2].partition("</div>")[0], "it says who is missing"
        steps = list(map(encode_step, one))
        refused = await bruno.send(f"{here}/steps", seat=b, n=0, step=steps)
        assert refused.status_code == 409
        sent = await bruno.send(f"{here}/orders", seat=b, choice=OFFER, step=steps)
        assert sent.status_code == 303
        page = (await bruno.look(here)).text
        assert "my-choice" not in page
        assert 'id="change-choice"' in page
        watcher = Person(app, None, None)
        before = [await person.first_event(f"{here}/stream") for person in (anna, carla, watcher)]
        assert all(
            NAMES[b].encode() not in event.partition(b'id="asked"')[2].partition(b"</div>")[0] for event in before
        )
        changed = await bruno.send(f"{here}/orders", script=True, seat=b, choice=OFFER, steps=encode_steps(another))
        assert changed.status_code == 200
        assert [await person.first_event(f"{here}/stream") for person in (anna, carla, watcher)] == before
        withdrawn = await bruno.send(f"{here}/orders", script=True, seat=b, withdraw=OFFER)
        assert "my-choice" in withdrawn.text
        wrong = await bruno.send(f"{here}/orders", script=True, seat=b, choice=OFFER, step=steps[:1])
        assert wrong.status_code == 422
        assert "I11" in wrong.text
        assert (await carla.send(f"{here}/orders", seat=b, choice=OFFER, step=steps)).status_code == 403
        assert room.n == 0


@in_loop
async def test_page_takes_a_city_to_found_and_a_limit_for_a_later_lot(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        room, (_, bruno, carla), (_, b, _) = await at_a_table(app, service, options={"variant": True})
        here, plan = f"/tables/{room.row.id}", plans(room, bruno.user, FOUND)[-1]  # type: ignore[arg-type]
        others = await carla.first_event(f"{here}/stream")
        value = encode_steps(plan)
        assert f"<option value='{value}'>" in (await bruno.look(here)).text
        assert (await bruno.send(f"{here}/orders", seat=b, choice=FOUND, steps=value)).status_code == 303
        assert f"<option value='{value}' selected>" in (await bruno.look(here)).text
        assert (await bruno.send(f"{here}/sealed", seat=b, lot="red", most=2)).status_code == 303
        assert room.orders[b].most == {"red": 2}
        assert room.orders[b].chosen == {FOUND: tuple(map(encode_step, plan))}
        assert await carla.first_event(f"{here}/stream") == others, "nobody else can tell"
        assert (await bruno.send(f"{here}/orders", seat=b, choice=FOUND, steps="")).status_code == 303
        assert room.orders[b].chosen == {}


@in_loop
async def test_api_takes_a_choice_in_advance(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        room, (_, bruno, carla), (a, b, c) = await at_a_table(app, service)
        here = f"/api/v1/tables/{room.row.id}"
        told = (await bruno.client.get(f"{here}/orders?seat={b}")).json()
        assert told["choosing"] == sorted((a, b, c))
        assert told["chosen"] == {}
        steps = told["possible"][OFFER][0]
        wanted = {"seat": b, "choice": OFFER, "steps": steps}
        kept = await bruno.client.post(f"{here}/orders", json=wanted)
        assert kept.json()["chosen"] == {OFFER: steps}
        assert kept.json()["choosing"] == sorted((a, c))
        assert (await carla.client.get(here)).json()["choosing"] == sorted((a, c))
        assert (await carla.client.get(f"{here}/orders?seat={b}")).status_code == 403
        assert (await carla.client.get(f"{here}/orders?seat={c}")).json()["chosen"] == {}
        assert (await bruno.client.post(f"{here}/steps", json={"seat": b, "n": 0, "step": steps[0]})).status_code == 409
        refused = await bruno.client.post(f"{here}/orders", json=wanted | {"steps": steps[:1]})
        assert (refused.status_code, refused.json()["clause"]) == (422, "I11")
        unknown = await bruno.client.post(f"{here}/orders", json=wanted | {"choice": "dance"})
        assert (unknown.status_code, unknown.json()["possible"]) == (409, OFFER)
        gone = await bruno.client.post(f"{here}/orders", json=wanted | {"steps": []})
        assert gone.json()["chosen"] == {}


@in_loop
async def test_order_that_comes_after_its_seat_was_handed_to_a_bot_is_refused(database_url: str) -> None:
    async with a_service(database_url, pace=PACE) as service:
        room, (_, bruno, _) = await at_offers(service)
        seat, plan = seat_of(room, bruno), plans(room, bruno)[0]
        left, chosen = await asyncio.gather(
            absence.leave(service, room, bruno, seat),
            choose(service, room, bruno, plan),  # checked before, and carried out after it
            return_exceptions=True,
        )
        assert left is None and isinstance(chosen, Conflict)
        async with service.database.read() as db:
            assert await orders_at(db, room.row.id) == {}
        assert seat in still_to_choose(room.position.table, room.orders)  # type: ignore[union-attr]
