"""Pages and ratings use the same final places."""

from msgspec.structs import replace

from signoria.server.people.ratings import places
from signoria.server.play.room import TablePosition
from signoria.server.play.status import status_sentence
from tests.databases import in_loop
from tests.games.patrician.position import position
from tests.server.services import a_person, a_service, a_table


@in_loop
async def test_tiebreak_decides_the_place_on_the_page_and_in_ratings(sqlite_url: str) -> None:
    """P23: Black and White are level on points, and White has fewer floors on the board."""
    table = position(3, won={"roma": (0, 0), "firenze": (1, 1)}, towers={"roma": ("00", "0"), "firenze": ("11", "")})
    table.position.state.asked = 0
    outcome = table.outcome
    assert outcome is not None
    result = {"scores": [score.row for score in table.scores], "winners": list(outcome.winners)}
    async with a_service(sqlite_url) as service:
        room = await a_table(service, *[await a_person(service, name) for name in ("Anna", "Bruno", "Carla")])
        room.row = replace(room.row, state="over", turn=None, result=result)
        room.position = TablePosition(table, (), ())
        assert status_sentence(room, (0,)).endswith("behind on the tiebreak.")
        assert "You are" not in status_sentence(room, (1,))
        assert status_sentence(room, (2,)).endswith("You are third, 15 points behind.")
        assert places(room.row, table) == [2.0, 1.0, 3.0]
        seats = (room.row.seats[0], replace(room.row.seats[1], resigned=True), room.row.seats[2])
        assert places(replace(room.row, seats=seats), table) == [1.0, 3.0, 2.0]
