"""Stated chances to win, compared with results."""

import json

import numpy as np
import pytest

from signoria.arena import Setting
from signoria.arena.calibration import ChanceGroup, Stated, best_certainty, calibrate, play_stating
from signoria.bots.search import with_certainty
from signoria.cli import run
from signoria.kernel.errors import BadOption


def test_chances_are_compared_in_ten_groups_that_count_with_their_positions() -> None:
    found = calibrate(
        [
            [Stated(0.25, 0.0, (0.75,)), Stated(1.0, 1.0, (0.0,))],
            [Stated(0.25, 1.0, (0.75,)), Stated(0.25, 0.0, (0.75,))],
        ]
    )
    assert [(one.positions, one.games) for one in found.groups] == [(3, 2), (1, 1)]
    assert (found.groups[0].stated, found.groups[0].won) == pytest.approx((0.25, 1 / 3))
    assert found.groups[1] == ChanceGroup(1.0, 1.0, 1, 1)
    assert found.games == 2
    assert found.deviation == pytest.approx(100 * (1 / 3 - 0.25) * 3 / 4)


@pytest.mark.parametrize("others", [(0.4,), (0.2, 0.2)])
def test_chances_that_are_too_even_should_be_surer(others: tuple[float, ...]) -> None:
    even = [Stated(0.6, 1.0, others)] * 3 + [Stated(0.6, 0.0, others)]
    certainty = best_certainty(even)
    assert certainty > 1.5
    surer = with_certainty(np.array([0.6, *others]), certainty)
    assert surer[0] == pytest.approx(0.75, abs=0.01)
    assert surer.sum() == pytest.approx(1.0)
    assert best_certainty([Stated(0.6, 1.0, others)] * 6 + [Stated(0.6, 0.0, others)] * 4) == 1.0


def test_every_decision_of_a_game_states_a_chance() -> None:
    setting = Setting.of("patrician", ["search:4", "random"], players=2)
    stated = play_stating(setting.open(0), "search:4", "luck")
    assert len(stated) > 10
    assert all(0 <= one.chance <= 1 for one in stated)
    assert {one.won for one in stated} in ({0.0, 1.0}, {0.5})
    assert stated == play_stating(setting.open(0), "search:4", "luck")


def test_bot_that_states_nothing_is_refused() -> None:
    setting = Setting.of("patrician", ["search:4", "random"], players=2)
    with pytest.raises(BadOption, match="does not state chances"):
        play_stating(setting.open(0), "random", "luck")


def test_command_prints_groups_and_the_deviation(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["calibrate", "patrician", "--players", "2", "--bot", "search:4", "--games", "2"]
    status = run([*command, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 2
    assert status == (0 if found["deviation"] <= 3 else 1)
    assert run(command) == status
    told = capsys.readouterr().out
    assert "stated" in told
    assert f"off by {found['deviation']:.1f} percentage points on average, in 2 games" in told
