"""Two bots of the same level at one table have different names everywhere."""

import pytest

from signoria.server.api.serializers import seat_infos
from signoria.server.errors import BadField, Conflict
from signoria.server.lobby import opening, seating
from signoria.server.lobby.catalogue import level_title
from signoria.server.lobby.table_lines import table_line
from signoria.server.people.names import clean_name
from signoria.server.play.seat_models import seat_label
from signoria.server.play.status import status_sentence
from tests.databases import in_loop
from tests.server.services import a_person, a_service, a_table


@in_loop
async def test_bots_of_the_same_level_have_different_names(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna, bruno = await a_person(service), await a_person(service, "Bruno")
        room = await a_table(service, "muratore", anna, "capomastro", "muratore", "muratore")
        names = ["Muratore", "Anna", "Capomastro", "Muratore II", "Muratore III"]
        assert [seat.name for seat in table_line(room.row, None, 0, {}).seats] == names
        assert [seat.name for seat in seat_infos(room.row, None)] == names
        assert seat_label(room, 3).startswith("Muratore II (")
        turn = room.row.turn
        assert turn is not None
        assert f"{names[turn]} (" in status_sentence(room, ())
        waiting = await opening.open_table(
            service, anna, opening.TableRequest(game="patrician", options={}, seats=WAITING)
        )
        with pytest.raises(Conflict, match=r"taken by Muratore II\."):
            await seating.sit(service, await service.room(waiting.id), bruno, 2)


@in_loop
async def test_older_name_of_a_level_is_accepted_and_shown_by_the_new_one(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        room = await a_table(service, await a_person(service), "apprendista")
        assert room.row.seats[1].bot == "garzone"
        assert [seat.name for seat in table_line(room.row, None, 0, {}).seats] == ["Anna", "Garzone"]
        assert level_title("apprendista") == "Garzone"
    with pytest.raises(BadField):
        clean_name("Apprendista")


WAITING = (
    opening.SeatRequest("me"),
    opening.SeatRequest("bot", bot="muratore"),
    opening.SeatRequest("bot", bot="muratore"),
    opening.SeatRequest("open"),
)


def test_players_cannot_take_the_name_of_a_numbered_bot() -> None:
    with pytest.raises(BadField):
        clean_name("muratore ii")
