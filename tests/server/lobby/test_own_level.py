"""Which opponent is at a person's level."""

from typing import Any

import pytest

from signoria.bots.levels import LADDER
from signoria.server.lobby.own_level import NEWCOMER, own_level, rung_after
from signoria.store.tables import SeatRow
from tests.databases import in_loop
from tests.server.services import a_person, a_service
from tests.store.rows import table_row

STRONGEST = len(LADDER) - 1


def over(*bots: str, points: tuple[int, ...], **more: Any) -> Any:
    """A finished table: person `a` in the first seat, bots in the others."""
    seats = (SeatRow("t", 0, user_id="a"), *(SeatRow("t", seat, bot=bot) for seat, bot in enumerate(bots, 1)))
    winners = [seat for seat, total in enumerate(points) if total == max(points)]
    result = {"winners": winners, "scores": [{"total": total} for total in points]}
    return table_row("t", **{"state": "over", "seats": seats, "result": result, **more})


@pytest.mark.parametrize(
    ("bots", "points", "rung"),
    [
        (["garzone"], (9, 3), 1),
        (["apprendista"], (9, 3), 1),
        (["garzone"], (3, 9), 0),
        (["muratore"], (3, 9), 0),
        (["architetto"], (9, 3), STRONGEST),
        (["avaro"], (9, 3), 4),
        (["garzone", "capomastro"], (9, 3, 3), 4),
        (["capomastro", "capomastro"], (5, 9, 3), 3),
        (["capomastro", "capomastro"], (3, 9, 5), 2),
    ],
)
def test_winning_leads_one_rung_up_and_coming_last_one_down(
    bots: list[str], points: tuple[int, ...], rung: int
) -> None:
    assert rung_after(over(*bots, points=points), "a") == rung


def test_resigning_leads_one_rung_down() -> None:
    row = over("capomastro", points=(9, 3))
    seats = (SeatRow("t", 0, user_id="a", resigned=True), *row.seats[1:])
    assert rung_after(over("capomastro", points=(9, 3), seats=seats), "a") == 2


def test_only_whole_games_of_one_person_against_named_bots_count() -> None:
    assert rung_after(over("garzone", points=(9, 3), origin_id="earlier"), "a") is None
    assert rung_after(over("another:5", points=(9, 3)), "a") is None
    two = (SeatRow("t", 0, user_id="a"), SeatRow("t", 1, user_id="b"))
    assert rung_after(over("garzone", points=(9, 3), seats=two), "a") is None


@in_loop
async def test_newcomer_starts_at_the_second_rung(sqlite_url: str) -> None:
    async with a_service(sqlite_url) as service:
        anna = await a_person(service)
        async with service.database.read() as db:
            assert await own_level(db, anna.id, "patrician") == LADDER[NEWCOMER].id == "muratore"
