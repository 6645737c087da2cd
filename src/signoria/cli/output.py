"""What commands print: results, progress, and signs of life during long work."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

import msgspec
from numba.core import event
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from signoria.kernel.language import say as translate
from signoria.kernel.language import say_count

Result = TypeVar("Result")

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

console = Console(highlight=False, markup=False, emoji=False)
signs = Console(stderr=True, highlight=False, markup=False, emoji=False)
"""Progress and messages; standard output stays free for results."""


def interruptible(work: Callable[[], Result]) -> Result:
    """Run compiled work in a thread, so that Ctrl-C stops the program at once."""
    done: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if failed:
        raise failed[0]
    return done[0]


def say(sentence: str, style: str = "", margin: int = 2) -> None:
    """Print an indented sentence."""
    console.print(Padding(Text(sentence, style), (0, 0, 0, margin), expand=False))


def print_json(value: Any) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Progress]:
    """A progress bar on standard error that disappears when the work is done."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=signs, transient=True, disable=not signs.is_terminal) as bar:
        bar.add_task(what, total=total)
        yield bar


@contextmanager
def compiling() -> Iterator[None]:
    """Print a message if rules have to be compiled, and count the compiled functions."""
    listener = _Compiling()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
        listener.stop()


@contextmanager
def compiling_beside() -> Iterator[None]:
    """Print that rules are being compiled in other processes."""
    if not signs.is_terminal:
        signs.print(compiling_words())
    with signs.status(compiling_words()):
        yield


def compiling_words() -> str:
    """What is printed while the rules are compiled."""
    return translate("Compiling the rules (only once, up to a minute) ...")


class _Compiling(event.Listener):  # type: ignore[misc]
    @property
    def says(self) -> str:
        """What is printed meanwhile."""
        return compiling_words()

    def __init__(self) -> None:
        self._started, self._done = False, 0
        self._status = signs.status(self.says)

    def on_start(self, event: Any) -> None:
        if not self._started and not signs.is_terminal:
            signs.print(self.says)
        self._started = True
        self._status.start()

    def on_end(self, event: Any) -> None:
        self._done += 1
        done = say_count("{n} function done", "{n} functions done", self._done)
        self._status.update(f"{self.says} {done}")

    def stop(self) -> None:
        self._status.stop()
