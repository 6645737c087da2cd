"""Moves are animated one after another, can be skipped, and can be replayed."""

import random
import re
from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, Visitor
from tests.volume import repeated

WATCH = """
  window.seen = []; window.said = [];
  addEventListener("DOMContentLoaded", () => {
    const look = () => {
      const table = document.querySelector("#table"), told = Number(table?.dataset.told);
      if (table && told !== seen.at(-1)) seen.push(told);
      const says = document.querySelector("#spoken")?.textContent;
      if (says && says !== said.at(-1)) said.push(says);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-told"] });
    look();
  });
"""
MOST_SHIFT = 0.02
NOW = "#table.my-turn:not(.is-past)"


def watching(arrive: Arrive, **options: Any) -> Visitor:
    """A visitor whose page records animations."""
    visitor = arrive(**{"reduced_motion": "no-preference", **options})
    visitor.context.add_init_script(WATCH)
    return visitor


def turn(visitor: Visitor, dice: random.Random, skip: bool = False) -> list[int]:
    """Play a turn and wait for the next one; return the numbers of steps that were shown."""
    visitor.see(NOW)
    visitor.shifts()
    visitor.page.evaluate("() => { seen.splice(0, seen.length - 1); said.length = 0; }")
    while True:
        visitor.step(dice)
        if visitor.page.locator(NOW).count() == 0:
            break
    if skip:
        visitor.page.locator("#story button", has_text="Skip").click()
    visitor.see(NOW)
    seen: list[int] = visitor.page.evaluate("seen")
    return seen


def test_moves_are_animated_in_order_without_layout_shifts(arrive: Arrive) -> None:
    visitor, dice = watching(arrive), random.Random(4)
    visitor.open_table("patrician", "me", "muratore", "muratore", messengers=True)
    for _ in range(repeated(1)):
        told = turn(visitor, dice)
        assert told == list(range(told[0], told[-1] + 1))
        assert len(told) > 6
        assert [shift for shift in visitor.shifts() if shift[0] > MOST_SHIFT] == []
    said = visitor.page.evaluate("said.join(' ')")
    for line in visitor.page.locator("#log [data-k] > span").all()[:4]:
        words = line.inner_text().rpartition(".")[0]
        assert said.count(f"{words}.") == 1, f"{words!r} in {said!r}"

    told = turn(visitor, dice, skip=True)
    assert told != list(range(told[0], told[-1] + 1))

    visitor.page.evaluate("""() => {
      const [[id, told]] = Object.entries(JSON.parse(localStorage.getItem("signoria.seen")));
      localStorage.setItem("signoria.seen", JSON.stringify({ [id]: told - 5 }));
    }""")
    visitor.page.reload()
    expect(visitor.see("#story")).to_contain_text("5 moves", timeout=PATIENCE)
    visitor.page.locator("#story button", has_text="Show me").click()
    visitor.see("#story", re.compile("5 of 5"))
    visitor.see(NOW)
    shown = visitor.page.evaluate("seen")
    assert shown == [shown[0], *range(shown[0] - 5, shown[0] + 1)]
    expect(visitor.page.locator("#story")).to_be_hidden(timeout=PATIENCE)


def test_without_animation_the_newest_position_is_shown_at_once(arrive: Arrive) -> None:
    visitor, dice = watching(arrive, reduced_motion="reduce"), random.Random(4)
    visitor.open_table("il-principe", "me", "muratore")
    visitor.page.evaluate("""() => {
      window.past = 0;
      new MutationObserver(() => (past += document.querySelectorAll(".is-past, .moving").length))
        .observe(document.body, { subtree: true, attributes: true, childList: true });
    }""")
    for _ in range(4):
        visitor.see(NOW)
        visitor.step(dice)
    visitor.see(NOW)
    assert visitor.page.evaluate("past") == 0
    assert visitor.page.evaluate("said.length") > 0
