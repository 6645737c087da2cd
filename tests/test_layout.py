"""A game is one folder: no other module names it, and importing it loads no server code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import signoria
from signoria.games import GAMES

SOURCES = Path(signoria.__file__).parent
NOT_YET = ("web",)
"""Folders beside `games` that still know the games. This is to become empty."""
TEXT = {".py", ".html", ".js", ".css", ".toml", ".svg"}
HEAVY = (
    *(
        "jinja2",
        "starlette",
        "uvicorn",
        "sqlalchemy",
        "alembic",
        "asyncpg",
        "aiosqlite",
        "openskill",
        "prometheus_client",
    ),
    *("matplotlib", "ray", "typer"),
    *("signoria.web", "signoria.store", "signoria.server", "signoria.arena", "signoria.bots", "signoria.cli"),
)


def names_of_games() -> re.Pattern[str]:
    """The names of a game: in records, in Python, and its title."""
    known = [name for game in GAMES.values() for name in (game.name, game.package.rpartition(".")[2], game.title)]
    return re.compile("|".join(map(re.escape, dict.fromkeys(known))), re.IGNORECASE)


def test_no_module_outside_games_names_a_game() -> None:
    names, found = names_of_games(), []
    for path in sorted(SOURCES.rglob("*")):
        inside = path.relative_to(SOURCES)
        if path.suffix not in TEXT or inside.parts[0] in ("games", *NOT_YET):
            continue
        lines = path.read_text("utf-8").splitlines()
        found += [f"{inside}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if names.search(line)]
    assert found == []


def test_finding_games_does_not_name_a_game() -> None:
    assert not names_of_games().search((SOURCES / "games" / "__init__.py").read_text("utf-8"))


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after running code."""
    code = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_signoria_loads_no_game() -> None:
    loaded = loaded_after("import signoria, signoria.games")
    assert not [module for module in loaded if module.startswith("signoria.games.")]
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("game", GAMES)
def test_loading_a_game_loads_no_other_game_and_no_server_code(game: str) -> None:
    loaded = loaded_after(f"from signoria import open_table; open_table({game!r}, players=3, seed=1).view()")
    assert loaded.isdisjoint(HEAVY)
    package = GAMES[game].package
    assert package in loaded
    assert not [
        m for m in loaded if m.startswith("signoria.games.") and m != package and not m.startswith(f"{package}.")
    ]
    assert not loaded & {f"{package}.bot", f"{package}.board"}


@pytest.mark.parametrize("game", GAMES)
def test_bot_of_a_game_is_found_in_its_folder(game: str) -> None:
    bot = GAMES[game].part("bot")
    assert bot is not None
    assert GAMES[game].heuristic is bot.HEURISTIC
    assert GAMES[game].part("nothing_of_the_kind") is None
