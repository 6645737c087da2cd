"""Visitors with their own browser. Errors on their pages and requests to other hosts are recorded."""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, WebError, expect

from tests.e2e.servers import SLOW

PATIENCE = SLOW * 1000
USUALLY: dict[str, Any] = {
    "service_workers": "block",
    "viewport": {"width": 1280, "height": 900},
    "reduced_motion": "reduce",
}
"""Without animation, so that click targets stand still; tests of animation turn it on."""
NO_HINTS = "try { localStorage.setItem('signoria.hints', 'off'); } catch {}"
"""Hints for new players make the head of a table taller; tests of hints leave them on."""
POSSIBLE = "button.can[name=step]"
MARKED = f"{POSSIBLE}:not(#choices *):visible"
"""Marked moves on the board, not in the list of texts."""
FOLLOW = """async ([n, patience]) => {
  const latest = Date.now() + patience;
  while (!(Number(document.querySelector("#table")?.dataset.n) >= n)) {
    if (Date.now() > latest) throw new Error(`the page does not follow to ${n}`);
    await new Promise(requestAnimationFrame);
  }
  return (%s)();
}"""
CATCH_UP = """async ([version, patience]) => {
  const latest = Date.now() + patience, parts = (text) => text.split(".").map(Number), wanted = parts(version);
  const older = (shown) => {
    const place = shown.findIndex((part, at) => part !== wanted[at]);
    return shown[place] < wanted[place];
  };
  while (older(parts(document.querySelector("#table").dataset.version))) {
    if (Date.now() > latest) throw new Error(`the page does not show version ${version}`);
    await new Promise(requestAnimationFrame);
  }
}"""
LISTEN = """() => {
  globalThis.tapped = false;
  addEventListener("click", () => (globalThis.tapped = true), { capture: true, once: true });
}"""
TAPPED = """async (patience) => {
  const latest = Date.now() + patience;
  while (!globalThis.tapped && Date.now() < latest) await new Promise(requestAnimationFrame);
  return globalThis.tapped;
}"""
"""A slow browser can mistake a tap for a long press, which is not a click; a person would then tap again."""
SHIFTS = """(() => {
  const all = [], meant = ".card, .scenes, #large, #log li", screen = () => [innerWidth * innerHeight, Math.max(innerWidth, innerHeight)];
  const part = (node) => (node?.nodeType === 1 ? node : node?.parentElement);
  const name = (node) => node ? `${node.nodeName} ${node.id ?? ""} ${part(node)?.getAttribute("class")}` : "gone";
  const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y));
  function keep({ value, sources }) {
    const rest = sources.filter(({ node }) => !part(node)?.closest(meant)), [area, side] = screen();
    if (rest.length < sources.length) {
      const moved = rest.filter(({ previousRect: a, currentRect: b }) => a.width && b.width);
      const touched = moved.map(({ previousRect: a, currentRect: b }) => a.width * a.height + b.width * b.height - shared(a, b));
      const far = moved.map(({ previousRect: a, currentRect: b }) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)));
      value = touched.reduce((sum, one) => sum + one, 0) / area * Math.max(0, ...far) / side;
    }
    const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    if (value) all.push([value, ...rest.map(({ node, previousRect, currentRect }) =>
      `${name(node)}: ${place(previousRect)} > ${place(currentRect)}`)]);
  }
  const fonts = [];  // when letters changed their width because a font had arrived
  document.fonts.addEventListener("loadingdone", () => {
    const frames = [performance.now() - 20, Infinity];
    fonts.push(frames);
    requestAnimationFrame(() => requestAnimationFrame(() => { frames[1] = performance.now(); }));
  });
  const shifted = (entry) => fonts.some(([from, to]) => from <= entry.startTime && entry.startTime <= to) || keep(entry);
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(shifted));
  observer.observe({ type: "layout-shift", buffered: true });
  globalThis.shifts = () => (observer.takeRecords().forEach(shifted), all.splice(0));
})()"""
"""Layout shifts of a page as browsers measure them: the share of the screen that moved times the distance.

Shifts right after a click count too, unlike those of web vitals: what a click makes move is our doing. Cards that go from
hand to table, scenes above the table and lines that push older ones down in the log are meant to move; the rest of such a
frame is reckoned here. What moves because a font arrived late, on a busy machine, is left out.
"""


