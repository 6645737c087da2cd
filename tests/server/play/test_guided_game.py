"""The guided first game starts from its prepared position, and every lesson appears once."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from signoria.games import GAMES
from signoria.server.play.guided_game import (
    LessonProgress,
    guided_games,
    is_guided,
    lessons_after,
    open_guided,
    part_of,
    parts,
)
from signoria.server.play.room import encode_step
from signoria.store.statistics import played_after
from signoria.web.board import find_board
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.pages.test_pages import table_of
from tests.server.services import a_person, a_service, play

NAMES = sorted(guided_games())
PARTS = [(name, part) for name in NAMES for part in range(len(parts(name)))]


def seeds(name: str, part: int) -> range:
    """Random games to play; a guided game that starts at the beginning is long, so few are enough."""
    return range(40 if parts(name)[part].steps else 6)


@cache
def a_game(name: str, part: int, seed: int) -> tuple[LessonProgress, ...]:
    """A part of a guided game with random steps; returns the lessons after each step."""
    dice = Random(seed)
    steps: tuple[tuple[int, str], ...] = ()
    told = [lessons_after(name, steps, part)]
    while (seat := told[-1].table.turn) is not None and not (told[-1].now and told[-1].now.ends):
        table = told[-1].table
        step = table.obvious or dice.choice(table.view(seat).legal)
        steps = (*steps, (seat, encode_step(step)))
        told.append(lessons_after(name, steps, part))
    return tuple(told)


@pytest.mark.parametrize("name", NAMES)
def test_every_lesson_can_appear_and_repeatable_ones_fill_the_gaps(name: str) -> None:
    games = [a_game(name, part, seed) for part in range(len(parts(name))) for seed in seeds(name, part)]
    shown = {one.now.name for game in games for one in game if one.now}
    assert {lesson.name for lesson in find_board(name).lessons if not lesson.again} <= shown
    assert shown <= {lesson.name for lesson in find_board(name).lessons}


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_forced_steps_are_not_lessons(name: str, part: int) -> None:
    seat = parts(name)[part].seat
    for seed in seeds(name, part):
        for before, after in pairwise(a_game(name, part, seed)):
            if after.table.turn == seat and after.table.automatic is not None:
                assert after.shown == before.shown
                assert after.now
                assert before.now
                assert (after.now.says, after.now.at) == (before.now.says, ())


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_each_lesson_appears_once_and_there_is_always_a_text(name: str, part: int) -> None:
    again = {lesson.name for lesson in find_board(name).lessons if lesson.again}
    for seed in seeds(name, part):
        said = [one.now.name for one in a_game(name, part, seed) if one.now]
        assert len(said) == len(a_game(name, part, seed))
        begun = [lesson for before, lesson in zip(["", *said], said, strict=False) if lesson != before]
        assert len([one for one in begun if one not in again]) == len({one for one in begun if one not in again})


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_targets_of_the_coach_exist_on_the_page(name: str, part: int) -> None:
    for seed in list(seeds(name, part))[:5]:
        for one in a_game(name, part, seed):
            assert one.now is not None
            assert 20 < len(one.now.says) < 260
            assert one.now.clause in {clause.id for clause in GAMES[name].clauses}
            seat = parts(name)[part].seat
            drawn = find_board(name).draw(one.table.view(seat), one.table.turn == seat)
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
        assert room.row.turn == parts(name)[0].seat
        assert room.position is not None
        assert room.n == len(parts(name)[0].steps)
        page = (await learner.look(f"/tables/{room.row.id}")).text
        first = lessons_after(name, ()).now
        assert first is not None
        assert 'id="coach"' in page
        assert 0 < page.count("data-taught") <= len(first.at)
        assert 'id="fair"' not in page  # it was prepared
        assert '<details class="scene' not in page
        assert 'id="coach"' not in (await other.look(f"/tables/{room.row.id}")).text
        assert room.row.id not in (await other.look("/")).text


@pytest.mark.parametrize("name", [name for name, part in PARTS if part == 1])
@in_loop
async def test_next_part_follows_at_its_own_table_and_the_last_one_is_closed(name: str, sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        learner, other = await arrive(app, "Anna"), await arrive(app, "Bea")
        room = await table_of(service, await learner.send("/learn", game=name))
        assert (await other.send("/learn", game=name, after=room.row.id)).status_code == 422
        assert room.row.state == "playing"
        follows = await table_of(service, await learner.send("/learn", game=name, after=room.row.id))
        assert (part_of(room.row), part_of(follows.row)) == (0, 1)
        assert (room.row.state, room.row.turn, room.row.due_at) == ("closed", None, None)
        assert follows.n == len(parts(name)[1].steps)
        assert room.row.id not in (await learner.look("/")).text
        assert "This table is closed" in (await learner.look(f"/tables/{room.row.id}")).text
        assert (await learner.send("/learn", game=name, after=follows.row.id)).status_code == 422


@pytest.mark.parametrize(("name", "part"), [(name, part) for name, part in PARTS if parts(name)[part].steps])
@in_loop
async def test_prepared_steps_do_not_count_as_left_to_a_bot(name: str, part: int, sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        learner = await a_person(service)
        for seed in range(3):
            room = await service.room(await open_guided(service, learner, name, part))
            await play(service, room, Random(seed))
            assert room.position is not None and room.row.result is not None
            async with service.database.read() as db:
                games = {game.table_id: game for game in await played_after(db, learner.id, "", 10)}
            kept, seat = games[room.row.id], parts(name)[part].seat
            assert kept.won == (seat in room.row.result["winners"])
            assert kept.place == room.position.table.places[seat]


def test_patrician_begins_with_two_turns_in_which_the_learner_chooses_the_next_card() -> None:
    """P15: every card in hand leads to another card, so the choice of a card is the choice of the next one."""
    for seed in range(5):
        game = a_game("patrician", 0, seed)
        plays = [one for one in game if one.now and one.table.turn == 0 and one.table.view(0).asked == "play"]
        for one in plays[:2]:
            view = one.table.view(0)
            taken = {play.takes for play in view.plays.values()}
            assert len(view.plays) == 3
            assert len(taken) > 1
            assert one.now is not None
            beside = {city.id: f"card-{city.card}" for city in view.cities}
            assert {beside[city] for takes in taken for city in takes} <= set(one.now.at)
        assert len(plays) == 3
        assert plays[2].now is not None
        assert plays[2].now.ends


@in_loop
async def test_unknown_guided_game_is_not_found(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        answer = await (await arrive(app, "Anna")).send("/learn", game="chess")
        assert answer.status_code == 422
        assert "There is no guided game" in answer.text
