"""`signoria lab` and `signoria deck design`."""

import json
import sys
from pathlib import Path

import pytest
from numba import cuda

from signoria.cli import run

Capture = pytest.CaptureFixture[str]


def test_lab_writes_a_report_and_tells_what_it_found(capsys: Capture, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert (
        run(["lab", "patrician", "-p", "2", "-n", "300", "--bots", "random", "--no-sides", "--out", str(report)]) == 0
    )
    assert "points on average" in capsys.readouterr().out
    page = report.read_text("utf-8")
    assert "Patrician in the laboratory" in page
    assert "By strength of play" not in page


def test_lab_compares_an_expansion_as_json(capsys: Capture) -> None:
    arguments = ["lab", "patrician", "-p", "2", "-n", "300", "--bots", "random", "--no-sides", "--json"]
    assert run([*arguments, "--compare", "standard", "messengers"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "messengers" not in told["base"]["main"]["by_turn_order"][0]
    assert told["other"]["main"]["by_turn_order"][0]["messengers"] > 0
    assert told["base"]["main"]["games"] == 300


def test_changed_copy_of_the_components_file_can_be_compared(capsys: Capture, tmp_path: Path) -> None:
    assert run(["deck", "design", "il-principe"]) == 0
    text = capsys.readouterr().out
    changed = tmp_path / "richer.toml"
    changed.write_text(text.replace("region_most = { value = 5", "region_most = { value = 9"), "utf-8")
    arguments = ["lab", "il-principe", "-p", "2", "-n", "200", "--bots", "random", "--no-sides", "--json"]
    assert run([*arguments, "--compare", "standard", str(changed)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["other"]["main"]["changes"] == [{"what": "scoring.region_most", "was": 5, "now": 9}]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a file for the report"),
        (["--out", "no/such/folder/report.html"], "cannot be written"),
        (["--json", "--compare", "standard", "hats"], "hats"),
        (["--json", "--bots", "nobody"], "nobody"),
        (["--json", "--gpu"], "GPU"),
    ],
)
def test_mistakes_are_named(capsys: Capture, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str) -> None:
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    monkeypatch.setattr(sys, "argv", ["signoria"])
    assert run(["lab", "patrician", "-n", "10", *arguments]) == 2
    assert says in capsys.readouterr().err
