"""Whole games that must always replay as they did, and counts that pin the rules down."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from signoria import from_record, open_table
from tests.settings import SETTINGS, setting_name

HERE = Path(__file__).parent
PERFT = msgspec.json.decode((HERE / "perft.json").read_bytes())


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_name)
def test_golden_game_replays(setting: dict[str, Any]) -> None:
    line = (HERE / f"patrician-{setting_name(setting)}.jsonl").read_bytes()
    table = from_record(line)
    assert table.record.to_json() + b"\n" == line
    assert {name: getattr(table.options, name) for name in setting} == setting


@pytest.mark.parametrize("setting", SETTINGS, ids=setting_name)
def test_perft_counts_are_pinned(setting: dict[str, Any]) -> None:
    counts = PERFT[setting_name(setting)]
    table = open_table("patrician", seed=1, **setting)
    assert table.perft(len(counts) - 1) == counts


def test_perft_is_the_number_of_lines_of_play() -> None:
    """Counted again by playing every line of four steps from its beginning."""

    def lines(made: list[Any]) -> int:
        table = open_table("patrician", players=2, seed=1)
        for step in made:
            table.apply(step)
        return 1 if len(made) == 4 else sum(lines([*made, step]) for step in table.legal)

    assert lines([]) == open_table("patrician", players=2, seed=1).perft(4)[4]
