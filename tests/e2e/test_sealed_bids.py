"""An auction is decided by sealed bids, and the page shows them only to their owners."""

from random import Random

from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.players import apart
from tests.e2e.visitors import PATIENCE, Visitor


def seal(visitor: Visitor, most: int) -> None:
    panel = visitor.page.locator("#sealed")
    panel.locator("summary").click()
    panel.get_by_label("Bid for me up to").fill(str(most))
    panel.get_by_role("button", name="Set maximum", exact=True).click()


def test_sealed_bids_finish_an_auction_automatically(arrive: Arrive) -> None:
    dice = Random(2)
    party = apart(arrive, "il-principe", 2, 1, {}, {})
    first, second = sorted(party.people, key=lambda one: one.page.locator(".my-turn").count(), reverse=True)
    for visitor in (first, second):
        visitor.see("#table.my-turn")
        visitor.step(dice)
    first.see("#auction")
    second.see("#auction")
    begun = first.n
    seal(second, 2)
    expect(second.page.locator("#sealed summary")).to_have_text("Auto-bid: 2", timeout=PATIENCE)
    second.page.locator("#sealed summary").click()
    to_come = second.page.locator("#sealed li button[name=pass]").first
    lot = to_come.get_attribute("value")
    to_come.click()
    expect(second.page.locator(f"#sealed button[value={lot}]")).to_have_attribute("aria-pressed", "true")
    assert first.n == begun
    for other in (first, *party.watchers):
        assert "Auto-bid: " not in other.page.content()
    seal(first, 3)  # the auction may finish before the page can show the sealed bid
    for visitor in (*party.people, *party.watchers):
        visitor.follows(begun + 4)  # 1, 2, 3, and a pass
        visitor.see("#log", "for 3 ducats and becomes Il Principe")
