"""What is compiled before the doors open, and what later."""

from pathlib import Path

import pytest

from signoria.bots import Seated
from signoria.server import warm


@pytest.fixture
def thought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots that think, in a house whose rules were never compiled before."""
    names: list[str] = []
    monkeypatch.setattr(warm, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr("os.nice", lambda _: 0)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(Seated, "decide", lambda self, _: names.append(self.name))
    return names


def test_bots_that_look_ahead_wait_until_they_are_compiled_beside_the_house(thought: list[str]) -> None:
    assert not warm.all_compiled()
    warm.warm_up()
    assert thought == ["Apprendista", "Muratore"] * 2
    warm._compile_the_rest()
    assert warm.all_compiled()
    assert thought[4:] == ["Capomastro", "Architetto"] * 2
    warm.warm_up()
    assert len(thought) == 16


def test_where_nothing_can_be_kept_everything_is_compiled_at_once(
    thought: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "cache_folder", lambda: None)
    assert warm.all_compiled()
    warm.warm_up()
    assert len(thought) == 8
