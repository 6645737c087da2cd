"""One game of an arena, and bots that fail in it."""

import pytest

from signoria import BadOption
from signoria.arena import Fixture, Setting, one_against, play_game
from signoria.arena.playing import shares
from tests.arena.games import timeless


def fixture_of(*bots: str) -> Fixture:
    return Fixture("test", 0, 0, bots)


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_the_same_fixture_gives_the_same_game(game: str) -> None:
    setting = Setting.of(game, ["random", "first"], players=3, seed=2)
    fixture = fixture_of("random", "first", "random")
    played = play_game(setting, fixture)
    assert timeless(played) == timeless(play_game(setting, fixture))
    assert sum(played.shares) == pytest.approx(1)
    assert played.forfeits == (None, None, None)
    assert min(played.decisions) > 5
    assert min(played.seconds) > 0


def test_rotations_are_different_games() -> None:
    setting = Setting.of("patrician", ["random", "first"], players=2)
    here, there = one_against("random", "first", 2).fixtures(0)
    assert play_game(setting, here).points != play_game(setting, there).points


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("raising", "raising forfeits: it failed with ZeroDivisionError. no idea"),
        ("cheating", "cheating forfeits: it returned an illegal step."),
        ("hanging", "hanging forfeits: no step within 0.2 seconds."),
    ],
)
def test_broken_bot_forfeits_and_the_game_is_finished(bot: str, says: str) -> None:
    setting = Setting.of("patrician", ["random", bot], players=3, patience=0.2)
    played = play_game(setting, fixture_of("random", bot, "random"))
    assert played.forfeits[0] is None
    assert (played.forfeits[1] or "").startswith(says)
    assert played.shares[1] == 0
    assert sum(played.shares) == pytest.approx(1)
    assert played.decisions[1] == 1


def test_a_forfeited_win_goes_to_the_best_of_the_others() -> None:
    setting = Setting.of("patrician", ["random", "first"], players=3)
    table = setting.open(0)
    while (turn := table.turn) is not None:
        table.make(table.legal[0], turn)
    assert table.outcome is not None
    winners = table.outcome.winners
    assert [seat for seat, share in enumerate(shares(table, [0, 1, 2])) if share] == list(winners)
    rest = [seat for seat in range(3) if seat != winners[0]]
    second = max(rest, key=lambda seat: table.scores[seat].total)
    without = shares(table, rest)
    assert without[winners[0]] == 0
    assert without[second] > 0
    assert shares(table, []) == (0, 0, 0)


def test_invalid_settings_are_refused_with_a_reason() -> None:
    for bots, says in (
        (["random"], "1 given"),
        (["random", "random "], "random is named twice"),
        (["random", "nobody"], "there is no 'nobody'"),
    ):
        with pytest.raises(BadOption, match=says):
            Setting.of("patrician", bots, players=2)
    with pytest.raises(BadOption, match="patience"):
        Setting.of("patrician", ["random", "first"], players=2, patience=0)


def test_setting_contains_the_versions_of_rules_and_bots() -> None:
    versions = Setting.of("patrician", ["random", "first"], players=2).versions
    assert versions["arena-bots"] == "1.2"
    assert versions["rules"] == "1"
    assert len(versions["sources"]) == 16
