"""What every bot must do, and how greedy and the levels play."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from signoria.batch.series import Series
from signoria.bots import BOTS, FREE, Adviser, Budget, Quick, Seated, find_bot, find_bots
from signoria.bots.finding import installed
from signoria.bots.levels import LADDER, LEVELS, OLDER_NAMES, STYLED, levels_of
from signoria.games import GAMES, find_game, open_table
from signoria.kernel.errors import BadOption
from tests.bots.positions import on_the_way
from tests.settings import ALL_SETTINGS, Setting, full_name

FEW = Budget(iterations=25)


def play_out(game: str, setting: Setting, names: list[str], seed: int) -> Any:
    """The table after a game between these bots."""
    table = open_table(game, seed=seed, **setting)
    seats = [Seated(name, find_bot(name), Random(f"{seed}/{k}"), FEW) for k, name in enumerate(names)]
    while (seat := table.turn) is not None:
        table.make(seats[seat].decide(table.view(seat)), seat)
    assert not any(seated.forfeit for seated in seats)
    return table


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_bots_play_whole_games_of_every_setting(game_and_setting: tuple[str, Setting]) -> None:
    game, setting = game_and_setting
    names = ["search:25", "greedy", "garzone", "random", "architetto"][: setting["players"]]
    assert play_out(game, setting, names, seed=2).outcome is not None


@pytest.mark.parametrize("game", GAMES)
def test_greedy_beats_random_in_at_least_nine_of_ten_games(game: str) -> None:
    won = sum(0 in play_out(game, {"players": 2}, ["greedy", "random"], seed).outcome.winners for seed in range(20))
    assert won >= 18


@pytest.mark.parametrize("game", GAMES)
def test_compiled_greedy_plays_like_greedy_at_a_table(game: str) -> None:
    greedy = find_bot("greedy")
    assert isinstance(greedy, Quick)
    rules = find_game(game)
    options = rules.options({"players": 3})
    played = Series(rules, options, rules.components(options), [greedy.chooser(rules)] * 3, 1).play(0, 50)
    assert played.sheets[:, :, rules.columns.index("won")].sum() >= 50
    for table in on_the_way(game, {"players": 3}, seed=8):
        step = rules.number_of(greedy.decide(table.view(table.turn), Random(0), FREE))
        assert table.position.copy().call(greedy.chooser(rules), None) == step


def test_levels_have_names_and_descriptions() -> None:
    ladder = ["Garzone", "Muratore", "Scalpellino", "Capomastro", "Provveditore", "Architetto"]
    assert [level.title for level in LADDER] == ladder
    assert [level.title for level in STYLED] == ["Costruttore", "Speculatore", "Avaro"]
    assert all(level.says.endswith(".") for level in LEVELS)


@pytest.mark.parametrize(("older", "now"), OLDER_NAMES.items())
def test_level_is_found_by_its_older_name(older: str, now: str) -> None:
    assert vars(find_bot(older)) == vars(find_bot(now))
    assert type(find_bot(older)) is type(find_bot(now))
    assert older not in BOTS


@pytest.mark.parametrize("name", ["greedy", "search:200", *(level.id for level in LEVELS)])
@pytest.mark.parametrize("game", GAMES)
def test_bots_explain_what_they_considered_and_expect(game: str, name: str) -> None:
    table = next(on_the_way(game, {"players": 3}, seed=3))
    bot = find_bot(name)
    assert isinstance(bot, Adviser)
    view = table.view(table.turn)
    thought = bot.explain(view, budget=Budget(iterations=200))
    assert thought == msgspec.structs.replace(
        bot.explain(view, budget=Budget(iterations=200)), seconds=thought.seconds
    ), "without an rng always the same"
    assert thought.seat == table.turn
    assert {considered.step for considered in thought.considered} <= set(view.legal)
    weights = [considered.weight for considered in thought.considered]
    assert sum(weights) == pytest.approx(1, abs=0.01)
    assert weights == sorted(weights, reverse=True)
    assert sum(thought.chances) == pytest.approx(1, abs=0.01)
    assert len(thought.scores) == 3
    assert thought.iterations > 0
    assert str(thought.considered[0].step) in thought.says
    assert msgspec.json.decode(msgspec.json.encode(thought))["chances"] == list(thought.chances)


def test_explanation_of_a_forced_step_still_estimates_the_result() -> None:
    table = open_table("patrician", players=2, seed=1)
    while len(table.legal) > 1:
        table.make(table.legal[0])
    thought = find_bot("search:100").explain(table.view(table.turn))  # type: ignore[attr-defined]
    assert [considered.step for considered in thought.considered] == [table.forced]
    assert sum(thought.chances) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("name", ["greedy", "search:10"])
def test_seat_that_is_not_in_turn_has_nothing_to_decide(name: str) -> None:
    table = open_table("patrician", players=2, seed=1)
    with pytest.raises(BadOption, match="not this seat's turn"):
        find_bot(name).decide(table.view(1 - (table.turn or 0)), Random(1), FEW)


def test_view_from_json_has_no_records_behind_it() -> None:
    view = open_table("patrician", players=2, seed=1).view(0)
    read = msgspec.json.decode(msgspec.json.encode(view), type=type(view))
    assert read == view
    with pytest.raises(BadOption, match="was copied"):
        _ = read.known


# Finding


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gready", "there is no 'gready'; choose from random, greedy, search, net, garzone"),
        ("greedy:3", "greedy has no levels"),
        ("search:fast", "search has no level 'fast'"),
        ("search:", "search has no level ''"),
        ("search:0", "search has no level '0'"),
        ("search:-5", "search has no level '-5'"),
        ("search:0s", "search has no level '0s'"),
        ("search:nans", "search has no level 'nans'"),
        ("search:1e9s", "search has no level '1e9s'"),
        ("search:99999999999999999999", "at most 10000000 or 3600s"),
    ],
)
def test_unknown_bot_is_refused_with_a_list_of_bots(name: str, says: str) -> None:
    with pytest.raises(BadOption, match=says):
        find_bot(name)


def test_one_bot_for_all_seats_or_one_for_each() -> None:
    assert len(find_bots("greedy", 4)) == 4
    assert len(find_bots("greedy, random", 2)) == 2
    with pytest.raises(BadOption, match="2 given"):
        find_bots("greedy,random", 3)


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots from other packages, only one of them correct."""
    (tmp_path / "other_bots.py").write_text(
        "class First:\n    def __init__(self, level): self.level = level\n"
        "    def decide(self, view, rng, budget): return view.legal[0]\n"
        "def broken(level): raise KeyError('model.bin')\n"
        "def nothing(level): return object()\n"
    )
    info = tmp_path / "other_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[signoria.bots]\nfirst = other_bots:First\nbroken = other_bots:broken\nnothing = other_bots:nothing\n"
        "missing = other_bots:Missing\ngreedy = other_bots:First\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    installed.cache_clear()
    yield
    installed.cache_clear()