class Visitor:
    """A visitor with their own browser context and one open page."""

    def __init__(self, browser: Browser, address: str, *, hints: bool = False, **options: Any) -> None:
        self.address, self._fingers = address, bool(options.get("has_touch"))
        self.context = browser.new_context(base_url=address, **{**USUALLY, **options})
        self.context.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        """Errors in the console, pages that failed, requests to other hosts."""
        self._forgiven = ["Service Worker registration blocked by Playwright"]
        self.context.on("console", self._heard)
        self.context.on("weberror", self._failed)
        self.context.on("request", self._asked)
        self.context.add_init_script(SHIFTS)
        if not hints:
            self.context.add_init_script(NO_HINTS)
        self.page = self.context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(re.search(text, message.text) for text in self._forgiven):
            self.wrong.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, error: WebError) -> None:
        self.wrong.append(str(error.error))

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.address}/", "data:", "blob:")):
            self.wrong.append(f"a request to another host: {request.url}")

    def forgives(self, *texts: str) -> None:
        """From now on, ignore the browser's own messages about error responses or missing responses."""
        self._forgiven += texts

    def go(self, path: str) -> None:
        """Open a page."""
        self.page.goto(path)

    def take_over_the_clock(self) -> None:
        """From now on, the test decides how the page's time passes.

        Only once its stream is open: a request that waits would be given up as too slow when the time jumps.
        """
        self.page.wait_for_function("document.querySelector('#live')?._htmx?.sse?.status")
        self.page.clock.install()

    def see(self, selector: str, text: str | re.Pattern[str] = "") -> Locator:
        """Wait until an element with this text is visible and the scripts of its page are loaded.

        A click or a key before that does what the page does without scripts: it opens a new page, or nothing.
        """
        found = self.page.locator(selector).first
        expect(found).to_be_visible(timeout=PATIENCE)
        if text:
            expect(found).to_contain_text(text, timeout=PATIENCE)
        self.page.wait_for_load_state()
        return found

    def hit(self, what: Locator) -> None:
        """Click or tap; nothing may cover the element."""
        if not self._fingers:
            return what.click()
        what.evaluate("(what) => what.scrollIntoView({ block: 'center' })")  # as a person would scroll
        for _ in range(3):
            self.page.keyboard.press("Shift")  # any key closes a card enlarged by accident
            self.page.evaluate(LISTEN)
            what.tap()
            if self.page.evaluate(TAPPED, 3000):
                return None
        raise AssertionError("no touch was taken for a tap")

    def press(self, name: str, within: str = "main") -> None:
        """Click on the element with exactly this visible text."""
        said = re.compile(rf"^\s*{re.escape(name)}\s*(:.*)?$")
        self.page.locator(within).locator("button, a, summary").filter(has_text=said, visible=True).first.click()

    @property
    def name(self) -> str:
        """The visitor's name."""
        return self.page.locator('header a[href="/account"]').inner_text()

    def open_table(self, game: str, *chairs: str, **fields: str | bool) -> str:
        """Open a table with the form and return its id. Seats are me, open, device, or a bot's level."""
        self.go(f"/tables/new?game={game}")
        self.page.locator(f"input[name=seats][value='{len(chairs)}']").check()
        for seat, chair in enumerate(chairs):
            self.page.locator(f"#seat-{seat}").select_option(chair)
        for name, value in fields.items():
            field = self.page.locator(f"[name='{name}']")
            if isinstance(value, bool):
                field.set_checked(value)
            elif name.startswith("name-"):
                field.fill(value)
            else:
                field.select_option(value)
        self.press("Open table")
        self.see("#table")
        return self.table_id

    # At a table

    @property
    def table_id(self) -> str:
        """The table whose page is open."""
        return self.page.url.partition("/tables/")[2].partition("/")[0].partition("?")[0]

    @property
    def n(self) -> int:
        """Number of steps in the position that the page shows."""
        return int(self.page.locator("#table").get_attribute("data-n") or 0)

    def follows(self, n: int, look: str = "() => null") -> Any:
        """Wait until the page shows at least `n` steps; return what `look` finds then."""
        return self.page.evaluate(FOLLOW % look, [n, PATIENCE])

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Make a move within; at the end, wait until the page shows at least the server's answer.

        Where several people choose at the same time, their moves change the number of steps, too.
        """
        with self.page.expect_response(lambda answer: answer.request.method == "POST") as answer:
            yield
        version = re.search(r'<main id="table"[^>]* data-version="([^"]*)"', answer.value.text())
        assert version, answer.value.text()
        self.page.evaluate(CATCH_UP, [version[1], PATIENCE])

    def targets(self, within: str = "#steps") -> list[dict[str, Any]]:
        """The moves that can be clicked, once for every place."""
        values = self.page.locator(f"{within} {POSSIBLE}").evaluate_all("all => all.map(one => one.value)")
        return [json.loads(value) for value in values]

    def step(self, dice: random.Random, within: str = "#steps") -> int:
        """Click on a marked move and wait for the result; return the number of steps."""
        if self.page.locator(f"{within} .lay").count():
            with self.answered():
                self.lay(dice, within)
            return self.n
        marked, choices = self.page.locator(f"{within} {MARKED}"), self.page.locator(f"{within} .pick")
        place = dice.randrange(marked.count() + choices.count())
        with self.answered():
            if place < marked.count():
                self.hit(marked.nth(place))
            else:
                choices.nth(place - marked.count()).press("Space")
                self.hit(self.page.locator(f"{within} .play-it"))
        return self.n

    def lay(self, dice: random.Random, within: str = "#steps") -> int:
        """Select the required number of cards with keys and lay them face down together; return the number."""
        ticks, button = self.page.locator(f"{within} .pick"), self.page.locator(f"{within} .lay")
        words = re.search(r"\d+", button.inner_text())
        assert words
        places = dice.sample(range(ticks.count()), int(words[0]))
        for place in places:
            ticks.nth(place).press("Space")
        self.hit(button)
        return len(places)

    def shifts(self) -> list[list[Any]]:
        """The layout shifts since the last call, with the elements that moved."""
        shifts: list[list[Any]] = self.page.evaluate("() => shifts()")
        return shifts
