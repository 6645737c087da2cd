"""The score over a game is that of the game itself, is worked out once, and is shown only when the game is over."""

import msgspec

from signoria.server.course import course_of
from signoria.server.moments import position_at
from tests.databases import in_loop
from tests.server.houses import a_house, a_person, a_table, legal, turn_of


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
