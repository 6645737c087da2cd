"""A house in a process of its own, as `signoria serve` opens it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

SLOW = 120
"""Seconds that anything may take on a machine that is busy with something else."""
RATES = ("REQUESTS", "STEPS", "HINTS", "CHAT", "TABLES", "TABLES_HERE", "SIGN_IN", "PASSWORDS", "GUESTS")
SETTINGS = {
    "SIGNORIA_PACE": "0",
    **{f"SIGNORIA_RATE_{kind}": "off" for kind in RATES},
}


class HouseProcess:
    """A house on a file and a port of its own, which can be killed and opened again on the same port."""

    def __init__(self, folder: Path, environment: Mapping[str, str] = MappingProxyType({})) -> None:
        self._environment = environment
        self.database, self.log = folder / "house.db", folder / "house.log"
        self.port, self.address = 0, ""  # the system chooses a port when it is first opened
        self._process: subprocess.Popen[str] | None = None

    def open(self) -> None:
        """Start it; it answers when this returns."""
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "signoria", "serve", "--port", str(self.port), "--database", str(self.database)],
                env={**os.environ, **SETTINGS, "SIGNORIA_LOG_LEVEL": "warning", **self._environment},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"is running at (http://127\.0\.0\.1:(\d+))/", said)
        assert found and self.port in (0, int(found[2])), f"{said}\n{self.log.read_text()}"
        self.address, self.port = found[1], int(found[2])

    def close(self, sig: int = signal.SIGTERM) -> int:
        """Stop it; its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(sig)
        process.communicate(timeout=SLOW)
        return process.returncode

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self.close(signal.SIGKILL)
