"""Final places: one order for pages, ratings and the arena, with the tiebreaks of the rules."""

import numpy as np
import pytest

from signoria import open_table
from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.rulebook.scoring import COLUMNS, FLOORS, TOTAL
from tests.games.il_principe import position as principe


@pytest.mark.parametrize(
    ("totals", "floors", "places"),
    [
        ((9, 7, 5), (0, 0, 0), (1, 2, 3)),
        ((9, 9, 5), (4, 3, 0), (2, 1, 3)),
        ((9, 5, 5), (3, 4, 2), (1, 3, 2)),
        ((9, 5, 5), (3, 4, 4), (1, 2, 2)),
        ((9, 9, 5), (3, 3, 0), (1, 1, 3)),
    ],
)
def test_p23_decides_every_place(totals: tuple[int, ...], floors: tuple[int, ...], places: tuple[int, ...]) -> None:
    sheet = np.zeros((3, len(COLUMNS)), np.int16)
    sheet[:, TOTAL], sheet[:, FLOORS] = totals, floors
    assert PATRICIAN.places(sheet) == places


def test_seats_that_are_not_ranked_come_last() -> None:
    sheet = np.zeros((4, len(COLUMNS)), np.int16)
    sheet[:, TOTAL] = (9, 7, 5, 3)
    assert PATRICIAN.places(sheet, (1, 3)) == (3, 1, 3, 2)
    assert PATRICIAN.places(sheet, ()) == (1, 1, 1, 1)


def test_i44_decides_places_below_the_first() -> None:
    table = principe.position(at="over", points=(9, 4, 4), up={1: {"red": 1}, 2: {"red": 2}})
    assert table.places == (1, 3, 2)


def test_places_can_be_computed_during_the_game() -> None:
    assert open_table("patrician", players=3, seed=1).places == (1, 1, 1)
