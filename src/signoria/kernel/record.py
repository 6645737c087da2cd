"""Game records: everything needed to replay and check a finished game (docs/records.md)."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from signoria.kernel.errors import BadRecord
from signoria.kernel.language import say
from signoria.kernel.os_errors import tell_reason

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FORMAT: Literal["signoria-record/1"] = "signoria-record/1"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A finished game. The content of the inner objects depends on the game; `signoria.from_record` reads them."""

    format: Literal["signoria-record/1"] = FORMAT
    game: str
    rules: str
    options: dict[str, Any]
    seed: str
    salts: list[str]
    commitment: str
    components: dict[str, Any]
    setup: dict[str, Any]
    actions: list[dict[str, Any]]
    result: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits that change with anything in the record except its result.

        A step could be replaced with another legal step that leads to the same scores. Rules cannot detect that; this can.
        """
        told = {name: value for name, value in msgspec.to_builtins(self).items() if name != "result"}
        return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:16]

    def to_json(self) -> bytes:
        """One line of JSON, `format` first."""
        return msgspec.json.encode({"format": self.format} | msgspec.to_builtins(self))


def action_of(seat: int, step: msgspec.Struct, of: int) -> dict[str, Any]:
    """A step as it is written in a record."""
    return {"seat": seat, **msgspec.to_builtins(step), "of": of}


def read_record(line: bytes | str) -> Record:
    """Read a record from JSON; raises `BadRecord` with the field that is wrong."""
    try:
        raw = msgspec.json.decode(line)
        if isinstance(raw, dict) and raw.get("format") != FORMAT:
            raise BadRecord(say("format: {get!r}; expected {format!r}.", get=raw.get("format"), format=FORMAT))
        return msgspec.convert(raw, Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(say("Not a record: {error}.", error=error)) from error
    except RecursionError as error:
        raise BadRecord(say("Not a record: nested too deeply.")) from error


def read_records(path: Path) -> Iterator[bytes]:
    """The records of a JSON Lines file, one per line; raises `BadRecord` if the file cannot be read."""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines):
                if number == 0 and not line.lstrip(BYTE_ORDER_MARK).lstrip().startswith(b"{"):
                    raise BadRecord(say("{path}: not a file of records; each line must be a JSON object.", path=path))
                if line.strip():
                    yield line.lstrip(BYTE_ORDER_MARK) if number == 0 else line
    except OSError as error:
        raise BadRecord(say("{path}: cannot be read ({strerror}).", path=path, strerror=tell_reason(error))) from error


def convert(part: Any, kind: Any, field: str) -> Any:
    """Convert a part of a record to its game's type; raises `BadRecord` with the field that is wrong."""
    try:
        return msgspec.convert(part, kind)
    except msgspec.ValidationError as error:
        sentence, _, path = str(error).partition(" - at `$")
        raise BadRecord(
            say("{field}{path}: {sentence}.", field=field, path=path.rstrip("`"), sentence=sentence)
        ) from error


def difference(claimed: Any, actual: Any, field: str) -> str | None:
    """The first difference between two JSON values, as a sentence; None if they are equal."""
    if isinstance(claimed, dict) and isinstance(actual, dict):
        for key in [*actual, *(key for key in claimed if key not in actual)]:
            if key not in actual or key not in claimed:
                where = f"{field}.{key}"
                if key in actual:
                    return say("{field}: is missing.", field=where)
                return say("{field}: is not allowed here.", field=where)
            found = difference(claimed[key], actual[key], f"{field}.{key}")
            if found:
                return found
        return None
    if isinstance(claimed, list) and isinstance(actual, list):
        for i, (mine, yours) in enumerate(zip(claimed, actual, strict=False)):
            found = difference(mine, yours, f"{field}[{i}]")
            if found:
                return found
        if len(claimed) != len(actual):
            lengths = {"found": len(claimed), "right": len(actual)}
            return say("{field}: has {found} entries; expected {right}.", field=field, **lengths)
        return None
    if claimed == actual and type(claimed) is type(actual):
        return None
    found, right = (msgspec.json.encode(value).decode() for value in (claimed, actual))
    return say("{field}: is {found}; expected {right}.", field=field, found=found, right=right)
