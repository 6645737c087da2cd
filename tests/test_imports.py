"""Importing a module has no side effects."""

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
        env=os.environ | environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_importing_writes_nothing_and_changes_no_other_module(tmp_path: Path) -> None:
    assert printed(SIGNORIA_CACHE=str(tmp_path / "cache")) == []
    assert not (tmp_path / "cache").exists()


def test_every_module_can_be_imported_by_itself() -> None:
    assert importing.circle() == []


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
def test_changes_made_by_an_import_are_detected(tmp_path: Path, line: str) -> None:
    package = tmp_path / "naughty"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "harmless.py").write_text(HARMLESS)
    (package / "more.py").write_text("from naughty import harmless\n")
    assert printed(str(package), folder=tmp_path) == []
    (package / "last.py").write_text(f"{line}\n")
    assert HARMS[line] in "\n".join(printed(str(package), folder=tmp_path))


def test_circular_import_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "naughty"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text("from naughty.second import B\n")
    (package / "second.py").write_text("from naughty import third\nB = 1\n")
    (package / "third.py").write_text("def later():\n    from naughty import first\n")
    monkeypatch.setattr(importing, "PACKAGE", package)
    assert importing.circle() == []
    (package / "third.py").write_text("import naughty.first\n")
    assert set(importing.circle()) == {"naughty.first", "naughty.second", "naughty.third"}
