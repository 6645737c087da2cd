"""The network in the search: its features, its weights and where it is used."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from signoria.bots import find_bot, weights
from signoria.bots.leaves import POINTS, REWARD, WINS
from signoria.bots.net import NetBot
from signoria.bots.network import empty_network
from signoria.bots.search import SearchBot
from signoria.bots.tree import Judgement, Tree
from signoria.bots.weights import (
    BadWeights,
    NetworkCard,
    judgement_for,
    layout_digest,
    load,
    pack,
    read_card,
    save,
    unpack,
)
from signoria.games import GAMES, find_game, open_table
from signoria.kernel.features import SETTLED
from tests.bots.judgements import SIZES, forget_networks, judgements, positions, random_network
from tests.settings import ALL_SETTINGS, Setting, full_name

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_cpython_and_compiled_networks_expect_the_same() -> None:
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.bots.judgements"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    compiled = judgements()
    for setting, rows in json.loads(plain.stdout).items():
        assert rows == [pytest.approx(row, rel=1e-4, abs=1e-5) for row in compiled[setting]]


@pytest.mark.parametrize("game_and_setting", ALL_SETTINGS, ids=full_name)
def test_features_of_settled_states_are_different_and_in_range(game_and_setting: tuple[str, Setting]) -> None:
    name, setting = game_and_setting
    game, described = find_game(name), 0
    features = game.features
    assert features is not None
    luck = np.full(1, 5, np.uint64)
    for position in positions(game, setting, every=3):
        before = position.copy()
        if position.call(features.settle, luck, 0, np.empty(game.most_legal, np.int16)) != SETTLED:
            continue
        on, numbers = np.full(features.most, -1, np.int16), np.full(features.numbers_size, np.nan, np.float32)
        sheet = np.zeros((setting["players"], len(game.columns)), np.int16)
        count = position.call(features.describe, sheet, on, numbers)
        assert position == before, "describing must leave everything as it was"
        assert count == len(set(on[:count].tolist()))
        assert 0 <= on[:count].min() <= on[:count].max() < features.size
        assert np.isfinite(numbers).all()
        assert np.abs(numbers).max() < 20
        described += 1
    assert described > 0


@pytest.mark.parametrize("game", GAMES)
def test_tree_with_a_network_is_repeatable_and_its_chances_add_up(game: str) -> None:
    table = open_table(game, players=3, seed=3)
    known = table.view(table.turn).known
    judgement = Judgement(random_network(table.game), 0.4, 0.0)
    whole, sliced = Tree(known, 5, judgement=judgement), Tree(known, 5, judgement=judgement)
    whole.think(120)
    for count in (1, 19, 100):
        sliced.think(count)
    assert np.array_equal(whole.sums, sliced.sums)
    assert whole.visits.sum() == 120
    assert whole.sums[:, :, WINS].sum() == pytest.approx(120)
    assert (whole.sums[:, :, REWARD] >= 0).all()
    assert np.isfinite(whole.sums[:, :, POINTS]).all()


@pytest.mark.parametrize("game", GAMES)
def test_rewards_of_two_players_add_up(game: str) -> None:
    table = open_table(game, players=2, seed=3)
    tree = Tree(table.view(table.turn).known, 5, judgement=Judgement(random_network(table.game), 0.4, 0.3))
    tree.think(60)
    assert tree.sums[:, :, REWARD].sum() == pytest.approx(60)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which networks are looked for."""
    monkeypatch.setenv(weights.FOLDER, str(tmp_path))
    forget_networks()
    yield tmp_path
    forget_networks()


def card_of(game: str, boxes: list[str]) -> NetworkCard:
    features = find_game(game).features
    assert features is not None
    return NetworkCard(
        game=game,
        sha256="",
        layout=layout_digest(features),
        settings=tuple(weights.Trained(options={}, box=box) for box in boxes),
        explore=0.4,
        mix=0.0,
        sizes=SIZES,
        command="",
        date="",
        games=0,
        positions=0,
        seconds=0.0,
    )


def test_network_is_used_only_at_tables_that_it_was_trained_for(folder: Path) -> None:
    table = open_table("patrician", players=2, seed=1)
    digest = weights.box_digest(table.position)
    save(folder / "patrician", "two", random_network(table.game), card_of("patrician", [digest]))
    assert judgement_for(table.view(0).known) is not None
    hidden = open_table("patrician", players=2, seed=1, tokens="hidden")
    assert judgement_for(hidden.view(0).known) is not None, "who remembers everything knows all tokens"
    for others in ({"players": 3}, {"players": 2, "messengers": True}):
        other = open_table("patrician", seed=1, **others)  # type: ignore[arg-type]
        assert judgement_for(other.view(0).known) is None


def test_without_a_network_the_bot_plays_games_to_their_end(folder: Path) -> None:
    view = (table := open_table("il-principe", players=3, seed=2)).view(table.turn)
    net, search = (bot.think(view, Random(1)) for bot in (NetBot("60"), SearchBot("60")))
    assert np.array_equal(net.sums, search.sums)
    assert NetBot("60").decide(view, Random(1)) == SearchBot("60").decide(view, Random(1))
    assert isinstance(find_bot("net:60"), NetBot)


def test_weights_survive_a_file_and_nothing_else_does(folder: Path) -> None:
    game = find_game("il-principe")
    features = game.features
    assert features is not None
    network = random_network(game)
    card = save(folder, "one", network, card_of(game.name, []))
    assert read_card(folder / "one.json") == card
    for one, other in zip(network, load(folder / "one.npz", card, features), strict=True):
        assert other.dtype == np.float32
        assert np.allclose(one, other, atol=1e-3)
    with pytest.raises(BadWeights, match="hash"):
        load(folder / "one.npz", msgspec.structs.replace(card, sha256="0" * 64), features)
    with pytest.raises(BadWeights, match="features"):
        load(folder / "one.npz", msgspec.structs.replace(card, layout="other"), features)
    with pytest.raises(BadWeights):
        read_card(folder / "none.json")
    with pytest.raises(BadWeights):
        unpack(pickle.dumps({"features": 1}), "pickle")
    with pytest.raises(BadWeights):
        unpack(pack(network)[:100], "half")
    poisoned = network._replace(bias=np.full_like(network.bias, np.nan))
    with pytest.raises(BadWeights, match="finite"):
        unpack(pack(poisoned), "poisoned")


@pytest.mark.parametrize("game", GAMES)
def test_shipped_networks_fit_and_say_where_they_come_from(game: str) -> None:
    found = find_game(game)
    for path, card in weights.cards_of(found).items():
        assert found.features is not None
        assert load(path, card, found.features).sizes == card.sizes
        assert card.game == game
        assert card.games > 0
        assert "signoria train" in card.command
        for setting in card.settings:  # released only if it beats the search at equal time
            tests = {test["bot"]: test["verdict"] for test in card.results if test["options"] == setting.options}
            assert tests == {"net:0.02s": "better", "net:0.1s": "better"}


def test_empty_network_knows_nothing() -> None:
    table = open_table("il-principe", players=4, seed=2)
    assert table.game.features is not None
    tree = Tree(
        table.view(table.turn).known, 1, judgement=Judgement(empty_network(table.game.features, *SIZES), 0.4, 0.0)
    )
    tree.think(10)
    assert tree.sums[:, :, WINS].sum(axis=0) == pytest.approx(2.5)
