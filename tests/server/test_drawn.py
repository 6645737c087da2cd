"""Drawings of a table are shared by whoever sees the same, and by nobody else."""

from signoria.server.pages.tables import drawn
from tests.databases import in_loop
from tests.server.houses import a_house, a_person, a_table, legal, turn_of

BASE = "http://house"


@in_loop
async def test_whoever_watches_gets_one_drawing_that_names_none_of_them(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await a_table(house, anna, bruno)
        carla, dario = await a_person(house, "Carla"), await a_person(house, "Dario")
        seen = drawn(house, room, carla, None, BASE)
        assert drawn(house, room, dario, 1, BASE) is seen
        assert b"Carla" not in seen


@in_loop
async def test_those_who_play_have_a_drawing_each_and_a_new_one_after_a_step(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await a_table(house, anna, bruno)
        carla = await a_person(house, "Carla")
        before = [drawn(house, room, who, None, BASE) for who in (anna, bruno, carla)]
        assert len(set(before)) == 3
        for who, seat in ((anna, 0), (bruno, 1)):
            assert b"Your hand" in drawn(house, room, who, seat, BASE)
        assert b"Your hand" not in before[2]
        await house.make_step(room, turn_of(room), room.n, legal(room)[0])
        after = [drawn(house, room, who, None, BASE) for who in (anna, bruno, carla)]
        assert all(new != old for new, old in zip(after, before, strict=True))


@in_loop
async def test_drawings_are_kept_only_while_somebody_looks(database_url: str) -> None:
    async with a_house(database_url) as house:
        anna = await a_person(house)
        room = await a_table(house, anna, await a_person(house, "Bruno"))
        with room.looking():
            drawn(house, room, anna, None, BASE)
            assert room.drawn
        assert not room.drawn
