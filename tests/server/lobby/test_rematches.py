"""Rematches, playing on from a replay, and ratings."""

import asyncio
from random import Random
from typing import Any

import pytest

from signoria.server.errors import BadField, Conflict, NotAllowed, TooMany
from signoria.server.lobby import absence, opening, rematches, seating
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.draft import Draft
from signoria.server.play.page_models import table_page
from signoria.server.play.past_positions import position_at
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import ratings
from signoria.store.lists import public_tables
from signoria.store.people import User
from signoria.store.ratings import RatingRow
from tests.databases import in_loop
from tests.server.services import (
    LEVEL,
    a_person,
    a_service,
    a_step,
    a_table,
    check_kept,
    kept_row,
    looks,
    make,
    make_step,
    play,
    turn_of,
    undo,
)


async def rated(service: TableService, game: str = "patrician") -> dict[str, RatingRow]:
    async with service.database.read() as db:
        return {row.who: row for row in await ratings.top_ratings(db, game, 100)}


async def running(service: TableService) -> int:
    """Tables that are open or in play."""
    async with service.database.read() as db:
        return sum([len((await public_tables(db, state, 100)).rows) for state in ("open", "playing")])


# Meeting again


@in_loop
async def test_simultaneous_rematch_requests_lead_to_one_table(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, LEVEL, bruno, clock=600)
        with pytest.raises(Conflict, match="over"):
            await rematches.rematch(service, room, anna)
        await play(service, room, Random(1))
        with pytest.raises(NotAllowed):
            await rematches.rematch(service, room, await a_person(service, "Carla"))
        asked = await asyncio.gather(*(rematches.rematch(service, room, user) for user in (anna, bruno, anna, bruno)))
        assert len(set(asked)) == 1
        assert await running(service) == 1
        again = await service.room(asked[0])
        assert [seat.user_id or seat.bot for seat in again.row.seats] == [anna.id, LEVEL, bruno.id]
        assert (again.row.clock, again.row.options) == (600, room.row.options)
        assert room.row.rematch_id == again.row.id
        await seating.start(service, again, bruno)
        await play(service, again, Random(2))
        await check_kept(service, again)


@in_loop
async def test_new_rematch_is_possible_after_the_first_was_closed(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, LEVEL, bruno)
        await play(service, room, Random(1))
        first = await rematches.rematch(service, room, anna)
        await seating.close(service, await service.room(first), anna)
        second = await rematches.rematch(service, room, bruno)
        assert second != first and (await service.room(second)).row.state == "open"


@in_loop
async def test_rematch_requested_in_two_processes_is_one_table(postgres_url: str) -> None:
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        anna, bruno = await a_person(one), await a_person(one, "Bruno")
        room = await a_table(one, anna, bruno, invited=True)
        await play(one, room, Random(3))
        there = await other.room(room.row.id)
        asked = await asyncio.gather(rematches.rematch(one, room, anna), rematches.rematch(other, there, bruno))
        assert asked[0] == asked[1]
        row = await kept_row(one, asked[0])
        assert [seat.user_id for seat in row.seats] == [anna.id, bruno.id]  # the invitation holds for both
        assert row.invitation not in (None, room.row.invitation)


@in_loop
async def test_rematch_against_bots_starts_at_once(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, LEVEL)
        await play(service, room, Random(4))
        again = await kept_row(service, await rematches.rematch(service, room, anna))
        assert again.state == "playing"
        assert again.seed != room.row.seed


# Playing on


