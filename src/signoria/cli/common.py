"""Shared by several commands: seeds, output, and progress of long work."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Annotated, Any, TypeVar

import msgspec
import typer
from numba.core import event
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from signoria.kernel.shuffle import SEED_BYTES
from signoria.kernel.table import seed_bytes

Result = TypeVar("Result")

INTERRUPTED = 130
"""The exit status after Ctrl-C."""
LONGEST_PAUSE = 60
"""The longest pause between two steps, in seconds."""

console = Console(highlight=False, markup=False, emoji=False)
signs = Console(stderr=True, highlight=False, markup=False, emoji=False)
"""Progress and messages; standard output stays free for results."""

Dealt = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="NUMBER|HEX", help="The same seed deals the same cards: a number, or 64 hex digits."
    ),
]
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed plays the same games.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
Cores = Annotated[int | None, typer.Option(min=1, help="Number of cores for games without records; default: all.")]


def read_seed(typed: str | None) -> bytes:
    """Read a seed as typed: a whole number, or the 64 hex digits that a game prints. Raises `BadOption`."""
    if typed and typed.isascii() and typed.isdigit() and len(typed) < 2 * SEED_BYTES:
        return seed_bytes(int(typed))
    return seed_bytes(typed)


def interruptible(work: Callable[[], Result]) -> Result:
    """Run compiled work in a thread, so that Ctrl-C stops the program at once."""
    done: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, daemon=True)
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
        signs.print(_Compiling.says)
    with signs.status(_Compiling.says):
        yield


class _Compiling(event.Listener):  # type: ignore[misc]
    says = "Compiling the rules (only once, up to a minute) ..."

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
        self._status.update(f"{self.says} {self._done} functions done")

    def stop(self) -> None:
        self._status.stop()
