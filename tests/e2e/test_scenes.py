"""A scored city and the end of a game are shown as pictures that close when they should."""

import random

from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE


def test_scored_cities_and_the_end_are_shown(arrive: Arrive) -> None:
    visitor, dice, closed = arrive(), random.Random(6), False
    visitor.go("/")
    visitor.page.locator("form.patrician button[formaction='/learn']").click()
    visitor.see("#table")
    table_id = visitor.table_id
    page = visitor.page
    while not page.locator("#table.is-over").count():
        page.locator("#steps .can:visible, #over").first.wait_for(timeout=PATIENCE)
        scene = page.locator(".scene[open]:visible")
        if scene.count() and not closed:
            expect(page.locator("#scored")).to_contain_text("is scored.")
            named = scene.last.get_attribute("id")
            page.keyboard.press("Escape")
            expect(page.locator(f"#{named}")).to_be_hidden()
            closed = True
        if page.locator("#steps .can:visible").count():
            visitor.step(dice)
    assert closed
    expect(page.locator(".telling #over .victory h2")).to_contain_text(" with ")
    visitor.go(f"/tables/{table_id}")
    visitor.see("body:not(.telling) #over .chart svg")
    page.locator("#chart summary").click()
    page.locator("#chart th a").last.click()
    visitor.see("#replay .chart svg")
    expect(page.locator("#replay .chart .present")).to_have_count(1)
    page.locator("#chart svg a").nth(7).click()
    visitor.see("#replay .facts-line", "Turn 8 ")
