"""Machine code is cached between starts, and never used with other sources."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from signoria.games.patrician.rulebook.components import standard, write_deck
from signoria.kernel import compiled

COUNT = """
import sys
from numba.core import event
from signoria import open_table

class Count(event.Listener):
    compiled = 0
    def on_start(self, event): self.compiled += 1
    def on_end(self, event): pass

count = Count()
event.register("numba:compile", count)
table = open_table("patrician", players=3, seed=1, deck=sys.argv[1] if len(sys.argv) > 1 else None)
while not table.over:
    table.apply(table.legal[0])
print(count.compiled, table.scores[0].total, table.scores[1].total, table.scores[2].total)
"""


def start(cache: Path, *arguments: str) -> tuple[int, list[str]]:
    """Play a game in a new process; return how many functions it compiled, and the points."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *arguments],
        env=os.environ | {"SIGNORIA_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    count, *points = done.stdout.split()
    return int(count), points


@pytest.mark.slow
def test_later_starts_compile_nothing_even_with_another_deck(tmp_path: Path) -> None:
    first, points = start(tmp_path)
    assert first > 0
    assert start(tmp_path) == (0, points)
    deck = write_deck(standard()).replace("L* ", "LL*")
    (tmp_path / "own.txt").write_text(deck)
    compiled_functions, other_points = start(tmp_path, str(tmp_path / "own.txt"))
    assert compiled_functions == 0
    assert other_points != points


def test_changed_sources_have_a_different_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.py").write_text("A = 1\n")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    before = compiled.source_stamp.__wrapped__()
    (tmp_path / "rules.py").write_text("A = 2\n")
    changed = compiled.source_stamp.__wrapped__()
    (tmp_path / "more.py").write_text("")
    assert len({before, changed, compiled.source_stamp.__wrapped__()}) == 3


def test_files_that_no_rule_uses_do_not_change_the_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    before = compiled.source_stamp.__wrapped__()
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "app.py").write_text("A = 1\n")
    assert compiled.source_stamp.__wrapped__() == before


def test_board_code_does_not_change_the_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    (tmp_path / "games" / "chess" / "board").mkdir(parents=True)
    before = compiled.source_stamp.__wrapped__()
    (tmp_path / "games" / "chess" / "board" / "squares.py").write_text("A = 1\n")
    assert compiled.source_stamp.__wrapped__() == before
    (tmp_path / "games" / "chess" / "bot.py").write_text("A = 1\n")
    assert compiled.source_stamp.__wrapped__() != before


# Python keeps using the bytecode of a source that changed within the same second and kept its size.
FRESH_SOURCES = {"PYTHONDONTWRITEBYTECODE": "1"}
THEIRS = """
from signoria.kernel.compiled import rule
from their_rules.figures import FIGURE

@rule
def any_step(s, box, luck):
    return FIGURE
"""
USED = """
from types import SimpleNamespace
from numba.core import event
from signoria.kernel.heuristic import no_opinion
from their_rules.rules import any_step

class Count(event.Listener):
    compiled = 0
    def on_start(self, event): self.compiled += 1
    def on_end(self, event): pass

count = Count()
event.register("numba:compile", count)
print(no_opinion(SimpleNamespace(any_step=any_step)).play_on(0, 0, 0, 0), count.compiled)
"""


@pytest.mark.slow
def test_changed_rule_of_another_package_is_compiled_again(tmp_path: Path) -> None:
    """Even if an unchanged rule of ours calls it."""
    package = tmp_path / "their_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(THEIRS)

    def used(figure: int) -> list[str]:
        (package / "figures.py").write_text(f"FIGURE = {figure}\n")
        path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [sys.executable, "-c", USED],
            env=os.environ | {"SIGNORIA_CACHE": str(tmp_path / "cache"), "PYTHONPATH": path} | FRESH_SOURCES,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    assert used(5)[0] == "5"
    assert used(5) == ["5", "0"]
    assert used(6)[0] == "6"


def test_works_without_a_writable_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIGNORIA_CACHE", str(tmp_path / "file"))
    assert compiled.cache_folder.__wrapped__() is None


def test_old_caches_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNORIA_CACHE", str(tmp_path))
    for age in range(8):
        folder = tmp_path / "compiled" / f"old{age}"
        folder.mkdir(parents=True)
        os.utime(folder, (1000 - age, 1000 - age))
    kept = compiled.cache_folder.__wrapped__()
    assert kept is not None
    assert {path.name for path in (tmp_path / "compiled").iterdir()} == {kept.name, "old0", "old1", "old2"}


def test_caches_of_versions_that_are_in_use_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNORIA_CACHE", str(tmp_path))
    used = {f"used{number}" for number in range(8)}
    for name in used:
        (tmp_path / "compiled" / name).mkdir(parents=True)
    kept = compiled.cache_folder.__wrapped__()
    assert kept is not None
    assert {path.name for path in (tmp_path / "compiled").iterdir()} == {kept.name, *used}
