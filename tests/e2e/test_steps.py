"""Moves: undo, reasons why a move is illegal, and outdated pages."""

import random
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import POSSIBLE, Visitor

REFUSED = r"status of (409|422)"
"""Console messages of the browser about error responses."""


def test_last_move_can_be_undone(arrive: Arrive) -> None:
    player = _playing(arrive)
    hand, n = _values(player.page, "#hand"), player.n
    player.page.locator(f"#hand {POSSIBLE}").first.click()
    player.follows(n + 1)
    assert _values(player.page, "#hand") != hand
    player.press("Undo")
    player.follows(n + 2)
    assert _values(player.page, "#hand") == hand
    player.see("#asked", "Which card do you play?")
    assert player.page.locator("#undo").count() == 0


def test_illegal_move_shows_the_reason_and_its_rule(arrive: Arrive) -> None:
    player = _playing(arrive)
    n = player.n
    player.forgives(REFUSED)
    player.page.locator("#board .tower.cannot").first.click(force=True)
    notice = player.see("#note")
    assert player.n == n
    clause = notice.locator("a.clause").inner_text()
    assert notice.inner_text().endswith(clause)
    notice.locator("a.clause").click()
    player.see(f"#rules-beside #rule-{clause}", clause)
    assert urlsplit(player.page.url).path == f"/tables/{player.table_id}"
    player.go(f"/rules/clause/{clause}")
    assert urlsplit(player.page.url).path == "/rules/patrician/full"
    assert player.page.evaluate("document.querySelector(':target').id") == clause


@pytest.mark.parametrize("clicks", [2, 3])
def test_double_click_makes_one_move(arrive: Arrive, clicks: int) -> None:
    player = _playing(arrive)
    n = player.n
    player.page.locator(f"#hand {POSSIBLE}").first.click(click_count=clicks)
    player.follows(n + 1)
    player.see("#asked", "On which site")
    assert player.n == n + 1
    assert player.page.locator("#notice").count() == 0


def test_second_click_of_a_double_click_is_ignored_on_the_next_page(arrive: Arrive) -> None:
    player = _playing(arrive)
    n, mouse = player.n, player.page.mouse
    card = player.page.locator(f"#hand {POSSIBLE}").first.bounding_box()
    assert card
    mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    for half in (1, 2):
        mouse.down(click_count=half)
        mouse.up(click_count=half)
        player.follows(n + 1)
    player.see("#asked", "On which site")
    assert player.n == n + 1
    assert player.page.locator("#notice").count() == 0


def test_same_move_from_two_tabs_is_made_once_and_the_other_tab_is_updated(arrive: Arrive) -> None:
    player = _playing(arrive)
    n, first = player.n, player.page
    second = player.context.new_page()
    player.forgives("net::ERR_FAILED", "Failed to fetch")
    second.route("**/stream*", lambda route: route.abort())  # this tab gets no updates
    second.goto(first.url)
    card = f"#hand button[value='{_values(first, '#hand')[0]}']"

    first.locator(card).click()
    player.follows(n + 1)
    assert second.locator("#table").get_attribute("data-n") == str(n)
    second.locator(card).click()
    second.locator("#asked", has_text="On which site").wait_for()
    assert second.locator("#table").get_attribute("data-n") == str(n + 1)
    assert second.locator("#notice").count() == 0

    first.locator(f"#board {POSSIBLE}").first.click()
    player.follows(n + 2)
    player.forgives(REFUSED)
    second.locator(f"#board {POSSIBLE}").last.click()
    said = second.locator("#note, #notice").filter(visible=True)
    assert "moved on" in said.inner_text()
    assert second.locator("#table").get_attribute("data-n") == first.locator("#table").get_attribute("data-n")


def test_late_response_does_not_revert_the_page(arrive: Arrive) -> None:
    player = _playing(arrive)

    def hold_back(route: Route) -> None:
        answer = route.fetch()
        n = re.search(r'data-n="(\d+)"', answer.text())
        assert n
        player.follows(int(n[1]) + 1)  # bots have moved, and the live page shows it
        route.fulfill(response=answer)

    while not re.search("Take the card|do you take", player.see("#table.my-turn #asked").inner_text()):
        player.step(random.Random(8))
    player.page.route("**/steps", hold_back)
    with player.page.expect_response("**/steps"):
        player.page.locator(f"#board {POSSIBLE}").first.click()
    player.see("#table.my-turn #asked", "Which card do you play?")


def _playing(arrive: Arrive) -> Visitor:
    """A visitor playing against bots, whose turn it is to play a card."""
    player = arrive()
    player.go("/")
    player.page.locator("form.patrician button.main").click()
    player.see("#table.my-turn #asked", "Which card do you play?")
    return player


def _values(page: Page, within: str) -> list[str]:
    """The steps of the buttons in a part of the page."""
    values: list[str] = page.locator(f"{within} button[name=step]").evaluate_all("all => all.map(one => one.value)")
    return values
