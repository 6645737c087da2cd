"""A game is one folder: a package of its own is found, played, judged and checked without a change to Signoria."""

import json
import re
from pathlib import Path

import pytest

from tests.examples.third_game import FOLDER, NAME, ROOT, Installed, files

pytestmark = pytest.mark.xdist_group("third_game")

MOST_LINES = 350
CONFORMS = """
from lampioni.game import LAMPIONI
from signoria.kernel.conformance import check
for players in LAMPIONI.seats:
    for long in (False, True):
        for seed in range(3):
            check(LAMPIONI, {"players": players, "long": long}, seed)
"""
REFUSED = """
from lampioni.game import Step
from signoria import open_table
table = open_table("lampioni", players=3, seed=1)
held = [step.card for step in table.legal]
for step in (Step("play", "red-1" if "red-1" not in held else "red-2"), Step("take", "red-1"), Step("play", "pink-9")):
    print(table.why_not(step))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("third_game"))


@pytest.fixture(scope="module")
def records(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few games of bots."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    installed.signoria("simulate", NAME, "--games", "5", "--players", "4", "--long", "--records", str(path))
    return path


def test_it_is_small() -> None:
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files()) <= MOST_LINES


def test_nothing_in_signoria_knows_it() -> None:
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".py", ".html", ".js", ".css", ".toml", ".svg"):
            assert NAME not in path.read_text("utf-8").lower(), path.name


def test_it_is_found_through_its_entry_point(installed: Installed) -> None:
    told = installed.python("-c", "from signoria import GAMES; print(*GAMES); print(GAMES['lampioni'].package)")
    assert told.split()[-2:] == [NAME, NAME]
    assert (installed.folder / NAME / "rulebook.py").is_file()


def test_it_conforms_in_every_setting(installed: Installed) -> None:
    installed.python("-c", CONFORMS, NUMBA_DISABLE_JIT="1")


def test_its_clauses_are_printed(installed: Installed) -> None:
    assert "the highest number first" in installed.signoria("rules", "L4")
    assert "'L9'" in installed.signoria("rules", "L9", status=2)


def test_a_refusal_names_its_clause(installed: Installed) -> None:
    play, take, unknown = installed.python("-c", REFUSED, NUMBA_DISABLE_JIT="1").splitlines()
    assert re.fullmatch(r"You do not have red-\d\. \(L3\)", play)
    assert take == "Everybody plays a card first, then everybody takes one. (L4)"
    assert unknown == "Lampioni has no such step: play pink-9. (L1)"


def test_its_option_is_on_the_command_line(installed: Installed) -> None:
    assert re.search(r"--long\s+Lampioni: Six rounds instead of five\.", installed.signoria("simulate", "--help"))


@pytest.mark.slow
def test_simulated_games_are_the_same_in_plain_python(installed: Installed, records: Path) -> None:
    games = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
    assert [len(game["actions"]) for game in games] == [2 * 4 * 6] * 5
    assert "5 games verified" in installed.signoria("verify", str(records), NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_a_changed_record_is_refused(installed: Installed, records: Path, tmp_path: Path) -> None:
    game = json.loads(records.read_text("utf-8").splitlines()[0])
    game["actions"][0]["card"] = "red-7"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(game))
    assert "actions[0]" in installed.signoria("verify", str(changed), status=1, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_a_replay_tells_and_draws_it(installed: Installed, records: Path) -> None:
    told = installed.signoria("replay", str(records), NUMBA_DISABLE_JIT="1")
    assert "6 rounds to go" in told
    assert re.search(r"Player \d takes \w+-\d\.", told)
    assert re.search(r"Window +\w+-\d", told)
    assert "matching (L6)" in told
    assert "{" not in told


def test_it_is_played_to_its_end_in_a_terminal(installed: Installed) -> None:
    told = installed.signoria(
        *("play", NAME, "--players", "2", "--bots", "random", "--adviser", "random", "--seed", "1"),
        typed="1\n" * 30,
        NUMBA_DISABLE_JIT="1",
    )
    assert "Play a card." in told
    assert "Take a lantern." in told
    assert "Score sheet" in told


@pytest.mark.slow
def test_bots_meet_in_the_arena(installed: Installed, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    told = installed.signoria(
        *("arena", NAME, "--players", "2", "--bots", "search:100,greedy,random", "--games", "12", "--cores", "1"),
        *("--results", str(results)),
    )
    assert all(bot in told for bot in ("search:100", "greedy", "random"))
    assert results.read_text("utf-8").count("\n") >= 12


@pytest.mark.slow
def test_the_laboratory_reports_its_scores(installed: Installed, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    told = installed.signoria(
        *("lab", NAME, "--players", "2", "--games", "300", "--bots", "random", "--no-sides", "--out", str(report))
    )
    assert "points on average" in told
    assert "Lampioni in the laboratory" in report.read_text("utf-8")


def test_the_tutorial_shows_every_line_of_the_example() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    tutorial = text[text.index("## Adding a game") : text.index("## Adding an option")]
    shown = re.findall(r"^`examples/third_game/([\w./]+)`.*?\n\n```\w*\n(.*?)^```$", tutorial, re.M | re.S)
    assert {name for name, _ in shown} == {
        "pyproject.toml",
        "lampioni/rulebook.py",
        "lampioni/game.py",
        "lampioni/bot.py",
    }
    assert tutorial.count("```") == 2 * len(shown) + 2 * tutorial.count("```console")
    for name in {name for name, _ in shown}:
        typed = "\n".join(snippet for part_of, snippet in shown if part_of == name)
        assert lines(typed) == lines((FOLDER / name).read_text("utf-8")), name


def lines(text: str) -> list[str]:
    """The lines of a text that are not blank."""
    return [line for line in text.splitlines() if line]
