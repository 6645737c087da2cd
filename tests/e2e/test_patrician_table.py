"""The table of Patrician in a browser: scenes, hand cards and the running score do not get in each other's way."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from signoria.games.patrician.rulebook.steps import Build, Play
from signoria.web import pages
from tests.e2e.conftest import Arrive
from tests.e2e.screens import PHONE
from tests.e2e.visitors import Visitor
from tests.games.patrician.position import PatricianTable, position
from tests.web.page_models import page

TOP = """(all) => all.every((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [0.1, 0.5, 0.9].every((part) => one.contains(document.elementFromPoint(x + width / 2, y + part * height)));
})"""
"""Whether nothing lies over these elements."""


def show(visitor: Visitor, table: PatricianTable, seat: int, lately: Sequence[Any] = ()) -> Page:
    """Open the page of a hand-made position; live updates do not come."""
    html = pages.table(page(table, seat, lately=tuple(lately), told=len(table.steps)))

    def answer(route: Route) -> None:
        route.fulfill(body=html, content_type="text/html; charset=utf-8")

    visitor.forgives("net::ERR_FAILED", "Failed to fetch", "status of 404")  # this position has no table on the server
    visitor.page.route("**/shown", answer)
    visitor.page.route("**/stream*", lambda route: route.abort())
    visitor.go("/shown")
    return visitor.page


def scored_before_a_move() -> tuple[PatricianTable, Sequence[Any]]:
    """Parma is full, and a floor may be moved in Siena."""
    table = position(hands={0: ["parma-3"]}, towers={"parma": ("01", "22"), "siena": ("0", ""), "lucca": ("10", "")})
    table.apply(Play("parma-3"))
    return table, table.apply(Build(0))


def test_scene_comes_at_once_and_leaves_the_towers_free(arrive: Arrive) -> None:
    shown = show(arrive(), scored_before_a_move()[0], 0, scored_before_a_move()[1])
    expect(shown.locator("#scored-parma")).to_be_visible()
    expect(shown.locator("#scored-parma .why").last).to_be_visible()
    assert shown.locator(".tower.lift.can, .nothing.can").evaluate_all(TOP)


@pytest.mark.parametrize("down", [False, True], ids=["top", "scrolled"])
def test_scene_never_lies_over_a_card_that_can_be_played(arrive: Arrive, down: bool) -> None:
    before = position(hands={2: ["parma-1"], 0: ["roma-1", "siena-1", "lucca-1"]}, towers={"parma": ("01", "22")})
    before.position.state.seat = 2
    before.apply(Play("parma-1"))
    lately = before.apply(Build(0))
    before.position.state.seat, before.position.state.asked = 0, 1
    shown = show(arrive(**PHONE), before, 0, lately)
    expect(shown.locator("#scored-parma")).to_be_visible()
    expect(shown.locator("#hand .card.can")).to_have_count(3)
    if down:
        shown.locator("#board .city").last.evaluate("(city) => city.scrollIntoView({ block: 'end' })")
    assert shown.locator("#hand .card.can").evaluate_all(TOP)


def test_score_of_every_player_stays_in_sight_on_a_phone(arrive: Arrive) -> None:
    shown = show(arrive(**PHONE), position(hands={0: ["roma-1"]}, won={"roma": (1, 0)}), 0)
    for city in shown.locator("#board .city").all():
        city.evaluate("(city) => city.scrollIntoView({ block: 'center' })")
        expect(shown.locator("#standing li")).to_have_count(3)
        for line in shown.locator("#standing li").all():
            expect(line).to_be_in_viewport(ratio=1)
            expect(line).to_contain_text("point")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (1920, 1080)])
def test_card_in_hand_shows_what_it_takes_beside_the_board(arrive: Arrive, size: tuple[int, int]) -> None:
    table = position(hands={0: ["roma-1", "siena-1"]}, display={"roma": "lucca-2", "siena": "parma-1"})
    shown = show(arrive(viewport={"width": size[0], "height": size[1]}), table, 0)
    shown.locator("#card-roma-1").hover()
    expect(shown.locator("#card-lucca-2.led-to")).to_have_count(1)
    expect(shown.locator("#large")).to_contain_text("You take the card at Roma")
    expect(shown.locator("#large")).not_to_contain_text("messenger")
    assert not overlap(shown.locator("#large"), shown.locator("#board"))
    shown.locator("#card-siena-1").hover()
    expect(shown.locator(".led-to")).to_have_count(1)
    expect(shown.locator("#card-parma-1.led-to")).to_have_count(1)


def overlap(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a
    assert b
    across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
    down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
    return across > 0 and down > 0


def test_another_card_is_played_instead_with_one_click(arrive: Arrive) -> None:
    player = arrive()
    player.go("/")
    player.page.locator("form.patrician button.main").click()
    player.see("#table.my-turn #asked", "Which card do you play?")
    n = player.n
    player.page.locator("#hand .card.can").first.click()
    player.follows(n + 1)
    other = player.page.locator("#hand .card.swap").last
    card = other.get_attribute("id")
    other.click()
    player.follows(n + 3)
    player.see("#asked", "On which site")
    assert player.page.locator(f"#hand #{card}").count() == 0
    assert player.page.locator("#hand .card.swap").count() == 2
    assert player.page.locator("#notice").count() == 0
