"""Plays games on the cores of this machine, one supervised process per core, so that a bot that crashes is noticed."""

import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing.connection import wait
from types import TracebackType
from typing import Any

from signoria.arena.matches import Fixture
from signoria.arena.playing import Played, play_game, warm_up
from signoria.arena.setting import Setting, versions
from signoria.games import find_game
from signoria.kernel.errors import SignoriaError

Tell = Callable[[str], None]
"""Called with a sentence about anything unusual, as it happens."""
PULSE = 0.5
"""Seconds between checks for bots that think too long."""
GRACE = 3.0
"""Extra seconds beyond the patience in which a process may stop its bot itself."""
TRIES = 2
"""How often a game is tried if its process dies."""
NOBODY = -1

_Connection = Any  # two different classes, on Windows and elsewhere
_spawn = multiprocessing.get_context("spawn")


class WorkerLost(SignoriaError):
    """A worker process cannot do its work, and no bot is to blame."""


class _Task:
    """A game to be played, and what has happened to it so far."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.deaths: Counter[int | None] = Counter()
        """How often the process died, by the seat that was being asked."""
        self.forfeits: dict[int, str] = {}


class _Worker:
    """A process that plays one game at a time. It shares which seat it is asking, and since when."""

    def __init__(self, setting: Setting) -> None:
        self._shown: Any = _spawn.RawArray("d", (NOBODY, 0.0))
        self.connection, theirs = _spawn.Pipe()
        self._process = _spawn.Process(target=_serve, args=(theirs, self._shown, setting), daemon=True)
        self._process.start()
        theirs.close()
        self.task: _Task | None = None

    def give(self, task: _Task) -> None:
        self.task = task
        with suppress(OSError):  # the process has died: reading its answer will show that
            self.connection.send((task.fixture, task.forfeits))

    @property
    def asked(self) -> int | None:
        """The seat whose bot is being asked."""
        return None if self._shown[0] == NOBODY else int(self._shown[0])

    def overdue(self, patience: float) -> bool:
        """Whether a bot has not answered and could not be interrupted."""
        since = self._shown[1]
        return self.asked is not None and time.monotonic() - since > patience + GRACE

    def stop(self) -> int | None:
        """Kill the process and return its exit status."""
        self._process.kill()
        self._process.join()
        status = self._process.exitcode
        self.connection.close()
        self._process.close()
        return status


def _serve(connection: _Connection, shown: Any, setting: Setting) -> None:
    """Play every game received, until the other side closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C and ends this one
    os.dup2(2, 1)  # what bots print must not end up among the results

    def asking(seat: int | None) -> None:
        shown[1] = time.monotonic()
        shown[0] = NOBODY if seat is None else seat

    with suppress(EOFError, ConnectionError):
        here = versions(find_game(setting.game), setting.bots)
        if here != setting.versions:
            differ = [name for name in here | setting.versions if here.get(name) != setting.versions.get(name)]
            connection.send(
                f"A worker has another version of {', '.join(differ)}; install the same version everywhere."
            )
            return
        warm_up(setting)
        while True:
            fixture, forfeits = connection.recv()
            connection.send(play_game(setting, fixture, asking, forfeits))


class Workers:
    """Processes that play games of one setting; they are kept until this object is closed."""

    def __init__(self, setting: Setting, cores: int | None = None, tell: Tell = print) -> None:
        self._setting, self._tell = setting, tell
        self._cores = cores or os.cpu_count() or 1
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Played, None, None]:
        """Play games in order; yield each one as soon as it is over."""
        waiting = (_Task(fixture) for fixture in fixtures)
        again: list[_Task] = []
        try:
            while True:
                while len(self._busy) < self._cores and (task := again.pop() if again else next(waiting, None)):
                    worker = self._idle.pop() if self._idle else _Worker(self._setting)
                    worker.give(task)
                    self._busy.append(worker)
                if not self._busy:
                    return
                ready = wait([worker.connection for worker in self._busy], PULSE)
                for worker in tuple(self._busy):
                    if worker.connection in ready:
                        answer = self._answer(worker)
                    elif worker.overdue(self._setting.patience):
                        answer = self._overdue(worker)
                    else:
                        continue
                    if isinstance(answer, Played):
                        yield answer
                    else:
                        again.append(answer)
        finally:
            while self._busy:
                self._busy.pop().stop()

    def _answer(self, worker: _Worker) -> Played | _Task:
        """The game that a worker has played, or the task to repeat if the worker has died."""
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            return self._died(worker)
        if isinstance(answer, str):
            raise WorkerLost(answer)
        assert isinstance(answer, Played)
        assert worker.task is not None
        for seat, sentence in enumerate(answer.forfeits):
            if sentence is not None and seat not in worker.task.forfeits:
                self._tell(f"{worker.task.fixture}: {sentence}")
        self._busy.remove(worker)
        self._idle.append(worker)
        return answer

    def _died(self, worker: _Worker) -> _Task:
        """The bot whose turn it was is to blame if this happens twice; once may be the machine's fault."""
        task, seat, status = self._end(worker)
        task.deaths[seat] += 1
        died = f"{task.fixture}: the process died (status {status}) while {_who(task, seat)} was asked"
        if task.deaths[seat] < TRIES:
            self._tell(f"{died}; the game is played again.")
        elif seat is None:
            raise WorkerLost(f"{died}, {task.deaths[seat]} times.")
        else:
            task.forfeits[seat] = f"{task.fixture.bots[seat]} forfeits: the process died twice while it was asked."
            self._tell(f"{died}, again; it forfeits.")
        return task

    def _overdue(self, worker: _Worker) -> _Task:
        """A bot that does not answer forfeits: its process is killed, and the game is played without it."""
        waited_for = worker.asked
        task, seat, _ = self._end(worker)
        if seat is None or seat != waited_for:  # it has answered just now
            return task
        limit = f"{self._setting.patience:g} seconds"
        task.forfeits[seat] = f"{task.fixture.bots[seat]} forfeits: no step within {limit}; its process was killed."
        self._tell(f"{task.fixture}: {task.forfeits[seat]}")
        return task

    def _end(self, worker: _Worker) -> tuple[_Task, int | None, int | None]:
        """Kill a worker; return its task, the seat it was asking, and its exit status."""
        self._busy.remove(worker)
        status, seat = worker.stop(), worker.asked
        assert worker.task is not None
        return worker.task, seat, status

    def close(self) -> None:
        """Kill all processes."""
        while self._idle or self._busy:
            (self._idle or self._busy).pop().stop()

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _who(task: _Task, seat: int | None) -> str:
    return "nobody" if seat is None else f"{task.fixture.bots[seat]} (seat {seat})"
