"""Tables of Il Principe can be read and pressed on every screen: letters, targets, nothing cut off, regions painted at once."""

import base64
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from signoria.games.il_principe.board.stage import RAISES
from signoria.kernel.language import LANGUAGES, speaking
from tests.e2e.positions import Moment, moments, opened
from tests.e2e.screens import DARK, LIGHT
from tests.e2e.visitors import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("legibility")]

SCREENS = ((360, 740), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1280, 720), (1440, 900))
KINDS = ("offer", "bid", "role", "found", "crest", "crest anywhere", "act", "turn")
REGIONS = ("blue", "yellow", "green", "red", "violet", "white")

SHOWN = """
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest("defs, .sprite, [hidden]");
  const clipped = (one) => { for (let e = one; e; e = e.parentElement) if (getComputedStyle(e).clipPath === "inset(50%)") return true; return false; };
  const texts = (within) => {
    const found = [], walk = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest("script, option") || !seen(parent) || clipped(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(({ width }) => width);
      if (boxes.length) found.push({ parent, text: node.data.trim(), boxes });
    }
    return found;
  };
"""
LETTERS = (
    "() => {"
    + SHOWN
    + """
  const small = [];
  for (const { parent, text } of texts("#table")) {
    const drawing = parent.closest("svg"), scale = drawing ? parent.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < 11.99) small.push(`${text} ${size} ${parent.outerHTML.slice(0, 80)}`);
  }
  for (const use of document.querySelectorAll("#table svg.face > use[href^='#d-c-']")) {  // the names on cards
    const face = use.parentElement, size = parseFloat(getComputedStyle(face).getPropertyValue("--k-name") || 0);
    const shown = size * face.getBoundingClientRect().width / 84;
    if (seen(face) && size && shown < 11.99) small.push(`the name on a card ${shown}`);
  }
  for (const mile of document.querySelectorAll(".mile:first-of-type")) {
    const track = parseFloat(getComputedStyle(mile).fontSize) * document.querySelector("#points").getBoundingClientRect().width / 1100;
    if (track < 11.99) small.push(`the track of points ${track}`);
  }
  return small;
}"""
)
TARGETS = (
    "() => {"
    + SHOWN
    + """
  const all = document.querySelectorAll("#table :is(button, a.button, select, summary, input:not([type=hidden]))");
  return [...all].flatMap((one) => {
    const target = one.matches("[type=checkbox], [type=radio]") ? (one.closest("label") ?? one.labels[0] ?? one) : one;
    const { width, height } = target.getBoundingClientRect();
    const fine = !seen(target) || clipped(target) || !width || (width >= 43.9 && height >= 43.9);
    return fine ? [] : [`${Math.round(width)}x${Math.round(height)} ${target.outerHTML.slice(0, 110)}`];
  });
}"""
)
CUT = (
    "() => {"
    + SHOWN
    + """
  const sheets = ".head .what, .agenda, .floor, .city-card, .role, .quick button, .floor .voice, .bid-bar, .mine, #board";
  const outside = ({ left, right, top, bottom }, box, play) =>
    left < box.left - play || right > box.right + play || top < box.top - play || bottom > box.bottom + play;
  const cut = [];
  for (const { parent, text, boxes } of [...texts("#board"), ...texts(".mine")]) {
    if (parent.closest(".cards, .choices, .scenes")) continue;  // cards scroll
    for (let box = parent.closest(sheets); box; box = box.parentElement?.closest(sheets)) {
      const edges = box.getBoundingClientRect(), out = boxes.find((one) => outside(one, edges, 4));
      if (out) cut.push(`${text} is outside ${box.className || box.id}: ${Math.round(out.left)} ${Math.round(out.top)} ${Math.round(out.right)} ${Math.round(out.bottom)} / ${Math.round(edges.left)} ${Math.round(edges.top)} ${Math.round(edges.right)} ${Math.round(edges.bottom)}`);
    }
  }
  for (const part of document.querySelectorAll("#board :is(.agenda, .floor, .happening, .bid-bar, .city-card, .role, .display, .office)"))
    if (seen(part) && (part.scrollWidth > part.clientWidth + 3 || part.scrollHeight > part.clientHeight + 3))
      cut.push(`${part.className} ${part.id} has more than fits: ${part.scrollWidth}x${part.scrollHeight} in ${part.clientWidth}x${part.clientHeight}`);
  for (const card of document.querySelectorAll(".city-card")) {
    const [where, note] = [".where", ".note"].map((part) => card.querySelector(part).getBoundingClientRect());
    if (where.bottom > note.top + 2) cut.push(`the regions of ${card.id} are covered`);
  }
  for (const role of document.querySelectorAll(".role")) {
    const [ability, claim] = [".ability", ".claim"].map((part) => role.querySelector(part).getBoundingClientRect());
    if (ability.bottom > claim.top + 2) cut.push(`the ability of ${role.id} is covered`);
  }
  return cut;
}"""
)
REACHED = """() => document.querySelectorAll(".scene").forEach((scene) => scene.removeAttribute("open")) ?? [...document.querySelectorAll("#hand .cards .card")].filter((card) => {
  card.scrollIntoView({ block: "nearest", inline: "center" });
  const { x, y, width, height } = card.getBoundingClientRect();
  return !card.contains(document.elementFromPoint(x + Math.min(width, 44) / 2, y + height / 2));
}).map((card) => card.id)"""


