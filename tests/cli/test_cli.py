"""The command line as it is typed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from signoria import from_record
from signoria.bots import BOTS
from signoria.cli import run
from signoria.cli.simulate import open_records
from signoria.games import GAMES
from signoria.games.patrician.rulebook.components import standard, write_deck

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]


def output(capsys: Capture, *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys: Capture, *arguments: str, status: int = 2) -> str:
    """The one line of a refusal."""
    assert run(list(arguments)) == status
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("signoria: ")
    return lines[0]


def test_simulate_writes_records_that_verify(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    game = ["simulate", "patrician", "--players", "3", "--messengers", "--ambassadors", "--games", "3", "--seed", "7"]
    output(capsys, *game, "--records", str(file))
    lines = file.read_bytes().splitlines()
    assert len(lines) == 3
    assert output(capsys, *game, "--records", "-").encode().splitlines() == lines
    assert "3 games verified, all right." in output(capsys, "verify", str(file))
    assert json.loads(output(capsys, "verify", str(file), "--json")) == {"games": 3, "wrong": []}
    assert {from_record(line).options.players for line in lines} == {3}
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_verify_reports_the_first_difference_with_status_1(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    output(capsys, "simulate", "patrician", "-n", "2", "--records", str(file))
    first, second = file.read_text().splitlines()
    file.write_text(first.replace('"winners":[', '"winners":[9,') + "\n" + second + "\n")
    assert run(["verify", str(file)]) == 1
    told = capsys.readouterr().out
    assert "game 1: result.winners[0]: " in told
    assert "2 games verified, 1 wrong." in told
    file.write_text(first + "\n{broken\n")
    assert run(["verify", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["wrong"][0]["game"] == 2


def test_simulate_prints_statistics(capsys: Capture) -> None:
    told = output(capsys, "simulate", "patrician", "--players", "2", "-n", "500")
    assert "500 games" in told
    assert "█" in told
    data = json.loads(output(capsys, "simulate", "patrician", "-p", "2", "-n", "500", "--json", "--messengers"))
    assert data["games"] == 500
    assert data["options"] == {"players": 2, "messengers": True, "ambassadors": False, "tokens": "open"}
    assert len(data["by_turn_order"]) == 2


OPTIONS = {
    "patrician": (["--tokens", "hidden"], ["--messengers"], ["--ambassadors", "--messengers"]),
    "il-principe": ([], ["--variant"]),
}


def line_ups(players: int) -> list[str]:
    """All random, all greedy, and one greedy in every seat in turn."""
    one = [["greedy" if seat == own else "random" for seat in range(players)] for own in range(players)]
    return ["random", "greedy", *map(",".join, one)]


@pytest.mark.parametrize(
    "players", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow), 5]
)
@pytest.mark.parametrize(
    ("game", "options"), [(game, options) for game, choices in OPTIONS.items() for options in choices]
)
def test_same_seed_plays_the_same_games_with_and_without_records(
    capsys: Capture, tmp_path: Path, game: str, options: list[str], players: int
) -> None:
    file = tmp_path / "out.jsonl"
    for bots in line_ups(players):
        command = ["simulate", game, *options, "-p", str(players), "-n", "2", "--seed", "5", "--bots", bots, "--json"]
        without = output(capsys, *command)
        assert output(capsys, *command, "--cores", "1") == without
        assert output(capsys, *command, "--records", str(file)) == without
        totals: dict[str, int] = {}
        for line in file.read_bytes().splitlines():
            for score in json.loads(line)["result"]["scores"]:
                totals[str(score["total"])] = totals.get(str(score["total"]), 0) + 1
        assert json.loads(without)["totals"] == totals


def test_uncompiled_bots_play_the_same_games_with_and_without_records(capsys: Capture, tmp_path: Path) -> None:
    command = ["simulate", "patrician", "-p", "2", "-n", "2", "--bots", "garzone,random", "--json"]
    without = output(capsys, *command)
    assert output(capsys, *command, "--records", str(tmp_path / "out.jsonl")) == without


class Failing:
    """A bot that fails at once."""

    def decide(self, view: Any, rng: Any, budget: Any) -> Any:
        raise RuntimeError("out of order")


def test_forfeits_are_reported_and_the_games_finished(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "failing", lambda level: Failing())
    command = ["simulate", "patrician", "-p", "2", "-n", "2", "--bots", "failing,random", "--json"]
    assert run(command) == 0
    told = capsys.readouterr()
    for number in (1, 2):
        says = f"Game {number}: failing (seat 0) forfeits: it failed with RuntimeError. out of order"
        assert says in told.err
    file = tmp_path / "out.jsonl"
    assert output(capsys, *command, "--records", str(file)) == told.out
    assert "2 games verified, all right." in output(capsys, "verify", str(file))
    assert run(["demo", "-p", "2", "--bots", "failing,random"]) == 0
    told = capsys.readouterr()
    assert "(failing) forfeits: it failed with RuntimeError. out of order" in told.err
    assert "Score sheet" in told.out


def test_replay_shows_a_game_turn_by_turn(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    output(capsys, "simulate", "patrician", "-n", "1", "-p", "4", "--records", str(file))
    told = output(capsys, "replay", str(file))
    assert told.count("Turn ") == 48
    assert told.index("Turn 1 ") < told.index("Turn 48 ")
    assert told.count("Milano VII") == 48
    assert "Score sheet" in told
    assert "is scored" in told
    assert output(capsys, "replay", str(file), "--brief").count("Milano VII") == 1
    output(capsys, "simulate", "il-principe", "-n", "1", "-p", "4", "--records", str(file))
    told = output(capsys, "replay", str(file))
    assert "Round 1, phase 1" in told
    assert "(last round)" in told
    assert told.count("in the piles.") > 10
    assert "contains 1 game" in refused(capsys, "replay", str(file), "--game", "2")
    file.write_text('{"format": "other"}\n')
    assert "game 1: format" in refused(capsys, "replay", str(file))


def test_rules_print_our_wording(capsys: Capture) -> None:
    told = output(capsys, "rules", "p12", "M6")
    assert told.startswith("P12 both towers")
    assert "Our ruling" in told
    assert len(json.loads(output(capsys, "rules", "--json"))) > 50
    assert "no rule 'P99'" in refused(capsys, "rules", "P99")


def test_deck_shows_and_checks(capsys: Capture, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text(output(capsys, "deck", "show"))
    assert "every constraint holds, and it equals the standard list" in output(capsys, "deck", "check", str(own))
    own.write_text(write_deck(standard()).replace("roma     C*", "roma     CC*"))
    assert json.loads(output(capsys, "deck", "check", str(own), "--json"))["standard"] is False
    assert len(json.loads(output(capsys, "deck", "show", "--json"))["cards"]) == 55
    own.write_text(output(capsys, "deck", "show", "il-principe"))
    assert "15 cities: every constraint holds, and it equals" in output(capsys, "deck", "check", str(own))
    assert (
        json.loads(output(capsys, "simulate", "il-principe", "-n", "50", "--cities", str(own), "--json"))["games"] == 50
    )
    assert "that is for Il Principe" in refused(capsys, "simulate", "patrician", "--cities", str(own))
    own.write_text(write_deck(standard()).replace("roma     C*", "roma     CC*"))
    assert json.loads(output(capsys, "simulate", "patrician", "-n", "50", "--deck", str(own), "--json"))["games"] == 50
    own.write_text("roma C*\n")
    assert "no line for Firenze" in refused(capsys, "deck", "check", str(own))
    assert "no line for Firenze" in refused(capsys, "simulate", "patrician", "--deck", str(own))


def test_examples_are_copied_into_a_new_folder(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    told = output(capsys, "examples", str(folder)).split()
    assert str(folder / "ppo.py") in told
    assert (folder / "third_game" / "pyproject.toml").exists()
    assert not list(folder.rglob("__pycache__"))
    for name in told:
        original = ROOT / "examples" / Path(name).relative_to(folder)
        assert Path(name).read_bytes() == original.read_bytes()
    assert "already exists" in refused(capsys, "examples", str(folder))


def test_perft_counts(capsys: Capture) -> None:
    data = json.loads(output(capsys, "perft", "patrician", "-p", "2", "-d", "6", "--json"))
    assert data["counts"] == [1, 3, 6, 6, 18, 36, 36]
    assert output(capsys, "perft", "patrician", "-p", "2", "-d", "3").split() == [
        "0",
        "1",
        "1",
        "3",
        "2",
        "6",
        "3",
        "6",
    ]


@pytest.mark.slow
def test_bench_prints_figures(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signoria.batch.measure.ROUNDS", 1)
    data = json.loads(output(capsys, "bench", "patrician", "--cores", "2", "--json"))
    assert data["decisions_per_second"] > 0
    assert data["state_bytes"] <= 512
    assert data["copy_nanoseconds"] > 0
    assert "decisions per second" in output(capsys, "bench", "patrician", "--players", "2")


def test_demo_plays_a_game_and_prints_its_score_sheet(capsys: Capture) -> None:
    told = output(capsys, "demo", "--seed", "5")
    assert "Score sheet" in told
    assert "★" in told
    assert f"seed {5:064x}" in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frob"], "frob"),
        (["simulate"], "GAME"),
        (["simulate", "go"], "there is no 'go'; choose from patrician"),
        (["simulate", "patrician", "--seed", "99999999999999999999"], "--seed"),
        (["simulate", "patrician", "--records", "", "-n", "1"], "is a folder"),
        (["simulate", "patrician", "--records", ".", "-n", "1"], "is a folder"),
        (["simulate", "patrician", "--variant"], "variant: Patrician has no such option"),
        (["simulate", "il-principe", "--messengers"], "messengers: Il Principe has no such option"),
        (["simulate", "patrician", "--cities", "x"], "cities: that is for Il Principe, not for Patrician"),
        (["simulate", "patrician", "--players", "0"], "2 to 5 (P1)"),
        (["demo", "--pause", "1e30"], "--pause"),
        (["verify", "/bin/sh"], "not a file of records"),
        (["deck", "show", "go"], "there is no 'go'"),
        (["simulate", "patrician", "--players", "7"], "2 to 5 (P1)"),
        (["simulate", "patrician", "--players", "many"], "--players"),
        (["simulate", "patrician", "--tokens", "upright"], "open or hidden (P24)"),
        (["simulate", "patrician", "--games", "0"], "--games"),
        (["simulate", "patrician", "--bots", "deep"], "there is no 'deep'; choose from random"),
        (["simulate", "patrician", "--bots", "random,random"], "one for each of the 3 seats"),
        (["simulate", "patrician", "--records", "/nowhere/x", "-n", "1"], "/nowhere/x cannot be written"),
        (["simulate", "patrician", "--records", "-", "--json"], "both use standard output"),
        (["simulate", "patrician", "--deck", "/nowhere"], "/nowhere: cannot be read"),
        (["verify", "/nowhere"], "/nowhere: cannot be read"),
        (["verify", "/dev/null"], "contains no record"),
        (["verify"], "FILE"),
        (["replay", "/nowhere"], "/nowhere: cannot be read"),
        (["bench", "patrician", "--cores", "0"], "--cores"),
        (["perft", "patrician", "--depth", "0"], "--depth"),
        (["deck", "check", "/nowhere"], "/nowhere: cannot be read"),
    ],
)
def test_bad_input_gives_one_clear_line_and_status_2(capsys: Capture, arguments: list[str], says: str) -> None:
    assert says in refused(capsys, *arguments)


@pytest.mark.parametrize("command", ["play", "demo", "simulate", "arena", "bench", "perft"])
def test_commands_take_the_options_of_every_game(capsys: Capture, command: str) -> None:
    told = " ".join(output(capsys, command, "--help").split())
    for game in GAMES.values():
        for label in game.option_labels:
            assert f"--{label.name}" in told
            assert f"{game.title}: {label.help}" in told
        assert game.own_components
        assert f"--{game.own_components.option} FILE" in told


def test_default_number_of_players(capsys: Capture) -> None:
    for name, game in GAMES.items():
        data = json.loads(output(capsys, "simulate", name, "-n", "10", "--json"))
        assert data["options"]["players"] == game.usual_players


def test_version_is_printed(capsys: Capture) -> None:
    assert output(capsys, "--version").startswith("signoria 0.")


def test_names_of_files_are_not_markup(capsys: Capture, tmp_path: Path) -> None:
    own = tmp_path / "d[red].txt"
    own.write_text(write_deck(standard()))
    assert "d[red].txt" in output(capsys, "deck", "check", str(own))


def signoria(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "signoria", *arguments]


def test_closed_output_is_not_an_error(tmp_path: Path) -> None:
    with subprocess.Popen(signoria("rules"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(signoria("deck", "show"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert "No space left" in done.stderr


COUNTING = """
import sys
from signoria.cli import main

