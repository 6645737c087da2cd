"""Whole games played only through the page, on desktops and phones, in light and dark mode.

A game takes at least half a minute. Each number of players, each arrangement of devices and each screen is tested with
one of the games, and five players on the smallest screen with both. `SIGNORIA_TEST_VOLUME` adds the rest. On one device,
parts of a game are played by clicking and the rest by a program.
"""

import random
from pathlib import Path
from typing import Any

import pytest

from signoria.games import AnyTable, from_record
from signoria.kernel.record import read_record
from tests.e2e.conftest import Arrive
from tests.e2e.players import Party, apart, together
from tests.e2e.screens import DARK, DESKTOP, LIGHT, PHONE, STILL
from tests.e2e.visitors import Visitor
from tests.volume import VOLUME

BOTH = ["patrician", "il-principe"]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "patrician": [{"messengers": True, "ambassadors": True}] * 4,
    "il-principe": [{}, {"variant": True}, {}, {"variant": True}],
}
"""Seeds of the games for 2, 3, 4 and 5 players."""


@pytest.mark.parametrize("game", BOTH if VOLUME > 1 else ["patrician"])
def test_two_players_and_a_spectator(arrive: Arrive, tmp_path: Path, game: str) -> None:
    party = apart(arrive, game, 2, 1, OPTIONS[game][0], DESKTOP | LIGHT)
    table = _play(party, tmp_path, game)
    assert all(party.moved.values())
    for visitor in party.everybody:
        _check_the_deal(visitor, table.seed)
    _meet_again(*party.people)


@pytest.mark.parametrize("game", BOTH if VOLUME > 1 else ["il-principe"])
def test_three_players_on_phones_in_dark_mode(arrive: Arrive, tmp_path: Path, game: str) -> None:
    party = apart(arrive, game, 3, 0, OPTIONS[game][1], PHONE | DARK | STILL)
    _play(party, tmp_path, game)
    assert all(party.moved.values())


@pytest.mark.parametrize("game", BOTH if VOLUME > 1 else ["patrician"])
def test_four_players_on_one_device(arrive: Arrive, tmp_path: Path, game: str) -> None:
    _play(together(arrive, game, 4, OPTIONS[game][2], DESKTOP | DARK | STILL), tmp_path, game)


@pytest.mark.parametrize("game", BOTH)
def test_five_players_on_one_phone(arrive: Arrive, tmp_path: Path, game: str) -> None:
    _play(together(arrive, game, 5, OPTIONS[game][3], PHONE | LIGHT | STILL), tmp_path, game)


def _play(party: Party, folder: Path, game: str) -> AnyTable:
    """Play, and check that every page shows the result of the record; return the replayed game."""
    party.play(random.Random(game))
    table = _replayed(party.people[0], folder)
    for visitor in party.everybody:
        _see_the_end(visitor, table)
    return table


def _replayed(visitor: Visitor, folder: Path) -> AnyTable:
    """Replay the downloaded record; every step in it is checked."""
    with visitor.page.expect_download() as downloading:
        visitor.press("Download game record")
    path = folder / "record.json"
    downloading.value.save_as(path)
    return from_record(read_record(path.read_bytes()))


def _see_the_end(visitor: Visitor, table: AnyTable) -> None:
    visitor.see("#asked", "The game is over")
    outcome, page = table.outcome, visitor.page
    assert outcome is not None
    totals = page.locator("#over .sheet .total td").all_inner_texts()
    assert [int(total.split()[-1]) for total in totals] == [score.total for score in table.scores]
    names = page.locator(".player h3").all_inner_texts()
    winners = page.locator(".player.winner h3").all_inner_texts()
    assert winners == [names[seat] for seat in outcome.winners]


def _check_the_deal(visitor: Visitor, seed: str) -> None:
    visitor.press("Fair shuffle")
    visitor.see("#fair code", seed)
    visitor.press("Check the shuffle")
    visitor.see(".checks .holds")
    assert visitor.page.locator(".checks li").count() == visitor.page.locator(".checks .holds").count() == 2
    visitor.press("Back to the table")
    visitor.see("#over")


def _meet_again(host: Visitor, guest: Visitor) -> None:
    host.press("Rematch")
    host.see("#waiting", host.name)
    guest.press("Go to rematch")
    guest.see("#waiting", guest.name)
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing #hand")
    assert host.table_id == guest.table_id
