"""Games on a GPU, which Numba simulates here: the same as on the CPU."""

import os
import subprocess
import sys

import pytest

from signoria.games import GAMES

SIMULATED = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
NAMES = sorted(GAMES)


def simulate(*what: str) -> None:
    subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.batch.simulated_gpu", *what],
        env=os.environ | SIMULATED,
        check=True,
        timeout=300,
    )


@pytest.mark.parametrize("game", NAMES)
def test_stepped_games_are_those_of_the_cpu(game: str) -> None:
    simulate("stepped", game)


@pytest.mark.parametrize("game", NAMES)
def test_finished_games_are_scored_and_dealt_anew(game: str) -> None:
    simulate("renewed", game)


@pytest.mark.parametrize("bots", ["random random", "greedy random"])
@pytest.mark.parametrize("game", NAMES)
def test_whole_games_and_their_statistics_are_those_of_the_cpu(game: str, bots: str) -> None:
    simulate("series", game, *bots.split())


@pytest.mark.parametrize("game", NAMES)
def test_counts_of_the_laboratory_are_those_of_the_cpu(game: str) -> None:
    simulate("counted", game, "greedy", "random")
