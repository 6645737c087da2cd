"""The command `signoria arena`."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from signoria.cli import run

Capture = pytest.CaptureFixture[str]
ARENA = ["arena", "patrician", "--bots", "random,talking", "--games", "4", "--cores", "1"]


def test_json_output_and_report_from_saved_games(capfd: Capture, tmp_path: Path) -> None:
    kept, page = str(tmp_path / "games.jsonl"), tmp_path / "report.html"
    assert run([*ARENA, "--results", kept, "--json"]) == 0
    output = capfd.readouterr()
    told = json.loads(output.out)  # and nothing that a bot printed
    assert "thinking aloud" in output.err
    assert set(told) == {"setting", "games", "ranking", "pairings", "forfeits", "sprt"}
    assert told["games"] == 4
    assert told["setting"]["bots"] == ["random", "talking"]
    pairing, best = told["pairings"][0], told["ranking"][0]
    assert set(pairing) == {
        *("match", "bot", "against", "games", "deals", "share", "fair", "margin", "margins", "ms", "against_ms"),
    }
    assert set(pairing["share"]) == {"mean", "low", "high"}
    assert set(best) == {"bot", "rating", "share", "margin", "ms", "decisions", "games", "forfeits"}
    assert run([*ARENA, "--results", kept, "--report", str(page)]) == 0
    text = capfd.readouterr().out
    assert "a fair share is 50.0%" in text
    assert "Ranking" in text
    html = page.read_text("utf-8")
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?\s*(https?:)?//""", html)
    assert "<script" not in html
    assert html.count("<svg") >= 5
    assert "signoria" in html


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bots", "random"], "name at least two"),
        (["--bots", "random,nobody"], "there is no 'nobody'"),
        (["--sprt", "0.6,0.5"], "the smaller one first"),
        (["--bots", "random,first,last", "--sprt", "fair"], "sprt: needs exactly two bots"),
        (["--players", "7"], "players: 7"),
        (["--patience", "0"], "patience"),
        (["--results", "/dev/null/none"], "cannot be opened"),
        (["--report", "/dev/null/none"], "/dev/null/none cannot be written"),
    ],
)
def test_bad_input_gives_one_clear_line(capsys: Capture, arguments: list[str], says: str) -> None:
    assert run([*ARENA, *arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("signoria: ")
    assert says in line


def test_missing_ray_gives_a_clear_message(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run([*ARENA, "--ray", "auto"]) == 2
    assert "install signoria with the extra [cluster]" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_keeps_the_games_played_so_far(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "signoria", "arena", "patrician", "--bots", "random,first", "--games", "100000"]
    command += ["--results", str(kept), "--cores", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        deadline = time.monotonic() + 60
        while not kept.exists() or kept.read_bytes().count(b"\n") < 4:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    there = kept.read_bytes().count(b"\n") - 1
    assert f"{there:,} games saved in {kept}. To continue: signoria arena patrician" in told
    assert "Traceback" not in told
