"""Training: fits, files, and going on where it stopped. Needs PyTorch."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from signoria.bots.network import empty_network
from signoria.bots.weights import load, read_card
from signoria.cli import run
from signoria.games import find_game
from signoria.train.fitting import RESULT, Fitter, ReplayBuffer
from signoria.train.playing import HELD_OUT, Manner, SelfPlay, SelfPlayed, boxes_of
from signoria.train.training import TrainingPlan, train

pytestmark = pytest.mark.slow
SIZES = (8, 4)


@pytest.mark.parametrize("deals", [0, 1])
def test_training_saves_a_network_and_goes_on_from_it(tmp_path: Path, deals: int) -> None:
    game = find_game("il-principe")
    assert game.features is not None
    told: list[str] = []
    plan = TrainingPlan(options=({"players": 2},), seconds=6.0, threads=1, sizes=SIZES, iterations=4, deals=deals)
    card = train(game, plan, tmp_path, "two", "cpu", told.append)
    assert card == read_card(tmp_path / "two.json")
    assert card.games > 0
    assert card.positions > 0
    assert 0 < len(card.curve) <= len(told)
    assert load(tmp_path / "two.npz", card, game.features).sizes == SIZES
    more = train(game, plan, tmp_path, "two", "cpu", told.append, tmp_path / "two.json")
    assert more.games > card.games
    assert more.positions > card.positions
    assert more.seconds > card.seconds
    assert more.curve[: len(card.curve)] == card.curve
    assert len(more.curve) > len(card.curve)
    assert more.sha256 != card.sha256


def test_fit_learns_what_it_is_shown_and_not_what_is_held_out() -> None:
    game = find_game("il-principe")
    assert game.features is not None
    playing = SelfPlay(
        game, boxes_of(game, [{"players": 2}]), Manner(empty_network(game.features, *SIZES), 1.0, 1.0, 4), 1, 0, 1
    )
    playing.start()
    games: list[SelfPlayed] = []
    while len(games) < 2 * HELD_OUT:
        playing.wait(0.05)
        games += playing.collect()
    playing.stop()
    buffer = ReplayBuffer(game.features, 100_000, "cpu")
    buffer.add(games[:HELD_OUT])
    buffer.add(games[HELD_OUT:])
    fitter = Fitter(game.features, SIZES, 1, "cpu", RESULT)
    before = fitter.test(buffer)
    assert fitter.fit(buffer, 400, 5e-3) == 400
    assert fitter.test(buffer).error < before.error
    network = fitter.network(buffer)
    assert network.fits(game.features)
    unseen = ~buffer.seen[: game.features.size].numpy()
    assert (network.features[unseen] == 0).all()


@pytest.mark.parametrize("command", ["train", "exploit"])
def test_what_cannot_work_is_refused_before_the_training(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for device in ("cuda", "tpu"):
        assert run([command, "patrician", "--device", device, "--out", str(tmp_path)]) == 2
        assert f"PyTorch cannot use '{device}' here; use cpu" in capsys.readouterr().err
    file = tmp_path / "file"
    file.touch()
    assert run([command, "patrician", "--out", str(file)]) == 2
    assert "file" in capsys.readouterr().err