perft = sys.modules["signoria.cli.perft"]
interruptible = perft.interruptible
perft.interruptible = lambda work: interruptible(lambda: (print("counting", flush=True), work())[1])
main()
"""
"""The command line; it prints when `perft` begins to count."""


@pytest.mark.slow
def test_ctrl_c_stops_a_long_count() -> None:
    command = [sys.executable, "-c", COUNTING, "perft", "patrician", "-d", "40"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "counting\n"
        before = processor_ticks(process.pid)
        while processor_ticks(process.pid) < before + 20:  # by then it runs compiled code
            time.sleep(0.02)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


def processor_ticks(pid: int) -> int:
    """CPU time of a process in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_symbolic_link_is_kept(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with open_records(str(tmp_path / "link")) as records:
        assert records is not None
        records.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_without_a_command_help_is_shown(capsys: Capture) -> None:
    assert "simulate" in output(capsys)


def test_records_can_be_written_to_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    with open_records(str(pipe)) as records:
        assert records is not None
        records.write(b"record")
    assert reader.communicate()[0] == b"record"
    assert pipe.is_fifo()


def test_no_incomplete_file_is_left(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text("old\n")
    with pytest.raises(KeyboardInterrupt), open_records(str(file)) as records:
        assert records is not None
        records.write(b"new")
        raise KeyboardInterrupt
    assert file.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [file]


def test_command_ends_quietly_when_its_output_is_closed() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        ended = subprocess.run(
            [sys.executable, "-m", "signoria", "rules", "P12"], stdout=closed, stderr=subprocess.PIPE, check=False
        )
    assert (ended.returncode, ended.stderr) == (1, b"")
