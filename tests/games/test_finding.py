"""Games are found through entry points, ours and those of other packages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from signoria.games import GAMES, find_game, split_own
from signoria.kernel.errors import BadOption
from signoria.kernel.game import Game
from signoria.kernel.options import OptionLabel

THEIRS = """
from signoria.games.patrician.game import Patrician

class Tower(Patrician):
    name = "tower"
    title = "Tower"
    order = 3

TOWER = Tower()
"""


def installed(folder: Path, name: str, entries: str, module: str = THEIRS) -> Path:
    """Another package with entry points for games."""
    (folder / f"{name}.py").write_text(module)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[signoria.games]\n{entries}\n")
    return folder


def told(folder: Path, code: str) -> str:
    """The output of a new interpreter that finds packages in a folder."""
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_game_of_another_package_is_found(tmp_path: Path) -> None:
    installed(tmp_path, "their_tower", "tower = their_tower:TOWER")
    listed = told(tmp_path, "from signoria import GAMES; print(*GAMES); print(GAMES['tower'].package)")
    assert listed.split() == [*GAMES, "tower", "their_tower"]


def test_game_is_imported_only_when_needed(tmp_path: Path) -> None:
    installed(tmp_path, "their_tower", "tower = their_tower:TOWER", "raise RuntimeError('out of order')")
    code = "from signoria import open_table; print(open_table({game!r}, players=2, seed=1).game.name)"
    first = next(iter(GAMES))
    assert told(tmp_path, code.format(game=first)) == first
    failing = "from signoria.games import GAMES\ntry:\n    GAMES['tower']\nexcept Exception as error:\n    print(error)"
    assert "tower (their_tower:TOWER) cannot be imported: RuntimeError: out of order" in told(tmp_path, failing)


def test_invalid_game_object_is_refused(tmp_path: Path) -> None:
    installed(tmp_path, "their_tower", "castle = their_tower:TOWER")
    failing = (
        "from signoria.games import GAMES\ntry:\n    GAMES['castle']\nexcept Exception as error:\n    print(error)"
    )
    assert "is not a `Game` with that name" in told(tmp_path, failing)


def test_game_with_too_many_seats_is_refused(tmp_path: Path) -> None:
    many = THEIRS.replace("order = 3", "seats = range(2, 9)")
    installed(tmp_path, "their_tower", "tower = their_tower:TOWER", many)
    failing = "from signoria.games import GAMES\ntry:\n    GAMES['tower']\nexcept Exception as error:\n    print(error)"
    assert "tower has 8 seats" in told(tmp_path, failing)


def test_options_without_labels_are_shown_by_name() -> None:
    labels = Game.option_labels.func(GAMES["patrician"])  # type: ignore[attr-defined]
    assert labels == (
        OptionLabel("messengers", "Messengers"),
        OptionLabel("ambassadors", "Ambassadors"),
        OptionLabel("tokens", "Tokens", choices=(("open", "open"), ("hidden", "hidden"))),
    )


def test_components_file_is_separated_from_the_options(tmp_path: Path) -> None:
    game = find_game("patrician")
    assert split_own(game, {"players": 3, "deck": "own.txt"}) == ({"players": 3}, Path("own.txt"))
    assert split_own(game, {"players": 3, "deck": None, "cities": None}) == ({"players": 3}, None)
    assert split_own(game, {"players": 3, "colour": "red"}) == ({"players": 3, "colour": "red"}, None)
    with pytest.raises(BadOption, match="cities: that is for Il Principe, not for Patrician"):
        split_own(game, {"players": 3, "cities": tmp_path / "cities.txt"})


def test_unknown_game_is_refused_with_a_list_of_games() -> None:
    with pytest.raises(BadOption, match="there is no 'go'; choose from patrician, il-principe"):
        find_game("go")
    assert "go" not in GAMES
    assert GAMES.get("go") is None
