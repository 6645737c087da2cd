"""A scored city and the end of a game are shown as pictures that close when they should."""

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from signoria.web.files import static_file
from tests.e2e.conftest import Arrive
from tests.e2e.positions import Moment, moments, opened
from tests.e2e.visitors import PATIENCE

WATCH = """() => {
  globalThis.gone = [];
  const since = new Map();
  new MutationObserver(() => {
    const { mover, seat } = document.querySelector("#table").dataset;
    for (const { id } of document.querySelectorAll(".scene[open]")) if (!since.has(id)) since.set(id, performance.now());
    for (const [id, at] of since) {
      const scene = document.getElementById(id);
      if (scene?.open) continue;
      since.delete(id);
      if (!scene && mover !== seat) gone.push(performance.now() - at);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""How long each scene was shown that another player's move took away, in milliseconds."""
LEAST = 2000


def test_scored_cities_and_the_end_are_shown(arrive: Arrive) -> None:
    visitor, dice, closed = arrive(), random.Random(6), False
    visitor.go("/")
    visitor.page.locator("form.patrician button[formaction='/learn']").click()
    visitor.see("#table")
    page = visitor.page
    while not page.locator("#coach form[action='/learn']").count():
        page.locator("#steps .can:visible").first.wait_for(timeout=PATIENCE)
        visitor.step(dice)
        page.locator("#steps .can:visible, #coach form").first.wait_for(timeout=PATIENCE)
    visitor.press("Continue the lesson")
    visitor.see("#coach", "end of another game")
    table_id = visitor.table_id
    page.evaluate(WATCH)
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
    assert all(shown > LEAST for shown in page.evaluate("gone")), page.evaluate("gone")
    expect(page.locator(".telling #over .victory h2")).to_contain_text(" with ")
    visitor.go(f"/tables/{table_id}")
    visitor.see("body:not(.telling) #over .chart svg")
    page.locator("#chart summary").click()
    page.locator("#chart th a").last.click()
    visitor.see("#replay .chart svg")
    expect(page.locator("#replay .chart .present")).to_have_count(1)
    page.locator("#chart svg a").nth(7).click()
    visitor.see("#replay .facts-line", "Turn 8 ")


SIZES = ((390, 844), (360, 640), (1024, 768))
COACH = '<details class="panel coach" id="coach" open><summary>Hide</summary><p>Found a city.</p></details>'
PEOPLE = '<div class="aside people">'
SHOW = """(text) => htmx.swap({ sourceElement: document.body, target: document.querySelector("#table"), swap: "outerMorph", text, staged: true })"""
COVERED = """() => {
  const scene = [...document.querySelectorAll(".scene[open]")].findLast((one) => one.checkVisibility({ visibilityProperty: true }));
  return [...document.querySelectorAll(".stage :is(.can, [data-clear]), #asked")].filter((part) => {
    if (!scene || !part.checkVisibility()) return false;
    part.scrollIntoView({ block: "center", behavior: "instant" });
    const a = part.getBoundingClientRect(), b = scene.getBoundingClientRect();
    const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)], [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)];
    return left < right && top < bottom && scene.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  }).map((part) => `${part.id || part.className} is covered by ${scene.id}`);
}"""


@pytest.mark.parametrize(("game", "seed"), [("patrician", "04"), ("il-principe", "05")])
def test_a_scene_never_covers_what_can_be_chosen(browser: Browser, game: str, seed: str) -> None:
    """For every question and every kind of scene that are met in a game, in a guided game too, with nothing closed."""
    met: dict[Any, Moment] = {}
    for moment in moments(game, {"players": 4}, seed):
        for kind, name in re.findall(r'<details class="(scene[^"]*)" id="(\w+)', moment.fragment):
            met[moment.view.asked, kind, name] = moment
    with opened(browser, next(iter(met.values())).page) as page:
        page.add_style_tag(path=static_file("coach.css"))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for asked, moment in met.items():
                for coach in ("", COACH):
                    page.evaluate(SHOW, moment.fragment.replace(PEOPLE, PEOPLE + coach))
                    assert page.evaluate(COVERED) == [], (*asked, width, coach)
