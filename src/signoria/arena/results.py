"""The results file: one game per line, so that a run can stop at any time and be continued (docs/arena.md)."""

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
except ImportError:  # on systems without such locks, a second run on the same file is not noticed
    fcntl = None  # type: ignore[assignment]

FORMAT = "signoria-arena/1"


class BadResults(SignoriaError):
    """A results file that is damaged or has another setting. The message names the field or line."""


def header(setting: Setting) -> dict[str, Any]:
    """The first line: everything that determines the games."""
    told = {"format": FORMAT, **msgspec.to_builtins(setting), "components": setting.components_digest}
    return told | {"bots": list(setting.bots)}


class ResultsFile:
    """Games of one setting in a file. A line that a crash left incomplete is cut off, and that game is played again."""

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
                raise BadResults(f"results: another run is writing to {self.path}.") from error

    def _read(self, first: bytes, setting: Setting) -> None:
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if not whole and not first.startswith(text):
            raise BadResults(f"results: {self.path} exists and is not a results file.")
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
            raise BadResults(f"results: {self.path} exists and is not a results file.")
        for field, here in _flat(header(setting)).items():
            found = _flat(there).get(field)
            if found != here:
                raise BadResults(
                    f"results: {self.path} has another setting: {field} is {_text(found)} in the file and "
                    f"{_text(here)} now. Use another file."
                )

    def add(self, played: Played) -> None:
        """Save a game; the operating system has it when this returns."""
        self._write(msgspec.json.encode(played) + b"\n")
        self.played[played.key] = played

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise BadResults(f"results: {self.path} cannot be written ({error.strerror}).") from error

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    """Turn `{"options": {"players": 2}}` into `{"options.players": 2}`, so that a message can name the field."""
    flat: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            flat |= {f"{name}.{field}": found for field, found in inner.items()}
        else:
            flat[name] = inner
    return flat


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
