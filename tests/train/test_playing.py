"""Self-play, and the command that trains: everything that works without PyTorch."""

import sys

import numpy as np
import pytest

from signoria.bots.network import empty_network
from signoria.cli import run
from signoria.cli.train import sizes_of, tables_of
from signoria.games import GAMES, find_game
from signoria.kernel.errors import BadOption
from signoria.train.playing import HELD_OUT, Manner, SelfPlay, SelfPlayed, box_of, boxes_of
from tests.bots.judgements import SIZES


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_self_play_writes_down_states_and_results(game: str) -> None:
    found = find_game(game)
    assert found.features is not None
    boxes = boxes_of(found, [{"players": 3}, {"players": 2}])
    playing = SelfPlay(found, boxes, Manner(empty_network(found.features, *SIZES), 0.4, 0.5, 4), 1, HELD_OUT - 2, 1)
    playing.start()
    games: list[SelfPlayed] = []
    while len(games) < 3:
        playing.wait(0.05)
        games += playing.collect()
    playing.stop()
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
