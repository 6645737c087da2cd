"""Game records: everything needed to replay and check a finished game (docs/records.md)."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from signoria.kernel.errors import BadRecord

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FORMAT: Literal["signoria-record/1"] = "signoria-record/1"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A finished game. What the inner objects hold is the game's; `signoria.from_record` reads them."""

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
        """Sixteen hex digits that change with anything in the record but its result.

        A step may be changed into another that is as legal and leads to the same scores. No rule could tell; this does.
        """
        told = {name: value for name, value in msgspec.to_builtins(self).items() if name != "result"}
        return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:16]

    def to_json(self) -> bytes:
        """One line of JSON, `format` first."""
        return msgspec.json.encode({"format": self.format} | msgspec.to_builtins(self))


def action_of(seat: int, step: msgspec.Struct, of: int) -> dict[str, Any]:
    """A step as a record carries it."""
    return {"seat": seat, **msgspec.to_builtins(step), "of": of}


def read_record(line: bytes | str) -> Record:
    """A record from its JSON; raises `BadRecord` naming the field that is wrong."""
    try:
        raw = msgspec.json.decode(line)
        if isinstance(raw, dict) and raw.get("format") != FORMAT:
            raise BadRecord(f"format: {raw.get('format')!r}; this reads {FORMAT!r}.")
        return msgspec.convert(raw, Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"No record: {error}.") from error
    except RecursionError as error:
        raise BadRecord("No record: nested too deeply.") from error


def read_records(path: Path) -> Iterator[bytes]:
    """The records of a JSON Lines file, a line each; raises `BadRecord` where the file cannot be read."""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines):
                if number == 0 and not line.lstrip(BYTE_ORDER_MARK).lstrip().startswith(b"{"):
                    raise BadRecord(f"{path}: is no file of records; each line is to be a JSON object.")
                if line.strip():
                    yield line.lstrip(BYTE_ORDER_MARK) if number == 0 else line
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read ({error.strerror}).") from error


def convert(part: Any, kind: Any, field: str) -> Any:
    """A part of a record as its game's own type; raises `BadRecord` naming the field that is wrong."""
    try:
        return msgspec.convert(part, kind)
    except msgspec.ValidationError as error:
        sentence, _, path = str(error).partition(" - at `$")
        raise BadRecord(f"{field}{path.rstrip('`')}: {sentence}.") from error


def difference(claimed: Any, actual: Any, field: str) -> str | None:
    """The first place where two JSON values differ, in a sentence; None where they are the same."""
    if isinstance(claimed, dict) and isinstance(actual, dict):
        for key in [*actual, *(key for key in claimed if key not in actual)]:
            if key not in actual or key not in claimed:
                return f"{field}.{key}: {'is missing' if key in actual else 'does not belong there'}."
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
            return f"{field}: has {len(claimed)} entries, and {len(actual)} are right."
        return None
    if claimed == actual and type(claimed) is type(actual):
        return None
    return (
        f"{field}: says {msgspec.json.encode(claimed).decode()}, and {msgspec.json.encode(actual).decode()} is right."
    )
