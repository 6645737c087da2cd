"""Viewers who see the same thing share a drawing of the table."""

from signoria.server.lobby import opening
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.pages.tables import FRESH, MOST_DRAWN, drawn
from signoria.server.play.clocks import MISSED
from signoria.server.play.recent_events import recent_events
from signoria.server.play.room import LogEntry
from tests.databases import in_loop
from tests.server.services import Clock, a_person, a_service, a_table, legal, make_step, turn_of

BASE = "http://house"
TWO = (SeatRequest("me"), SeatRequest("open"))


@in_loop
async def test_spectators_share_one_drawing_without_names(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno)
        carla, dario = await a_person(service, "Carla"), await a_person(service, "Dario")
        seen = drawn(service, room, carla, None, BASE)
        assert drawn(service, room, dario, 1, BASE) is seen
        assert b"Carla" not in seen.plain


@in_loop
async def test_each_player_has_a_drawing_that_changes_after_a_step(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno)
        carla = await a_person(service, "Carla")
        before = [drawn(service, room, who, None, BASE) for who in (anna, bruno, carla)]
        assert len({fragment.plain for fragment in before}) == 3
        for who, seat in ((anna, 0), (bruno, 1)):
            assert b"Your hand" in drawn(service, room, who, seat, BASE).plain
        assert b"Your hand" not in before[2].plain
        await make_step(service, room, turn_of(room), room.n, legal(room)[0])
        after = [drawn(service, room, who, None, BASE) for who in (anna, bruno, carla)]
        assert all(new.plain != old.plain for new, old in zip(after, before, strict=True))


@in_loop
async def test_drawings_are_cached_only_while_viewed(database_url: str) -> None:
    async with a_service(database_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, await a_person(service, "Bruno"))
        with room.viewing():
            drawn(service, room, anna, None, BASE)
            assert room.drawn
        assert not room.drawn


@in_loop
async def test_drawings_that_are_no_longer_fresh_are_dropped(sqlite_url: str) -> None:
    """People who only send forms view nothing, so many of them could fill the memory."""
    clock = Clock()
    async with a_service(sqlite_url, clock) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, anna, bruno)
        drawn(service, room, anna, None, BASE)
        drawn(service, room, bruno, None, BASE)
        assert len(room.drawn) == 2
        clock.pass_seconds(FRESH / 1000 + 1)
        drawn(service, room, None, None, BASE)
        assert len(room.drawn) == 1


@in_loop
async def test_url_parameters_create_no_duplicate_drawings(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        room = await a_table(service, anna, await a_person(service, "Bruno"))
        for number in range(20):
            for who in (anna, None):
                drawn(service, room, who, number, f"http://house-{number}")
        assert len(room.drawn) == 2
        row = await opening.open_table(
            service, anna, TableRequest(game="patrician", options={}, seats=TWO, invited=True)
        )
        waiting = await service.room(row.id)
        for number in range(3 * MOST_DRAWN):  # here the page shows how the server was reached
            drawn(service, waiting, anna, None, f"http://house-{number}")
        assert len(waiting.drawn) <= MOST_DRAWN


@in_loop
async def test_drawing_is_not_served_as_a_later_version(sqlite_url: str) -> None:
    async with a_service(sqlite_url, clock := Clock()) as service:
        pair = [await a_person(service), await a_person(service, "Bruno")]
        room = await a_table(service, *pair)
        waiting = pair[1 - turn_of(room)]
        clock.pass_seconds(MISSED - 0.1)
        assert b"stand-in" not in drawn(service, room, waiting, None, BASE).plain
        clock.pass_seconds(0.2)  # from now on the others may call a stand-in
        assert b"stand-in" in drawn(service, room, waiting, None, BASE).plain


def test_recent_events_are_the_last_turn_or_all_since_the_players_own() -> None:
    seats = (0, 0, 1, 1, 2, 2)
    told = [LogEntry(n, seat, (n,), None, "person") for n, seat in enumerate(seats)]  # type: ignore[arg-type]
    assert recent_events([], 0) == ()
    assert recent_events(told, None) == (4, 5)
    assert recent_events(told, 0) == (2, 3, 4, 5)
    assert recent_events(told, 2) == (4, 5)
    assert recent_events(told[:2], 0) == (0, 1)
