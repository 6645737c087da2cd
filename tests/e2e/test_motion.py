"""Pieces that move are seen to move: from where they were, to where they are. Without motion nothing is animated."""

import random
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.e2e.conftest import Arrive
from tests.e2e.screens import DESKTOP, PHONE
from tests.e2e.visitors import POSSIBLE, Visitor

RECORD = """
  window.flown = []; window.heard = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const { x, y, width, height } = this.getBoundingClientRect(), [dx, dy] = (frames[0].translate ?? "0 0").split(" ").map(parseFloat);
    const flight = animate.call(this, frames, options), middle = { x: x + width / 2, y: y + height / 2 };
    flight.pause();
    flight.currentTime = (options.delay ?? 0) + options.duration / 2;
    flown.push({ id: this.id, kind: this.getAttribute("class") ?? "", from: { x: middle.x + dx, y: middle.y + dy }, to: middle });
    return flight;
  };
  addEventListener("click", ({ target }) => {
    const { x, y, width, height } = target.closest("button")?.getBoundingClientRect() ?? {};
    window.clicked = { x: x + width / 2, y: y + height / 2 };
  }, true);
  document.addEventListener("moved", ({ detail }) => heard.push(...detail.sounds));
"""
"""Flights are held halfway, so that how fast a machine is does not matter."""
LAND = """() => {
  for (const flight of document.getAnimations()) if (flight.effect.target.matches(".moving")) flight.finish();
}"""
NOW = "#table.my-turn:not(.is-past)"
CLOSE = 16
"""Pixels: a card that the mouse is on is lifted a little."""
Point = dict[str, float]


def moving(arrive: Arrive, game: str, screen: dict[str, Any], **options: Any) -> Visitor:
    """Somebody at a table with a bot, whose turn it is, and whose flights are recorded."""
    visitor = arrive(**{"reduced_motion": "no-preference", **screen})
    visitor.context.add_init_script(RECORD)
    visitor.open_table(game, "me", "muratore", **options)
    visitor.see(NOW)
    visitor.page.evaluate(LAND)
    return visitor


def middle(what: Locator) -> Point:
    box = what.bounding_box()
    assert box
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def hit(visitor: Visitor, what: Locator) -> None:
    """Click on something; flights from before do not count any more."""
    visitor.page.evaluate("() => { flown.length = 0; }")
    visitor.hit(what)


def flight(visitor: Visitor, piece: str) -> dict[str, Point]:
    """Where a piece set out and where it goes, once it has; it may be overtaken by the same page from elsewhere."""
    visitor.page.wait_for_function("(id) => flown.some((one) => one.id === id)", arg=piece)
    found: dict[str, Point] = visitor.page.evaluate("(id) => flown.find((one) => one.id === id)", piece)
    return found


def close(one: Point, other: Point) -> bool:
    return abs(one["x"] - other["x"]) + abs(one["y"] - other["y"]) <= CLOSE


def within(point: Point, what: Locator) -> bool:
    box = what.bounding_box()
    assert box
    return box["x"] <= point["x"] <= box["x"] + box["width"] and box["y"] <= point["y"] <= box["y"] + box["height"]


def landed(visitor: Visitor, piece: str) -> None:
    """Let all pieces land: this one is in its place, and nothing is left of the flights."""
    visitor.page.evaluate(LAND)
    visitor.page.wait_for_function("() => !document.querySelector('.moving, .leaving')")
    goes = flight(visitor, piece)["to"]
    assert close(middle(visitor.page.locator(f"#{piece}")), goes)


