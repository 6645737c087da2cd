"""Several server processes on one address: started, watched, replaced when they die, stopped."""

import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType

from prometheus_client.multiprocess import mark_process_dead

from signoria.server.run.metrics import SHARED_FOLDER
from signoria.server.run.process import PATIENCE, STARTUP_FAILED, AppFactory, OnReady, run_process
from signoria.server.settings import Settings

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.2
SHORT_LIFE = 10.0
"""Seconds within which the death of a process is not an accident."""
LONGEST_PAUSE = 15.0


@dataclass
class WorkerProcess:
    """A process, and the pipe that reports that it is ready."""

    process: SpawnProcess
    hears: Connection
    started: float
    pause: float
    """Seconds to wait before it is replaced if it dies at once."""


class Supervisor:
    """As many processes as the settings say, until the server stops."""

    def __init__(self, settings: Settings, build: AppFactory, listening: socket.socket, ready: OnReady) -> None:
        self._settings = settings
        self._build = build
        self._listening = listening
        self._ready = ready
        self._context: SpawnContext = multiprocessing.get_context("spawn")
        self._workers: list[WorkerProcess] = []
        self._waiting: set[Connection] = set()
        self._announced = False
        self._stopping = threading.Event()

    def run(self) -> int:
        """Serve until a signal; returns the exit status."""
        for sig in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sig, self._stop)
        with tempfile.TemporaryDirectory(prefix="signoria-metrics-") as folder:
            os.environ.setdefault(SHARED_FOLDER, folder)
            status = self._watch()
            self._end_all()
        return status

    def _watch(self) -> int:
        self._workers = [self._start() for _ in range(self._settings.workers)]
        while not self._stopping.is_set():
            wait([*(worker.process.sentinel for worker in self._workers), *self._waiting], LOOK_EVERY)
            self._hear()
            for number, worker in enumerate(self._workers):
                if worker.process.is_alive() or self._stopping.is_set():
                    continue
                self._bury(worker)
                if not self._announced:
                    return worker.process.exitcode or STARTUP_FAILED
                self._workers[number] = self._replace(worker)
        return 0

    def _start(self, pause: float = 0.0) -> WorkerProcess:
        hears, says = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_work, args=(self._settings, self._build, self._listening, says), name="signoria worker"
        )
        process.start()
        says.close()
        self._waiting.add(hears)
        return WorkerProcess(process, hears, time.monotonic(), pause)

    def _hear(self) -> None:
        """Note which processes are ready; once all are, report it."""
        for hears in wait(list(self._waiting), 0):
            assert isinstance(hears, Connection)
            self._waiting.discard(hears)
            hears.close()
        if not self._announced and not self._waiting and all(worker.process.is_alive() for worker in self._workers):
            self._announced = True
            self._ready()

    def _replace(self, dead: WorkerProcess) -> WorkerProcess:
        """Replace a process that died; after a pause if they keep dying."""
        pause = 0.0
        if time.monotonic() - dead.started < SHORT_LIFE:
            pause = min(LONGEST_PAUSE, 2 * dead.pause or 0.5)
        fields = {"pid": dead.process.pid, "status": dead.process.exitcode, "pause": pause}
        logger.error("A process died and is being replaced.", extra=fields)
        self._stopping.wait(pause)
        return self._start(pause)

    def _bury(self, worker: WorkerProcess) -> None:
        self._waiting.discard(worker.hears)
        worker.hears.close()
        worker.process.join()
        mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]

    def _stop(self, _sig: int, _frame: FrameType | None) -> None:
        self._stopping.set()

    def _end_all(self) -> None:
        """Ask every process to stop, and kill it after a while."""
        for worker in self._workers:
            if worker.process.is_alive():
                worker.process.terminate()
        latest = time.monotonic() + PATIENCE + 0.2
        for worker in self._workers:
            worker.process.join(max(0.0, latest - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()


def _work(settings: Settings, build: AppFactory, listening: socket.socket, says: Connection) -> None:
    """The main function of a process. Ctrl-C reaches all processes; only the first one reacts to it."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    def ready() -> None:
        says.send_bytes(b"ready")
        says.close()

    threading.Thread(target=follow, name="follow", daemon=True).start()
    raise SystemExit(run_process(settings, build, listening, ready, deaf_to={signal.SIGINT}))
