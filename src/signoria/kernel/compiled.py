"""`rule` marks a function that CPython, Numba and Numba-CUDA all run.

With NUMBA_DISABLE_JIT=1 a rule is a plain Python function. Otherwise Numba compiles it on its first call and keeps the
machine code in the user's cache folder. Numba's own cache looks only at the file of the function. It would use old machine
code after a change in a rule that the function calls, and it never recognises a function made inside another one. So this
cache is keyed by every source file that a rule can use, for games of other packages also by the sources of their package,
and by the names of the functions that a rule closes over.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numba
from numba.core import caching, config
from numba.misc.appdirs import AppDirs

Rule = TypeVar("Rule", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent.parent
KEPT_CACHES = 4
DAY = 24 * 60 * 60
ABOVE = frozenset({"arena", "board", "cli", "lab", "server", "soak", "store", "train", "web"})
"""Folders that no rule may import, so changes there need no new machine code."""


def rule(function: Rule) -> Rule:
    """Mark a function as part of a rulebook: the same source for CPython, Numba and Numba-CUDA."""
    if config.DISABLE_JIT:
        return function
    if function.__closure__:
        # Numba names machine code after functions; two made in one place must not answer for each other.
        closed_over = ", ".join(_described(cell.cell_contents) for cell in function.__closure__)
        function.__qualname__ += "_" + hashlib.sha256(closed_over.encode()).hexdigest()[:8]
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    compiled._cache = _RuleCache(function)
    return compiled  # type: ignore[no-any-return]


class Mark(Protocol):
    """How a function becomes a rule: `rule` compiles it, `plain` leaves it to CPython."""

    def __call__(self, function: Rule, /) -> Rule:
        """The function as it will be called."""


def plain(function: Rule) -> Rule:
    """Leave a function as it is."""
    return function


def in_python(function: Rule) -> Rule:
    """The plain Python function behind a rule that calls no other: for one question about one record.

    Calling compiled code with a single record costs a millisecond.
    """
    return getattr(function, "py_func", function)


@cache
def source_stamp() -> str:
    """A digest of all source and data files that rules can use. Machine code made from other files is never used."""
    return digest_of(PACKAGE)


def digest_of(*places: Path) -> str:
    """A digest of source and data files: single files, and those in folders, except the folders in `ABOVE`."""
    digest = hashlib.sha256()
    for place in places:
        files = [place] if place.is_file() else sorted([*place.rglob("*.py"), *place.rglob("*.toml")])
        for path in files:
            name = path.relative_to(place)
            if ABOVE.isdisjoint(name.parts):
                digest.update(name.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def home_of(module: str) -> Path | None:
    """The folder of a package, or the file of a plain module; None if it has neither."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return None
    path = Path(file)
    return path.parent if path.stem == "__init__" else path


@cache
def package_stamp(module: str) -> str:
    """A digest of the other package that a rule comes from; empty for the modules of this package."""
    top = module.partition(".")[0]
    if top == __name__.partition(".")[0]:
        return ""
    home = home_of(top) or home_of(module)
    return digest_of(home) if home else ""


def _place() -> Path:
    """The folder for machine code of exactly these sources; SIGNORIA_CACHE names another folder around it."""
    home = Path(os.environ.get("SIGNORIA_CACHE") or AppDirs("signoria", appauthor=False).user_cache_dir)
    return home / "compiled" / source_stamp()[:16]


@cache
def cache_folder() -> Path | None:
    """Where machine code of exactly these sources is kept, or None where no such folder can be written.

    Makes the folder: it is called when a rule is compiled, not when it is imported. There is one per version of the
    sources. The newest few are kept, and those that a program has begun to use within a day.
    """
    folder = _place()
    home = folder.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        used = {path: path.stat().st_mtime for path in home.iterdir()}
        older = [path for path in sorted(used, key=used.__getitem__)[:-KEPT_CACHES] if used[path] < used[folder] - DAY]
        if not os.access(folder, os.W_OK):
            return None
    except OSError:
        return None
    for path in older:
        shutil.rmtree(path, ignore_errors=True)
    return folder


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """Tells Numba where a rule's machine code lies and when it is out of date."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._package_stamp = package_stamp(function.__module__)

    def get_cache_path(self) -> str:
        return str(_place())

    def get_source_stamp(self) -> str:
        return source_stamp() + self._package_stamp

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:10]

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_Locator":
        return cls(function)


class _RuleCacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _RuleCache(caching.FunctionCache):  # type: ignore[misc]
    """The machine code of a rule. It looks for a folder only when there is something to compile."""

    _impl_class = _RuleCacheImpl

    def load_overload(self, signature: object, target_context: Any) -> Any:
        return None if cache_folder() is None else super().load_overload(signature, target_context)

    def save_overload(self, signature: object, data: Any) -> None:
        if cache_folder() is not None:
            with suppress(OSError):  # the disk is full, or the folder is gone; the compiled code works all the same
                super().save_overload(signature, data)

    def _index_key(self, signature: object, codegen: Any) -> tuple[Any, ...]:
        """The key of a compiled form: types, machine, and the rules and constants in the rule's closure."""
        cells = self._py_func.__closure__ or ()
        return signature, codegen.magic_tuple(), tuple(_described(cell.cell_contents) for cell in cells)


def _described(value: Any) -> str:
    """A value in a rule's closure as text that is the same in every process: a rule by its name, a constant by its value."""
    function = getattr(value, "py_func", value)
    if not callable(function):
        return repr(value)
    stamp = "" if function is value else package_stamp(function.__module__)  # only rules are compiled from our sources
    return f"{function.__module__}.{function.__qualname__}{stamp}"
