"""Tables of Patrician can be read and pressed on every screen, and nothing on the map lies on anything else."""

from functools import cache

import pytest
from playwright.sync_api import Browser, expect

from signoria.kernel.language import LANGUAGES, speaking
from tests.e2e.positions import Moment, moments, opened
from tests.e2e.test_legibility import LETTERS, SCREENS, SHOWN, TARGETS, sizes

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("patrician_legibility")]

KINDS = ("play", "build", "move", "messenger", "take")
PHONES = 500
"""Fingers are as large as anywhere on screens up to this width; the map of a tablet is larger than its targets."""
MET = (
    "() => {"
    + SHOWN
    + """
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const riders = [...document.querySelectorAll(".road.across")].map((road) => {
    const { left, right, top, bottom } = road.getBoundingClientRect(), slack = (bottom - top) * 2 / 34;
    return [road.id, { left, right, top: top + slack, bottom: bottom - slack }];
  });
  const marks = [...document.querySelectorAll(".courier > *")].map((part) => [part.parentElement.id, part.getBoundingClientRect()]);
  const on = (within, things) => texts(within).flatMap(({ text, boxes }) =>
    things.filter(([, thing]) => boxes.some((box) => meet(box, thing))).map(([name]) => `${text} lies on ${name}`));
  document.querySelectorAll(".scene").forEach((scene) => scene.remove());
  return [...on("#centre .middle", [...riders, ...marks]), ...[...document.querySelectorAll(".arms")].flatMap((arms) => {
    arms.id = "these-arms";
    const found = on("#these-arms", marks);
    arms.removeAttribute("id");
    return found;
  })];
}"""
)
"""Words on the map where a messenger covers them, or would if it stood on the road there."""
TABLETS = ((768, 1024), (929, 700), (1024, 768), (1180, 820), (1366, 1024))
MISSED = """() => {
  document.querySelectorAll(".scene").forEach((scene) => scene.remove());
  return [...document.querySelectorAll("#board .can")].flatMap((one) => {
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = one.getBoundingClientRect(), [left, top] = [x + width / 2, y + height / 2];
    const missed = [[-20, 0], [20, 0], [0, -20], [0, 20]].filter(([dx, dy]) => document.elementFromPoint(left + dx, top + dy)?.closest("button") !== one);
    return missed.length ? [`${one.className} ${Math.round(width)}x${Math.round(height)} is missed at ${missed}`] : [];
  });
}"""
"""What a finger of 44 pixels does not hit, less what browsers round, whatever the size of its box: some have room around them."""


@cache
def late(players: int) -> dict[str, Moment]:
    """The last position of each kind in a game of so many players: towers, stacks and points are large then."""
    options = {"players": players, "messengers": True, "ambassadors": True}
    return {moment.view.asked: moment for moment in moments("patrician", options, "05")}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 5])
def test_letters_and_targets_are_large(browser: Browser, players: int, kind: str) -> None:
    wrong = {}
    with opened(browser, late(players)[kind].page, has_touch=True) as page:
        for width, height in sizes(page):
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            wrong[width, height] = [
                *page.evaluate(LETTERS),
                *(page.evaluate(TARGETS) if width < PHONES else ()),
                *(["wider than the screen"] if beyond > 0 else []),
            ]
    assert {size: found for size, found in wrong.items() if found} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_chosen_on_a_tablet_is_as_large_as_a_finger(browser: Browser, kind: str) -> None:
    wrong = {}
    with opened(browser, late(2)[kind].page, has_touch=True) as page:
        for size in TABLETS:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            wrong[size] = page.evaluate(MISSED)
    assert {size: found for size, found in wrong.items() if found} == {}


@pytest.mark.parametrize("players", [2, 5])
def test_words_on_the_map_leave_the_roads_to_the_messengers(browser: Browser, players: int) -> None:
    with opened(browser, late(players)["play"].page) as page:
        wrong = {}
        for size in ((1920, 1080), (1440, 1000), *SCREENS[3:]):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            wrong[size] = page.evaluate(MET)
    assert {size: found for size, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_move_list_lies_beside_the_played_card(browser: Browser, language: str) -> None:
    with speaking(language):
        game = moments("patrician", {"players": 2, "messengers": True, "ambassadors": True}, "05")
        shown = next(moment.page for moment in game if moment.view.asked == "build")
    with opened(browser, shown) as page:
        for size in ((929, 768), (1024, 768), (1180, 820), (1280, 800), (1366, 768), (1440, 900)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            card = page.locator(".card.laid").bounding_box()
            words = page.locator("#choices summary").bounding_box()
            assert card
            assert words
            beside = card["x"] + card["width"] <= words["x"] + 3
            assert beside or card["y"] + card["height"] <= words["y"] + 3, size


@pytest.mark.parametrize("kind", KINDS)
def test_hint_moves_no_board_on_a_desktop(browser: Browser, kind: str) -> None:
    with opened(browser, late(2)[kind].page) as page:
        expect(page.locator("#first-time")).to_be_visible()
        tops: dict[tuple[int, int], list[float]] = {}
        for hidden in (False, True):
            page.evaluate("(hidden) => { document.querySelector('#first-time').hidden = hidden; }", hidden)
            for size in ((1024, 768), (1280, 720), (1280, 800), (1440, 900), (1920, 1080)):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                top = page.locator("#board").evaluate("(one) => one.getBoundingClientRect().top + scrollY")
                tops.setdefault(size, []).append(top)
    assert {size: found for size, found in tops.items() if abs(found[0] - found[1]) > 1} == {}
