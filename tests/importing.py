"""`python tests/importing.py [FOLDER]`: import every module of a package, and print what changed in other modules.

Prints a line for every file written, every function or class of another package replaced, every global setting changed,
and every module changed by another one. The package is Signoria unless a folder is given.
"""

import ast
import asyncio
import atexit
import gc
import graphlib
import importlib
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = (
    Path(sys.argv[1]) if __name__ == "__main__" and sys.argv[1:] else Path(__file__).parents[1] / "src" / "signoria"
)
NAME = PACKAGE.name
PROGRAMS = {"signoria.__main__", "signoria.store.migrations.env"}
"""Modules that Python or Alembic run as programs; they are never imported."""
ON_GPU = {"signoria.batch.counting_gpu", "signoria.batch.games_gpu", "signoria.batch.series_gpu"}
"""Modules of kernels, which only a machine with a GPU can import."""
WITH_TORCH = {"signoria.train.fitting", "signoria.train.training"}
"""Modules that need PyTorch, which the tests do without."""
WRITES = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.link", "os.utime", "os.truncate"}
STARTS = {"subprocess.Popen", "os.fork", "os.posix_spawn", "socket.bind", "socket.connect"}


def modules() -> list[str]:
    """The names of all modules."""
    paths = sorted(PACKAGE.rglob("*.py"))
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in names if name not in PROGRAMS | ON_GPU | WITH_TORCH]


def import_libraries() -> None:
    """Import everything the package imports from other packages first, because changes they make do not count."""
    for _, statements in _statements():
        for statement in statements:
            names = list[str]()
            if isinstance(statement, ast.Import):
                names = [alias.name for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom) and statement.module:
                names = [statement.module, *(f"{statement.module}.{alias.name}" for alias in statement.names)]
            for name in names:
                if name.partition(".")[0] != NAME:
                    with suppress(ImportError):
                        importlib.import_module(name)


class Written:
    """Records writes to files, and processes and connections that are started."""

    def __init__(self) -> None:
        self.what: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            self.what.append(f"writes the file {given[0]}")
        elif event in WRITES or event in STARTS:
            self.what.append(f"calls {event} with {given}")


def settings() -> dict[str, Any]:
    """Global state of the process that importing a module must not change."""
    return {
        **{f"the handler of {sig.name}": signal.getsignal(sig) for sig in signal.Signals},
        **{f"the variable {name}": value for name, value in os.environ.items()},
        **{f"sys.{name}": getattr(sys, name) for name in ("stdin", "stdout", "stderr", "excepthook", "displayhook")},
        "sys.path": list(sys.path),
        "the recursion limit": sys.getrecursionlimit(),
        "warnings.filters": list(warnings.filters),
        "the handlers of the log": list(logging.getLogger().handlers),
        "the level of the log": logging.getLogger().level,
        "the garbage collector": (gc.get_threshold(), gc.get_freeze_count()),
        "the policy of event loops": asyncio.get_event_loop_policy(),
        "functions called at exit": atexit._ncallbacks(),
        "threads": set(threading.enumerate()),
    }


def is_other(name: str) -> bool:
    """Whether a module belongs neither to the package nor to this program."""
    return name.partition(".")[0] not in (NAME, "__main__")


def parts_of_libraries() -> dict[str, Any]:
    """Functions and classes of other packages, and the attributes of these classes."""
    found: dict[str, Any] = {}
    for name, module in list(sys.modules.items()):
        if not is_other(name) or not isinstance(module, ModuleType):
            continue
        for attribute, value in list(vars(module).items()):
            if callable(value):
                found[f"{name}.{attribute}"] = value
            if isinstance(value, type) and value.__module__ == name:
                found |= {
                    f"{name}.{attribute}.{part}": held for part, held in list(vars(value).items()) if callable(held)
                }
    return found


def content(value: Any, deeper: bool = True) -> Any:
    """A snapshot of a value that reveals changes: collections by their items, objects by their attributes."""
    match value:
        case ModuleType() | type():
            return id(value)
        case dict():
            return {id(key): content(held, False) if deeper else id(held) for key, held in value.items()}
        case list() | set():
            return [id(held) for held in value]
    if deeper and hasattr(value, "__dict__") and not callable(value):
        return Attributes({name: content(held, False) for name, held in vars(value).items()})
    return id(value)


class Attributes(dict[str, Any]):
    """A snapshot of an object's attributes."""


def same(before: Any, now: Any) -> bool:
    """Whether a value is unchanged. Objects may gain attributes, because many use them as a cache."""
    if isinstance(before, Attributes) and isinstance(now, Attributes):
        return all(now.get(name) == held for name, held in before.items())
    return bool(before == now)


def names_of(module: ModuleType) -> dict[str, Any]:
    """A snapshot of a module, without its submodules, which importing adds."""
    held = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return {name: content(value) for name, value in held.items() if not isinstance(value, ModuleType)}


class Noting:
    """Finds modules as usual, and takes a snapshot of each module of the package when its code has run."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Any]] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A module with a loader that takes a snapshot."""
        if is_other(name):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module = self._noting(name, spec.loader.exec_module)  # type: ignore[assignment, method-assign]
        return spec

    def _noting(self, name: str, run: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        def exec_module(module: ModuleType) -> None:
            run(module)
            self.held[name] = names_of(module)

        return exec_module

    def changed(self) -> Iterator[str]:
        """Modules that have changed since their snapshot."""
        for name, before in self.held.items():
            now = names_of(sys.modules[name])
            for attribute in sorted(before.keys() | now.keys()):
                if not same(before.get(attribute), now.get(attribute)):
                    yield f"{name}.{attribute} is changed by another module"


def effects() -> Iterator[str]:
    """What importing all modules one after another changes in other modules."""
    sys.path.insert(0, str(PACKAGE.parent))
    sys.dont_write_bytecode = True
    import_libraries()
    noting, written = Noting(), Written()
    sys.meta_path.insert(0, noting)
    known, before = parts_of_libraries(), settings()
    for name in modules():
        importlib.import_module(name)
    written_by_imports = list(written.what)
    after, now = parts_of_libraries(), settings()
    yield from written_by_imports
    yield from (f"{name} is another one" for name, part in known.items() if after.get(name) is not part)
    yield from (f"{name} is different" for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    yield from noting.changed()


def circle() -> list[str]:
    """Modules that import each other in a circle; empty if each can be imported first."""
    names, needed = set(modules()), dict[str, set[str]]()
    for name, statements in _statements():
        needed[name] = set()
        for statement in statements:
            if isinstance(statement, ast.Import):
                needed[name] |= {alias.name for alias in statement.names} & names
            elif isinstance(statement, ast.ImportFrom) and statement.module in names:
                parts = {alias.name: f"{statement.module}.{alias.name}" for alias in statement.names}
                needed[name] |= {part if part in names else statement.module for part in parts.values()}
    try:
        graphlib.TopologicalSorter(needed).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def _statements() -> Iterator[tuple[str, list[ast.stmt]]]:
    """The code that runs when a module is imported."""
    for name in modules():
        place = PACKAGE.parent.joinpath(*name.split("."))
        path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        yield name, ast.parse(path.read_text()).body


if __name__ == "__main__":
    for line in effects():
        print(line)
