"""Figures printed on components: the `components.toml` of a game, each figure with its grade and source."""

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from signoria.kernel.errors import BadDeck


class Figure(NamedTuple):
    """A printed figure with its grade and source."""

    what: str
    value: Any
    grade: str
    source: str


@cache
def read_printed(package: str) -> dict[str, Any]:
    """The `components.toml` of a game's package, as written."""
    return tomllib.loads(resources.files(package).joinpath("components.toml").read_text("utf-8"))


def figures(printed: dict[str, Any]) -> list[Figure]:
    """Every figure of a `components.toml`, named like `game.hand_size`."""

    def walk(at: str, part: dict[str, Any]) -> list[Figure]:
        if "grade" in part:
            return [Figure(at, part["value"], part["grade"], printed["sources"][part["source"]])]
        parts = (walk(f"{at}.{name}", inner) for name, inner in part.items() if isinstance(inner, dict))
        return [figure for found in parts for figure in found]

    return [figure for name, part in printed.items() if name != "sources" for figure in walk(name, part)]


def values(printed: dict[str, Any]) -> Any:
    """Every figure of a `components.toml` without its grade and source, to be read as `values.game.supply`."""
    if "value" in printed:
        return printed["value"]
    return SimpleNamespace(**{name: values(part) if isinstance(part, dict) else part for name, part in printed.items()})


def read_own(path: Path) -> str:
    """The text of an owner's own list; raises `BadDeck` if it cannot be read."""
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadDeck(f"{path}: cannot be read as text ({getattr(error, 'strerror', None) or error}).") from error
