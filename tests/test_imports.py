"""Importing a module has no effect but to have it: whoever starts the program says what is to happen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import importing


def printed(*arguments: str, folder: Path | None = None, **environment: str) -> list[str]:
    """What `tests/importing.py` prints in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, importing.__file__, *arguments],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"} | environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_importing_writes_nothing_and_changes_no_other_module(tmp_path: Path) -> None:
    assert printed("effects", SIGNORIA_CACHE=str(tmp_path / "cache")) == []
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow  # three hundred processes
def test_every_module_can_be_imported_by_itself() -> None:
    assert printed("alone", NUMBA_DISABLE_JIT="1") == []


HARMLESS = """
import json, signal
TABLE, LIST, ORDER = {}, [], ("a", "b")
class Thing:
    def __init__(self): self.known = {}
THING = Thing()
"""
HARMS = {
    "import json; json.dumps = repr": "json.dumps is another one",
    "import json; json.JSONEncoder.encode = repr": "json.encoder.JSONEncoder.encode is another one",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)": "the handler of SIGTERM is different",
    "import os; os.environ['OTHER'] = '1'": "the variable OTHER is different",
    "from naughty import harmless; harmless.TABLE['x'] = 1": "naughty.harmless.TABLE is changed by another module",
    "from naughty import harmless; harmless.ORDER = ()": "naughty.harmless.ORDER is changed by another module",
    "from naughty import harmless; harmless.THING.known['x'] = 1": "naughty.harmless.THING is changed by another module",
    "import os; os.makedirs('made', exist_ok=True)": "calls os.mkdir",
    "open('made.txt', 'w').close()": "writes the file made.txt",
}


@pytest.mark.parametrize("line", HARMS)
def test_whatever_an_import_changes_is_noticed(tmp_path: Path, line: str) -> None:
    package = tmp_path / "naughty"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "harmless.py").write_text(HARMLESS)
    (package / "more.py").write_text("from naughty import harmless\n")
    assert printed("effects", str(package), folder=tmp_path) == []
    (package / "last.py").write_text(f"{line}\n")
    assert HARMS[line] in "\n".join(printed("effects", str(package), folder=tmp_path))


def test_a_module_that_needs_another_one_first_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "naughty"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text("from naughty.second import B\n")
    (package / "second.py").write_text("from naughty import first\nB = 1\n")
    (package / "third.py").write_text("")
    assert printed("alone", str(package)) == ["naughty.second cannot be imported by itself"]
