"""A finished game, step by step."""

import random
import re

import pytest
from playwright.sync_api import expect

from signoria.kernel.language import LANGUAGES
from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, Visitor

OWN = "?seat=0"
"""The replay as its first player sees it."""

MET = """() => {
  const meet = (above, below) => above && below && above.getBoundingClientRect().bottom > below.getBoundingClientRect().top + 2;
  const track = document.querySelector("#points"), board = document.querySelector("#board");
  const said = [...document.querySelectorAll(".role")].filter((role) => meet(role, track)).map((role) => role.id);
  for (const city of document.querySelectorAll(".city-card"))
    if (meet(city.querySelector(".price").lastElementChild, city.querySelector(".vp"))) said.push(city.id);
  return meet(document.querySelector(".head .what"), board) ? [...said, "what"] : said;
}"""
"""What lies on what is below it."""


def finished(visitor: Visitor, game: str) -> str:
    """The table of a game that bots have played to its end."""
    visitor.open_table(game, "me", "garzone", "garzone")
    visitor.see("#table.is-playing")
    visitor.press("Resign")
    visitor.press("Yes, resign")
    visitor.see("#table.is-over #over")
    return visitor.table_id


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_finished_game_can_be_replayed_and_continued(arrive: Arrive, game: str) -> None:
    visitor, friend = arrive(), arrive()
    table_id = finished(visitor, game)
    visitor.press("Replay")
    _at(visitor, table_id, 0, OWN)
    visitor.see("#hand")
    _move_about(visitor, table_id)
    _have_it_explained(visitor)
    _play_by_itself(visitor)
    _see_with_other_eyes(visitor, friend, table_id)
    _play_on(visitor, game)


def test_hand_lies_above_the_controls_of_a_replay_and_nothing_is_covered(arrive: Arrive) -> None:
    visitor = arrive()
    for game in ("patrician", "il-principe"):
        visitor.go(f"/tables/{finished(visitor, game)}/replay/7{OWN}")
        for width, height in ((1024, 768), (1280, 720), (1280, 800), (1366, 768), (1440, 900), (1920, 1080)):
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.page.evaluate("async () => void (await document.fonts.ready)")  # letters have their width
            controls = visitor.page.locator("#walk").bounding_box()
            hand = visitor.page.locator("#hand .card").evaluate_all(
                "all => Math.max(...all.map((card) => card.getBoundingClientRect().bottom))"
            )
            assert controls
            assert hand + 4 < controls["y"], (game, width, height)
            assert visitor.page.evaluate(MET) == [], (game, width, height)


NARROW = """() => [...document.querySelectorAll("#walk :is(.button, button)")].filter((one) => {
  const words = document.createRange(), { left, right } = one.getBoundingClientRect();
  words.selectNodeContents(one);
  return [...words.getClientRects()].some((line) => line.width && (line.left < left + 2 || line.right > right - 2));
}).map((one) => one.innerText)"""
"""Controls whose words touch their frame."""


def test_words_fit_the_controls_of_a_replay_on_a_narrow_phone(arrive: Arrive) -> None:
    table_id = finished(arrive(), "patrician")
    for language in LANGUAGES:
        phone = arrive(locale=language, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
        phone.go(f"/tables/{table_id}/replay/7")
        phone.page.evaluate("async () => void (await document.fonts.ready)")  # letters have their width
        assert phone.page.evaluate(NARROW) == [], language


def _at(visitor: Visitor, table_id: str, n: int, eyes: str = "") -> None:
    """The page shows the position after `n` steps."""
    expect(visitor.page).to_have_url(f"{visitor.address}/tables/{table_id}/replay/{n}{eyes}", timeout=PATIENCE)
    visitor.see(".facts-line", re.compile(rf"move {n} of \d+"))


def _move_about(visitor: Visitor, table_id: str) -> None:
    said = visitor.see(".facts-line").inner_text()
    found = re.search(r"of (\d+)", said)
    assert found
    last = int(found[1])
    visitor.press("Forward")
    _at(visitor, table_id, 1, OWN)
    visitor.see(".happened li")
    for key, n in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("Home", 0)):
        visitor.page.keyboard.press(key)
        _at(visitor, table_id, n, OWN)
    visitor.press("Last")
    _at(visitor, table_id, last, OWN)
    visitor.press("Back")
    _at(visitor, table_id, last - 1, OWN)
    visitor.go(f"/tables/{table_id}/replay/1{OWN}")
    before = visitor.page.locator("#walk").bounding_box(), visitor.page.locator("#board").bounding_box()
    ends = [_turn(visitor, table_id, "Next turn") for _ in range(4)]
    assert ends == sorted(set(ends))
    assert [_turn(visitor, table_id, "Previous turn") for _ in range(3)] == ends[2::-1]
    assert (visitor.page.locator("#walk").bounding_box(), visitor.page.locator("#board").bounding_box()) == before
    visitor.page.locator(".log.long a").nth(60).click()
    current = visitor.page.locator(".log.long .current").last
    expect(current).to_be_visible(timeout=PATIENCE)
    assert current.evaluate("line => line.parentElement.scrollTop") > 0


def _turn(visitor: Visitor, table_id: str, button: str) -> int:
    """Go to another turn; the number of moves there."""
    address = visitor.page.get_by_role("link", name=button, exact=True).get_attribute("href") or ""
    n = int(address.rpartition("/")[2].partition("?")[0])
    visitor.press(button)
    _at(visitor, table_id, n, OWN)
    return n


def _have_it_explained(visitor: Visitor) -> None:
    """What is pointed at is explained as it was at this move, and `?` opens the list there."""
    visitor.page.keyboard.press("Home")
    card = visitor.page.locator("#hand .card").first
    card.hover()
    visitor.see("#large a.clause")
    visitor.page.keyboard.press("?")
    expect(visitor.page.locator("#large")).to_be_hidden()
    visitor.see("#help-beside details[open]")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("#help-beside")).to_be_hidden()


def _play_by_itself(visitor: Visitor) -> None:
    """Autoplay goes forward until it is stopped."""
    at = visitor.page.locator("#range")
    n = int(at.input_value())
    visitor.page.locator("#autoplay").click()
    expect(at).not_to_have_value(str(n), timeout=PATIENCE)
    visitor.page.keyboard.press("Home")
    expect(visitor.page.locator("#autoplay")).to_have_text("Play", use_inner_text=True, timeout=PATIENCE)


def _see_with_other_eyes(visitor: Visitor, friend: Visitor, table_id: str) -> None:
    visitor.go(f"/tables/{table_id}/replay/12?seat=none")
    assert visitor.page.locator("#hand").count() == 0
    visitor.page.locator(".eyes a").first.click()
    _at(visitor, table_id, 12, "?seat=0")
    visitor.see("#hand")
    visitor.press("Forward")
    _at(visitor, table_id, 13, "?seat=0")
    visitor.press("All cards")
    _at(visitor, table_id, 13, "?seat=open")
    assert visitor.page.locator(".player", has_text="Holds").count() == 3
    link = visitor.page.get_by_role("link", name="Link to this position").get_attribute("href")
    assert link
    friend.go(link)
    _at(friend, table_id, 13, "?seat=open")
    assert friend.page.locator("#board").inner_text() == visitor.page.locator("#board").inner_text()


def _play_on(visitor: Visitor, game: str) -> None:
    board = visitor.page.locator("#board").inner_text()
    assert board
    visitor.page.get_by_label("You play").select_option("1")
    visitor.press("Start game")
    visitor.see("#table.my-turn #hand")
    assert visitor.n >= 13
    assert visitor.step(random.Random(game)) >= 14
