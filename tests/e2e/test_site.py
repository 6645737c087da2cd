"""What surrounds the tables: notes about refused moves, rules beside a table, settings, the lobby on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Arrive
from tests.e2e.screens import DESKTOP, PHONE, WIDTH
from tests.e2e.visitors import PATIENCE, Visitor

REFUSED = r"status of 4\d\d"
COVERED = """() => {
  const note = document.querySelector("#note").getBoundingClientRect();
  return [...document.querySelectorAll("#steps .can")].filter((target) => target.checkVisibility()).flatMap((target) => {
    const { left, right, top, bottom } = (target.labels?.[0] ?? target).getBoundingClientRect();
    const apart = left >= note.right || right <= note.left || top >= note.bottom || bottom <= note.top;
    return apart ? [] : [target.outerHTML.slice(0, 100)];
  });
}"""
SMALL = """() => [...document.querySelectorAll("main :is(button, select, summary, a.button), main input:not([type=hidden]), footer a, header a")]
  .flatMap((one) => {
    const target = one.matches("[type=checkbox], [type=radio]") ? one.closest("label") : one;
    const { width, height } = target.getBoundingClientRect();
    return !target.checkVisibility() || !width || height >= 44 ? [] : [`${target.outerHTML.slice(0, 120)} ${width}x${height}`];
  })"""


def refused(visitor: Visitor, place: int = 0) -> Locator:
    """Click on a card that cannot be taken now; the note that says why."""
    visitor.forgives(REFUSED)
    visitor.page.locator(".beside.cannot").nth(place).evaluate("card => card.click()")
    return visitor.see("#note", "P15")


def stop_the_clock(visitor: Visitor) -> None:
    """From now on, no note closes by itself until the test lets time pass."""
    visitor.take_over_the_clock()
    visitor.page.clock.pause_at(visitor.page.evaluate("Date.now() + 1000"))


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_note_covers_no_legal_move_and_closes_with_a_tap(arrive: Arrive, screen: dict[str, Any]) -> None:
    visitor = arrive(**screen)
    visitor.open_table("patrician", "me", "muratore")
    visitor.see("#table.my-turn")
    cards = visitor.page.locator(".beside.cannot").count()
    for place in range(cards):
        note = refused(visitor, place)
        expect(note).to_be_in_viewport(ratio=1)
        assert visitor.page.evaluate(COVERED) == []
        note.click(position={"x": 3, "y": 3})
        expect(note).to_be_hidden()


def test_note_closes_after_four_seconds(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open_table("patrician", "me", "muratore")
    visitor.see("#table.my-turn")
    stop_the_clock(visitor)
    note = refused(visitor)
    visitor.page.clock.run_for(3900)
    expect(note).to_be_visible()
    visitor.page.clock.run_for(100)
    expect(note).to_be_hidden()


def test_note_closes_with_any_update(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open_table("patrician", "me", "muratore")
    visitor.see("#table.my-turn")
    stop_the_clock(visitor)
    note = refused(visitor)
    sent = visitor.context.request.post(
        f"/tables/{visitor.table_id}/chat", form={"text": "Hello"}, headers={"Origin": visitor.address}
    )
    assert sent.ok
    visitor.page.clock.run_for(100)
    expect(note).to_be_hidden(timeout=PATIENCE)


def test_rules_open_beside_the_table(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open_table("patrician", "me", "muratore")
    visitor.see("#table.my-turn")
    refused(visitor).locator("a.clause").click()
    panel = visitor.see("#rules-beside", "P15")
    current = panel.locator("[aria-current]")
    expect(current).to_contain_text("P15")
    expect(current.locator("dt")).to_be_in_viewport(ratio=1)
    expect(current.locator(".example svg").first).to_be_in_viewport(ratio=1)
    expect(current.locator(".example .no").first).to_be_in_viewport()
    panel.get_by_role("searchbox").fill("MÉSSENGER")
    expect(panel.locator("#rule-M2")).to_be_visible()
    expect(panel.locator("#rule-P15")).to_be_hidden()
    visitor.press("Close", "#rules-beside")
    expect(panel).to_be_hidden()
    visitor.page.locator("header a[href='/rules/patrician']").click()
    expect(panel).to_be_visible()
    expect(current).to_have_count(0)
    visitor.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert visitor.page.url.endswith(visitor.table_id)
    assert len(visitor.context.pages) == 1


def test_rules_open_in_another_tab_without_javascript(arrive: Arrive) -> None:
    visitor = arrive(java_script_enabled=False)
    visitor.go("/")
    visitor.page.locator("form.patrician button.main").click()
    with visitor.context.expect_page() as opened:
        visitor.page.locator("header a[href='/rules/patrician']").click()
    expect(opened.value.locator("#rules h1")).to_contain_text("Patrician")
    visitor.see("#table #hand")


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_settings_are_within_reach(arrive: Arrive, screen: dict[str, Any]) -> None:
    visitor = arrive(**screen)
    visitor.open_table("patrician", "me", "muratore")
    visitor.see("#table.my-turn")
    summary = visitor.page.locator("#settings summary")
    expect(summary).to_be_in_viewport(ratio=1)
    summary.click()
    sounds = visitor.page.locator("[data-preference=sounds]")
    expect(sounds).to_be_in_viewport(ratio=1)
    sounds.check()
    visitor.page.keyboard.press("Escape")
    expect(sounds).to_be_hidden()


def test_lobby_fits_a_phone_whatever_the_names(arrive: Arrive) -> None:
    phone = arrive(**PHONE)
    names = {"name-1": "Massimiliana Bartolomea", "name-2": "Wilhelmina Wunderwald W"}
    phone.open_table("il-principe", "me", "device", "device", "muratore", access="invited", **names)
    phone.go("/account")
    phone.page.get_by_label("Your name at tables").fill(f"Wilma {phone.page.evaluate('Date.now()')}")
    phone.press("Change")
    for path in ("/", "/tables?of=mine", "/nowhere", "/ratings", "/tables/new", "/account"):
        phone.forgives("status of 404")
        phone.go(path)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= WIDTH, path
        assert phone.page.evaluate(SMALL) == [], path


def test_play_now_finds_an_opponent_at_the_players_level(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.go("/")
    form = visitor.page.locator("form.patrician")
    form.get_by_label("Opponents", exact=True).select_option("At my level")
    form.locator("button.main").click()
    visitor.see("#table.is-playing")
    expect(visitor.page.locator("#head .agreed")).not_to_contain_text("rated")
    expect(visitor.page.locator("#players")).to_contain_text("Muratore")


def test_opponent_of_play_now_can_be_chosen_and_survives_an_update(arrive: Arrive) -> None:
    visitor, host = arrive(), arrive()
    visitor.go("/")
    form = visitor.page.locator("form.patrician")
    form.get_by_label("Opponents", exact=True).select_option("capomastro")
    form.get_by_label("Number of opponents").select_option("4")
    form.get_by_label("Rated", exact=True).check()
    table_id = host.open_table("patrician", "me", "open")
    visitor.see(f"#open a[href='/tables/{table_id}']")
    expect(form.get_by_label("Opponents", exact=True)).to_have_value("capomastro")
    form.locator("button.main").click()
    visitor.see("#table.is-playing")
    expect(visitor.page.locator("#head .agreed")).to_contain_text("rated")
    expect(visitor.page.locator("#players .state", has_text="bot")).to_have_count(3)
    visitor.press("Resign")
    visitor.press("Yes, resign")
    visitor.see("#over h2", "wins")
    visitor.see("#over .changes", re.compile(r"25\.0 → \d+\.\d"))
    rematch = visitor.page.get_by_role("button", name="Rematch")
    expect(rematch).to_be_in_viewport(ratio=1)