@pytest.mark.usefixtures("others")
def test_other_packages_can_provide_bots() -> None:
    assert find_bot("first:7").level == "7"  # type: ignore[attr-defined]
    assert type(find_bot("greedy")).__name__ == "GreedyBot", "our names stay ours"
    for name, says in (
        ("broken", "KeyError: 'model.bin'"),
        ("nothing", "has no method `decide"),
        ("missing", "Missing"),
    ):
        with pytest.raises(BadOption, match=says):
            find_bot(name)
    with pytest.raises(BadOption, match="first"):
        find_bot("second")


# Forfeits


class Broken:
    """Fails after a few decisions."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.left = answer, 3

    def decide(self, view: Any, rng: Random, budget: Budget) -> Any:
        self.left -= 1
        if self.left >= 0:
            return view.legal[0]
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class Untellable(Exception):
    """An error whose message raises an error itself."""

    def __str__(self) -> str:
        raise RuntimeError


class Unwritable:
    """An answer that has no representation."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("answer", "says", "detail"),
    [
        (ValueError("lost my\nnotes"), "Bruno forfeits: it failed with ValueError.", "lost my notes"),
        (Untellable(), "Bruno forfeits: it failed with Untellable.", "its error has no readable message"),
        (SystemExit(3), "Bruno forfeits: it failed with SystemExit.", "3"),
        (None, "Bruno forfeits: it returned an illegal step.", "None"),
        ("build 0", "Bruno forfeits: it returned an illegal step.", "'build 0'"),
        (np.array([1, 2]), "Bruno forfeits: it failed with ValueError.", ""),
        (Unwritable(), "Bruno forfeits: it failed with RuntimeError.", "no words"),
    ],
)
def test_broken_bot_forfeits_and_the_game_continues(answer: Any, says: str, detail: str) -> None:
    table = open_table("patrician", players=2, seed=1)
    seats = [Seated("Bruno", Broken(answer), Random(1)), Seated("Carla", find_bot("random"), Random(2))]
    while (seat := table.turn) is not None:
        table.make(seats[seat].decide(table.view(seat)), seat)
    assert table.over
    assert seats[1].forfeit is None
    assert seats[0].forfeit == says
    assert detail in seats[0].detail


def test_forfeit_does_not_reveal_the_bots_hand() -> None:
    table = open_table("il-principe", players=2, seed=1)
    view = table.view(table.turn)
    seated = Seated("Bruno", Broken(KeyError(repr(view))), Random(1))
    for _ in range(4):
        seated.decide(view)
    assert seated.forfeit == "Bruno forfeits: it failed with KeyError."
    assert len(seated.detail) <= 300


def test_bot_cannot_change_the_table_through_its_view() -> None:
    table = open_table("patrician", players=2, seed=1)
    known = table.view(table.turn).known
    known.box.players = 5
    known.state.seat = 4
    assert table.view(table.turn).known.box.players == 2
    assert len(table.legal) == 3


def test_opponents_that_do_not_look_ahead_are_compiled() -> None:
    assert [level.id for level in LEVELS if isinstance(find_bot(level.id), Quick)] == ["garzone", "muratore"]


def test_a_game_without_styles_offers_no_opponents_with_a_style(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table("patrician", players=2, seed=1)
    assert levels_of(table.game) == LEVELS
    monkeypatch.setitem(table.game.__dict__, "styles", None)
    assert levels_of(table.game) == LADDER
    view = table.view(table.turn)
    for name, plain in (("avaro", "search:200"), ("garzone", "greedy")):
        assert find_bot(name).decide(view, Random(1), FREE) == find_bot(plain).decide(view, Random(1), FREE)


def test_every_seat_gets_its_own_bot() -> None:
    assert len({id(bot) for bot in find_bots("greedy", 5)}) == 5


def test_all_our_bots_can_be_found() -> None:
    assert set(BOTS) >= {"random", "greedy", "search", *(level.id for level in LEVELS)}
