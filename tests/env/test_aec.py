"""The PettingZoo environments of all games."""

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from signoria import env
from signoria.env import AECGame, module_name
from signoria.env.dealt import DealtGame
from signoria.games import GAMES
from signoria.kernel.errors import BadOption, IllegalStep
from tests.settings import ALL_SETTINGS, Setting, full_name

NAMES = sorted(GAMES)


def play_random(game: AECGame, seed: int) -> list[int]:
    """Play a whole game; the actions."""
    game.reset(seed=seed)
    rng, actions = np.random.default_rng(seed), []
    while not all(game.terminations.values()):
        actions.append(int(rng.choice(game.dealt.legal)))
        game.step(actions[-1])
    return actions


@pytest.mark.parametrize("name", NAMES)
def test_environments_pass_the_tests_of_pettingzoo(name: str) -> None:
    environment = getattr(env, module_name(name))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation")  # it is a dict, because of the mask
        api_test(environment.env(), num_cycles=300)
    seed_test(environment.env, num_cycles=100)


@pytest.mark.parametrize("played", ALL_SETTINGS, ids=full_name)
def test_games_with_all_options_end_with_rewards_that_add_up_to_nothing(played: tuple[str, Setting]) -> None:
    name, setting = played
    game = AECGame(name, **setting)
    play_random(game, 3)
    assert sum(game.rewards.values()) == pytest.approx(0)
    assert max(game.rewards.values()) > 0
    assert [game.infos[agent]["points"] for agent in game.possible_agents] == game.dealt.points()
    for agent in game.possible_agents:
        assert not game.observe(agent)["action_mask"].any()


@pytest.mark.parametrize("name", NAMES)
def test_illegal_actions_are_refused_with_the_clause_and_change_nothing(name: str) -> None:
    game = AECGame(name)
    game.reset(seed=1)
    before, wrong = bytes(game.dealt.position), int(np.flatnonzero(game.dealt.mask(game.dealt.position.seat) == 0)[0])
    with pytest.raises(IllegalStep, match="Possible now"):
        game.step(wrong)
    with pytest.raises(IllegalStep, match="actions are 0 to"):
        game.step(10_000)
    assert bytes(game.dealt.position) == before


@pytest.mark.parametrize("name", NAMES)
def test_saved_games_continue_exactly(name: str) -> None:
    game = AECGame(name)
    game.reset(seed=2)
    for _ in range(20):
        game.step(game.dealt.legal[-1])
    saved = game.save()
    rest = [(game.agent_selection, game.dealt.legal[0])]
    for _ in range(30):
        game.step(game.dealt.legal[0])
    after = bytes(game.dealt.position)
    game.reset()
    game.restore(saved)
    assert (game.agent_selection, game.dealt.legal[0]) == rest[0]
    for _ in range(30):
        game.step(game.dealt.legal[0])
    assert bytes(game.dealt.position) == after


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_rendered_as_text_svg_and_pixels(name: str) -> None:
    shown: dict[str, Any] = {}
    for mode in ("ansi", "svg", "rgb_array"):
        game = AECGame(name, render_mode=mode)
        game.reset(seed=1)
        shown[mode] = game.render()
    assert len(shown["ansi"].splitlines()) > 5
    assert shown["svg"].startswith("<svg")
    assert shown["rgb_array"].dtype == np.uint8
    assert len(np.unique(shown["rgb_array"].reshape(-1, 3), axis=0)) > 5


def test_forced_steps_are_skipped_on_request() -> None:
    game = AECGame(NAMES[0], skip_forced=True)
    game.reset(seed=1)
    while not game.dealt.position.over:
        assert len(game.dealt.legal) > 1
        game.step(game.dealt.legal[0])


def test_wrong_settings_are_named() -> None:
    with pytest.raises(BadOption, match="players"):
        AECGame(NAMES[0], players=17)
    with pytest.raises(ValueError, match="render_mode"):
        AECGame(NAMES[0], render_mode="hologram")
    with pytest.raises(AttributeError, match=module_name(NAMES[0])):
        _ = env.chess_v6


def test_the_same_seed_gives_the_same_deals_and_others_give_others() -> None:
    dealt = DealtGame(NAMES[0], None, {}, skip_forced=False)
    states = []
    for seed in (1, 1, 2):
        dealt.deal(seed)
        states.append(bytes(dealt.position))
    assert states[0] == states[1] != states[2]
