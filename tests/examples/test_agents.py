"""The agents of the examples: those that search, and the one that learns."""

from importlib import import_module
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_search_agent_wins_against_random_agents(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    assert import_module("search_agent").run(game, 4, 60, players=2) >= 0.75


def test_search_of_open_spiel_plays_our_games(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    monkeypatch.syspath_prepend(EXAMPLES)
    assert 0 <= import_module("open_spiel_search").run("patrician", 1, 4) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_ppo_trains_an_agent(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One update: it shows that the loop runs, not how well it learns."""
    pytest.importorskip("torch", reason="PyTorch is not installed")
    monkeypatch.syspath_prepend(EXAMPLES)
    _, share = import_module("ppo").train(game, minutes=0.001)
    assert 0 <= share <= 1
