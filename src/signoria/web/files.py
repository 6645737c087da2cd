"""Static files: style sheets, scripts and fonts, those that all pages share and those of one game's board."""

import hashlib
from functools import cache
from pathlib import Path

from signoria.web.board import boards

STATIC = Path(__file__).parent / "static"
"""The folder behind `/static/`, except for `/static/games/`."""
GAMES = "games/"
"""What addresses of a game's own files begin with, below `/static/`: `games/NAME/FILE`."""


def static_file(name: str) -> Path | None:
    """The file behind `/static/NAME`; None where there is none."""
    folder, rest = _place(name)
    if folder is None:
        return None
    found = (folder / rest).resolve()
    return found if found.is_relative_to(folder.resolve()) and found.is_file() else None


def _place(name: str) -> tuple[Path | None, str]:
    """The folder that a name is looked up in, and the name there."""
    if not name.startswith(GAMES):
        return STATIC, name
    game, _, rest = name.removeprefix(GAMES).partition("/")
    return (boards()[game].static if game in boards() else None), rest


@cache
def static_url(name: str) -> str:
    """The address of a static file: it changes with the content, so that a browser may keep it for a year."""
    found = static_file(name)
    if found is None:
        raise FileNotFoundError(f"There is no static file {name!r}.")
    digest = hashlib.sha256(found.read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:12]}"
