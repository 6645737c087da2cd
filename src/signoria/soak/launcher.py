"""`python -m signoria.soak.launcher serve ...`: `signoria serve` with faults that the campaign switches on.

The file named by `SIGNORIA_SOAK_CONTROL` says which: a wrong clock, failing database calls, missed notifications.
Without it, this is plain `signoria serve`. Worker processes are spawned and import this module, so all of them have
the faults.
"""

import multiprocessing
import os
import random
import runpy
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from signoria.server.people import sessions
from signoria.soak import disk_faults
from signoria.soak.control import VARIABLE, Control
from signoria.store.listening import Listening


def install(control: Control) -> None:
    """Install the faults that the file controls."""
    shift_clock(control)
    drop_notifications(control)
    disk_faults.install(control)


def shift_clock(control: Control) -> None:
    """Shift the server's wall clock by `offset_ms`; the monotonic clock is not changed."""

    def time_ns() -> int:
        return time.time_ns() + 1_000_000 * control["offset_ms"]

    sessions.time = SimpleNamespace(time_ns=time_ns)  # type: ignore[attr-defined, assignment]


def drop_notifications(control: Control) -> None:
    """Drop some notifications of the database: different ones in each process, the same ones for the same seed."""
    plain = Listening._hear
    rng = random.Random(f"{control['seed']} {multiprocessing.current_process().name}")

    def hear(self: Listening, *told: Any) -> None:
        if rng.randrange(1000) >= control["drop_notify"]:
            plain(self, *told)

    Listening._hear = hear  # type: ignore[method-assign, assignment]


def follow() -> None:
    """Stop when the campaign has ended for any reason: it holds the other end of our standard input."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if VARIABLE in os.environ and __name__ in ("__main__", "__mp_main__"):
    install(Control(Path(os.environ[VARIABLE])))

if __name__ == "__main__":
    if VARIABLE in os.environ:
        threading.Thread(target=follow, name="follow", daemon=True).start()
    runpy.run_module("signoria", run_name="__main__")  # the normal command line
