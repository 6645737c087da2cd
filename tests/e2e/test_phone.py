"""On a phone nothing is cut off or scrolls sideways, and everything is large enough to tap."""

import random
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.screens import PHONE, WIDTH
from tests.e2e.test_replay import finished
from tests.e2e.visitors import PATIENCE, Visitor

SMALL = """() => {
  const finger = 24;
  return [...document.querySelectorAll("button, select, input, summary, a.button, header a")].flatMap((one) => {
    const target = one.matches("[type=checkbox], [type=radio], [type=range]") ? (one.closest("label") ?? one.labels[0]) : one;
    const { width, height } = target.getBoundingClientRect();
    const hidden = !target.checkVisibility() || !width;
    return hidden || (width >= finger && height >= finger) ? [] : [`${target.outerHTML.slice(0, 120)} ${width}x${height}`];
  });
}"""


def _fits(visitor: Visitor) -> None:
    """The current page is no wider than the phone and has no target that is too small."""
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= WIDTH, visitor.page.url
    assert visitor.page.evaluate(SMALL) == [], visitor.page.url


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_whole_game_on_a_phone(arrive: Arrive, game: str) -> None:
    phone, dice = arrive(**PHONE), random.Random(7)
    phone.go(f"/tables/new?game={game}")
    _fits(phone)
    options: dict[str, str | bool]
    options = {"messengers": True, "ambassadors": True} if game == "patrician" else {"variant": True}
    phone.open_table(game, "me", "open", "open", "open", "open", access="invited", **options)
    phone.see("#waiting")
    _fits(phone)
    phone.press("Fill and start")
    for _ in range(8):
        phone.see("#table.my-turn")
        _fits(phone)
        phone.step(dice)
    phone.go("/")
    _fits(phone)


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_final_page_and_replay_on_a_phone(arrive: Arrive, game: str) -> None:
    phone = arrive(**PHONE)
    table_id, end = finished(phone, game), f"/replay/{phone.page.locator('#table').get_attribute('data-told')}"
    for path in ("", "/check", "/log", "/replay/0", "/replay/40?seat=1", "/replay/60?seat=open", end):
        phone.go(f"/tables/{table_id}{path}")
        _fits(phone)


BEYOND_TABLES = """() => [...document.querySelectorAll(".scroll")].map((one) => one.scrollWidth - one.clientWidth).filter((more) => more > 0)"""
"""By how much tables in boxes that scroll are too wide."""


def test_other_pages_and_the_screen_between_turns_on_a_phone(arrive: Arrive) -> None:
    phone = arrive(**PHONE)
    for path in (
        "/",
        "/sign-in",
        "/ratings",
        "/rules/patrician",
        "/rules/patrician/full",
        "/rules/il-principe/full",
        "/rules/il-principe/rulings",
    ):
        phone.go(path)
        _fits(phone)
    for game in ("patrician", "il-principe"):
        phone.go(f"/rules/{game}/calculator?players=3")
        _fits(phone)
        assert phone.page.evaluate(BEYOND_TABLES) == []
    phone.open_table("il-principe", "me", "device", **{"name-1": "Bianca"})
    phone.see("#hand-over")
    _fits(phone)
    phone.go("/account")
    _fits(phone)
    phone.page.locator("#token-name").fill("something")
    phone.press("Create token")
    phone.see("#fresh")
    _fits(phone)


TAPS = 20
"""A slow browser can mistake a tap for a long press; a person would then tap again."""


def test_reason_why_a_move_is_illegal_is_visible_when_scrolled_and_goes_by_itself(arrive: Arrive) -> None:
    phone = arrive(**PHONE)
    phone.go("/")
    phone.page.locator("form.patrician button.main").click()
    phone.see("#table.my-turn")
    phone.take_over_the_clock()
    phone.forgives("status of 422")
    note = phone.page.locator("#note")
    for _ in range(TAPS):
        phone.page.locator("#board .tower.cannot").last.tap(force=True)
        with suppress(AssertionError):
            expect(note).to_be_visible(timeout=PATIENCE / TAPS)
            break
    expect(note).to_be_in_viewport(timeout=PATIENCE)
    tower = phone.page.locator("#board .tower.cannot").last.bounding_box()
    assert tower  # the note goes even if it lies where the finger was
    note.evaluate(
        "(note, [x, y]) => { note.style.left = `${x}px`; note.style.top = `${y}px`; }", [tower["x"], tower["y"]]
    )
    phone.page.clock.fast_forward(4000)
    expect(note).to_be_hidden(timeout=PATIENCE)
