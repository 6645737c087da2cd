"""Two people lay cards at the same time (I11), and the one who is asked second does it first."""

from random import Random

from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.players import apart
from tests.e2e.visitors import PATIENCE


def test_two_people_offer_in_any_order(arrive: Arrive) -> None:
    dice = Random(4)
    party = apart(arrive, "il-principe", 2, 1, {}, {})
    first, second = sorted(party.people, key=lambda one: one.page.locator(".my-turn").count(), reverse=True)
    (watcher,) = party.watchers
    second.see("#table.my-choice")
    second.see("#asked", "Choose now")
    second.see("#asked", first.name)
    first.see("#asked", second.name)
    second.lay(dice)
    second.see("#change-choice")
    for other in (first, watcher):
        expect(other.page.locator("li.player").filter(has_text=first.name)).to_contain_text(
            "to choose", timeout=PATIENCE
        )
        expect(other.page.locator("li.player").filter(has_text=second.name)).to_contain_text(
            "has chosen", timeout=PATIENCE
        )
        expect(other.page.locator("#asked")).not_to_contain_text(second.name, timeout=PATIENCE)
        assert other.page.locator("#laid-down").count() == 0
    watcher.see("#asked", first.name)
    second.page.locator("#change-choice").click()
    first.see("#asked", second.name)
    cards = second.lay(dice)
    second.see("#change-choice")
    assert first.n == 0
    first.see("#table.my-turn")
    first.lay(dice)
    for visitor in (first, second, watcher):
        visitor.follows(2 * cards)
        visitor.see("#auction")


def test_choice_of_another_player_leaves_focus_and_selection_alone(arrive: Arrive) -> None:
    party, dice = apart(arrive, "il-principe", 2, 0, {}, {}), Random(4)
    first, second = sorted(party.people, key=lambda one: one.page.locator(".my-turn").count(), reverse=True)
    first.page.keyboard.press("ArrowRight")
    first.page.keyboard.press("Space")
    first.page.locator("#lay").focus()
    second.lay(dice)
    expect(first.page.locator("li.player").filter(has_text=second.name)).to_contain_text("has chosen", timeout=PATIENCE)
    expect(first.page.locator("#lay")).to_be_focused()
    expect(first.page.locator("#hand .pick:checked")).to_have_count(1)
