"""The guided first game starts from its prepared position, and every lesson appears once."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from signoria.games import GAMES
from signoria.server.play.guided_game import LessonProgress, guided_games, is_guided, lessons_after, prepared
from signoria.server.play.room import encode_step
from signoria.web.board import find_board
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.pages.test_pages import table_of

NAMES = sorted(guided_games())
GAMES_PLAYED = 40


@cache
def a_game(name: str, seed: int) -> tuple[LessonProgress, ...]:
    """A guided game with random steps; returns the lessons after each step."""
    dice = Random(seed)
    steps: tuple[tuple[int, str], ...] = ()
    told = [lessons_after(name, steps)]
    while (seat := told[-1].table.turn) is not None:
        table = told[-1].table
        step = table.obvious or dice.choice(table.view(seat).legal)
        steps = (*steps, (seat, encode_step(step)))
        told.append(lessons_after(name, steps))
    return tuple(told)


@pytest.mark.parametrize("name", NAMES)
def test_every_lesson_can_appear_and_repeatable_ones_fill_the_gaps(name: str) -> None:
    shown = {one.now.name for seed in range(GAMES_PLAYED) for one in a_game(name, seed) if one.now}
    assert {lesson.name for lesson in find_board(name).lessons if not lesson.again} <= shown
    assert shown <= {lesson.name for lesson in find_board(name).lessons}


@pytest.mark.parametrize("name", NAMES)
def test_forced_steps_are_not_lessons(name: str) -> None:
    seat = prepared(name).seat
    for seed in range(GAMES_PLAYED):
        for before, after in pairwise(a_game(name, seed)):
            if after.table.turn == seat and after.table.automatic is not None:
                assert after.shown == before.shown
                assert after.now
                assert before.now
                assert (after.now.says, after.now.at) == (before.now.says, ())


@pytest.mark.parametrize("name", NAMES)
def test_each_lesson_appears_once_and_there_is_always_a_text(name: str) -> None:
    again = {lesson.name for lesson in find_board(name).lessons if lesson.again}
    for seed in range(GAMES_PLAYED):
        said = [one.now.name for one in a_game(name, seed) if one.now]
        assert len(said) == len(a_game(name, seed))
        begun = [lesson for before, lesson in zip(["", *said], said, strict=False) if lesson != before]
        assert len([one for one in begun if one not in again]) == len({one for one in begun if one not in again})


@pytest.mark.parametrize("name", NAMES)
def test_targets_of_the_coach_exist_on_the_page(name: str) -> None:
    for seed in range(5):
        for one in a_game(name, seed):
            assert one.now is not None
            assert 20 < len(one.now.says) < 260
            assert one.now.clause in {clause.id for clause in GAMES[name].clauses}
            drawn = find_board(name).draw(one.table.view(prepared(name).seat), one.table.turn == prepared(name).seat)
            page = "".join((drawn.hand, drawn.board, *drawn.players))
            assert not one.now.at or any(f'id="{thing}"' in page for thing in one.now.at)


@pytest.mark.parametrize("name", NAMES)
@in_loop
async def test_guided_game_can_be_played(name: str, sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        learner, other = await arrive(app, "Anna"), await arrive(app, "Bea")
        room = await table_of(service, await learner.send("/learn", game=name))
        assert is_guided(room.row)
        assert not room.row.rated
        assert room.row.turn == prepared(name).seat
        assert room.position is not None
        assert room.n == len(prepared(name).steps)
        page = (await learner.look(f"/tables/{room.row.id}")).text
        first = lessons_after(name, ()).now
        assert first is not None
        assert 'id="coach"' in page
        assert 0 < page.count("data-taught") <= len(first.at)
        assert 'id="fair"' not in page  # it was prepared
        assert '<details class="scene' not in page
        assert 'id="coach"' not in (await other.look(f"/tables/{room.row.id}")).text
        assert room.row.id not in (await other.look("/")).text


@in_loop
async def test_unknown_guided_game_is_not_found(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        answer = await (await arrive(app, "Anna")).send("/learn", game="chess")
        assert answer.status_code == 422
        assert "There is no guided game" in answer.text