def kind_of(view: Any) -> str:
    """What is asked; auctions of roles and crests of roles are kinds of their own."""
    if view.asked == "bid" and not view.auction.cards:
        return "role"
    return "crest anywhere" if view.asked == "crest" and not view.founding else str(view.asked)


@cache
def late(players: int) -> dict[str, Moment]:
    """The last position of each kind in games of so many players: hands, buildings and points are large then."""
    found: dict[str, Moment] = {}
    for seed in ("05", "03"):
        for moment in moments("il-principe", {"players": players}, seed):
            kind, view = kind_of(moment.view), moment.view
            if kind not in found or (view.round > 1 and (kind != "bid" or len(view.what_if.bids) > RAISES)):
                found[kind] = moment
        if set(KINDS) <= set(found):
            break
    return found


def sizes(page: Page) -> Iterator[tuple[int, int]]:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        yield width, height


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 5])
def test_letters_and_targets_are_large_and_nothing_is_cut(browser: Browser, players: int, kind: str) -> None:
    moment = late(players).get(kind)
    if moment is None:
        pytest.skip(f"no {kind} in these games")
    wrong = {}
    with opened(browser, moment.page, has_touch=True) as page:
        for size in sizes(page):
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            wrong[size] = [
                *page.evaluate(LETTERS),
                *page.evaluate(TARGETS),
                *page.evaluate(CUT),
                *(f"{card} cannot be reached" for card in page.evaluate(REACHED)),
                *(["wider than the screen"] if beyond > 0 else []),
            ]
    assert {size: found for size, found in wrong.items() if found} == {}


@cache
def foundings() -> list[Moment]:
    """Someone may found a city: the last position before the last round, and one in it, with five players."""
    found = {
        bool(moment.view.last_round): moment
        for moment in moments("il-principe", {"players": 5}, "05")
        if moment.view.asked == "found"
    }
    assert set(found) == {False, True}
    return list(found.values())


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_agenda_and_cities_have_room_in_every_language(browser: Browser, language: str) -> None:
    cut = {}
    for moment in foundings():
        with speaking(language):
            shown = moment.page
        with opened(browser, shown, has_touch=True) as page:
            for size in sizes(page):
                cut[moment.view.last_round, size] = page.evaluate(CUT)
    assert {where: found for where, found in cut.items() if found} == {}


def test_no_question_moves_the_board(browser: Browser) -> None:
    tops: dict[tuple[int, int], dict[str, float]] = {}
    for kind, moment in late(5).items():
        with opened(browser, moment.page) as page:
            # Hints for new players are above the board.
            page.evaluate("document.querySelector('#first-time')?.remove()")
            for width, height in ((390, 844), (1024, 768), (1280, 800)):
                page.set_viewport_size({"width": width, "height": height})
                top = page.locator("#board").evaluate("(one) => one.getBoundingClientRect().top + scrollY")
                tops.setdefault((width, height), {})[kind] = top
    assert {size: found for size, found in tops.items() if len(set(found.values())) > 1} == {}
    assert len(tops) == 3


