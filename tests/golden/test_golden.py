"""Whole games that must always replay as they did, and counts that pin the rules down."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from signoria import from_record, open_table
from tests.golden.positions import late_position
from tests.settings import ALL_SETTINGS, Setting, full_name

HERE = Path(__file__).parent
PERFT = msgspec.json.decode((HERE / "perft.json").read_bytes())


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_golden_game_replays(game_and_setting: tuple[str, Setting]) -> None:
    game, setting = game_and_setting
    line = (HERE / f"{full_name(game_and_setting)}.jsonl").read_bytes()
    table = from_record(line)
    assert table.record.to_json() + b"\n" == line
    assert table.game.name == game
    assert {name: getattr(table.options, name) for name in setting} == setting


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_perft_counts_are_pinned(game_and_setting: tuple[str, Setting]) -> None:
    game, setting = game_and_setting
    name = full_name(game_and_setting)
    for table, counts in (
        (open_table(game, seed=1, **setting), PERFT[name]["opening"]),
        (late_position(name), PERFT[name]["late"]),
    ):
        assert table.perft(len(counts) - 1) == counts


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_perft_is_the_number_of_lines_of_play(game: str) -> None:
    """Counted a second time by playing all sequences of four steps from the start."""

    def lines(made: list[Any]) -> int:
        table = open_table(game, players=2, seed=1)
        for step in made:
            table.apply(step)
        return 1 if len(made) == 4 else sum(lines([*made, step]) for step in table.legal)

    assert lines([]) == open_table(game, players=2, seed=1).perft(4)[4]
