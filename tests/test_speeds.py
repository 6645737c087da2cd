"""One rulebook: CPython and compiled code agree step by step."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.thoughts import thoughts
from tests.settings import ALL_SETTINGS
from tests.trace import labelled_traces
from tests.volume import repeated

ROOT = Path(__file__).parents[1]
GAMES = repeated(20)
GROUPS = sorted({(game, setting["players"]) for game, setting in ALL_SETTINGS})
"""Games with the same number of players share a process, because starting one takes longer than a game."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), GROUPS)
def test_cpython_and_compiled_rules_agree_step_by_step(game: str, players: int) -> None:
    settings = [setting for name, setting in ALL_SETTINGS if (name, setting["players"]) == (game, players)]
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.trace", game, str(GAMES), *map(json.dumps, settings)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.splitlines() == list(labelled_traces(game, settings, GAMES))


@pytest.mark.slow
def test_cpython_and_compiled_searches_think_alike() -> None:
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.bots.thoughts"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert json.loads(plain.stdout) == thoughts()
