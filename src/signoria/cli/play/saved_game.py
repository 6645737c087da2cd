"""Saved games: a file contains the deal, the steps and the players, so that the game can be continued."""

import os
from pathlib import Path
from typing import Literal

import msgspec

from signoria.games import AnyTable, find_game
from signoria.kernel.errors import BadOption, BadRecord
from signoria.kernel.language import say as translate
from signoria.kernel.language import say_count
from signoria.kernel.os_errors import tell_reason
from signoria.kernel.record import Record, action_of
from signoria.kernel.verify import deal_again, make_step

FORMAT: Literal["signoria-play/1"] = "signoria-play/1"


class SavedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An unfinished game of a person against bots. It contains the seed, so it reveals all cards."""

    format: Literal["signoria-play/1"] = FORMAT
    seat: int
    """The seat of the person."""
    bots: tuple[str, ...]
    """Names of the bots in the other seats, in seat order."""
    adviser: str
    record: Record
    """The game so far; its result is empty."""


def save(path: Path, table: AnyTable, seed: bytes, seat: int, bots: tuple[str, ...], adviser: str) -> None:
    """Save a game. The file is complete at every moment."""
    record = Record(
        game=table.game.name,
        rules=table.game.version,
        options=msgspec.to_builtins(table.options),
        seed=seed.hex(),
        salts=list(table.salts),
        commitment=table.commitment,
        components=msgspec.to_builtins(table.components),
        setup=table.setup,
        actions=[action_of(*taken) for taken in table.steps],
        result={},
    )
    saved = SavedGame(seat=seat, bots=bots, adviser=adviser, record=record)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(msgspec.json.encode(saved) + b"\n")
        partial.replace(path)
    except OSError as error:
        raise BadOption(
            translate("save: {path} cannot be written ({strerror}).", path=path, strerror=tell_reason(error))
        ) from error
    finally:
        partial.unlink(missing_ok=True)


def load(path: Path) -> tuple[AnyTable, SavedGame]:
    """Load a saved game and check every step; raises `BadRecord`."""
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=SavedGame)
    except OSError as error:
        raise BadRecord(
            translate("{path}: cannot be read ({strerror}).", path=path, strerror=tell_reason(error))
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(
            translate("{path}: not a game saved by `signoria play`: {error}.", path=path, error=error)
        ) from error
    try:
        table = deal_again(find_game(saved.record.game), saved.record)
        for n in range(len(saved.record.actions)):
            make_step(table, saved.record, n)
    except (BadRecord, BadOption) as error:
        raise BadRecord(f"{path}: {error}") from error
    if saved.seat not in range(table.options.players) or len(saved.bots) != table.options.players - 1:
        raise BadRecord(
            say_count(
                "{path}: seat {seat} and {n} bot do not match the number of players.",
                "{path}: seat {seat} and {n} bots do not match the number of players.",
                len(saved.bots),
                path=path,
                seat=saved.seat,
            )
        )
    return table, saved
