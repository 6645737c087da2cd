"""The score over a game is that of the game itself, is worked out once, and is shown only when the game is over."""

import msgspec

from signoria.server.course import course_of, play_through
from signoria.server.moments import position_at
from tests.databases import in_loop
from tests.server.houses import a_house, a_person, a_table, kept_steps, legal, looks, turn_of


@in_loop
async def test_the_course_of_a_finished_game(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        room = await a_table(house, await a_person(house), await a_person(house, "Bruno"))
        while room.row.state == "playing":
            assert course_of(room) == ()
            await house.make_step(room, turn_of(room), room.n, legal(room)[-1])
        course = course_of(room)
        assert course_of(room) is course
        assert len(course) == 1 + 48
        assert [turn.chapter for turn in course[1:]] == [f"Turn {turn}" for turn in range(1, 49)]
        assert sum(len(turn.events) for turn in course) == 9 + 1
        for turn in course[::12]:
            assert turn.totals == tuple(score.total for score in position_at(room, turn.n).scores)
        assert room.row.result
        assert course[-1].totals == tuple(score["total"] for score in room.row.result["scores"])
        assert msgspec.json.encode(course)


@in_loop
async def test_a_game_that_is_read_from_the_store_is_played_through_once(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        room = await a_table(house, await a_person(house), await a_person(house, "Bruno"))
        while room.row.state == "playing":
            seat = turn_of(room)
            await house.make_step(room, seat, room.n, legal(room)[-1])
            if room.n % 7 == 1 and room.position and room.position.table.may_undo == seat:
                await house.undo(room, seat, room.n)  # the course tells nothing of what was taken back
        played = await play_through(room.row, await kept_steps(house, room.row.id))
        assert room.position is not None
        assert len(room.position.told) < room.n
        assert played.position.told == room.position.told
        assert played.course == course_of(room)
        assert len(played.checkpoints) == len(room.position.told) // 40
        fresh = position_at(room, 50)
        room.replayed.clear()
        room.position, room.checkpoints = played.position, played.checkpoints
        assert looks(position_at(room, 50)) == looks(fresh)
