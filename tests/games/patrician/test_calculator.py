"""The score calculator: the facts of a finished game give its score sheet; impossible entries are named."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.rulebook.components import CITY_IDS
from signoria.games.patrician.words.names import PATRICIAN_NAMES
from signoria.kernel.calculator import Calculation, calculate, entries_of
from signoria.kernel.conformance import AnyTable, new_luck, random_play
from signoria.kernel.table import open_game
from tests.settings import SETTINGS
from tests.volume import repeated

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena")


def facts(table: AnyTable) -> dict[str, str]:
    """What lies on the table at the end, as players would count it."""
    s, box = table.position.state, table.position.box
    found: dict[str, int] = {}
    for city in range(box.cities):
        name = CITY_IDS[city]
        found |= {f"{name}-high": s.won[city, 0], f"{name}-low": s.won[city, 1], f"{name}-messengers": s.escorts[city]}
    for seat, player in enumerate(table.view().players):
        shown = [card for card in table.components.cards if card.id in player.stack]  # type: ignore[attr-defined]
        for who in PATRICIAN_NAMES:
            found[f"{who}-{seat}"] = sum(card.portraits for card in shown if card.portrait == who)
        found[f"left-{seat}"] = box.supply - s.floors[seat].sum()
        found[f"there-{seat}"] = sum(s.floors[seat, city] for city in range(box.cities) if s.escorts[city])
    return {name: str(int(value)) for name, value in found.items()}


def finished(setting: dict[str, Any], seed: int) -> AnyTable:
    table = open_game(PATRICIAN, setting, seed=seed)
    for _ in random_play(table, new_luck(seed % 2**32)):
        pass
    return table


def count(setting: dict[str, Any], entered: dict[str, str]) -> Calculation:
    return calculate(PATRICIAN, PATRICIAN.options(setting), entered, NAMES[: setting["players"]])


@given(st.sampled_from(SETTINGS), st.integers(0, 2**64))
@settings(max_examples=repeated(25))
def test_facts_of_a_finished_game_give_its_score_sheet(setting: dict[str, Any], seed: int) -> None:
    table = finished(setting, seed)
    told = count(setting, facts(table))
    assert told.faults == ()
    assert told.notes == ()
    assert told.scores == table.scores
    assert told.outcome == table.outcome


@given(st.sampled_from(SETTINGS), st.integers(0, 2**64))
@settings(max_examples=repeated(15))
def test_floors_are_asked_for_only_if_a_tie_needs_them(setting: dict[str, Any], seed: int) -> None:
    table = finished(setting, seed)
    known = facts(table)
    told = count(setting, {name: text for name, text in known.items() if not name.startswith(("left", "there"))})
    if told.faults:
        assert [fault.clause for fault in told.faults] in (["M6"], ["P23"])
        given = "there" if told.faults[0].clause == "M6" else "left"
        more = count(setting, {name: text for name, text in known.items() if not name.startswith(given)})
        assert [fault.clause for fault in more.faults] == [told.faults[0].clause]
    else:
        assert [score.parts for score in told.scores] == [score.parts for score in table.scores]
        assert told.outcome == table.outcome
        assert all(score.also == {} for score in told.scores)


BASE = {"players": 3, "messengers": True, "ambassadors": False}


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        ({"roma-high": ""}, "roma-high", "P20"),
        ({"roma-low": "3"}, "roma-low", "P20"),
        ({"roma-low": "x" * 500}, "roma-low", "P20"),
        ({"captain-0": "-1"}, "captain-0", "P22"),
        ({"captain-0": "1.5"}, "captain-0", "P22"),
        ({"captain-0": "٣"}, "captain-0", "P22"),
        ({"captain-0": "9999999999"}, "captain-0", "P22"),
        ({"captain-1": "30", "lady-1": "30"}, "captain-1", "P17"),
        ({"roma-messengers": "3"}, "roma-messengers", "P20"),
        ({f"{city}-messengers": "2" for city in CITY_IDS}, "roma-messengers", "M1"),
        ({"left-0": ""}, "left-0", "P23"),
        ({"left-0": "0", "left-1": "0", "left-2": "0"}, "left-0", "P4"),
        ({"there-1": ""}, "there-1", "M6"),
        ({"roma-messengers": "1", "there-0": "29", "there-1": "29", "there-2": "29"}, "there-0", "M6"),
    ],
)
def test_impossible_entries_are_named(change: dict[str, str], field: str, clause: str) -> None:
    told = count(BASE, facts(finished(BASE, 7)) | change)
    assert (field, clause) in [(fault.field, fault.clause) for fault in told.faults]
    assert told.scores == ()
    assert told.outcome is None


def test_other_cards_than_ours_are_counted_with_a_note() -> None:
    setting = {"players": 2, "messengers": False, "ambassadors": False}
    entered = facts(finished(setting, 3))
    told = count(setting, entered | {"lady-0": str(int(entered["lady-0"]) + 3)})
    assert not told.faults
    assert [note.clause for note in told.notes] == ["P22"]


def test_expansions_add_fields() -> None:
    calculator = PATRICIAN.calculator
    assert calculator is not None
    for setting in SETTINGS:
        names = [entry.name for entry in entries_of(calculator.grids(PATRICIAN.options(setting)))]
        assert len(names) == len(set(names))
        assert ("roma-messengers" in names) == ("there-0" in names) == setting["messengers"]
        assert ("pistoia-high" in names) == (setting["players"] == 5)
