"""`signoria serve` in its own process."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

SLOW = 120
"""Timeout in seconds, long enough for a busy machine."""
RATES = ("REQUESTS", "STEPS", "HINTS", "CHAT", "TABLES", "TABLES_HERE", "SIGN_IN", "PASSWORDS", "GUESTS")
SETTINGS = {
    "SIGNORIA_PACE": "0",
    "SIGNORIA_UNDO_WAIT": "0",
    **{f"SIGNORIA_RATE_{kind}": "off" for kind in RATES},
}


class ServerProcess:
    """A server with its own file and port, which can be killed and restarted on the same port."""

    def __init__(self, folder: Path, environment: Mapping[str, str] = MappingProxyType({})) -> None:
        self._environment = environment
        self.database, self.log = folder / "house.db", folder / "house.log"
        self.port, self.address = 0, ""  # the system chooses a port at the first start
        self._process: subprocess.Popen[str] | None = None

    def open(self) -> None:
        """Start it and wait until it answers."""
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
        """Stop it and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(sig)
        process.communicate(timeout=SLOW)
        return process.returncode

    def kill(self) -> None:
        """Kill it."""
        self.close(signal.SIGKILL)
