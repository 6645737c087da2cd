"""A finished game, step by step."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, Visitor


def finished(visitor: Visitor, game: str) -> str:
    """The table of a game that bots have played to its end."""
    visitor.open_table(game, "me", "apprendista", "apprendista")
    visitor.see("#table.is-playing")
    visitor.press("Resign")
    visitor.press("Yes, resign")
    visitor.see("#table.is-over #over")
    return visitor.table_id


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_finished_game_can_be_replayed_and_continued(arrive: Arrive, game: str) -> None:
    visitor, friend = arrive(), arrive()
    table_id = finished(visitor, game)
    visitor.press("Replay")
    _at(visitor, table_id, 0)
    _move_about(visitor, table_id)
    _see_with_other_eyes(visitor, friend, table_id)
    _play_on(visitor, game)


def _at(visitor: Visitor, table_id: str, n: int, eyes: str = "") -> None:
    """The page shows the position after `n` steps."""
    expect(visitor.page).to_have_url(f"{visitor.address}/tables/{table_id}/replay/{n}{eyes}", timeout=PATIENCE)
    visitor.see(".facts-line", re.compile(rf"move {n} of \d+"))


def _move_about(visitor: Visitor, table_id: str) -> None:
    said = visitor.see(".facts-line").inner_text()
    found = re.search(r"of (\d+)", said)
    assert found
    last = int(found[1])
    visitor.press("Forward")
    _at(visitor, table_id, 1)
    visitor.see(".happened li")
    for key, n in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("Home", 0)):
        visitor.page.keyboard.press(key)
        _at(visitor, table_id, n)
    visitor.press("Last")
    _at(visitor, table_id, last)
    visitor.press("Back")
    _at(visitor, table_id, last - 1)
    visitor.page.locator(".log.long a").nth(60).click()
    current = visitor.page.locator(".log.long .current").last
    expect(current).to_be_visible(timeout=PATIENCE)
    assert current.evaluate("line => line.parentElement.scrollTop") > 0


def _see_with_other_eyes(visitor: Visitor, friend: Visitor, table_id: str) -> None:
    visitor.go(f"/tables/{table_id}/replay/12")
    assert visitor.page.locator("#hand").count() == 0
    visitor.page.locator(".eyes a").nth(1).click()
    _at(visitor, table_id, 12, "?seat=0")
    visitor.see("#hand")
    visitor.press("Forward")
    _at(visitor, table_id, 13, "?seat=0")
    visitor.press("All cards")
    _at(visitor, table_id, 13, "?seat=open")
    assert visitor.page.locator(".player", has_text="Holds").count() == 3
    link = visitor.page.get_by_text("Link to this position").get_attribute("href")
    assert link
    friend.go(link)
    _at(friend, table_id, 13, "?seat=open")
    assert friend.page.locator("#board").inner_text() == visitor.page.locator("#board").inner_text()


def _play_on(visitor: Visitor, game: str) -> None:
    board = visitor.page.locator("#board").inner_text()
    assert board
    visitor.page.get_by_label("You play").select_option("1")
    visitor.press("Start game")
    visitor.see("#table.my-turn #hand")
    assert visitor.n >= 13
    assert visitor.step(random.Random(game)) >= 14
