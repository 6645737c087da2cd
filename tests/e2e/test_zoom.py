"""At 200% a window of 1280 by 800 pixels has 640 by 400: nothing is cut off, and every move can be made."""

import random
from typing import Any

import pytest

from signoria.games import GAMES
from tests.e2e.conftest import Arrive
from tests.e2e.test_languages import PAGES, fits

ZOOMED: dict[str, Any] = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}


def test_pages_fit_at_double_size(arrive: Arrive) -> None:
    visitor = arrive(**ZOOMED)
    for path in PAGES:
        visitor.go(path)
        fits(visitor)


@pytest.mark.parametrize("game", GAMES)
def test_table_fits_and_can_be_played_at_double_size(arrive: Arrive, game: str) -> None:
    visitor, dice = arrive(**ZOOMED), random.Random(game)
    visitor.open_table(game, "me", "garzone", "garzone")
    for _ in range(4):
        visitor.see("#table.my-turn")
        fits(visitor)
        visitor.step(dice)
    visitor.see("#table.my-turn")
    visitor.page.locator("#ask-help").click()
    visitor.see("#help-beside .topics details")
    fits(visitor)
