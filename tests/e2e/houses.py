"""A house in a process of its own, as `signoria serve` opens it."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

SLOW = 60
"""Seconds that anything may take on a machine that is busy with something else."""
RATES = ("REQUESTS", "STEPS", "HINTS", "CHAT", "TABLES", "TABLES_HERE", "SIGN_IN", "PASSWORDS", "GUESTS")
SETTINGS = {
    "SIGNORIA_PACE": "0",
    **{f"SIGNORIA_RATE_{kind}": "off" for kind in RATES},
}


class HouseProcess:
    """A house on a file and a port of its own, which can be killed and opened again."""

    def __init__(self, folder: Path) -> None:
        self.database, self.log = folder / "house.db", folder / "house.log"
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def open(self) -> None:
        """Start it; it answers when this returns."""
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "signoria", "serve", "--port", str(self.port), "--database", str(self.database)],
                env=os.environ | SETTINGS | {"SIGNORIA_LOG_LEVEL": "warning"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert re.search(rf"is open at {self.address}/", said), f"{said}\n{self.log.read_text()}"

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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
