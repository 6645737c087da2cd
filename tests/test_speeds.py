"""One rulebook: CPython and compiled code agree step by step."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.thoughts import thoughts
from tests.settings import ALL_SETTINGS, Setting, full_name
from tests.trace import traces

ROOT = Path(__file__).parents[1]
GAMES = 200


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_cpython_and_compiled_rules_agree_step_by_step(game_and_setting: tuple[str, Setting]) -> None:
    game, setting = game_and_setting
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.trace", game, json.dumps(setting), str(GAMES)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.split() == list(traces(game, setting, GAMES))


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
