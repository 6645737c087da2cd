"""The score history of a game is correct, computed once, and shown only after the end."""

import msgspec

from signoria.server.play.past_positions import position_at
from signoria.server.play.replay import replay_game, score_history_of
from tests.databases import in_loop
from tests.server.services import a_person, a_service, a_table, kept_steps, legal, looks, make_step, turn_of, undo


@in_loop
async def test_score_history_of_a_finished_game(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        while room.row.state == "playing":
            assert score_history_of(room) == ()
            await make_step(service, room, turn_of(room), room.n, legal(room)[-1])
        score_history = score_history_of(room)
        assert score_history_of(room) is score_history
        assert len(score_history) == 1 + 48
        assert [str(turn.chapter) for turn in score_history[1:]] == [f"Turn {turn}" for turn in range(1, 49)]
        assert sum(len(turn.events) for turn in score_history) == 9 + 1
        for turn in score_history[::12]:
            assert turn.totals == tuple(score.total for score in position_at(room, turn.n).scores)
        assert room.row.result
        assert score_history[-1].totals == tuple(score["total"] for score in room.row.result["scores"])
        assert msgspec.json.encode(score_history)


@in_loop
async def test_game_read_from_the_database_is_replayed_once(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), await a_person(service, "Bruno"))
        while room.row.state == "playing":
            seat = turn_of(room)
            await make_step(service, room, seat, room.n, legal(room)[-1])
            if room.n % 7 == 1 and room.position and room.position.table.may_undo == seat:
                await undo(service, room, seat, room.n)  # the course tells nothing of what was taken back
        played = await replay_game(room.row, await kept_steps(service, room.row.id))
        assert room.position is not None
        assert len(room.position.log) < room.n
        assert played.position.log == room.position.log
        assert played.score_history == score_history_of(room)
        assert len(played.checkpoints) == len(room.position.log) // 40
        fresh = position_at(room, 50)
        room.replayed.clear()
        room.position, room.checkpoints = played.position, played.checkpoints
        assert looks(position_at(room, 50)) == looks(fresh)
