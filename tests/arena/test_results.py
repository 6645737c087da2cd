"""The results file."""

from pathlib import Path

import pytest

from signoria.arena import BadResults, Setting, one_against, run_arena
from signoria.arena import arena as whole
from signoria.arena.results import ResultsFile
from tests.arena.games import made_up

SETTING = {"players": 2, "seed": 3}
GAMES = [
    made_up(fixture, "random") for deal in range(3) for fixture in one_against("random", "first", 2).fixtures(deal)
]


def setting_of(bots: tuple[str, ...] = ("random", "first"), **changed: int | bool) -> Setting:
    return Setting.of("patrician", bots, **(SETTING | changed))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    with ResultsFile(path, setting_of()) as file:
        for game in GAMES:
            file.add(game)
    return path


def test_saved_games_are_read_again(kept: Path) -> None:
    with ResultsFile(kept, setting_of()) as file:
        assert list(file.played.values()) == GAMES


def test_incomplete_line_is_cut_off_and_its_game_played_again(kept: Path) -> None:
    whole_file = kept.read_bytes()
    kept.write_bytes(whole_file[:-20])
    with ResultsFile(kept, setting_of()) as file:
        assert list(file.played.values()) == GAMES[:-1]
        file.add(GAMES[-1])
    assert kept.read_bytes() == whole_file
    kept.write_bytes(whole_file[:30])  # the first line itself
    with ResultsFile(kept, setting_of()) as file:
        assert not file.played
    assert kept.read_bytes() == whole_file.splitlines(keepends=True)[0]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"seed": 4}, "seed is 3 in the file and 4 now"),
        ({"messengers": True}, "options.messengers is false in the file and true now"),
        ({"bots": ("random", "last")}, r'bots is \["random","first"\] in the file and \["random","last"\] now'),
    ],
)
def test_file_with_another_setting_is_refused(kept: Path, other: dict[str, int], says: str) -> None:
    before = kept.read_bytes()
    with pytest.raises(BadResults, match=says):
        ResultsFile(kept, setting_of(**other))  # type: ignore[arg-type]
    assert kept.read_bytes() == before


def test_other_files_are_not_changed(tmp_path: Path) -> None:
    for text in ("dear diary", "dear diary\n", "[1]\n", '{"format":"signoria-record/1"}\n'):
        path = tmp_path / "diary"
        path.write_text(text)
        with pytest.raises(BadResults, match="not a results file"):
            ResultsFile(path, setting_of())
        assert path.read_text() == text


def test_error_names_the_broken_line(kept: Path) -> None:
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(lines[0] + b"{}\n" + lines[1])
    with pytest.raises(BadResults, match="line 2"):
        ResultsFile(kept, setting_of())


def test_two_runs_cannot_write_to_the_same_file(kept: Path) -> None:
    with ResultsFile(kept, setting_of()), pytest.raises(BadResults, match="another run"):
        ResultsFile(kept, setting_of())


def test_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadResults, match="cannot be opened"):
        ResultsFile(tmp_path / "none" / "games.jsonl", setting_of())


def test_saved_games_are_not_played_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(whole, "Workers")
    assert run_arena(setting_of(), 6, results=kept).games == 6
    assert run_arena(setting_of(), 4, results=kept).games == 4
    with pytest.raises(NameError):
        run_arena(setting_of(), 7, results=kept)
