"""Pages and ratings use the same final places."""

from random import Random

from msgspec.structs import replace

from signoria.server.lobby import absence
from signoria.server.people.account_deletion import erase_user
from signoria.server.people.profiles import set_shown_to
from signoria.server.people.ratings import left_to_bots, places
from signoria.server.play.room import TablePosition
from signoria.server.play.scheduler import Scheduler
from signoria.server.play.seat_models import seat_models
from signoria.server.play.status import status_sentence
from signoria.skill import UNKNOWN
from signoria.store.ratings import ratings_for
from tests.databases import in_loop
from tests.games.patrician.position import position
from tests.server.services import (
    Clock,
    a_person,
    a_service,
    a_step,
    a_table,
    do_what_is_due,
    kept_row,
    make,
    play,
    turn_of,
)


@in_loop
async def test_tiebreak_decides_the_place_on_the_page_and_in_ratings(sqlite_url: str) -> None:
    """P23: Black and White are level on points, and White has fewer floors on the board."""
    table = position(3, won={"roma": (0, 0), "firenze": (1, 1)}, towers={"roma": ("00", "0"), "firenze": ("11", "")})
    table.position.state.asked = 0
    outcome = table.outcome
    assert outcome is not None
    result = {"scores": [score.row for score in table.scores], "winners": list(outcome.winners)}
    async with a_service(sqlite_url) as service:
        room = await a_table(service, *[await a_person(service, name) for name in ("Anna", "Bruno", "Carla")])
        room.row = replace(room.row, state="over", turn=None, result=result)
        room.position = TablePosition(table, (), ())
        assert status_sentence(room, (0,)).endswith("behind on the tiebreak.")
        assert "You are" not in status_sentence(room, (1,))
        assert status_sentence(room, (2,)).endswith("You are third, 15 points behind.")
        assert places(room.row, room.position) == [2.0, 1.0, 3.0]
        seats = (room.row.seats[0], replace(room.row.seats[1], resigned=True), room.row.seats[2])
        assert places(replace(room.row, seats=seats), room.position) == [1.0, 3.0, 2.0]


@in_loop
async def test_player_for_whom_a_bot_made_most_moves_is_last(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        anna, bruno = await a_person(service, "Anna"), await a_person(service, "Bruno")
        room, scheduler, rng = await a_table(service, anna, bruno), Scheduler(service), Random(1)
        await absence.leave(service, room, anna, 0)
        while room.n < 20:
            await do_what_is_due(scheduler)
            if not room.played_by_bot(turn_of(room)):
                await make(service, room, a_step(room, rng))
        await absence.come_back(service, room, anna, 0)
        await play(service, room, rng, until_n=room.n + 2)
        assert room.position is not None
        assert left_to_bots(room.row, room.position) == {0}
        assert places(room.row, room.position) == [2.0, 1.0]
        await play(service, room, rng)
        assert left_to_bots(room.row, room.position) == set()
        assert room.row.state == "over" and not room.row.seats[0].away


@in_loop
async def test_others_are_rated_when_a_player_deletes_the_account(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        anna, bruno = await a_person(service, "Anna"), await a_person(service, "Bruno")
        room, scheduler, rng = await a_table(service, anna, bruno, rated=True), Scheduler(service), Random(1)
        await play(service, room, rng, until_n=20)
        await erase_user(service.database, anna.id, clock(), service.show_changes)
        while room.row.state == "playing":
            await do_what_is_due(scheduler)
            if room.row.state == "playing" and not room.played_by_bot(turn_of(room)):
                await make(service, room, a_step(room, rng))
        async with service.database.read() as db:
            found = await ratings_for(db, "patrician", [anna.id, bruno.id])
        assert set(found) == {bruno.id}
        assert found[bruno.id].mu > UNKNOWN.mu


@in_loop
async def test_rating_that_was_hidden_stays_hidden_when_its_account_is_deleted(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service, "Anna"), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno, rated=True)
        await set_shown_to(service.database, anna, "me")
        await play(service, room, Random(1))
        assert [seat.change is not None for seat in seat_models(await kept_row(service, room.row.id), bruno)] == [
            False,
            True,
        ]
        await erase_user(service.database, anna.id, service.now(), service.show_changes)
        assert [seat.change is not None for seat in seat_models(room.row, bruno)] == [False, True]


@in_loop
async def test_game_of_players_who_share_a_device_stays_unrated_when_they_delete_their_account(sqlite_url: str) -> None:
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        anna, bruno = await a_person(service, "Anna"), await a_person(service, "Bruno")
        room = await a_table(service, anna, anna, bruno, rated=True, invited=True)
        scheduler, rng = Scheduler(service), Random(1)
        assert not room.row.counts
        await erase_user(service.database, anna.id, clock(), service.show_changes)
        while room.row.state == "playing":
            await do_what_is_due(scheduler)
            if room.row.state == "playing" and not room.played_by_bot(turn_of(room)):
                await make(service, room, a_step(room, rng))
        assert not room.row.counts
        async with service.database.read() as db:
            assert await ratings_for(db, "patrician", [bruno.id]) == {}
