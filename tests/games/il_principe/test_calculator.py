"""The score calculator: the facts of a finished game give its score sheet; impossible entries are named."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.il_principe.rulebook.components import CITY_IDS, COLOUR_IDS, REGION_IDS
from signoria.kernel.calculator import Calculation, calculate
from signoria.kernel.conformance import AnyTable, new_luck, random_play
from signoria.kernel.table import open_game
from tests.settings import PRINCIPE_SETTINGS
from tests.volume import repeated

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena")


def facts(table: AnyTable) -> dict[str, str]:
    """What lies on the table at the end, as players would count it."""
    s, players = table.position.state, table.options.players
    found: dict[str, int] = {}
    for seat in range(players):
        found |= {f"points-{seat}": s.points[seat], f"ducats-{seat}": s.ducats[seat], f"hand-{seat}": s.cards[seat]}
        found |= {f"crests-{region}-{seat}": s.region[seat, n] for n, region in enumerate(REGION_IDS)}
        found |= {f"built-{colour}-{seat}": s.up[seat, n] + s.down[seat, n] for n, colour in enumerate(COLOUR_IDS)}
    for n, colour in enumerate(COLOUR_IDS):
        found |= {f"major-{colour}": s.holder[0, n], f"minor-{colour}": s.holder[1, n]}
    found |= {f"{city}-founder": s.founder[n] for n, city in enumerate(CITY_IDS)}
    return {name: str(int(value)) for name, value in found.items()}


def finished(setting: dict[str, Any], seed: int) -> AnyTable:
    table = open_game(IL_PRINCIPE, setting, seed=seed)
    for _ in random_play(table, new_luck(seed % 2**32), timid=bool(seed % 2)):
        pass
    return table


def count(setting: dict[str, Any], entered: dict[str, str]) -> Calculation:
    return calculate(IL_PRINCIPE, IL_PRINCIPE.options(setting), entered, NAMES[: setting["players"]])


@given(st.sampled_from(PRINCIPE_SETTINGS), st.integers(0, 2**64))
@settings(max_examples=repeated(25), deadline=None)
def test_facts_of_a_finished_game_give_its_score_sheet(setting: dict[str, Any], seed: int) -> None:
    table = finished(setting, seed)
    told = count(setting, facts(table))
    assert told.faults == ()
    assert told.scores == table.scores
    assert told.outcome == table.outcome


def test_cities_only_itemize_the_points_during_the_game() -> None:
    setting = {"players": 3, "variant": True}
    table = finished(setting, 5)
    without = count(setting, {name: text for name, text in facts(table).items() if not name.endswith("-founder")})
    assert [score.row for score in without.scores] == [score.row for score in table.scores]


EMPTY = {"players": 3, "variant": False}


@pytest.mark.parametrize(
    ("entered", "field", "clause"),
    [
        ({"ducats-0": "many"}, "ducats-0", "I17"),
        ({"points-2": "121"}, "points-2", "I17"),
        ({"crests-red-1": "13"}, "crests-red-1", "I40"),
        ({f"crests-{region}-1": "3" for region in REGION_IDS}, "crests-blue-1", "I1"),
        ({f"built-green-{seat}": "7" for seat in range(3)}, "built-green-0", "I2"),
        ({f"hand-{seat}": "40" for seat in range(3)}, "hand-0", "I2"),
        ({"major-green": "0"}, "major-green", "I21"),
        ({"built-green-0": "2", "major-green": "0", "minor-green": "0"}, "minor-green", "I21"),
        ({"major-red": "4"}, "major-red", "I41"),
        ({"siena-founder": "1"}, "points-1", "I17"),
    ],
)
def test_impossible_entries_are_named(entered: dict[str, str], field: str, clause: str) -> None:
    told = count(EMPTY, entered)
    assert [(fault.field, fault.clause) for fault in told.faults] == [(field, clause)]
    assert told.scores == ()


def test_two_players_have_fewer_cards_and_cities_and_no_minor_roles() -> None:
    two = {"players": 2}
    told = count(two, {"built-red-0": "7", "built-red-1": "7"})
    assert [fault.clause for fault in told.faults] == ["I4"]
    told = count(two, {f"{city}-founder": "0" for city in CITY_IDS} | {"points-0": "120"})
    assert [fault.clause for fault in told.faults] == ["I4"]
    told = count(two, {"minor-red": "0"})  # no such field
    assert [part.points for part in told.scores[0].parts if part.clause == "I41"] == [0]
