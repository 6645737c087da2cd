"""Whole games with the keyboard alone, and through the accessibility tree alone, as with a screen reader.

The tree is asked for roles and names; what it does not have cannot be reached. With five players a game is short.
"""

import random
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, Visitor

GAMES = pytest.mark.parametrize("game", ["patrician", "il-principe"])
OPTIONS: dict[str, dict[str, bool]] = {"patrician": {"messengers": True}, "il-principe": {"variant": True}}
WAITING = """async (patience) => {
  const latest = Date.now() + patience, table = () => document.querySelector("#table");
  while (!table().matches(".my-turn, .my-choice, .is-over")) {
    if (Date.now() > latest) throw new Error("the turn does not come");
    await new Promise(requestAnimationFrame);
  }
  return table().matches(".is-over");
}"""
FOCUSED = (
    "() => { const { nodeName, id, className } = document.activeElement; return `${nodeName} #${id} .${className}`; }"
)
TABS = 40
"""How many times a player presses Tab at most to reach a button of the hand."""
MOVES = re.compile(
    r"^(Play|Build on|Move a floor|Take|Place a messenger|Skip move|No messenger|Pass|Not now|Found|Put a crest|Turn up)\b"
)
"""How the names of moves begin in the accessibility tree."""


def decides_or_ends(visitor: Visitor) -> bool:
    """Wait until the visitor has to decide something, or until the game is over; return whether it is over."""
    over: bool = visitor.page.evaluate(WAITING, PATIENCE)
    return over


def tab_to(visitor: Visitor, selector: str) -> None:
    path = []
    for _ in range(TABS):
        if visitor.page.locator(f"{selector}:focus").count():
            return
        visitor.page.keyboard.press("Tab")
        path.append(visitor.page.evaluate(FOCUSED))
    raise AssertionError(f"{selector} cannot be reached with Tab, which led to {', '.join(path)}")


def decide_with_keys(visitor: Visitor, dice: random.Random) -> None:
    page, press = visitor.page, visitor.page.keyboard.press
    if page.locator("#hand .lay").count():
        for _ in range(int(page.locator("#hand [data-most]").get_attribute("data-most") or 0)):
            press("ArrowRight")
            press("Space")
        tab_to(visitor, ".lay")
        press("Enter")
    elif page.locator("#bid-field").count() and dice.random() < 0.3:
        press("0")  # any digit goes to the field of the bid
        page.keyboard.type(page.locator("#bid-field").get_attribute("min") or "")
        press("Enter")
    elif page.locator("#bid-bar").count():
        press("p")
    elif page.locator("#hand .play-it").count():
        press("ArrowRight")
        picks = page.locator(".pick:focus").count()
        press("Space")  # selects a card, or makes the move that has the focus: found a city, or pass
        if picks:
            tab_to(visitor, ".play-it")
            press("Enter")
    else:
        press(str(dice.randint(1, min(9, page.locator("#steps .can[name=step]:not(#choices *):visible").count()))))


@GAMES
def test_whole_game_with_the_keyboard_alone(arrive: Arrive, game: str) -> None:
    anna, dice = arrive(), random.Random(game)
    anna.open_table(game, "me", *["garzone"] * 4, **OPTIONS[game])
    while True:
        if decides_or_ends(anna):
            break
        with anna.answered():
            decide_with_keys(anna, dice)
    anna.see("#over")


def found(visitor: Visitor, dice: random.Random) -> Locator:
    """A move that the tree offers in the hand or on the board, with its name."""
    main = visitor.page.get_by_role("main")
    moves = main.get_by_role("button", name=MOVES, disabled=False)
    expect(moves.first).to_be_attached(timeout=PATIENCE)
    return moves.nth(dice.randrange(moves.count()))


def decide_in_tree(visitor: Visitor, dice: random.Random) -> None:
    hand = visitor.page.get_by_role("region", name="Your hand")
    lay = hand.get_by_role("button", name=re.compile(r"^Lay \d cards? face down$"))
    play = hand.get_by_role("button", name="Play the selected buildings")
    bid = visitor.page.get_by_role("spinbutton", name="Your bid")
    if lay.count():
        count = re.search(r"\d", lay.inner_text())
        assert count
        cards = hand.get_by_role("checkbox", name=re.compile("^Lay "))
        for place in range(int(count[0])):
            cards.nth(place).press("Space")
        lay.press("Enter")
    elif bid.count() and dice.random() < 0.3:
        bid.press("Enter")
    elif play.count() and hand.get_by_role("radio").count():
        hand.get_by_role("radio", name=re.compile("^Select ")).last.press("Space")
        play.press("Enter")
    else:
        found(visitor, dice).press("Enter")


@GAMES
def test_whole_game_through_the_accessibility_tree_alone(arrive: Arrive, game: str) -> None:
    anna, dice = arrive(), random.Random(game)
    anna.open_table(game, "me", *["garzone"] * 4, **OPTIONS[game])
    while True:
        if decides_or_ends(anna):
            break
        expect(anna.page.get_by_role("main").get_by_text(re.compile("^(Your turn|Choose now)$"))).to_be_visible()
        with anna.answered():
            decide_in_tree(anna, dice)
    result = anna.page.get_by_role("region", name="Result")
    expect(result.get_by_role("row", name="Total")).to_be_visible(timeout=PATIENCE)
