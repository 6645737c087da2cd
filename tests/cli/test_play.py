"""`signoria play`: whole games through a pipe, and every command."""

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from signoria import from_record, open_table
from signoria.bots import BOTS, Adviser, Considered, Explanation, find_bot
from signoria.cli import run
from signoria.cli.play import ADVISER, OPPONENT, opponents
from signoria.cli.play.choices import matching
from signoria.cli.play.session import advice
from signoria.games import GAMES
from signoria.games.il_principe import IL_PRINCIPE
from signoria.games.il_principe.rulebook.steps import Bid, Found, Pass
from signoria.games.il_principe.rulebook.steps import Play as PlayBuildings
from signoria.games.patrician import PATRICIAN
from signoria.games.patrician.rulebook.steps import Messenger, Move, Play
from signoria.kernel.errors import BadOption
from signoria.kernel.language import speaking
from signoria.kernel.options import Option
from signoria.kernel.table import open_game
from tests.games.il_principe.position import position as principe_position
from tests.games.patrician.position import position as patrician_position

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
ANYTHING = "1\n0\n" * 2000
"""Input that finishes any game: 1 is nearly always a choice, and 0 passes."""
BEGINS = 1
"""A seed with which seat 0 of three begins Patrician."""
RANDOM = ("--bots", "random", "--adviser", "random")


class Terminal:
    """Types lines into `signoria play` and reads the screen."""

    def __init__(self, capsys: Capture, patch: Patch) -> None:
        self._capsys, self._patch = capsys, patch

    def play(self, typed: str, *arguments: str, status: int = 0) -> str:
        raw = io.BytesIO(typed.encode("latin-1"))
        self._patch.setattr("sys.stdin", io.TextIOWrapper(raw, encoding="utf-8"))
        assert run(["play", *arguments, *(() if "--resume" in arguments else RANDOM)]) == status
        told = self._capsys.readouterr()
        return told.err if status else told.out


@pytest.fixture
def terminal(capsys: Capture, monkeypatch: Patch) -> Terminal:
    return Terminal(capsys, monkeypatch)