@pytest.mark.parametrize("players", [2, 5])
def test_lot_bidders_and_bids_are_together_and_large(browser: Browser, players: int) -> None:
    moment = late(players)["bid"]
    with opened(browser, moment.page) as page:
        for width, height in sizes(page):
            floor, map_box = page.locator("#floor").bounding_box(), page.locator("#map").bounding_box()
            assert floor
            assert map_box
            for part in ("#auction", "#voices", "#bids", "#quick", "#do-nothing", "#what-if"):
                expect(page.locator(f"#floor {part}")).to_be_visible()
            if width >= 929:  # it lies on the map
                assert floor["width"] * floor["height"] > 0.18 * width * height
                assert floor["width"] * floor["height"] > 0.75 * map_box["width"] * map_box["height"]
            else:
                assert floor["width"] > 0.85 * width
                assert floor["y"] + floor["height"] > map_box["y"] + map_box["height"] / 3
        seats = page.locator("#voices .voice").evaluate_all("all => all.map(({ id }) => id)")
        assert seats == [f"voice-{seat}" for seat in range(players)]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_effect_of_a_play_lies_above_its_buttons(browser: Browser, language: str) -> None:
    with speaking(language):
        shown = late(5)["act"].page
    with opened(browser, shown) as page:
        for width, height in SCREENS[3:]:
            page.set_viewport_size({"width": width, "height": height})
            picks = page.locator("#hand .pick")
            for place in range(picks.count()):
                picks.nth(place).evaluate("(pick) => { pick.checked = true; }")
                effect = page.locator(".play-effect:visible").bounding_box()
                assert effect
                for button in ("#play-it", "#do-nothing"):
                    box = page.locator(button).bounding_box()
                    assert box
                    assert effect["y"] + effect["height"] <= box["y"] + 3, (width, height, button)


