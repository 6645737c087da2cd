"""The third game as people would have it: installed beside Signoria, as a package that Signoria knows nothing of."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "third_game"
NAME = "lampioni"
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--no-index", "--no-deps")
SLOW = 300
"""Seconds that a command may take on a busy machine, with its rules to compile."""


class Installed:
    """A folder with the package in it, and an environment in which Python finds it there."""

    def __init__(self, folder: Path) -> None:
        source = folder / "source"
        for path in files():  # a copy, since building leaves files behind
            (source / path.relative_to(FOLDER)).parent.mkdir(parents=True, exist_ok=True)
            (source / path.relative_to(FOLDER)).write_bytes(path.read_bytes())
        self.folder = folder / "site"
        command = [sys.executable, *PIP, "--no-build-isolation", "--target", str(self.folder), str(source)]
        subprocess.run(command, check=True, capture_output=True, text=True)
        found = [str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.environment = {"PYTHONPATH": os.pathsep.join(found)}

    def python(self, *arguments: str, typed: str = "", status: int = 0, **environment: str) -> str:
        """What an interpreter prints that finds the package."""
        done = subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | self.environment | {"COLUMNS": "100", "PYTHONWARNINGS": "error"} | environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=SLOW,
            check=False,
        )
        assert done.returncode == status, f"{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr if status else done.stdout

    def signoria(self, *arguments: str, typed: str = "", status: int = 0, **environment: str) -> str:
        """What a command prints."""
        return self.python("-m", "signoria", *arguments, typed=typed, status=status, **environment)


def files() -> Sequence[Path]:
    """The files of the package."""
    return [path for path in sorted(FOLDER.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