def test_cards_and_floors_of_patrician_come_from_where_they_were(arrive: Arrive) -> None:
    visitor = moving(arrive, "patrician", DESKTOP)
    page = visitor.page
    card = page.locator(f"#hand {POSSIBLE}").first
    name = (card.get_attribute("id") or "").removeprefix("card-")
    lay, n = middle(card), visitor.n
    hit(visitor, card)
    start = flight(visitor, f"laid-{name}")["from"]
    assert close(start, {"x": lay["x"], "y": start["y"]})  # the click may have scrolled the page down

    visitor.follows(n + 1)
    halfway = middle(page.locator(f"#laid-{name}"))
    hit(visitor, page.locator(f"#board {POSSIBLE}").first)
    page.wait_for_function("() => flown.some(({ id }) => id.startsWith('floor-'))")
    floor = page.evaluate("flown.find(({ id }) => id.startsWith('floor-'))")
    assert floor["id"].startswith(f"floor-{name.rpartition('-')[0]}-")
    assert floor["from"]["x"] == pytest.approx(floor["to"]["x"])
    assert floor["from"]["y"] < floor["to"]["y"]
    assert close(flight(visitor, f"laid-{name}")["from"], halfway)  # overtaken: it goes on from where it was
    landed(visitor, f"laid-{name}")

    visitor.press("Undo")
    visitor.see(f"{NOW} #asked", "On which site")
    page.wait_for_function("(id) => !document.getElementById(id)", arg=floor["id"])
    lay = middle(page.locator(f"#laid-{name}"))
    hit(visitor, page.locator("#undo button"))
    assert close(flight(visitor, f"card-{name}")["from"], lay)  # what is taken back goes the way it came
    landed(visitor, f"card-{name}")
    assert {"card", "stone"} <= set(page.evaluate("heard"))


def test_on_a_phone_a_card_goes_to_its_city(arrive: Arrive) -> None:
    visitor = moving(arrive, "patrician", PHONE)
    hit(visitor, visitor.page.locator(f"#hand {POSSIBLE}").first)
    visitor.page.wait_for_function("() => flown.some(({ kind }) => kind.includes('leaving'))")
    left = visitor.page.evaluate("flown.find(({ kind }) => kind.includes('leaving')).from")
    assert close(left, visitor.page.evaluate("clicked"))


def test_what_others_play_comes_from_them_or_from_the_pile(arrive: Arrive) -> None:
    visitor, dice = moving(arrive, "patrician", DESKTOP), random.Random(2)
    page = visitor.page
    page.evaluate("() => { flown.length = 0; }")
    while page.locator(NOW).count():
        visitor.step(dice)
    visitor.see(NOW)
    played = page.evaluate("flown.filter(({ id }) => id.startsWith('card-'))")
    assert any(within(one["from"], page.locator("#player-1")) for one in played)
    pile = middle(page.locator("#pile-backs"))
    assert any(close(one["from"], pile) for one in played)


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_cards_of_il_principe_come_from_the_hand(arrive: Arrive, screen: dict[str, Any]) -> None:
    visitor = moving(arrive, "il-principe", screen)
    page, lay, before, wanted = visitor.page, visitor.page.locator("#steps .lay"), visitor.n, 2
    for place in range(wanted):
        page.locator("#steps .pick").nth(place).press("Space")
    hand = [middle(card) for card in page.locator("#hand label.card").all()]
    hit(visitor, lay)
    visitor.follows(before + wanted)
    start = flight(visitor, "laid-0-0")["from"]
    if screen is PHONE:  # touching the button scrolled the page down, but not to the side
        hand = [{"x": card["x"], "y": start["y"]} for card in hand]
    assert any(close(start, card) for card in hand), (start, hand)


def test_ducats_of_il_principe_come_from_those_who_bid(arrive: Arrive) -> None:
    visitor, dice = moving(arrive, "il-principe", DESKTOP), random.Random(3)
    page, coins = visitor.page, "flown.filter(({ id }) => id.startsWith('coin-'))"
    while not page.evaluate(coins):  # a bid that nobody can raise is not seen
        visitor.see(NOW)
        if (bid := page.locator("#bid-it")).count():
            n = visitor.n
            visitor.hit(bid)
            visitor.follows(n + 1)
        else:
            visitor.step(dice)
    coin = page.evaluate(coins)[0]
    seat = coin["id"].split("-")[1]
    assert within(coin["from"], page.locator(f"#player-{seat}"))
    assert not close(coin["from"], coin["to"])
    assert "coin" in page.evaluate("heard")


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_without_motion_nothing_is_animated(arrive: Arrive, game: str) -> None:
    visitor, dice = moving(arrive, game, {"reduced_motion": "reduce"}), random.Random(4)
    for _ in range(6):
        visitor.see(NOW)
        visitor.step(dice)
    visitor.see(NOW)
    assert visitor.page.evaluate("flown") == []
    assert visitor.page.locator(".moving, .leaving").count() == 0
    assert visitor.page.evaluate("heard.length") > 0
