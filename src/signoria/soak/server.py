"""The server under test: `signoria serve` in its own processes, killed, stopped and observed from outside."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from signoria.server.bench.process import STEADY, free_port
from signoria.soak.control import VARIABLE, Control

PATIENCE = 600.0
"""Seconds that a start may take; the very first start compiles the rules."""
STOPPING = 15.0
ADDRESS = re.compile(r" 0x[0-9a-f]+")
LIMITED = {name: value for name, value in STEADY.items() if "RATE" not in name and "REQUESTS" not in name}
"""Settings for faults where the usual limits of requests are part of what is tested."""
FREE = STEADY | {"SIGNORIA_RATE_HINTS": "off"}
"""Settings for faults in which everyone plays as fast as possible."""

FUZZED = {
    **LIMITED,
    **dict.fromkeys(("SIGNORIA_RATE_REQUESTS", "SIGNORIA_RATE_STEPS", "SIGNORIA_RATE_CHAT"), "off"),
    "SIGNORIA_MOST_TABLES": "50",
}
"""Settings for fuzzing: unlimited requests, but the usual limits on tables, passwords and hints."""


class NotStarted(RuntimeError):
    """The server did not start; the message quotes its log."""


class Server:
    """One server on a database, with the given number of processes; it accepts requests when `start` has returned."""

    def __init__(
        self,
        database: str,
        folder: Path,
        *,
        workers: int = 1,
        settings: Mapping[str, str] = FREE,
        level: str = "warning",
    ) -> None:
        self.database, self.folder, self.workers, self.settings, self.level = database, folder, workers, settings, level
        self.port = free_port()
        self.log = folder / f"server-{self.port}.log"
        self.control = Control(folder / f"control-{self.port}")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it accepts requests; raises `NotStarted`."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGNORIA_RATE")}
        environment = kept | dict(self.settings) | {VARIABLE: str(self.control.path)}
        options = ["--port", str(self.port), "--database", self.database, "--workers", str(self.workers)]
        options += ["--log-level", self.level, "--log-format", "json"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "signoria.soak.launcher", "serve", *options],
                env=environment,
                stdin=subprocess.PIPE,  # closed when we end for any reason; then the server ends too
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # so that all its processes can be killed at the same moment
            )
        self._wait(self._process)

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait for the line that says it is ready; it is printed when every process accepts requests."""
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        said, latest = b"", time.monotonic() + PATIENCE
        while b" is running at " not in said:
            said += process.stdout.read() or b""
            if process.poll() is not None or time.monotonic() > latest:
                self.kill()
                raise NotStarted(f"The server did not start: {said.decode()} {self.said()[-1500:]}")
            time.sleep(0.01)

    def said(self) -> str:
        """The log so far."""
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def logged(self, since: int = 0) -> Iterator[dict[str, Any]]:
        """The lines of the log, starting at this byte."""
        with self.log.open("rb") as log:
            log.seek(since)
            for line in log:
                with suppress(msgspec.DecodeError):
                    yield msgspec.json.decode(line)

    def logged_errors(self) -> list[str]:
        """Every error in the log once, with its number of occurrences and the last line of the traceback."""
        found = Counter[str]()
        for line in self.logged():
            if line.get("level") == "error" or "exception" in line:
                raised = str(line.get("exception", "")).strip().rpartition("\n")[2]
                found[f"{line.get('message')} {ADDRESS.sub('', raised)}".strip()] += 1
        return [f"{count} times in the log: {said}" for said, count in found.most_common()]

    @property
    def pid(self) -> int:
        """The main process, which supervises the others if there are several."""
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it is running."""
        return self._process is not None and self._process.poll() is None

    def worker_pids(self) -> list[int]:
        """The processes that serve, oldest first."""
        if self.workers == 1:
            return [self.pid]
        found = []
        for child in _children(self.pid):
            with suppress(OSError):
                command = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"spawn_main" in command:
                    found.append((_started(child), child))
        return [child for _, child in sorted(found)]

    def kill(self) -> None:
        """Kill all processes at the same moment, like a power cut."""
        self._signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """Ask it to stop; return its exit status."""
        process = self._process  # an interrupted start may end it at the same moment
        if process is None:
            return 0
        self._signal(signal.SIGCONT)
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOPPING)
        status = process.poll()
        self.kill()
        return -1 if status is None else status

    def suspend(self) -> None:
        """Freeze every process, like a laptop that is closed or a machine that is migrated."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume all processes."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    @property
    def resident(self) -> int:
        """Memory of all processes together, in bytes."""
        page = os.sysconf("SC_PAGE_SIZE")
        found = 0
        for pid in {self.pid, *self.worker_pids()}:
            with suppress(OSError):
                found += page * int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        return found

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.control.close()


def scratch() -> "tempfile.TemporaryDirectory[str]":
    """A temporary folder for one run."""
    return tempfile.TemporaryDirectory(prefix="signoria-soak-", ignore_cleanup_errors=True)


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except OSError:
        return []


def _started(pid: int) -> int:
    """When a process started, in ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[19])
