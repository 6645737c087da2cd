"""`signoria gate`: which tables it tests, and that a network is compared only where there is one."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from signoria.arena import ArenaSummary
from signoria.bots import weights
from signoria.bots.net import NetBot
from signoria.bots.weights import NetworkCard, layout_digest, read_card, save
from signoria.cli import run
from signoria.cli.gate import name_of, tables_to_test
from signoria.cli.train import tables_of
from signoria.games import find_game, open_table
from signoria.kernel.errors import BadOption
from signoria.train.playing import trained
from tests.bots.judgements import SIZES, forget_networks, random_network

GAME = find_game("patrician")


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The card of a network for two players that has learned nothing."""
    monkeypatch.setenv(weights.FOLDER, str(tmp_path))
    forget_networks()
    assert GAME.features is not None
    card = NetworkCard(
        game=GAME.name,
        sha256="",
        layout=layout_digest(GAME.features),
        settings=trained(GAME, tables_of(GAME, 2, {})),
        explore=0.4,
        mix=0.0,
        sizes=SIZES,
        command="",
        date="",
        games=0,
        positions=0,
        seconds=0.0,
    )
    save(tmp_path / GAME.name, "players-2", random_network(GAME), card)
    yield tmp_path / GAME.name / "players-2.json"
    forget_networks()


def named(tables: list[dict[str, Any]]) -> list[str]:
    return [name_of(GAME, table, "0.1s") for table in tables]


def test_all_tables_of_the_networks_are_tested_or_those_that_were_asked_for(card: Path) -> None:
    assert named(tables_to_test(GAME, None, {})) == [
        "patrician-2-0.1s",
        "patrician-2-ambassadors-0.1s",
        "patrician-2-messengers-0.1s",
        "patrician-2-messengers-ambassadors-0.1s",
    ]
    assert len(tables_to_test(GAME, [2], {})) == 4
    assert named(tables_to_test(GAME, None, {"messengers": True})) == ["patrician-2-messengers-0.1s"]
    assert named(tables_to_test(GAME, [2], {"tokens": "hidden"})) == ["patrician-2-tokens-hidden-0.1s"]


def test_damaged_networks_are_not_tested(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their bot would lose every game, which says nothing about their strength."""
    weights_file = card.with_suffix(".npz")
    weights_file.write_bytes(weights_file.read_bytes()[:-1])
    assert run(["gate", "patrician", "--games", "2", "--note"]) == 2
    assert "its hash is not the one on its card" in capsys.readouterr().err
    assert read_card(card).results == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "il-principe"}, "for il-principe, not for patrician"),
        ({"explore": -1.0}, "explore"),
        ({"mix": 9.0}, "mix"),
        ({"certainty": 0.0}, "certainty"),
    ],
)
def test_wrong_cards_are_refused(
    card: Path, change: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    card.write_text(json.dumps(json.loads(card.read_text()) | change))
    assert run(["gate", "patrician"]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("players", [[3], [2, 3]])
def test_search_is_never_tested_against_itself(card: Path, players: list[int]) -> None:
    with pytest.raises(BadOption, match="no network for 3 players"):
        tables_to_test(GAME, players, {})
    with pytest.raises(BadOption, match="no network of Il Principe"):
        tables_to_test(find_game("il-principe"), None, {})


def test_calibration_is_noted_and_makes_statements_surer(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = open_table("patrician", players=2, seed=1)
    before = NetBot("20").explain(table.view(table.turn), Random(1))
    save(card.parent, card.stem, random_network(GAME), msgspec.structs.replace(read_card(card), certainty=2.0))
    forget_networks()
    after = NetBot("20").explain(table.view(table.turn), Random(1))
    first, second = before.chances
    assert after.chances == pytest.approx(
        (first**2 / (first**2 + second**2), second**2 / (first**2 + second**2)), abs=1e-3
    )
    assert after.considered[0].step == before.considered[0].step
    command = ["calibrate", "patrician", "--players", "2", "--bot", "net:4", "--games", "1", "--json", "--note"]
    run(command)
    found = json.loads(capsys.readouterr().out)
    assert read_card(card).certainty == pytest.approx(2 * found["certainty"], abs=0.01)
    for other in ("search:4", f"net:4@{card.parent.parent}"):
        command[5] = other
        assert run(command) == 2
        assert "does not play with the network" in capsys.readouterr().err


@pytest.mark.slow
def test_network_plays_and_its_card_tells_the_result(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, command = card.parent / "results", ["gate", "patrician", "--players", "2", "--messengers", "--note"]
    for _ in range(2):  # the second result replaces the first
        assert run([*command, "--times", "3", "--games", "4", "--cores", "1", "--out", str(out)]) == 1
    assert "patrician-2-messengers-3: Undecided" in capsys.readouterr().out
    summary = json.loads((out / "patrician-2-messengers-3.json").read_bytes())
    assert summary.keys() == set(ArenaSummary.__struct_fields__)
    (result,) = read_card(card).results
    assert result["options"]["messengers"] is True
    assert (result["bot"], result["against"], result["games"]) == ("net:3", "search:3", 4)
