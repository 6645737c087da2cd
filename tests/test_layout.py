"""A game is one folder: no other module names it, and importing it loads no server code."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from importlib import metadata
from pathlib import Path

import pytest

import signoria
from signoria.games import GAMES

SOURCES = Path(signoria.__file__).parent
TEXT = {".py", ".html", ".js", ".css", ".toml", ".svg"}
WORDS = re.compile(r"\b(ducat|crest|messenger|ambassador|portrait|palazzo|roma\b|siena|medici)", re.IGNORECASE)
LONGEST_ARTICLE = 3
OUTER = tuple(
    f"signoria.{package}" for package in ("web", "store", "server", "arena", "lab", "bots", "env", "train", "cli")
)
NEEDED = {"msgspec", "numba", "numpy", "rich"}
"""The libraries of the rules, and of tables drawn as text."""


def heavy_libraries() -> set[str]:
    """The modules of all libraries that Signoria may use, optional ones included, without the few that the kernel needs."""
    required = {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in metadata.requires("signoria") or []}
    modules = metadata.packages_distributions()
    heavy = {module for module, of in modules.items() if required & {name.lower() for name in of}} - NEEDED
    assert heavy > {"jinja2", "sqlalchemy", "starlette", "uvicorn"}
    return heavy | {"matplotlib"}


def names_of_games() -> re.Pattern[str]:
    """The names of a game: in records, in Python, its title, and the words of its title."""
    known = [name for game in GAMES.values() for name in (game.name, game.package.rpartition(".")[2], game.title)]
    known += [word for game in GAMES.values() for word in game.title.split() if len(word) > LONGEST_ARTICLE]
    return re.compile("|".join(map(re.escape, dict.fromkeys(known))), re.IGNORECASE)


def test_no_module_outside_games_names_a_game() -> None:
    names, found = names_of_games(), []
    for path in sorted(SOURCES.rglob("*")):
        inside = path.relative_to(SOURCES)
        if path.suffix not in TEXT or inside.parts[0] == "games":
            continue
        lines = path.read_text("utf-8").splitlines()
        found += [f"{inside}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if names.search(line)]
    assert found == []


def test_no_module_outside_games_uses_the_words_of_a_game() -> None:
    """Pieces and money of the two games: a generic module that speaks of them assumes these games."""
    found = []
    for path in sorted(SOURCES.rglob("*")):
        inside = path.relative_to(SOURCES)
        if path.suffix in TEXT and inside.parts[0] != "games":
            lines = path.read_text("utf-8").splitlines()
            found += [f"{inside}:{n}: {line.strip()[:120]}" for n, line in enumerate(lines, 1) if WORDS.search(line)]
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
    assert loaded.isdisjoint({*OUTER, *heavy_libraries()})


@pytest.mark.parametrize("game", GAMES)
def test_loading_a_game_loads_no_other_game_and_no_server_code(game: str) -> None:
    loaded = loaded_after(f"from signoria import open_table; open_table({game!r}, players=3, seed=1).view()")
    assert loaded.isdisjoint({*OUTER, *heavy_libraries()})
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


def of_every_game(path: Path) -> str:
    """Where a module is, with the games' folders taken as one: by convention each game has the same modules."""
    inside = path.relative_to(SOURCES).parts
    return "/".join(("games", "*", *inside[2:]) if inside[0] == "games" and len(inside) > 2 else inside)


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict(set)
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                own_kind_of_it = node.name in {base.attr for base in node.bases if isinstance(base, ast.Attribute)}
                if not own_kind_of_it:  # class Options(kernel.Options): a game adds to what all games have
                    places[node.name].add(of_every_game(path))
    assert {name: sorted(found) for name, found in places.items() if len(found) > 1} == {}


ONE_LEGAL_STEP = re.compile(r"len\([\w.()]*\blegal(_steps)?\b[\w.()]*\) (==|>|<=|!=) 1\b")


def modules_with(pattern: re.Pattern[str]) -> list[str]:
    """The modules whose source has something like this."""
    found = (path for path in sorted(SOURCES.rglob("*.py")) if pattern.search(path.read_text("utf-8")))
    return [path.relative_to(SOURCES).as_posix() for path in found]


def test_whether_a_step_is_forced_is_decided_in_one_place() -> None:
    assert modules_with(ONE_LEGAL_STEP) == ["kernel/view.py"]


def test_only_the_table_service_writes_steps() -> None:
    assert modules_with(re.compile(r"\badd_steps\(")) == ["server/play/service.py", "store/steps.py"]
    assert modules_with(re.compile(r"\btables\.(advance|finish)\(")) == ["server/play/service.py"]


def test_a_draft_knows_no_database_and_no_clock() -> None:
    source = (SOURCES / "server" / "play" / "draft.py").read_text("utf-8")
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert imported == {"collections", "random", "typing", "msgspec", "signoria"}
    assert not re.search(r"\b(async|await)\b|signoria\.store\.database|\bnow\(\)", source)
