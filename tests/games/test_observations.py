"""Observations show what views show, no more and no less."""

import hashlib

import msgspec
import numpy as np
import pytest

from signoria.games import GAMES, find_game
from signoria.kernel.game import SPECTATOR
from signoria.kernel.luck import sow
from signoria.kernel.position import Position
from signoria.kernel.table import open_game, view_of
from tests.settings import ALL_SETTINGS, Setting, full_name, quick_for_two_and_five

ACTIONS = {
    "patrician": "bab2cbcf45e0573e1b5cbea79eb9dcd4d6d1e17dce5da0bd3fccb8ae6cf16ad6",
    "il-principe": "a663747b6c1105e90c197e712ede889757f8e7cd9624957ba6d9596b7758795f",
}
"""SHA-256 of all steps in the order of their numbers. If one changes, programs that learned have to learn again: bump
the version of the environments."""


def observed(position: Position, seat: int) -> bytes:
    row = np.zeros(position.game.observation.size, np.int8)
    position.seen_by(seat).call(position.game.observation.write, seat, row)
    return row.tobytes()


def seen(position: Position, components: msgspec.Struct, seat: int) -> bytes:
    return msgspec.json.encode(view_of(position, components, seat))


@pytest.mark.parametrize("played", quick_for_two_and_five(ALL_SETTINGS), ids=full_name)
def test_observation_changes_when_and_only_when_the_view_does(played: tuple[str, Setting]) -> None:
    game, setting = find_game(played[0]), played[1]
    views: dict[tuple[int, bytes], bytes] = {}
    observations: dict[tuple[int, bytes], bytes] = {}
    luck, rng = np.zeros(1, np.uint64), np.random.default_rng(1)
    table = open_game(game, setting, seed=1)
    while True:
        for seat in range(table.options.players):
            view, row = seen(table.position, table.components, seat), observed(table.position, seat)
            assert views.setdefault((seat, row), view) == view
            assert observations.setdefault((seat, view), row) == row
            sow(luck, 1, seat)
            assert observed(table.position.seen_by(seat).redealt(luck), seat) == row
        if table.over:
            break
        table.apply(table.legal[rng.integers(len(table.legal))])


@pytest.mark.parametrize("name", sorted(GAMES))
def test_spectators_have_observations_too(name: str) -> None:
    table = open_game(find_game(name), {"players": 3}, seed=1)
    luck = np.zeros(1, np.uint64)
    sow(luck, 1, 1)
    redealt = table.position.seen_by(SPECTATOR).redealt(luck)
    assert observed(table.position, SPECTATOR) == observed(redealt, SPECTATOR)


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_action_numbers_stay_the_same(name: str) -> None:
    game = find_game(name)
    told = b"\n".join(msgspec.json.encode(game.step_of(number)) for number in range(game.steps))
    assert hashlib.sha256(told).hexdigest() == ACTIONS[name]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_features_are_described_and_can_be_split(name: str) -> None:
    observation = find_game(name).observation
    assert len({feature.name for feature in observation.features}) == len(observation.features)
    assert all(feature.meaning.endswith(".") for feature in observation.features)
    rows = np.arange(2 * observation.size, dtype=np.int32).reshape(2, observation.size)
    parts = observation.split(rows)
    assert [part.shape for part in parts.values()] == [(2, *feature.shape) for feature in observation.features]
    assert np.concatenate([part.reshape(2, -1) for part in parts.values()], axis=1).tolist() == rows.tolist()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_action_is_described_by_at_most_one_row(name: str) -> None:
    game = find_game(name)
    described = [
        feature.actions + row
        for feature in game.observation.features
        if feature.actions is not None
        for row in range(feature.shape[0])
    ]
    assert len(set(described)) == len(described)
    assert set(described) <= set(range(game.steps))


def test_cards_that_can_be_played_or_taken_have_facts_and_others_have_none() -> None:
    table, rng = open_game(find_game("patrician"), {"players": 2}, seed=1), np.random.default_rng(1)
    features = {feature.name: feature for feature in table.game.observation.features}
    while not table.over:
        seen = np.frombuffer(observed(table.position, table.position.seat), np.int8)
        legal = set(table.position.legal)
        for name, facts in table.game.observation.split(seen).items():
            if name.endswith("_facts"):
                first, told = features[name].actions, set(np.flatnonzero(facts.any(axis=1)).tolist())
                assert first is not None
                possible = {action - first for action in legal if 0 <= action - first < len(facts)}
                assert possible <= told
                assert name == "offer_facts" or not possible or possible == told
        table.apply(table.legal[rng.integers(len(table.legal))])
