"""Scenes of Patrician: scored cities and why they were won."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from signoria.games import AnyTable
from signoria.games.patrician.words.events import CityScored
from signoria.web import pages
from signoria.web.log import people
from tests.web.html_reader import Reader
from tests.web.page_models import page, random_game

BOTH = {"players": 3, "messengers": True, "ambassadors": True}


def scored(options: dict[str, Any], seed: int = 4) -> Iterator[tuple[AnyTable, CityScored]]:
    for table in random_game("patrician", options, seed):
        yield from ((table, event) for event in table.events if isinstance(event, CityScored))


def test_every_scored_city_is_shown_floor_by_floor() -> None:
    cities = 0
    for table, event in scored(BOTH):
        shown = pages.table_fragment(page(table, 0, lately=(event,), state="playing"))
        read, cities = Reader(shown), cities + 1
        scene = shown.partition(f'id="scored-{event.city}"')[2].partition("</details>")[0]
        assert not read.faults
        for tower in (event.high, event.low):
            assert f"<b>{tower.points}</b>" in scene
            assert f"Somebody {tower.seat}" in scene
            assert ("P21" in scene) >= bool(tower.tied)
            assert ("M5" in scene) >= bool(tower.extra)
        assert scene.count('href="#d-floor-') == sum(event.high.floors) + sum(event.low.floors)
        assert f"{event.city.capitalize()} is scored. Somebody {event.high.seat}" in read.text
    assert cities == 9


def test_floor_that_broke_a_tie_is_highlighted() -> None:
    ties = [(table, event) for table, event in scored(BOTH) if event.high.tied]
    table, event = ties[0]
    scene = pages.table_fragment(page(table, None, lately=(event,), state="playing"))
    assert "floor broke" in scene
    assert "is nearest the top and wins" in scene


@pytest.mark.parametrize("tokens", ["open", "hidden"])
def test_scene_says_that_tokens_lie_face_down(tokens: str) -> None:
    table, event = next(scored({"players": 2, "tokens": tokens}))
    scene = pages.table_fragment(page(table, None, lately=(event,), state="playing"))
    assert ("<small>face down</small> " in scene or "P24" in scene) == (tokens == "hidden")


def test_players_with_the_same_name_are_distinguished() -> None:
    table, event = next(scored({"players": 2}))
    shown = page(table, 0, lately=(event,), state="playing")
    alike = tuple(msgspec.structs.replace(seat, name="Muratore") for seat in shown.seats)
    assert people("patrician", alike) == ("Muratore (Black)", "Muratore (White)")
    assert people("patrician", shown.seats) == ("Somebody 0", "Somebody 1")
