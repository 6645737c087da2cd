"""Bots that misbehave in many ways, in a package with entry points, so that worker processes find them too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from signoria.bots.finding import installed

BOTS = '''
import os, signal, sys, time


class Bot:
    def __init__(self, decide):
        self.decide = decide


def first(level):
    return Bot(lambda view, rng, budget: view.legal[0])


def last(level):
    return Bot(lambda view, rng, budget: view.legal[-1])


def talking(level):
    def decide(view, rng, budget):
        print("thinking aloud")
        return rng.choice(view.legal)
    return Bot(decide)


def raising(level):
    def decide(view, rng, budget):
        raise ZeroDivisionError("no idea")
    return Bot(decide)


def cheating(level):
    return Bot(lambda view, rng, budget: "I win")


def hanging(level):
    return Bot(lambda view, rng, budget: time.sleep(600))


def stubborn(level):
    """Cannot be interrupted: it blocks the alarm, as compiled code does."""
    def decide(view, rng, budget):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(600)
    return Bot(decide)


def exiting(level):
    return Bot(lambda view, rng, budget: os._exit(7))


def killed(level):
    return Bot(lambda view, rng, budget: os.kill(os.getpid(), signal.SIGKILL))


def unlucky(level):
    """Crashes once; the level is the name of a file that remembers it."""
    def decide(view, rng, budget):
        if not os.path.exists(level):
            open(level, "w").close()
            os._exit(9)
        return view.legal[0]
    return Bot(decide)


def stillborn(level):
    """Can be created only once, when its name is checked; the level is the name of a file that remembers it."""
    if os.path.exists(level):
        os._exit(5)
    open(level, "w").close()
    return first(None)
'''
NAMES = (
    "first",
    "last",
    "talking",
    "raising",
    "cheating",
    "hanging",
    "stubborn",
    "exiting",
    "killed",
    "unlucky",
    "stillborn",
)


@pytest.fixture(scope="session")
def bots_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bots")
    (folder / "arena_bots.py").write_text(BOTS)
    information = folder / "arena_bots-1.2.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-bots\nVersion: 1.2\n")
    entries = "\n".join(f"{name} = arena_bots:{name}" for name in NAMES)
    (information / "entry_points.txt").write_text(f"[signoria.bots]\n{entries}\n")
    return folder


@pytest.fixture(autouse=True)
def other_bots(bots_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(bots_folder))
    monkeypatch.setenv("PYTHONPATH", str(bots_folder))
    installed.cache_clear()
    yield
    installed.cache_clear()
