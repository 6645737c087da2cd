"""Simulations between bots by name: compiled if possible, with the same games as at tables."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from signoria.batch.series import deal_seed
from signoria.bots import BOTS, Seated, find_bot
from signoria.bots.runner import Seat, play
from signoria.bots.simulation import Simulation
from signoria.games import AnyTable, find_game
from signoria.kernel.errors import BadOption
from signoria.kernel.table import Table
from signoria.kernel.verify import replay
from tests.settings import ALL_SETTINGS, Setting, full_name, quick_for_two_and_five


def simulation(game: str, setting: Setting, names: Sequence[str], seed: int = 6) -> Simulation:
    found = find_game(game)
    options = found.options(setting)
    return Simulation(found, options, found.components(options), names, seed)


class Scripted:
    """Repeats the steps of an earlier game."""

    def __init__(self, before: AnyTable, table: AnyTable) -> None:
        self._before, self._table = before, table

    def decide(self, view: Any) -> Any:
        return self._before.steps[len(self._table.steps)].step


@pytest.mark.parametrize("game_and_setting", quick_for_two_and_five(ALL_SETTINGS), ids=full_name)
def test_mixed_compiled_bots_play_as_at_a_table(game_and_setting: tuple[str, Setting]) -> None:
    """Greedy decides at the table itself; only the random bot uses the numbers of the compiled game."""
    game, setting = game_and_setting
    names = [("greedy", "random", "muratore")[seat % 3] for seat in range(setting["players"])]
    mixed = simulation(game, setting, names)
    assert mixed.series is not None
    compiled = mixed.play(2).table
    again: AnyTable = Table(compiled.game, compiled.options, compiled.components, deal_seed(6, 2), compiled.salts)
    seats: dict[int, Seat] = {
        seat: Scripted(compiled, again) if name == "random" else Seated(name, find_bot(name), Random(0))
        for seat, name in enumerate(names)
    }
    for number, taken in enumerate(play(again, seats)):
        assert taken == compiled.steps[number]
    assert again.record.to_json() == compiled.record.to_json()
    assert replay(again.game, again.record).over


@pytest.mark.parametrize(
    ("names", "compiled"),
    [
        (["random", "random"], True),
        (["greedy", "random"], True),
        (["muratore", "greedy"], True),
        (["random", "scalpellino"], False),
        (["search:10", "greedy"], False),
    ],
)
def test_games_are_compiled_if_all_bots_are(names: list[str], compiled: bool) -> None:
    assert (simulation("patrician", {"players": 2}, names).series is not None) == compiled
    assert simulation("patrician", {"players": 2}, names).play(0).table.over


def test_bots_of_other_packages_play_at_tables_even_if_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoria.bots.simulation.BOTS", {"greedy": BOTS["greedy"]})
    assert simulation("patrician", {"players": 2}, ["greedy", "greedy"]).series is not None
    assert simulation("patrician", {"players": 2}, ["greedy", "random"]).series is None


def test_game_at_a_table_depends_only_on_its_number() -> None:
    several = simulation("il-principe", {"players": 2}, ["garzone", "random"])
    later = several.play(1).table.record.to_json()
    assert several.play(0).table.record.to_json() != later
    assert several.play(1).table.record.to_json() == later


def test_all_line_ups_share_the_same_deals() -> None:
    tables = [
        simulation("patrician", {"players": 2}, names).play(3).table
        for names in (["random", "random"], ["greedy", "random"], ["garzone", "random"])
    ]
    assert tables[0].setup == tables[1].setup == tables[2].setup


class Cheat:
    def decide(self, view: Any, rng: Random, budget: Any) -> Any:
        return "I win"


def test_forfeits_are_reported_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "cheat", lambda level: Cheat())
    finished = simulation("patrician", {"players": 3}, ["random", "cheat", "greedy"]).play(0)
    [forfeit] = finished.forfeits
    assert forfeit.startswith("cheat (seat 1) forfeits: ")
    assert forfeit.endswith("'I win'")
    assert finished.table.over
    chunk = finished.chunk
    assert chunk.games == 1
    assert chunk.decisions == len(finished.table.steps)
    assert chunk.sheets[0].tolist() == finished.table.sheet().tolist()


def test_unknown_bot_name_is_refused() -> None:
    with pytest.raises(BadOption, match="there is no 'deep'"):
        simulation("patrician", {"players": 2}, ["deep", "random"])
