"""Help at the table in a browser: pointing, keys, touch, and hints for the first time. What it says is tested in tests/web."""

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.screens import PHONE
from tests.e2e.test_controls import asked
from tests.e2e.visitors import Visitor

COVERS = """() => {
  const hint = document.querySelector("#first-time").getBoundingClientRect();
  const parts = [...document.querySelectorAll("#steps .can, .asked > span, .asked > .badge")].map((part) => part.getBoundingClientRect());
  return parts.filter((part) => part.left < hint.right && part.right > hint.left && part.top < hint.bottom && part.bottom > hint.top).length;
}"""

FILLED = """() => {
  const [words, help] = ["#large .meaning", "#large"].map((part) => document.querySelector(part).getBoundingClientRect());
  return words.width / help.width;
}"""
"""The share of the width of an explanation that its words have."""
BESIDE = """() => {
  const [help, board] = ["#large", "#board"].map((part) => document.querySelector(part).getBoundingClientRect());
  return help.left >= board.right;
}"""


def at_table(visitor: Visitor, game: str = "patrician") -> None:
    visitor.open_table(game, "me", "garzone", "garzone")
    visitor.see("#table.my-turn")


def test_pointing_explains_and_a_key_opens_the_list_there(arrive: Arrive) -> None:
    anna = arrive()
    at_table(anna)
    asked(anna, "Which card do you play?")
    anna.page.locator("#token-milano-high").hover()
    anna.see("#large .at-present a.clause", "P20")
    assert anna.page.evaluate(FILLED) > 0.85
    anna.page.keyboard.press("?")
    expect(anna.page.locator("#large")).to_be_hidden()
    expect(anna.see("#help-beside details[open] summary", "Milano")).to_be_focused()
    anna.page.locator("#help-beside details[open] a.clause").first.click()  # the clause opens beside the table
    anna.see("#rules-beside [aria-current]")
    expect(anna.page.locator("#board .road").first).to_have_css("stroke", "none")  # its style sheets change no table
    anna.page.keyboard.press("Escape")
    assert anna.page.locator("#help-beside h3").count() > 2


def test_what_has_the_focus_is_explained_with_a_key(arrive: Arrive) -> None:
    anna = arrive()
    at_table(anna, "il-principe")
    asked(anna, "lay face down")
    anna.page.set_viewport_size({"width": 1440, "height": 900})
    anna.page.locator("#hand .card").last.hover()
    anna.see("#large", "You need buildings")
    assert anna.page.evaluate(BESIDE)
    anna.page.keyboard.press("ArrowRight")
    colour = re.search(r"pick-\S+-(\w+)-\d", anna.page.locator(":focus").get_attribute("id") or "")
    assert colour
    anna.page.keyboard.press("?")
    expect(anna.see("#help-beside details[open] summary", colour[1])).to_be_focused()
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator("#help-beside")).to_be_hidden()


def test_long_press_explains_a_city_and_plays_nothing(arrive: Arrive) -> None:
    anna = arrive(**PHONE)
    at_table(anna)
    asked(anna, "Which card do you play?")
    box, n = anna.page.locator("#city-milano h3").bounding_box(), anna.n
    assert box
    finger = anna.context.new_cdp_session(anna.page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    anna.see("#large", "Milano")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    anna.see("#large a.clause")
    assert anna.n == n
    anna.page.locator("#ask-help").tap()
    anna.see("#help-beside .topics details")


def test_hint_of_the_first_time_appears_once_and_covers_nothing(arrive: Arrive) -> None:
    anna = arrive(hints=True, **PHONE)
    at_table(anna)
    hint = anna.see("#first-time")
    name = hint.get_attribute("data-hint")
    assert anna.page.evaluate(COVERS) == 0
    hint.locator("button").click()
    expect(hint).to_be_hidden()
    at_table(anna)
    expect(anna.page.locator(f"#first-time[data-hint={name}]")).to_be_hidden()
    n = anna.n
    anna.hit(anna.page.locator("#hand .card.can").first)
    anna.follows(n + 1)
    other = anna.see("#first-time")  # another decision has its own
    assert other.get_attribute("data-hint") != name
    anna.page.locator("#settings summary").click()
    anna.page.locator("[data-preference=hints]").uncheck()
    expect(other).to_be_hidden()


def test_page_of_help_works_without_scripts(arrive: Arrive) -> None:
    anna = arrive(java_script_enabled=False)
    anna.go("/")
    anna.page.locator("form.patrician button.main").click()
    anna.page.locator("#ask-help").click()
    expect(anna.page.locator("main#help details").first).to_be_visible()


def test_reader_chooses_the_dark_theme(arrive: Arrive) -> None:
    anna = arrive(color_scheme="light")
    anna.go("/ratings")
    anna.page.locator("#themes summary").click()
    anna.page.locator("#themes button[value=dark]").click()
    expect(anna.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(anna.page.locator("html")).to_have_css("color-scheme", "dark")
    expect(anna.page.locator("body")).to_have_css("color", "rgb(241, 227, 195)")
    assert anna.page.url.endswith("/ratings")