@pytest.mark.parametrize(
    "arguments",
    [
        ("patrician", "--seed", "3"),
        ("patrician", "--seed", "4", "-p", "5", "--messengers", "--ambassadors", "--tokens", "hidden", "--seat", "2"),
        ("il-principe", "--seed", "3"),
        ("il-principe", "--seed", "4", "-p", "2", "--variant", "--seat", "1"),
    ],
    ids=" ".join,
)
def test_whole_game_can_be_played(terminal: Terminal, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "game.jsonl"
    told = terminal.play(ANYTHING, *arguments, "--record", str(file))
    assert "The game is over" in told or "the game is over" in told
    assert "Score sheet" in told
    table = from_record(file.read_bytes())
    assert f"Dealt from seed {table.seed}" in told
    assert table.outcome
    assert f"{table.outcome.reason}." in told
    assert max(len(line) for line in told.splitlines() if table.seed not in line and str(file) not in line) <= 80
    assert "Traceback" not in told


def test_only_what_the_seat_knows_is_shown(terminal: Terminal) -> None:
    table = open_table("patrician", players=3, seed=BEGINS)
    assert table.turn == 0, "so no bot has shown a card"
    hidden = {*table.setup["hands"][1], *table.setup["hands"][2], *table.setup["pile"]}
    told = terminal.play("s\nh\nl\n?\n", "patrician", "--seed", str(BEGINS))
    assert not {card for card in hidden if f"{card} " in told or f"{card}:" in told}
    assert f"{BEGINS:064x}" not in told


def test_face_down_tokens_are_not_in_the_score_sheet(terminal: Terminal) -> None:
    told = terminal.play("s\n", "patrician", "--seed", "3", "--tokens", "hidden")
    sheet = told[told.index("Current score sheet") :]
    assert "Black" in sheet
    assert "White" not in sheet
    assert "face down (P24)" in sheet


def test_questions_are_answered_with_clauses_and_the_game_continues(terminal: Terminal) -> None:
    typed = (
        "?\n? roma-3\n?1\n? 9\nmove roma 0\nbuild 1\nplay roma-7\nxyzzy\n\n?? \n-1\n²\n"
        + "9" * 5000
        + "\nr P12\nr X\nl\n"
    )
    told = terminal.play(typed, "patrician", "--seed", str(BEGINS))
    assert "Not possible now:" in told
    assert "Roma-3 is not in your hand. (P10)" in told
    assert "This is possible: 1 (play " in told
    assert "Play a card first. It shows the city where you build. (P10)" in " ".join(told.split())
    assert "(P11)" in told
    assert "'xyzzy'" in told
    assert "Choices: 1, 2, 3." in told
    assert "P12 both towers" in told
    assert "Which rule? Choose from P1" in told
    assert told.count("Which card do you play?") == 3
    assert "Goodbye" in told


def test_last_move_can_be_undone(terminal: Terminal) -> None:
    told = terminal.play("u\n1\nu\n1\n1\nu\nu\n", "patrician", "--seed", str(BEGINS))
    assert "You have not made a move yet." in told
    assert "Undone: play " in told
    assert "has moved since then. You can undo only your own last moves." in " ".join(told.split())


def test_bids_are_typed_as_ducats(terminal: Terminal) -> None:
    told = terminal.play("red\n" * 9 + "white\n" * 9 + "b 99\n? 0\nbid 5\nquit\n", "il-principe", "--seed", "3")
    assert "What do you bid for" in told
    assert "0  pass: you are out of this auction" in told
    assert "you have 10. (I13)" in told
    assert "This is possible: 0 (pass)." in told
    assert "Medici bids 5" in told
    assert "lays a card face down, and another" in told


def test_words_match_legal_steps_first() -> None:
    hand = (Play("roma-1"), Play("siena-1"))
    assert matching(PATRICIAN, hand, "Roma") == [Play("roma-1")]
    assert matching(PATRICIAN, hand, "play") == list(hand)
    assert matching(PATRICIAN, hand, "move a floor in roma from site 0") == [Move("roma", 0)]
    assert matching(PATRICIAN, hand, "messenger siena roma") == [Messenger(("roma", "siena"))]
    assert matching(PATRICIAN, hand, "the") == matching(PATRICIAN, hand, "venezia") == []
    assert matching(IL_PRINCIPE, (Pass(), Bid(1), Bid(12)), "b 1") == [Bid(1)]
    assert matching(IL_PRINCIPE, (Pass(), Bid(1)), "p") == [Pass()]
    assert matching(IL_PRINCIPE, (Pass(),), "2 red") == [PlayBuildings("red", 2)]


@pytest.mark.parametrize("name", GAMES)
def test_every_step_has_a_unique_number_or_words_and_every_example_a_reason(name: str) -> None:
    options: dict[str, Option] = {"messengers": True} if name == "patrician" else {}
    table, rng, telling = open_game(GAMES[name], {"players": 3, **options}, seed=5), Random(5), GAMES[name].words
    while (seat := table.turn) is not None:
        view = table.view(seat)
        numbers = {n: step for c in telling.choices(view) for n, step in enumerate(c.steps, c.first)}
        assert len(set(map(str, numbers.values()))) == len(numbers)
        for step in table.legal:
            assert step in numbers.values() or isinstance(step, PlayBuildings)
            assert matching(table.game, table.legal, str(step)) == [step]
        assert all(telling.number(view, n) in (None, step, Bid(n)) for n, step in numbers.items())
        assert telling.question(view)
        assert max(map(len, telling.draw(view).plain.splitlines())) <= 80
        for example in telling.examples(view):
            table.why_not(example, seat)
        table.make(rng.choice(table.legal))


def test_saved_game_can_be_continued(terminal: Terminal, tmp_path: Path) -> None:
    file, record = tmp_path / "kept.json", tmp_path / "record.jsonl"
    told = terminal.play("1\n0\n1\n", "patrician", "--seed", str(BEGINS), "--save", str(file))
    assert f"--resume {file}" in told
    steps = json.loads(file.read_bytes())["record"]["actions"]
    assert len(steps) > 3
    told = terminal.play("q\n", "--resume", str(file))
    assert json.loads(file.read_bytes())["record"]["actions"] == steps
    terminal.play(ANYTHING, "--resume", str(file), "--record", str(record))
    assert json.loads(record.read_bytes())["actions"][: len(steps)] == steps
    assert "Score sheet" in terminal.play("", "--resume", str(file))
    file.write_text(file.read_text().replace('"bots":["random",', '"bots":['))
    assert "seat 0 and 1 bot do not match the number of players" in terminal.play("", "--resume", str(file), status=2)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["kept.json", "record.jsonl"]


def test_invalid_saved_game_gives_one_clear_line(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    assert "cannot be read" in terminal.play("", "--resume", str(file), status=2)
    file.write_text("{}")
    assert "not a game saved by `signoria play`" in terminal.play("", "--resume", str(file), status=2)
    assert "cannot be written" in terminal.play("", "--save", str(tmp_path / "no" / "where"), status=2)
    file.write_text("kept")
    assert "already exists" in terminal.play("", "--save", str(file), status=2)
    assert file.read_text() == "kept"
    assert "its folder does not exist" in terminal.play("", "--record", str(tmp_path / "no" / "where"), status=2)
    assert "there is no seat 3" in terminal.play("", "--seat", "3", status=2)


class Broken:
    """A bot that fails and gives bad advice."""

    def decide(self, view: Any, rng: Random, budget: Any) -> Any:
        raise RuntimeError("out of order")


class Wise(Broken):
    """Suggests the first step, with an explanation."""

    def explain(self, view: Any, rng: Random, budget: Any = None) -> Explanation:
        considered = tuple(Considered(step, 1 / len(view.legal), 0.5, 40.25) for step in view.legal)
        players = len(view.players)
        return Explanation(
            seat=view.seat,
            considered=considered,
            chances=(1 / players,) * players,
            scores=(40.0,) * players,
            iterations=1,
            seconds=0.1,
            says="I like it.",
        )


def test_hint_lists_alternatives(terminal: Terminal, monkeypatch: Patch) -> None:
    assert "random suggests " in terminal.play("h\n", "patrician", "--seed", str(BEGINS))
    monkeypatch.setitem(BOTS, "wise", lambda level: Wise())
    monkeypatch.setitem(BOTS, "broken", lambda level: Broken())
    monkeypatch.setattr("tests.cli.test_play.RANDOM", ())
    told = terminal.play("h\n", "patrician", "--seed", str(BEGINS), "--bots", "random", "--adviser", "wise")
    assert "I like it." in told
    assert "33%" in told
    assert "40.2" in told
    told = terminal.play("h\n1\n0\n", "patrician", "--seed", str(BEGINS), "--bots", "broken", "--adviser", "broken")
    assert "broken could not give a hint: RuntimeError: out of order" in told
    assert "White (broken) forfeits: it failed with RuntimeError. From now on, any legal move" in " ".join(told.split())
    assert "White plays " in told


def test_hint_writes_numbers_as_the_language_does() -> None:
    table = open_table("patrician", players=2, seed=BEGINS)
    written = Console(width=80, record=True, file=io.StringIO())
    with speaking("de"):
        written.print(advice(PATRICIAN, Wise().explain(table.view(table.turn), Random(1)), str))
    told = written.export_text()
    assert "40,2" in told
    assert "50\N{NO-BREAK SPACE}%" in told


@pytest.mark.parametrize(
    ("card", "towers", "says"),
    [
        ("verona-1", ("0121", ""), "its last floor must go on the empty right site (P12)"),
        ("verona-1", ("", "0121"), "its last floor must go on the empty left site (P12)"),
        ("verona-4", ("012", ""), "one floor must go on the empty right site (P12)"),
        ("verona-1", ("012", "1"), ""),
        ("verona-1", ("012", ""), ""),
    ],
)
def test_choice_says_where_the_last_floor_must_go(card: str, towers: tuple[str, str], says: str) -> None:
    view = patrician_position(hands={0: [card]}, towers={"verona": towers}).view(0)
    told = GAMES["patrician"].words.choices(view)[0].says
    assert says in told
    assert ("P12" in told) == bool(says)


def test_founding_choice_says_what_others_score_for_roles() -> None:
    roles = {"major white": 1, "minor red": 1, "minor blue": 2, "major blue": 0, "major green": 2}
    table = principe_position(hands={0: {"white": 1, "red": 1, "blue": 1}}, ducats=(9, 0, 0), roles=roles)
    founding = next(c for c in GAMES["il-principe"].words.choices(table.view(0)) if c.steps == (Found("siena"),))
    assert founding.says.endswith(": Carraresi 3, Visconti 1")


def test_last_bidder_in_an_auction_is_told_so() -> None:
    table = principe_position(at="auction", lots={"red": 1}, ducats=(9, 9, 9))
    question = GAMES["il-principe"].words.question
    for _ in range(2):
        assert "1 ducat is enough" not in question(table.view(table.turn))
        table.apply(Pass())
    assert "1 ducat is enough" in question(table.view(table.turn))


def test_number_plays_all_cards_of_a_colour() -> None:
    table = principe_position(hands={0: {"green": 2, "white": 5}})
    _, green, white = GAMES["il-principe"].words.choices(table.view(0))
    assert (green.numbers, green.steps) == ("1", (PlayBuildings("green", 2),))
    assert (white.numbers, white.steps) == ("2", (PlayBuildings("white", 5),))
    assert white.says.startswith("play all 5 white (fewer: type 4 white); ")
    assert matching(IL_PRINCIPE, table.legal, "3 white") == [PlayBuildings("white", 3)]


def test_messengers_are_mentioned_only_if_in_play(terminal: Terminal) -> None:
    without, told = (terminal.play("s\n", "--seed", str(BEGINS), *more) for more in ((), ("--messengers",)))
    for word in ("messenger", "penalty", "*", "†"):
        assert word not in without.partition("Which card do you play?")[0] + without.partition("Current score sheet")[2]
        assert word in told


def test_printed_seed_deals_the_same_game(terminal: Terminal) -> None:
    first, *others = (terminal.play("", "--seed", seed) for seed in (str(BEGINS), f"{BEGINS:064x}", f"{BEGINS:064X}"))
    assert others == [first, first]
    for seed in ("-1", "roma", "abc", "", "9" * 65, "9" * 5000):
        assert "64 hex digits or a whole number from 0" in terminal.play("", "--seed", seed, status=2)


def test_default_opponent_and_adviser_exist() -> None:
    assert callable(find_bot(OPPONENT).decide)
    assert isinstance(find_bot(ADVISER), Adviser)


def test_one_bot_for_all_seats_or_one_per_seat() -> None:
    assert opponents("random", 3) == ("random", "random")
    assert opponents("random, random", 3) == ("random", "random")
    with pytest.raises(BadOption, match=r"you named 3\. Name one bot for all other seats, or 2, one per seat"):
        opponents("random,random,random", 3)
