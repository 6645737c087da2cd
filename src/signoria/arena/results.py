"""The file that keeps the games played, one a line, so that a run can stop anywhere and go on (docs/arena.md)."""

from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec

from signoria.arena.matches import Key
from signoria.arena.playing import Played
from signoria.arena.setting import Setting
from signoria.kernel.errors import SignoriaError

try:
    import fcntl
except ImportError:  # where there are no such locks, nobody is warned of a second run on the same file
    fcntl = None  # type: ignore[assignment]

FORMAT = "signoria-arena/1"


class BadResults(SignoriaError):
    """A results file that is broken, or of another setting. The text names the field or line."""


def header(setting: Setting) -> dict[str, Any]:
    """The first line: everything that decides how the games go."""
    told = {"format": FORMAT, **msgspec.to_builtins(setting), "components": setting.components_digest}
    return told | {"bots": list(setting.bots)}


class ResultsFile:
    """Games of one setting in a file. What a crash left half written is cut off, and that game played again."""

    def __init__(self, path: Path, setting: Setting) -> None:
        self.path = path
        self.played: dict[Key, Played] = {}
        first = msgspec.json.encode(header(setting)) + b"\n"
        try:
            self._file: BinaryIO = path.open("r+b" if path.exists() else "x+b")
        except OSError as error:
            raise BadResults(f"results: {path} cannot be opened ({error.strerror}).") from error
        try:
            self._lock()
            self._read(first, setting)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise BadResults(f"results: {self.path} is being written by another run.") from error

    def _read(self, first: bytes, setting: Setting) -> None:
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if not whole and not first.startswith(text):
            raise BadResults(f"results: {self.path} is there and is no file of results.")
        lines = text[:whole].splitlines()
        if lines:
            self._check(lines[0], setting)
        for number, line in enumerate(lines[1:], 2):
            try:
                played = msgspec.json.decode(line, type=Played)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadResults(f"results: {self.path}, line {number}: {error}.") from error
            self.played.setdefault(played.key, played)
        self._file.seek(whole)
        self._file.truncate()
        if not lines:
            self._write(first)

    def _check(self, line: bytes, setting: Setting) -> None:
        try:
            there = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            there = None
        if not isinstance(there, dict) or there.get("format") != FORMAT:
            raise BadResults(f"results: {self.path} is there and is no file of results.")
        for field, here in _flat(header(setting)).items():
            found = _flat(there).get(field)
            if found != here:
                raise BadResults(
                    f"results: {self.path} is of another setting: {field} is {_text(found)} there and {_text(here)} "
                    "here. Name another file."
                )

    def add(self, played: Played) -> None:
        """Keep a game: it is in the system's hands when this returns."""
        self._write(msgspec.json.encode(played) + b"\n")
        self.played[played.key] = played

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise BadResults(f"results: {self.path} cannot be written ({error.strerror}).") from error

    def close(self) -> None:
        """Let others write."""
        self._file.close()

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    """`{"options": {"players": 2}}` as `{"options.players": 2}`, so that a sentence can name the field."""
    flat: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            flat |= {f"{name}.{field}": found for field, found in inner.items()}
        else:
            flat[name] = inner
    return flat


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