@in_loop
async def test_new_game_can_start_from_any_position_of_a_finished_game(database_url: str) -> None:
    async with a_service(database_url, most_tables=4) as service:
        anna, carla = await a_person(service), await a_person(service, "Carla")
        room = await a_table(service, anna, await a_person(service, "Bruno"))
        with pytest.raises(Conflict, match="when the game is over"):
            await rematches.play_on(service, room, anna, 0, 0, LEVEL)
        await play_with_undo(service, room, Random(5))
        assert room.position is not None
        end = len(room.position.log)
        for n in (0, end // 2, end - 1):
            table_id = await rematches.play_on(service, room, carla, n, 1, LEVEL)
            fresh = await service.room(table_id)
            assert fresh.n == n
            assert fresh.position is not None
            assert looks(fresh.position.table) == looks(position_at(room, n))
            assert (fresh.row.origin_id, fresh.row.rated, fresh.row.state) == (room.row.id, False, "playing")
            assert [seat.user_id or seat.bot for seat in fresh.row.seats] == [LEVEL, carla.id]
            await check_kept(service, fresh)
            await play(service, fresh, Random(n))
            assert fresh.row.state == "over"
            await check_kept(service, fresh)
        before = await rated(service)
        assert set(before) == {seat.user_id for seat in room.row.seats}
        for n in (-1, end):
            with pytest.raises(BadField, match="0 to"):
                await rematches.play_on(service, room, carla, n, 1, LEVEL)
        for _ in range(4):
            await rematches.play_on(service, room, carla, 0, 1, LEVEL)
        with pytest.raises(TooMany):
            await rematches.play_on(service, room, carla, 0, 1, LEVEL)


async def play_with_undo(service: TableService, room: Room, rng: Random) -> None:
    """A whole game with some undos."""
    while room.row.state == "playing":
        seat = turn_of(room)
        await make_step(service, room, seat, room.n, a_step(room, rng))
        assert room.position is not None
        if room.row.state == "playing" and room.position.table.may_undo == seat and rng.random() < 0.3:
            await undo(service, room, seat, room.n)


# Ratings


@in_loop
async def test_all_players_including_bots_are_rated(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna = await a_person(service)
        for games in (1, 2):
            room = await a_table(service, anna, LEVEL, "garzone")
            await play(service, room, Random(games))
            after = await rated(service)
            assert {who: row.games for who, row in after.items()} == dict.fromkeys((anna.id, LEVEL, "garzone"), games)
            assert await rated(service, "il-principe") == {}
            if games == 1:
                assert room.row.result is not None
                winners = {
                    room.row.seats[seat].user_id or room.row.seats[seat].bot for seat in room.row.result["winners"]
                }
                losers = after.keys() - winners
                assert min(after[str(who)].mu for who in winners) > max(after[who].mu for who in losers)


@in_loop
async def test_player_who_left_comes_last(sqlite_url: str) -> None:
    """Even if the bot that played for them has won."""
    won = False
    async with a_service(sqlite_url) as service:
        for seed in range(40):
            anna, bruno = await a_person(service, f"Anna {seed}"), await a_person(service, f"Bruno {seed}")
            room = await a_table(service, anna, bruno, game="il-principe")
            await play(service, room, Random(seed), until_n=20)
            await absence.leave(service, room, anna, 0, resign=True)
            await play(service, room, Random(seed))
            after = await rated(service, "il-principe")
            assert after[anna.id].mu < after[bruno.id].mu
            assert room.row.result is not None
            won = 0 in room.row.result["winners"]
            if won:
                break
    assert won


@in_loop
async def test_games_with_several_people_on_one_device_are_not_rated(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna = await a_person(service)
        for chairs in (
            (SeatRequest("me"), SeatRequest("device", name="Nonna")),
            (SeatRequest("me"), SeatRequest("me"), SeatRequest("bot", bot=LEVEL)),
        ):
            row = await opening.open_table(service, anna, TableRequest(game="patrician", options={}, seats=chairs))
            room = await service.room(row.id)
            assert not table_page(service, room, anna, None).rated
            await play(service, room, Random(6))
            assert room.row.state == "over"
        assert [seat.name for seat in room.row.seats] == ["Anna", "Player 2", None]
        assert await rated(service) == {}


async def to_the_last_step(service: TableService, room: Room, rng: Random) -> Any:
    """Play until the next step ends the game; return that step."""
    while True:
        step = a_step(room, rng)
        assert room.position is not None
        ahead = Draft(room.row, room.position, room.orders, service.now(), rng)
        ahead.make(step, turn_of(room), "person")
        ahead.make_forced_steps()
        if ahead.position.table.over:
            return step
        await make(service, room, step)


@in_loop
async def test_game_finished_in_two_processes_is_rated_once(postgres_url: str) -> None:
    async with a_service(postgres_url) as one, a_service(postgres_url) as other:
        room = await a_table(one, await a_person(one), await a_person(one, "Bruno"))
        step = await to_the_last_step(one, room, Random(7))
        there = await other.room(room.row.id)
        seat, n = turn_of(room), room.n
        for _ in range(2):
            await asyncio.gather(
                *(make_step(service, at, seat, n, step) for service, at in ((one, room), (other, there)) * 3)
            )
        assert room.row.state == there.row.state == "over"
        assert [row.games for row in (await rated(one)).values()] == [1, 1]
        await check_kept(one, room)
        await check_kept(other, there)


@in_loop
async def test_games_that_end_at_the_same_moment_are_all_rated(database_url: str) -> None:
    async with a_service(database_url) as one, a_service(database_url) as other:
        people: list[User] = [await a_person(one, f"Anna {each}") for each in range(4)]
        ends = []
        for place, anna in enumerate(people):
            service = other if place % 2 and one.database.is_postgres else one
            room = await a_table(service, anna, LEVEL)
            ends.append((service, room, await to_the_last_step(service, room, Random(8))))
        await asyncio.gather(*(make(service, room, step) for service, room, step in ends))
        after = await rated(one)
        assert after[LEVEL].games == 4
        assert {after[anna.id].games for anna in people} == {1}
