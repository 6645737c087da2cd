"""The PettingZoo environments of all games."""

import pickle
import warnings
from copy import deepcopy
from importlib import import_module
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from signoria import env
from signoria.env import AECGame, make_env, module_name
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


@pytest.mark.parametrize("action", [3.7, "3", float("nan"), [3], np.array([3])])
def test_actions_that_are_no_whole_numbers_are_refused(action: Any) -> None:
    game = AECGame(NAMES[0])
    game.reset(seed=1)
    before = bytes(game.dealt.position)
    with pytest.raises(BadOption, match=r"action: .*; give a whole number from 0"):
        game.step(action)
    assert bytes(game.dealt.position) == before
    game.step(np.int64(game.dealt.legal[0]))


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_seeds_that_are_no_whole_numbers_are_named(seed: Any) -> None:
    with pytest.raises(BadOption, match="seed: "):
        AECGame(NAMES[0]).reset(seed=seed)


@pytest.mark.parametrize(("other", "options"), [(NAMES[0], {}), (NAMES[1], {"players": 5}), (NAMES[1], {"players": 2})])
def test_games_saved_at_other_tables_are_not_restored(other: str, options: dict[str, Any]) -> None:
    game, wrong = AECGame(NAMES[1], players=3), AECGame(other, **options)
    for one in (game, wrong):
        one.reset(seed=1)
    before = game.save()
    for saved in (wrong.save(), None):
        with pytest.raises(BadOption, match="saved: give what save"):
            game.restore(saved)
    assert game.dealt.position == before.position
    AECGame(NAMES[1], players=3).restore(before)


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
def test_games_saved_at_their_end_continue_exactly(name: str) -> None:
    """PettingZoo then asks for the agents one after the other, each with its reward."""
    environment = getattr(env, module_name(name)).env()
    endings: list[list[Any]] = []
    environment.reset(seed=1)
    play_random(environment.unwrapped, 2)
    saved = [environment.unwrapped.save()]
    environment.reset(seed=2)
    environment.unwrapped.restore(saved[0])
    environment.step(None)
    saved.append(environment.unwrapped.save())
    for where in (saved[0], saved[0], saved[1]):
        environment.unwrapped.restore(where)
        endings.append([(agent, environment.last()[1:], environment.step(None)) for agent in environment.agent_iter()])
        environment.reset()  # the next deal is the same too
        endings[-1].append(bytes(environment.unwrapped.dealt.position))
    assert endings[0] == endings[1]
    assert endings[0][1:] == endings[2]
    assert any(told[1][0] > 0 for told in endings[0][:-1])


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_rendered_as_text_svg_and_pixels(name: str) -> None:
    shown: dict[str, Any] = {}
    for mode in ("ansi", "svg", "rgb_array"):
        game = AECGame(name, render_mode=mode)
        game.reset(seed=1)
        shown[mode] = game.render()
    assert len(shown["ansi"].splitlines()) > 5
    assert shown["svg"].startswith("<svg")
    drawn = ET.fromstring(shown["svg"])
    assert "var(" not in shown["svg"]
    width, height = (int(float(drawn.get(side, "0"))) for side in ("width", "height"))
    assert shown["rgb_array"].shape == (height, width, 3)
    assert len(np.unique(shown["rgb_array"].reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("played", ALL_SETTINGS, ids=full_name)
def test_boards_are_drawn_with_all_options_at_any_time(played: tuple[str, Setting]) -> None:
    name, setting = played
    game = AECGame(name, render_mode="svg", **setting)
    game.reset(seed=5)
    rng = np.random.default_rng(5)
    for step in range(1000):
        if step % 40 == 0 or game.dealt.position.over:
            drawn = ET.fromstring(game.render())
            titles = {element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")}
            assert {game.game.seat_name(seat) for seat in range(setting["players"])} <= {
                (title or "").removesuffix(" (Il Principe)") for title in titles
            }
        if game.dealt.position.over:
            return
        game.step(int(rng.choice(game.dealt.legal)))


@pytest.mark.parametrize("name", NAMES)
def test_pictures_show_nothing_hidden(name: str) -> None:
    """Hidden cards dealt differently, in a way that the agent cannot tell, give the same picture."""
    game, luck = AECGame(name, render_mode="svg"), np.array([77], np.uint64)
    game.reset(seed=2)
    for _ in range(25):
        game.step(game.dealt.legal[-1])
    shown = game.render()
    game.dealt.restore(game.known().redealt(luck))
    assert game.render() == shown


@pytest.mark.parametrize("name", NAMES)
def test_copies_play_on_independently(name: str) -> None:
    wrapped = getattr(env, module_name(name)).env()
    wrapped.reset(seed=2)
    for _ in range(10):
        wrapped.step(int(wrapped.last()[0]["action_mask"].argmax()))
    other = deepcopy(wrapped)
    assert other.unwrapped.game is wrapped.unwrapped.game
    ends = []
    for one in (wrapped, other):
        rng = np.random.default_rng(1)
        play = one.unwrapped
        while not play.dealt.position.over:
            one.step(int(rng.choice(play.dealt.legal)))
        one.reset()  # the next deal is the same too
        ends.append((bytes(play.dealt.position), play.agent_selection))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", NAMES)
def test_environments_can_be_pickled_at_any_time(name: str) -> None:
    wrapped = getattr(env, module_name(name)).env(render_mode="svg")
    wrapped.reset(seed=2)
    wrapped.render()  # the game now knows its board, a module
    other = pickle.loads(pickle.dumps(wrapped))
    assert other.unwrapped.game is wrapped.unwrapped.game
    ends = [play_random(one.unwrapped, 3) for one in (wrapped, other)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", NAMES)
def test_performance_benchmark_of_pettingzoo_passes(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays for five seconds; here the clock makes a jump after more steps than a game has."""
    clock = chain([0.0] * 300, repeat(10.0))
    module = import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(make_env(name))
    assert "turns per second" in capsys.readouterr().out


def test_forced_steps_are_skipped_on_request() -> None:
    game = AECGame(NAMES[0], skip_forced=True)
    game.reset(seed=1)
    while not game.dealt.position.over:
        assert len(game.dealt.legal) > 1
        game.step(game.dealt.legal[0])


def test_wrong_settings_are_named() -> None:
    with pytest.raises(BadOption, match="players"):
        AECGame(NAMES[0], players=17)
    with pytest.raises(BadOption, match="players"):
        AECGame(NAMES[0], players=0)
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
