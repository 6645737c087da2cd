"""Tables that wait for players show their own rules."""

import pytest

from signoria.server.lobby import opening
from signoria.server.lobby.opening import SeatRequest, TableRequest
from signoria.server.play.page_models import table_page
from signoria.web import pages
from tests.databases import in_loop
from tests.server.services import a_person, a_service


@pytest.mark.parametrize(("players", "variant", "says"), [(2, False, "draws 5 cards"), (4, True, "takes 6 ducats")])
@in_loop
async def test_waiting_room_shows_the_rules_of_this_table(
    sqlite_url: str, players: int, variant: bool, says: str
) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        seats = (SeatRequest("me"), *[SeatRequest("open")] * (players - 1))
        request = TableRequest(game="il-principe", options={"variant": variant}, seats=seats)
        row = await opening.open_table(service, anna, request)
        drawn = pages.table_fragment(table_page(service, await service.room(row.id), anna, None))
        part = drawn[drawn.index('id="this-game"') :]
        assert says in part
        assert ("With two players" in part) == (players == 2)


@in_loop
async def test_level_of_every_bot_is_selected(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        seats = (SeatRequest("me"), SeatRequest("open"), *[SeatRequest("bot", bot="garzone")] * 2)
        row = await opening.open_table(service, anna, TableRequest(game="il-principe", options={}, seats=seats))
        drawn = pages.table_fragment(table_page(service, await service.room(row.id), anna, None))
        assert drawn.count('value="garzone" selected') == 2, "the second one is called Garzone II"
