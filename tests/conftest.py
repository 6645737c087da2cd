"""Shared by all tests: databases, a fixed profile for hypothesis, and how pytest runs them.

There are more workers than cores, because tests that wait for processes and browsers leave the cores idle. The browser
tests take longest and start first. Temporary files are in memory if there is room, because SQLite waits for the disk at
every commit. The garbage collector does not look at what is there before the first test: the modules and the tests, a
million objects that stay. From then on it looks as seldom as in a server. Compiled modules are cached even if the
environment disables this, as container images often do: the tests start some sixty processes, and each starts three times
as fast with the cache.
"""

import gc
import math
import os
import shutil
import signal
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import (
    bare_postgres_url,
    bare_sqlite_url,
    bare_url,
    database_url,
    postgres,
    postgres_url,
    sqlite_template,
    sqlite_url,
)

__all__ = [
    "bare_postgres_url",
    "bare_sqlite_url",
    "bare_url",
    "database_url",
    "postgres",
    "postgres_url",
    "sqlite_template",
    "sqlite_url",
]

settings.register_profile("signoria", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("signoria")

WORKERS_PER_CORE = 2
MEMORY_PER_WORKER = 2 * 2**30
"""Bytes that a worker needs with its browser, its server and its compiled rules."""
MEMORY_DISK = Path("/dev/shm")
MEMORY_DISK_NEEDED = 2**30
"""Free bytes that temporary files may take up."""
SELDOM = (20_000, 20, 50)
"""Thresholds of the garbage collector. With Python's own, some tests in the process of pytest take 8% more processor time."""
BROWSER = Path(__file__).parent / "e2e"
WAITING = BROWSER / "test_whole_games.py"
BUSY = (BROWSER / "test_axe.py", BROWSER / "test_legibility.py")


def pytest_configure() -> None:
    gc.disable()  # until all tests are collected
    # Shells start background jobs with SIGINT ignored, and every process below them inherits that. Some tests send it.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if "TMPDIR" not in os.environ and _has_room(MEMORY_DISK):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY_DISK)


def _has_room(folder: Path) -> bool:
    return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > MEMORY_DISK_NEEDED


def pytest_xdist_auto_num_workers() -> int | None:
    """The workers that `-n auto` starts."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # xdist reads it
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(math.ceil(WORKERS_PER_CORE * cores), memory // MEMORY_PER_WORKER))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first, because a long test that starts last delays the whole run.

    Whole games wait for their pages most of the time, so tests that keep a core busy start beside them.
    """
    items.sort(key=lambda item: (BROWSER not in item.path.parents, not _is_slow(item)))
    waiting = [item for item in items if item.path == WAITING]
    busy = [item for path in BUSY for item in items if item.path == path]
    rest = [item for item in items if item.path not in (WAITING, *BUSY)]
    items[:] = [*(item for pair in zip_longest(waiting, busy) for item in pair if item is not None), *rest]


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None
