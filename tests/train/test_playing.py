"""Self-play, and the command that trains: everything that works without PyTorch."""

import sys

import numpy as np
import pytest

from signoria.bots.leaves import REWARD
from signoria.bots.network import empty_network
from signoria.cli import run
from signoria.cli.train import sizes_of, tables_of
from signoria.games import GAMES, find_game
from signoria.kernel.errors import BadOption
from signoria.train import playing
from signoria.train.playing import HELD_OUT, Manner, Player, SelfPlay, SelfPlayed, box_of, boxes_of
from tests.bots.judgements import SIZES, random_network


@pytest.mark.slow
@pytest.mark.parametrize("deals", [0, 2])
@pytest.mark.parametrize("game", GAMES)
def test_self_play_writes_down_states_and_results(game: str, deals: int) -> None:
    found = find_game(game)
    assert found.features is not None
    boxes = boxes_of(found, [{"players": 3}, {"players": 2}])
    manner = Manner(empty_network(found.features, *SIZES), 0.4, 0.5, 4, deals)
    threads = SelfPlay(found, boxes, manner, 1, HELD_OUT - 2, 1)
    threads.start()
    games: list[SelfPlayed] = []
    while len(games) < 3:
        threads.wait(0.05)
        games += threads.collect()
    threads.stop()
    assert [game.number for game in games[:3]] == [HELD_OUT - 2, HELD_OUT - 1, HELD_OUT]
    assert [game.held_out for game in games[:3]] == [False, True, False]
    for played in games[:3]:
        samples = played.samples
        assert played.players == int(boxes["players"][box_of(played.number, 2)])
        assert len(samples.counts) > 20
        assert ((samples.expected >= 0) & (samples.expected <= 1)).all()
        assert np.allclose(samples.results[:, :, 0].sum(axis=1), 1.0)
        assert (samples.results[:, played.players :] == 0).all()
        assert (samples.expected[:, played.players :] == 0).all()


def test_self_play_waits_until_its_games_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_WAITING", 3)
    game = find_game("patrician")
    assert game.features is not None
    manner = Manner(empty_network(game.features, *SIZES), 0.4, 1.0, 4, deals=2)
    threads = SelfPlay(game, boxes_of(game, [{"players": 2}]), manner, 1, 0, 1)
    threads.start()
    games: list[SelfPlayed] = []
    while len(games) < 12:
        while not threads.finished.full():
            threads.wait(0.01)
        together = threads.collect()
        assert len(together) == 3
        games += together
    while not threads.finished.full():
        threads.wait(0.01)
    threads.stop()
    assert [game.number for game in games] == list(range(len(games)))


def test_games_that_look_one_step_ahead_expect_mostly_what_follows() -> None:
    game = find_game("patrician")
    player = Player(game, boxes_of(game, [{"players": 2}]))
    manner = Manner(random_network(game), 0.4, 0.0, 4, deals=2)
    played = player.play(manner, 1, 0).samples
    again = Player(game, boxes_of(game, [{"players": 2}])).play(manner, 1, 0).samples
    for one, other in zip(played, again, strict=True):
        np.testing.assert_array_equal(one, other, "a game depends on its number")
    results = played.results[:, :, REWARD]
    assert not np.allclose(played.expected, results)
    before_the_end = np.abs(played.expected - results).mean(axis=1)
    assert before_the_end[-3:].mean() < before_the_end[:3].mean()


def test_without_a_network_games_expect_their_result() -> None:
    game = find_game("patrician")
    samples = (
        Player(game, boxes_of(game, [{"players": 3}])).play(Manner(random_network(game), 0.4, 1.0, 4, 1), 1, 0).samples
    )
    assert len(samples.counts) > 20
    assert np.allclose(samples.expected, samples.results[:, :, REWARD])


def test_every_other_game_is_the_plain_one_and_no_table_is_left_out() -> None:
    assert [box_of(number, 4) for number in range(8)] == [0, 1, 0, 2, 0, 3, 0, 1]
    assert [box_of(number, 1) for number in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("game", GAMES)
def test_a_network_learns_all_switches_or_only_the_options_that_were_given(game: str) -> None:
    found = find_game(game)
    tables = tables_of(found, 3, {})
    switches = [name for name, value in tables[0].items() if isinstance(value, bool)]
    assert len({tuple(table[name] for name in switches) for table in tables}) == len(tables) == 2 ** len(switches)
    assert {table["players"] for table in tables} == {3}
    (one,) = tables_of(found, 2, {switches[0]: True})
    assert one[switches[0]] is True


@pytest.mark.parametrize("layers", ["64", "64,x", "0,32", "64,32,16", "64,4096"])
def test_layers_are_two_numbers(layers: str) -> None:
    assert sizes_of("64,32") == (64, 32)
    with pytest.raises(BadOption, match="layers"):
        sizes_of(layers)


def test_missing_torch_gives_a_clear_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "signoria.train.fitting", raising=False)
    assert run(["train", "patrician"]) == 2
    assert "install signoria with the extra [train]" in capsys.readouterr().err
