"""States in the style of OpenSpiel."""

from random import Random
from typing import Any

import pytest

from signoria.env.open_spiel import TERMINAL, SpielGame, SpielState
from signoria.games import GAMES
from signoria.kernel.errors import BadOption

NAMES = sorted(GAMES)


def play_some(state: SpielState, steps: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(steps):
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_games_end_with_returns_that_add_up_to_nothing(name: str) -> None:
    game, rng = SpielGame(name, players=3), Random(1)
    state = game.new_initial_state(seed=1)
    while not state.is_terminal():
        assert state.returns() == [0.0, 0.0, 0.0]
        assert state.legal_actions((state.current_player() + 1) % 3) == []
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.current_player() == TERMINAL
    assert sum(state.returns()) == pytest.approx(0)
    assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()


@pytest.mark.parametrize("name", NAMES)
def test_clones_are_independent(name: str) -> None:
    state = SpielGame(name).new_initial_state(seed=3)
    play_some(state, 10, 1)
    told = state.information_state_string(0)
    play_some(state.clone(), 10, 2)
    assert state.information_state_string(0) == told


@pytest.mark.parametrize("name", NAMES)
def test_information_is_that_of_the_player(name: str) -> None:
    game = SpielGame(name, players=2)
    state = game.new_initial_state(seed=3)
    assert state.information_state_string(0) != state.information_state_string(1)
    assert [len(state.information_state_tensor(0))] == game.information_state_tensor_shape()


@pytest.mark.parametrize("name", NAMES)
def test_resampled_states_agree_with_what_the_player_knows(name: str) -> None:
    state, rng = SpielGame(name, players=3).new_initial_state(seed=4), Random(1)
    play_some(state, 12, 1)
    for player in range(3):
        others = [state.resample_from_infostate(player, rng.random) for _ in range(5)]
        assert {other.information_state_string(player) for other in others} == {state.information_state_string(player)}
        assert len({other.information_state_string((player + 1) % 3) for other in others}) > 1


@pytest.mark.parametrize("player", [-1, 2, 0.5])
def test_players_that_do_not_exist_are_named(player: Any) -> None:
    state = SpielGame(NAMES[0], players=2).new_initial_state(seed=1)
    for ask in (
        state.information_state_string,
        state.information_state_tensor,
        lambda player: state.resample_from_infostate(player, Random(1).random),
    ):
        with pytest.raises(BadOption, match="players are 0 to 1"):
            ask(player)


@pytest.mark.parametrize("seed", [-1, 1.5, 1 << 64])
def test_seeds_that_cannot_be_used_are_named(seed: Any) -> None:
    with pytest.raises(BadOption, match="seed: "):
        SpielGame(NAMES[0]).new_initial_state(seed)
