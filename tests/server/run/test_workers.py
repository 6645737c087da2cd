"""The supervisor of several processes, without any: how it replaces those that die and ends those that hang."""

import socket
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from signoria.server.run import workers
from signoria.server.run.workers import LONGEST_PAUSE, SHORT_LIFE, Supervisor, WorkerProcess
from signoria.server.settings import Settings


def a_supervisor() -> Supervisor:
    return Supervisor(Settings(workers=2), cast(Any, None), cast(socket.socket, None), lambda: None)


def a_worker(process: Any, age: float = 0.0, pause: float = 0.0) -> WorkerProcess:
    return WorkerProcess(process, cast(Any, None), time.monotonic() - age, pause)


def test_processes_that_die_one_after_another_are_replaced_later_and_later(monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor, waited = a_supervisor(), list[float]()
    dead: Any = SimpleNamespace(pid=1, exitcode=1)
    monkeypatch.setattr(supervisor, "_start", lambda pause: a_worker(dead, pause=pause))
    monkeypatch.setattr(supervisor._stopping, "wait", waited.append)
    worker = a_worker(dead)
    for _ in range(7):
        worker = supervisor._replace(worker)
    assert waited == [0.5, 1.0, 2.0, 4.0, 8.0, LONGEST_PAUSE, LONGEST_PAUSE]
    assert supervisor._replace(a_worker(dead, age=SHORT_LIFE, pause=8.0)).pause == 0.0


class Process:
    """A process that stops when it is asked to, or never."""

    def __init__(self, stops: bool) -> None:
        self._stops, self._lives, self.killed = stops, True, False

    def is_alive(self) -> bool:
        return self._lives

    def terminate(self) -> None:
        self._lives = not self._stops

    def join(self, timeout: float) -> None:
        assert timeout >= 0

    def kill(self) -> None:
        self._lives, self.killed = False, True


def test_processes_that_do_not_stop_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.0)
    supervisor, processes = a_supervisor(), [Process(stops=True), Process(stops=False)]
    supervisor._workers = [a_worker(process) for process in processes]
    supervisor._end_all()
    assert [process.killed for process in processes] == [False, True]
