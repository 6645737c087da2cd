"""The server under test: `signoria serve` in processes of its own, killed, stopped and looked at from outside."""

import os
import re
import signal
import socket
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

from signoria.server.bench.process import STEADY
from signoria.soak.client import Client, NoAnswer
from signoria.soak.control import VARIABLE, Control

PATIENCE = 600.0
"""Seconds that a start may take: the first one ever compiles the rules."""
STOPPING = 15.0
ADDRESS = re.compile(r" 0x[0-9a-f]+")
LIMITED = {name: value for name, value in STEADY.items() if "RATE" not in name and "REQUESTS" not in name}
"""Settings for faults where the usual limits of requests are part of what is tested."""
FREE = STEADY | {"SIGNORIA_RATE_HINTS": "off"}
"""Settings for faults where everybody plays as fast as they can."""

FUZZED = {
    **LIMITED,
    **dict.fromkeys(("SIGNORIA_RATE_REQUESTS", "SIGNORIA_RATE_STEPS", "SIGNORIA_RATE_CHAT"), "off"),
    "SIGNORIA_MOST_TABLES": "50",
}
"""Settings for fuzzing: as many requests as can be, and no more tables, passwords and hints than usual."""


class NotStarted(RuntimeError):
    """The server did not start; says what its log says."""


class Server:
    """One server on a database, with as many processes as asked; it takes requests once `start` has returned."""

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
        """Start it, and wait until it takes requests; raises `NotStarted`."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGNORIA_RATE")}
        environment = kept | dict(self.settings) | {VARIABLE: str(self.control.path)}
        options = ["--port", str(self.port), "--database", self.database, "--workers", str(self.workers)]
        options += ["--log-level", self.level, "--log-format", "json"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "signoria.soak.launcher", "serve", *options],
                env=environment,
                stdin=subprocess.PIPE,  # closed when we end, however: then it ends too
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # so that all its processes can be killed at one moment
            )
        self._wait(self._process)

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait for the line that says it is open; it is printed once every process takes requests."""
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        said, latest = b"", time.monotonic() + PATIENCE
        while b" is open at " not in said:
            said += process.stdout.read() or b""
            if process.poll() is not None or time.monotonic() > latest:
                self.kill()
                raise NotStarted(f"The server did not start: {said.decode()} {self.said()[-1500:]}")
            time.sleep(0.01)

    def said(self) -> str:
        """The log so far."""
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def logged(self, since: int = 0) -> Iterator[dict[str, Any]]:
        """The lines of the log from this byte on."""
        with self.log.open("rb") as log:
            log.seek(since)
            for line in log:
                with suppress(msgspec.DecodeError):
                    yield msgspec.json.decode(line)

    def logged_errors(self) -> list[str]:
        """Every error in the log once, with how often it is there and the last line of what was raised."""
        found = Counter[str]()
        for line in self.logged():
            if line.get("level") == "error" or "exception" in line:
                raised = str(line.get("exception", "")).strip().rpartition("\n")[2]
                found[f"{line.get('message')} {ADDRESS.sub('', raised)}".strip()] += 1
        return [f"{count} times in the log: {said}" for said, count in found.most_common()]

    @property
    def pid(self) -> int:
        """The process that was started, which looks after the others where there are several."""
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
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
        """What a power cut does: all processes end at one moment, without a word."""
        self._signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """Ask it to stop; its exit status."""
        process = self._process  # a start that was cut short may end it at the same moment
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
        """Freeze every process, as a laptop that is closed or a machine that is moved."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let them go on."""
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
        """Bytes of memory that all processes have together."""
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


async def metric(server: Server, name: str) -> float:
    """The sum of a counter over its labels, as the server tells it."""
    client = Client(server.port)
    try:
        text = (await client.get("/metrics")).text
    except NoAnswer:
        return 0.0
    finally:
        client.hang_up()
    lines = (line for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{")))
    return sum(float(line.rpartition(" ")[2]) for line in lines)


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def scratch() -> "tempfile.TemporaryDirectory[str]":
    """A folder for one run."""
    return tempfile.TemporaryDirectory(prefix="signoria-soak-", ignore_cleanup_errors=True)


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except OSError:
        return []


def _started(pid: int) -> int:
    """When a process began, in ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[19])
