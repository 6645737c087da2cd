"""What is compiled before the server accepts requests, and what later."""

from pathlib import Path

import pytest

from signoria.bots import Seated
from signoria.bots.levels import LADDER, STYLED
from signoria.server.run import warm_up


@pytest.fixture
def thought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots that can move on a server without a compiled cache."""
    names: list[str] = []
    monkeypatch.setattr(warm_up, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr("os.nice", lambda _: 0)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(Seated, "decide", lambda self, _: names.append(self.name))
    return names


def test_search_bots_wait_until_they_are_compiled_in_the_background(thought: list[str]) -> None:
    assert not warm_up.all_compiled()
    warm_up.warm_up()
    assert thought == ["Garzone", "Muratore"] * 2
    warm_up._compile_the_rest()
    assert warm_up.all_compiled()
    ahead = [level.title for level in (*LADDER[2:], *STYLED)]
    assert thought[4:] == ahead * 2 * 2, "in both games, with fewest and most players"
    warm_up.warm_up()
    assert len(thought) == 2 * (4 + 4 * len(ahead))


def test_without_a_cache_everything_is_compiled_at_start(thought: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "cache_folder", lambda: None)
    assert warm_up.all_compiled()
    warm_up.warm_up()
    assert len(thought) == 4 + 4 * len((*LADDER[2:], *STYLED))
