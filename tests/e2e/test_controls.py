"""Controls of a table: keyboard, confirmation before the end of a turn, and reasons shown in place."""

import json
import random
import re

from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, POSSIBLE, Visitor

REFUSED = r"status of 4\d\d"
"""The browser's own console message about an error response."""


def asked(visitor: Visitor, what: str) -> None:
    """Wait until the visitor has this question and the keyboard has a target."""
    expect(visitor.page.locator("#asked")).to_contain_text(what, timeout=PATIENCE)
    expect(visitor.page.locator(f"#steps {POSSIBLE}").first).to_be_attached(timeout=PATIENCE)


def focused(visitor: Visitor) -> Locator:
    return visitor.page.locator(":focus")


def says(visitor: Visitor, text: str | re.Pattern[str]) -> Locator:
    """The text shown at the place it is about."""
    return visitor.see("#note", text)


def touch(visitor: Visitor, target: str) -> None:
    """Click on an illegal move."""
    visitor.page.locator(target).first.click(force=True)


def test_turns_can_be_played_with_the_keyboard_only(arrive: Arrive) -> None:
    anna = arrive()
    anna.open_table("patrician", "me", "garzone")
    press = anna.page.keyboard.press
    for turn in range(3):
        asked(anna, "Which card do you play?")
        before = anna.n
        press("1" if turn else "ArrowRight")
        if not turn:  # arrow keys choose, Enter confirms
            expect(focused(anna)).to_have_class(re.compile(r"\bcard\b.*\bcan\b"))
            press("ArrowRight")
            press("Enter")
        anna.follows(before + 1)
        expect(focused(anna)).to_have_class(re.compile(r"\btower\b.*\bcan\b"))
        while "build" in (anna.page.locator("#asked").text_content() or ""):
            n = anna.n
            press("Enter")
            anna.follows(n + 1)
            if not turn and n == before + 1:  # undo the floor with one key, and build it again
                press("u")
                anna.follows(n + 2)
                asked(anna, "On which site")
        while anna.page.locator("#table.my-turn").count() and anna.page.locator(".track .now").inner_text() != "play":
            n = anna.n
            press("1")
            anna.follows(n + 1)
    anna.page.locator("#settings summary").click()
    anna.page.locator("#settings [popovertarget=keys]").click()
    anna.see("#keys", "undo")
    press("Escape")
    expect(anna.page.locator("#keys")).to_be_hidden()


def test_confirmation_before_the_end_of_a_turn(arrive: Arrive) -> None:
    anna = arrive()
    anna.open_table("patrician", "me", "garzone")
    anna.page.locator("#settings summary").click()
    anna.page.locator("[data-preference=confirm]").check()
    anna.go(f"/tables/{anna.table_id}")  # the browser remembers the setting
    expect(anna.page.locator("[data-preference=confirm]")).to_be_checked()
    press = anna.page.keyboard.press
    asked(anna, "Which card do you play?")
    while True:
        n = anna.n
        press("1")
        answered = anna.page.locator(f"#table:not([data-n='{n}']), #note:popover-open").first
        expect(answered).to_be_attached(timeout=PATIENCE)
        expect(anna.page.locator("#steps.htmx-request")).to_have_count(0, timeout=PATIENCE)  # no request is in flight
        if anna.n == n:
            break
    says(anna, "Press again to confirm.")
    press("Escape")
    expect(anna.page.locator("#note")).to_be_hidden()
    press("1")
    says(anna, "Press again to confirm.")
    assert anna.n == n
    press("Enter")
    anna.follows(n + 1)


def test_reason_appears_where_the_player_clicked_without_layout_shift(arrive: Arrive) -> None:
    anna = arrive()
    anna.forgives(REFUSED)
    anna.open_table("patrician", "me", "garzone")
    asked(anna, "Which card do you play?")
    board = anna.page.locator("#board").bounding_box()
    touch(anna, ".beside.cannot")
    word = says(anna, re.compile("P15"))
    said, card = word.bounding_box(), anna.page.locator(".beside.cannot").first.bounding_box()
    assert said
    assert card
    assert abs(said["y"] + said["height"] / 2 - card["y"] - card["height"] / 2) < said["height"] + card["height"]
    assert anna.page.locator("#board").bounding_box() == board
    anna.page.locator("#asked").click()
    expect(word).to_be_hidden()


def test_hint_is_marked_on_the_board(arrive: Arrive) -> None:
    anna = arrive()
    anna.open_table("patrician", "me", "garzone")
    asked(anna, "Which card do you play?")
    anna.page.keyboard.press("h")
    first = anna.see("#hint button")
    step = json.loads(first.get_attribute("value") or "")
    marked = anna.page.locator("#hand [data-hinted='1']")
    expect(marked).to_have_attribute("id", f"card-{step['card']}")
    n = anna.n
    first.click()
    anna.follows(n + 1)
    expect(anna.page.locator("#hint")).to_have_count(0)


def test_long_press_enlarges_a_card_without_playing_it(arrive: Arrive) -> None:
    anna = arrive(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    anna.open_table("patrician", "me", "garzone")
    asked(anna, "Which card do you play?")
    box, n = anna.page.locator("#hand .card").first.bounding_box(), anna.n
    assert box
    finger = anna.context.new_cdp_session(anna.page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    anna.see("#large", "Build")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    anna.see("#large .meaning a.clause")
    anna.page.locator("#asked").tap()
    expect(anna.page.locator("#large")).to_be_hidden()
    assert anna.n == n


def test_card_beyond_the_offer_is_refused_with_the_reason(arrive: Arrive) -> None:
    anna = arrive()
    anna.open_table("il-principe", "me", "garzone", "garzone")
    asked(anna, "lay face down")
    ticks = anna.page.locator("#steps .pick")
    for place in range(3):
        ticks.nth(place).press("Space")
    said, card = says(anna, "only 2 cards").bounding_box(), anna.page.locator("#hand .card").nth(2).bounding_box()
    assert said
    assert card
    assert abs(said["y"] + said["height"] / 2 - card["y"] - card["height"] / 2) < said["height"] + card["height"]
    assert [ticks.nth(place).is_checked() for place in range(3)] == [True, True, False]


def test_buildings_are_played_with_a_button_and_p_passes(arrive: Arrive) -> None:
    anna = arrive()
    anna.open_table("il-principe", "me", "garzone", "garzone", variant=True)
    page, played = anna.page, False
    while not played:
        expect(page.locator("#table.my-turn #steps .can").first).to_be_attached(timeout=PATIENCE)
        before = anna.n
        if page.locator("#steps .lay").count():
            anna.step(random.Random(1))
        elif page.locator("#steps .play-it").count():
            page.locator("#steps .pick").first.press("Space")
            assert anna.n == before
            expect(page.locator(".play-effect:visible")).to_contain_text("face up you")
            page.locator(".play-it").click()
            played = True
        elif page.locator("#steps .nothing.can:visible").count():
            page.keyboard.press("p")
        else:
            anna.step(random.Random(1))
        anna.follows(before + 1)
