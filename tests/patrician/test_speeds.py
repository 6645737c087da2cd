"""One rulebook: CPython and compiled code agree step by step, and on every core."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patrician.trace import traces
from tests.settings import SETTINGS, setting_name

ROOT = Path(__file__).parents[2]
GAMES = 200


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_name)
def test_cpython_and_compiled_rules_agree_step_by_step(setting: dict[str, Any]) -> None:
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.patrician.trace", json.dumps(setting), str(GAMES)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.split() == list(traces(setting, GAMES))
