"""Many games for one agent against bots, as a Gymnasium vector environment."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from signoria.env import VectorGame
from signoria.games import GAMES
from signoria.kernel.errors import BadOption, IllegalStep

NAMES = sorted(GAMES)


def random_actions(mask: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


def play(games: VectorGame, steps: int) -> tuple[list[float], bytes]:
    """Play random actions; the rewards of the games that ended, and the last observations."""
    seen, infos = games.reset(seed=4)
    rng, rewards = np.random.default_rng(4), []
    for _ in range(steps):
        seen, reward, done, truncated, infos = games.step(random_actions(infos["action_mask"], rng))
        assert seen in games.observation_space
        assert not truncated.any()
        assert ("points" in infos) == done.any()
        assert (reward[~done] == 0).all()
        rewards += reward[done].tolist()
    return rewards, seen.tobytes()


@pytest.mark.parametrize("bots", ["random", "greedy", "random,greedy"])
@pytest.mark.parametrize("name", NAMES)
def test_games_against_compiled_bots_end_and_are_the_same_with_the_same_seed(name: str, bots: str) -> None:
    first, again = (play(VectorGame(name, 16, bots=bots, players=3), 200) for _ in range(2))
    assert first == again
    assert first[0]
    assert set(first[0]) <= {1.0, 0.25, 0.0, -0.5}


def test_bots_that_are_not_compiled_play_too() -> None:
    rewards, _ = play(VectorGame(NAMES[1], 2, bots="search:20,random", players=3), 60)
    assert rewards


def test_greedy_bots_win_more_often_against_random_play_than_random_bots() -> None:
    against_greedy, against_random = (
        np.mean(play(VectorGame(NAMES[1], 64, bots=bots, players=2), 300)[0]) for bots in ("greedy", "random")
    )
    assert against_greedy < -0.5 < -0.2 < against_random


def test_agent_is_asked_in_its_own_seat() -> None:
    games = VectorGame(NAMES[0], 8, players=3, seat=2)
    _, infos = games.reset(seed=1)
    assert (infos["seat"] == 2).all()
    games = VectorGame(NAMES[0], 64, players=3)
    _, infos = games.reset(seed=1)
    assert set(infos["seat"].tolist()) == {0, 1, 2}


@pytest.mark.parametrize("bots", ["greedy", "search:20"])
def test_copies_go_on_independently_in_the_same_way(bots: str) -> None:
    games = VectorGame(NAMES[0], 2, bots=bots, players=2)
    _, infos = games.reset(seed=1)
    *_, now = games.step(infos["action_mask"].argmax(axis=1))
    ends = []
    for one in (deepcopy(games), deepcopy(games), games):
        rng, told, infos = np.random.default_rng(3), [], now
        for _ in range(60):
            seen, rewards, _, _, infos = one.step(random_actions(infos["action_mask"], rng))
            told.append((seen.tobytes(), rewards.tolist(), infos["seat"].tolist()))
        ends.append(told)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"seed": 3}, "seed: "),  # of `Games`, not of the game: seeds are given to `reset`
        ({"n": 3}, "n: "),
        ({"cores": 1}, "cores: "),
        ({"seat": 0.5}, "seat: "),
        ({"seat": "0"}, "seat: "),
        ({"bots": ["greedy"]}, "bots: "),
    ],
)
def test_settings_that_environments_do_not_have_are_named(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(BadOption, match=named):
        VectorGame(NAMES[0], 2, players=2, **settings)


def test_every_seed_of_a_list_counts() -> None:
    games = VectorGame(NAMES[0], 4, players=2)
    dealt = [games.reset(seed=seed)[0].tobytes() for seed in ([1, 2], np.array([1, 2]), [1, 3], [1], 1, np.int64(1))]
    assert dealt[0] == dealt[1] != dealt[2]
    assert dealt[3] == dealt[4] == dealt[5] != dealt[0]
    for wrong in (-1, 1.5, "one", [1, -1]):
        with pytest.raises(BadOption, match="seed: "):
            games.reset(seed=wrong)


def test_actions_that_need_more_than_32_bits_are_refused() -> None:
    games = VectorGame(NAMES[0], 2, players=2)
    _, infos = games.reset(seed=1)
    for actions in (infos["action_mask"].argmax(axis=1) + (1 << 32), np.full(2, (1 << 32) - 1)):
        with pytest.raises(IllegalStep, match="no action"):
            games.step(actions)


def test_wrong_settings_and_actions_are_named() -> None:
    with pytest.raises(BadOption, match="seat"):
        VectorGame(NAMES[0], 2, players=2, seat=2)
    with pytest.raises(BadOption, match="bots"):
        VectorGame(NAMES[0], 2, players=3, bots="random,random,random")
    games = VectorGame(NAMES[0], 2)
    _, infos = games.reset(seed=1)
    illegal = np.array([np.flatnonzero(row == 0)[0] for row in infos["action_mask"]])
    for actions in (illegal, np.full(2, -1)):
        with pytest.raises(IllegalStep):
            games.step(actions)
