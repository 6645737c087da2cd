"""Figures printed on components: the `components.toml` of a game, each figure with its grade and source."""

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from signoria.kernel.errors import BadDeck
from signoria.kernel.language import say
from signoria.kernel.os_errors import tell_reason


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


class ChangedFigure(NamedTuple):
    """A figure that differs from the one we play with."""

    what: str
    was: Any
    now: Any


def read_changed(path: Path, package: str) -> tuple[dict[str, Any], tuple[ChangedFigure, ...]]:
    """A changed copy of a game's `components.toml`, and what was changed; raises `BadDeck`.

    It must have the same figures as the original, with values of the same kind.
    """
    try:
        changed = tomllib.loads(read_own(path))
    except tomllib.TOMLDecodeError as error:
        raise BadDeck(f"{path}: this is no TOML file: {error}.") from error
    try:
        now = {figure.what: figure.value for figure in figures(changed)}
    except (KeyError, TypeError, AttributeError) as error:
        raise BadDeck(f"{path}: every figure has a value, a grade and a source; one lacks {error}.") from error
    was = {figure.what: figure.value for figure in figures(read_printed(package))}
    for what in was.keys() ^ now.keys():
        raise BadDeck(f"{path}: {what} is {'missing' if what in was else 'not a figure of this game'}.")
    for what, value in now.items():
        if _kind(value) != _kind(was[what]):
            raise BadDeck(f"{path}: {what} is {value!r}; it must be of the same kind as {was[what]!r}.")
    return changed, tuple(ChangedFigure(what, was[what], now[what]) for what in was if was[what] != now[what])


def _kind(value: Any) -> Any:
    """The type of a figure, and of the items of a list of numbers; a list of names may have another length."""
    if not isinstance(value, list):
        return type(value)
    return [_kind(item) for item in value] if value and isinstance(value[0], int) else list


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
        why = tell_reason(error) if isinstance(error, OSError) else error
        raise BadDeck(say("{path}: cannot be read as text ({value}).", path=path, value=why)) from error
