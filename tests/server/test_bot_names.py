"""Two bots of one level at one table are told apart wherever they are named."""

import pytest

from signoria.server import seating
from signoria.server.api.facts import seat_facts
from signoria.server.errors import BadField, Conflict
from signoria.server.gate.names import clean_name
from signoria.server.showing import asked_sentence, table_line, who_sits
from tests.databases import in_loop
from tests.server.houses import a_house, a_person, a_table


@in_loop
async def test_bots_of_one_level_have_names_of_their_own(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        anna, bruno = await a_person(house), await a_person(house, "Bruno")
        room = await a_table(house, "muratore", anna, "capomastro", "muratore", "muratore")
        names = ["Muratore", "Anna", "Capomastro", "Muratore II", "Muratore III"]
        assert [seat.name for seat in table_line(room.row, None, 0, {}).seats] == names
        assert [seat.name for seat in seat_facts(room.row, None)] == names
        assert who_sits(room, 3).startswith("Muratore II (")
        turn = room.row.turn
        assert turn is not None
        assert asked_sentence(room, ()).startswith(f"{names[turn]} (")
        waiting = await seating.open_table(house, anna, seating.Wish(game="patrician", options={}, chairs=WAITING))
        with pytest.raises(Conflict, match="taken by Muratore II;"):
            await seating.sit(house, await house.room(waiting.id), bruno, 2)


WAITING = (
    seating.Chair("me"),
    seating.Chair("bot", bot="muratore"),
    seating.Chair("bot", bot="muratore"),
    seating.Chair("open"),
)


def test_nobody_is_called_like_one_of_several_bots() -> None:
    with pytest.raises(BadField):
        clean_name("muratore ii")
