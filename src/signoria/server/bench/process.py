"""A server process: started, observed from outside, stopped."""

import os
import socket
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Self

COMMAND = (sys.executable, "-c", "from signoria.cli import main; main()", "serve")
PATIENCE = 120.0
"""Seconds: the very first start compiles the rules."""
STEADY = {
    "SIGNORIA_PACE": "0",
    "SIGNORIA_UNDO_WAIT": "0",
    "SIGNORIA_MOST_TABLES": "100000",
    "SIGNORIA_MOST_TABLES_HERE": "100000",
    "SIGNORIA_MOST_REQUESTS": "1000",
    **{
        f"SIGNORIA_RATE_{kind}": "off"
        for kind in ("REQUESTS", "STEPS", "CHAT", "TABLES", "TABLES_HERE", "SIGN_IN", "PASSWORDS", "GUESTS")
    },
}
"""Settings of the measured server: everyone comes from one address, as fast as they can."""


class BenchServer:
    """A server process with a database in its own folder."""

    def __init__(self, folder: Path, number: int) -> None:
        self.port = free_port()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGNORIA_RATE")}
        environment |= STEADY | {"SIGNORIA_DATABASE": str(folder / f"{number}.db")}
        began = perf_counter()
        with (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*COMMAND, "--port", str(self.port)], env=environment, stdout=log, stderr=log, cwd=folder
            )
        self._log = folder / "log"
        self._wait(began)
        self.seconds_to_first_page = perf_counter() - began

    def _wait(self, began: float) -> None:
        while True:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5) as page:
                page.read()
                return
            if self._process.poll() is not None or perf_counter() > began + PATIENCE:
                self.stop()
                raise RuntimeError(f"The server did not start: {self._log.read_text('utf-8')[-2000:]}")
            sleep(0.005)

    @property
    def resident(self) -> int:
        """Its memory in bytes."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text("ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def core_seconds(self) -> float:
        """Its CPU time in seconds."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop it."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
