"""What is counted in games agrees with the rules and with what tables tell."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from signoria.batch.counting import Counted, CountedSeries, count_replay
from signoria.batch.statistics import statistics_of
from signoria.bots.greedy import most_promising
from signoria.games import find_game
from signoria.kernel.table import open_game
from tests.settings import ALL_SETTINGS, Setting, full_name

GAMES = 60


def count(name: str, setting: Setting, games: int = GAMES) -> Counted:
    game = find_game(name)
    options = game.options(setting)
    boxes = game.box(options, game.components(options))
    return CountedSeries(game, boxes, [game.rules.any_step] * options.players, 1).play(0, games)


def thing(name: str, thing_id: str) -> int:
    return [one.id for one in find_game(name).counters.things].index(thing_id)


def said(name: str, words: str) -> int:
    (found,) = [i for i, one in enumerate(find_game(name).counters.happenings) if words in one.says]
    return found


@pytest.mark.parametrize("played", ALL_SETTINGS, ids=full_name)
def test_sheets_and_things_agree(played: tuple[str, Setting]) -> None:
    name, setting = played
    game, counted = find_game(name), count(*played)
    column = {one: counted.sheets[:, :, i] for i, one in enumerate(game.columns)}
    held = {one.id: counted.held[:, :, i] for i, one in enumerate(game.counters.things)}
    if name == "patrician":
        five = setting["players"] == 5
        cards = counted.held[:, :, : 55 if five else 48]
        assert (cards.sum(axis=1) == 1).all()  # every card is played once (P17)
        assert (cards.sum(axis=2) == {2: 24, 3: 16, 4: 12, 5: 11}[setting["players"]]).all()
        assert (held["portrait-captain"] == column["captains"]).all()
        floors = np.sum([held[one] for one in held if one.startswith("floors-")], axis=0)
        assert (floors == column["floors"]).all()
        assert (held["ambassador-A"] == (column["ambassadors"] & 1)).all()
        assert counted.held.sum(axis=1)[:, thing(name, "roma-high")].tolist() == [1] * GAMES
        assert (counted.counts[:, said(name, "A player lost points")] == (column["penalty"] != 0).sum(axis=1)).all()
    else:
        assert ((held["set"] * 2) == column["sets"]).all()
        assert ((held["most-ducats"] > 0) == (column["ducats"] > 0)).all()
        founded = np.sum([held[one] for one in held if one.startswith("city-")], axis=0).sum(axis=1)
        at_once, later = (
            counted.counts[:, said(name, words)] for words in ("founded a city at once", "founded a city in phase 3")
        )
        assert (founded == at_once + later).all()
        rounds = counted.counts[:, said(name, "A round began")]
        majors = np.sum([held[one] for one in held if one.startswith("major-")], axis=0).max(axis=1)
        assert (majors <= 5 * rounds).all()
    shared = counted.counts[:, said(name, "shared the win")]
    assert (shared == (column["won"].sum(axis=1) > 1)).all()


TOLD = {
    "patrician": {
        "moved a floor": "FloorMoved",
        "A city was scored": "CityScored",
        "A player placed a messenger": "MessengerPlaced",
    },
    "il-principe": {
        "A player bid.": "BidMade",
        "A lot was not sold": "LotUnsold",
        "A player played buildings": "BuildingsPlayed",
        "A green role turned": "BuildingTurnedUp",
        "A player scored for roles": "RolePoints",
        "Nobody bid for a role": "RoleLeft",
        "A round began": "RoundBegan",
    },
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_game_at_a_table_is_counted_as_its_events_tell_it(name: str, seed: int) -> None:
    game, rng = find_game(name), Random(seed)
    setting: dict[str, Any] = {"players": 3} | ({"messengers": True} if name == "patrician" else {})
    table = open_game(game, setting, seed=seed)
    dealt, steps, told = table.position.copy(), [], Counter[str]()
    while not table.over:
        step = rng.choice(table.legal)
        steps.append(game.number_of(step))
        told.update(type(event).__name__ for event in table.apply(step))
    told["RoundBegan"] += 1  # the first round begins with the deal
    counted = count_replay(dealt, steps)
    assert (counted.sheets[0] == table.sheet()).all()
    assert int(counted.decisions[0]) == len(steps)
    found = {words: int(counted.counts[0, said(name, words)]) for words in TOLD[name]}
    assert found == {words: told[event] for words, event in TOLD[name].items()}
    if name == "il-principe":
        roles = [i for i, one in enumerate(game.counters.things) if one.id.startswith(("major-", "minor-"))]
        assert counted.held[0][:, roles].sum() == told["RoleTaken"]


@pytest.mark.parametrize("name", ["patrician", "il-principe"])
def test_sums_do_not_depend_on_how_games_are_divided(name: str) -> None:
    game = find_game(name)
    options = game.options({"players": 3})
    boxes = game.box(options, game.components(options))
    series = CountedSeries(game, boxes, [most_promising(game), game.rules.any_step, game.rules.any_step], 7)
    whole = statistics_of(game, series.play(0, 40))
    halves = statistics_of(game, series.play(0, 15))
    halves.add(statistics_of(game, series.play(15, 25)))
    for one, two in zip(whole, halves, strict=True):
        assert (one == two).all()
    assert whole.games.tolist()[0] == 40
    assert whole.wins[:, 0].sum() == 40 * 60


def test_worth_of_a_thing_is_the_difference_to_the_others_of_the_same_game() -> None:
    """Two seats, a token held by one of them: the slope is the mean lead of its holder."""
    game = find_game("patrician")
    counted = count("patrician", {"players": 2}, 200)
    number, total = thing("patrician", "roma-high"), game.columns.index("total")
    held, points = counted.held[:, :, number], counted.sheets[:, :, total].astype(int)
    lead = np.where(held[:, 0] == 1, points[:, 0] - points[:, 1], points[:, 1] - points[:, 0])
    row = statistics_of(game, counted).things[number]
    assert row[6] / row[4] == pytest.approx(lead.mean())
