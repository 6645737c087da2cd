"""Weights of value networks: files without code, checked by their hash, each with a card that says where it comes from.

A game keeps its networks in the folder `bot/weights`: NAME.npz holds the numbers, NAME.json is the card. A network is used
only at tables with a box that it was trained for. That excludes players' own decks and experiments.
"""

import hashlib
import io
import os
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from signoria.bots.network import Network
from signoria.bots.tree import Judgement
from signoria.kernel.errors import SignoriaError
from signoria.kernel.features import Features
from signoria.kernel.game import Game
from signoria.kernel.language import say
from signoria.kernel.position import Position

FOLDER = "SIGNORIA_WEIGHTS"
"""Environment variable with a folder of other networks, GAME/NAME.npz, to try them."""


class BadWeights(SignoriaError):
    """A file of weights is damaged or does not belong to this version."""


class Trained(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a network was trained for."""

    options: dict[str, Any]
    box: str
    """Digest of everything fixed at such a table."""


class NetworkCard(msgspec.Struct, frozen=True, kw_only=True):
    """Where the weights of a network come from, and how it is used."""

    game: str
    sha256: str
    """Of the file with the weights."""
    layout: str
    """Digest of the features that it reads."""
    settings: tuple[Trained, ...]
    explore: Annotated[float, msgspec.Meta(gt=0)]
    mix: Annotated[float, msgspec.Meta(ge=0, le=1)]
    certainty: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    """The power of the chances to win that fits the results best. The search tries weak moves, too, so its means are too even."""
    sizes: tuple[int, int]
    command: str
    date: str
    games: int
    """Games of self-play."""
    positions: int
    seconds: float
    """Of self-play and fitting."""
    curve: tuple[dict[str, Any], ...] = ()
    """What each round of the training found."""
    results: tuple[dict[str, Any], ...] = ()
    """Matches that were played with it."""


def layout_digest(features: Features) -> str:
    """A digest of the features, by name and shape."""
    told = [(part.name, part.shape) for part in (*features.parts, *features.numbers)]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def box_digest(position: Position) -> str:
    """A digest of the box of a position, without what makes no difference to a network."""
    ignored = position.game.features.ignored if position.game.features else ()
    return hashlib.sha256(position.box_bytes(ignored)).hexdigest()[:16]


def pack(network: Network) -> bytes:
    """Weights as the content of a file: half as precise as in use, which makes no difference to play."""
    file = io.BytesIO()
    np.savez_compressed(file, **{name: one.astype(np.float16) for name, one in network._asdict().items()})
    return file.getvalue()


def unpack(content: bytes, source: str) -> Network:
    """The weights in a file; raises `BadWeights`. Nothing in the file is ever executed."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            found = [np.ascontiguousarray(arrays[name], np.float32) for name in Network._fields]
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise BadWeights(f"{source}: not a file of weights: {error}") from error
    if not all(np.isfinite(one).all() for one in found):
        raise BadWeights(f"{source}: some weights are no finite numbers.")
    return Network(*found)


def save(folder: Path, name: str, network: Network, card: NetworkCard) -> NetworkCard:
    """Write weights and their card, whose hash is filled in; readers see the old files or the new ones."""
    folder.mkdir(parents=True, exist_ok=True)
    content = pack(network)
    card = msgspec.structs.replace(card, sha256=hashlib.sha256(content).hexdigest())
    _write(folder / f"{name}.npz", content)
    write_card(folder / f"{name}.json", card)
    return card


def write_card(path: Path, card: NetworkCard) -> None:
    """Write a card; readers see the old one or the new one."""
    _write(path, msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")


def _write(path: Path, content: bytes) -> None:
    part = path.with_suffix(path.suffix + ".part")
    part.write_bytes(content)
    part.replace(path)


def read_card(path: Path) -> NetworkCard:
    """A card; raises `BadWeights`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=NetworkCard)
    except OSError as error:
        raise BadWeights(f"{path.name}: cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise BadWeights(f"{path.name}: not a card of weights: {error}") from error


def load(path: Path, card: NetworkCard, features: Features) -> Network:
    """The weights that a card describes; raises `BadWeights` if they are not exactly those."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadWeights(f"{path.name}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != card.sha256:
        raise BadWeights(f"{path.name}: its hash is not the one on its card; the file was changed or damaged.")
    network = unpack(content, path.name)
    if card.layout != layout_digest(features) or not network.fits(features):
        raise BadWeights(f"{path.name}: trained with other features; train it again.")
    return network


def folder_of(game: Game[Any, Any, Any], other: str | None = None) -> Path | None:
    """Where the networks of a game are, in another folder or in the usual one; None for a game without bots of its own."""
    if given := other or os.environ.get(FOLDER):
        return Path(given) / game.name
    file = getattr(game.part("bot"), "__file__", None)
    return Path(file).parent / "weights" if file else None


@cache
def cards_of(game: Game[Any, Any, Any], other: str | None = None) -> dict[Path, NetworkCard]:
    """The cards of all networks of a game in a folder, each with the file that it describes."""
    folder = folder_of(game, other)
    if folder is None or game.features is None:
        return {}
    cards = {path.with_suffix(".npz"): read_card(path) for path in sorted(folder.glob("*.json"))}
    for path, card in cards.items():
        if card.game != game.name:
            raise BadWeights(
                say(
                    "{path}: the card of a network for {other}, not for {game}.",
                    path=path.with_suffix(".json"),
                    other=card.game,
                    game=game.name,
                )
            )
    return cards


def card_for(position: Position) -> Path | None:
    """The card of the network that was trained for tables like this; None if there is none."""
    if position.game.features is None:
        return None
    box = box_digest(position)
    for path, card in cards_of(position.game).items():
        if any(one.box == box for one in card.settings):
            return path.with_suffix(".json")
    return None


def judgement_for(position: Position, other: str | None = None) -> Judgement | None:
    """The network that was trained for tables like this; None if there is none."""
    return _judgement(position.game, box_digest(position), other) if position.game.features is not None else None


@cache
def _judgement(game: Game[Any, Any, Any], box: str, other: str | None) -> Judgement | None:
    assert game.features is not None
    for path, card in cards_of(game, other).items():
        if any(one.box == box for one in card.settings):
            return Judgement(load(path, card, game.features), card.explore, card.mix, card.certainty)
    return None