@pytest.mark.parametrize("hint", [True, False], ids=["hint", "no hint"])
def test_track_of_points_lies_above_the_hand(browser: Browser, hint: bool) -> None:
    with opened(browser, late(5)["bid"].page) as page:
        if hint:
            expect(page.locator("#first-time")).to_be_visible()
        else:
            page.evaluate("document.querySelector('#first-time')?.remove()")
        for width, height in ((1280, 720), (1280, 800), (1280, 830), (1280, 845), (1366, 768), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            track, hand = page.locator("#points").bounding_box(), page.locator(".mine").bounding_box()
            assert track
            assert hand
            assert track["y"] + track["height"] <= hand["y"], (width, height)


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_five_players_are_seen_beside_the_table(browser: Browser, language: str) -> None:
    with speaking(language):
        shown = next(iter(moments("il-principe", {"players": 5}, "05"))).page
    with opened(browser, shown) as page:
        page.evaluate("async () => void (await document.fonts.ready)")  # letters have their width
        for width, height in ((1280, 800), (1440, 900), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            last = page.locator("#players .player").last.bounding_box()
            assert last
            assert last["y"] + last["height"] <= height, (width, height)


HINTED = {"offer", "bid", "act", "found"}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_track_of_points_lies_above_the_hand_with_every_hint(browser: Browser, language: str) -> None:
    met: dict[str, str] = {}
    with speaking(language):
        for moment in moments("il-principe", {"players": 4}, "03"):
            met.setdefault(moment.view.asked, moment.page)
            if met.keys() >= HINTED:
                break
    covered = []
    for asked, shown in met.items():
        with opened(browser, shown, has_touch=True) as page:
            expect(page.locator("#first-time")).to_be_visible()
            page.evaluate("async () => void (await document.fonts.ready)")  # letters have their width
            for width, height in ((1024, 768), (1280, 720), (1280, 800), (1366, 768), (1440, 900)):
                page.set_viewport_size({"width": width, "height": height})
                track, hand = page.locator("#points").bounding_box(), page.locator(".mine").bounding_box()
                assert track
                assert hand
                if track["y"] + track["height"] > hand["y"]:
                    covered.append((asked, width, height))
    assert covered == []


def test_caption_of_the_last_move_does_not_cover_the_question(browser: Browser) -> None:
    caption = "Bianca (Visconti) wins 2 yellow cards for 3 ducats."
    with opened(browser, late(5)["bid"].page) as page:
        page.evaluate("text => { story.hidden = false; story.firstChild.textContent = text; }", caption)
        for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            story, asked = page.locator("#story").bounding_box(), page.locator("#asked").bounding_box()
            assert story
            assert asked
            assert story["y"] + story["height"] <= asked["y"], (width, height)


def test_what_a_bid_leaves_follows_the_field(browser: Browser) -> None:
    moment = late(5)["bid"]
    effects = moment.view.what_if.bids
    with opened(browser, moment.page) as page:
        said = page.locator("#bid-effect")
        expect(said).to_contain_text(f"Bid {effects[0].ducats}, keep {effects[0].keeps}")
        page.locator("[data-raise='1']").click()
        expect(said).to_contain_text(f"Bid {effects[1].ducats}, keep {effects[1].keeps}")
        page.locator("#bid-field").fill(str(effects[-1].ducats))
        expect(said).to_contain_text(f"keep {effects[-1].keeps}")


HEADER = """() => [...document.querySelectorAll("header.top :is(a, summary)")].flatMap((one) => {
  const { width, height } = one.getBoundingClientRect();
  return !width || (width >= 43.9 && height >= 43.9) ? [] : [`${one.textContent.trim()} ${Math.round(width)}x${Math.round(height)}`];
})"""


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_header_can_be_pressed_with_a_finger(browser: Browser, language: str) -> None:
    with speaking(language):
        page_of_a_table = next(iter(moments("il-principe", {"players": 2}, "05"))).page
    wrong = {}
    with opened(browser, page_of_a_table, has_touch=True) as page:
        for width, height in sizes(page):
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            wrong[width, height] = [*page.evaluate(HEADER), *(["wider than the screen"] if beyond > 0 else [])]
    assert {size: found for size, found in wrong.items() if found} == {}


BARS = """(seats) => {
  const light = ([r, g, b]) => [r, g, b].map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [.2126, .7152, .0722][at], 0);
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const seen = (colour) => (pen.fillStyle = colour, pen.fillRect(0, 0, 1, 1), light([...pen.getImageData(0, 0, 1, 1).data].map((part) => part / 255)));
  const panel = document.createElement("section");
  panel.className = "panel";
  panel.innerHTML = `<ol class="race">${seats.map((seat) => `<li class="w${seat}"><svg><rect width="9" height="9"/></svg></li>`).join("")}</ol>`;
  document.querySelector("#table").append(panel);
  const sheet = seen(getComputedStyle(panel).backgroundColor);
  return [...panel.querySelectorAll("rect")].map((bar) => {
    const shown = seen(getComputedStyle(bar).fill);
    return (Math.max(shown, sheet) + .05) / (Math.min(shown, sheet) + .05);
  });
}"""


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_bars_at_the_end_stand_out_at_night(browser: Browser, game: str) -> None:
    moment = next(iter(moments(game, {"players": 2}, "05")))
    with opened(browser, moment.page, **DARK) as page:
        assert min(page.evaluate(BARS, list(range(5)))) > 1.8


@cache
def founding(regions: int) -> tuple[Moment, Moment]:
    """A position in which a city with so many regions is founded, and the next one, in which its crests are placed."""
    before: Moment | None = None
    for seed in ("05", "03", "04", "06"):
        for moment in moments("il-principe", {"players": 3}, seed):
            city = next((city for city in moment.view.components.cities if city.id == moment.view.founding), None)
            if before and not before.view.founding and city and len(city.regions) == regions:
                return before, moment
            before = moment
    raise AssertionError("no such city was founded")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("light", [LIGHT, DARK], ids=["day", "night"])
def test_regions_for_crests_are_painted_at_once(browser: Browser, width: int, light: Any) -> None:
    """After a founding, without the mouse: regions that touch the city show their colour, and the others fade."""
    before, after = founding(3)
    city = next(city for city in after.view.components.cities if city.id == after.view.founding)
    with opened(
        browser, before.page, lambda: after.fragment, viewport={"width": width, "height": 844}, **light
    ) as page:
        page.locator(f"button.can[value*='{city.id}']:visible").first.evaluate("(one) => one.click()")
        expect(page.locator(".region.can")).to_have_count(3, timeout=PATIENCE)
        painted = colours(page)
        page.evaluate("document.querySelectorAll('.shape').forEach((shape) => shape.remove())")
        bare, own = colours(page), page.evaluate(OWN, REGIONS)
        for region in REGIONS:
            closer = distance(painted[region], own[region]) < 0.75 * distance(bare[region], own[region])
            assert closer is (region in city.regions), (region, painted[region], bare[region], own[region])


@pytest.mark.parametrize("light", [LIGHT, DARK], ids=["day", "night"])
def test_all_regions_keep_their_colours_when_a_crest_can_go_anywhere(browser: Browser, light: Any) -> None:
    moment = late(5)["crest anywhere"]
    with opened(browser, moment.page, viewport={"width": 1280, "height": 800}, **light) as page:
        fills = [
            page.locator(f"#region-{region} > .shape").evaluate("(one) => getComputedStyle(one).fill")
            for region in REGIONS
        ]
        assert len(set(fills)) == len(REGIONS)
        expect(page.locator(".region.can > .shape")).to_have_count(len(REGIONS))


OWN = """(regions) => Object.fromEntries(regions.map((region) => {
  const letter = document.body.appendChild(document.createElement("i"));
  letter.style.color = `var(--t-${region})`;
  return [region, getComputedStyle(letter).color.match(/\\d+/g).map(Number)];
}))"""
PLACES = """(regions) => {
  const map = document.querySelector("#map"), drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  map.scrollIntoView({ block: "center", behavior: "instant" });
  document.body.append(drawing);
  const box = map.getBoundingClientRect(), scale = box.width / 690, free = (x, y) => !document.elementsFromPoint(x, y)
    .some((one) => one.closest(".town, .name, .heap, .gain, .mine, .head, .scene, .agenda, .city-card, .title, .piles"));
  const found = Object.fromEntries(regions.map((region) => {
    const path = document.querySelector(`#d-ground-${region}`).cloneNode(), places = [];
    drawing.append(path);
    for (let x = 90; x < 680; x += 7)
      for (let y = 60; y < 600; y += 7) {
        const inside = [[-12, 0], [12, 0], [0, -12], [0, 12]].every(([dx, dy]) => path.isPointInFill(new DOMPoint(x + dx, y + dy)));
        const [left, top] = [box.left + x * scale, box.top + y * scale];
        if (inside && top > 0 && top < innerHeight && free(left, top)) places.push([left, top]);
      }
    return [region, places];
  }));
  drawing.remove();
  return found;
}"""
PIXELS = """async ([image, places]) => {
  const bytes = Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  pen.drawImage(bitmap, 0, 0);
  const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
  return Object.fromEntries(Object.entries(places).map(([region, points]) => {
    const seen = points.map(([x, y]) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data]);
    return [region, [0, 1, 2].map((part) => middle(seen.map((pixel) => pixel[part])))];
  }));
}"""


def colours(page: Page) -> dict[str, list[int]]:
    """The middle of the colours in which each region is painted on the screen, where nothing else covers it."""
    places = page.evaluate(PLACES, REGIONS)
    assert all(len(points) > 3 for points in places.values()), {name: len(points) for name, points in places.items()}
    image, browser = page.screenshot(), page.context.browser
    assert browser
    other = browser.new_page()
    found: dict[str, list[int]] = other.evaluate(PIXELS, [base64.b64encode(image).decode(), places])
    other.close()
    return found


def distance(one: list[int], other: list[int]) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))
