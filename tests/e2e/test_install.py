"""The installed app: the shell and the rules open without a network, and a move made then is refused clearly."""

import random
import re

from playwright.sync_api import expect

from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, POSSIBLE, Visitor

UNREACHABLE = r"net::ERR_|Failed to fetch|status of 503|htmx|Failed to load resource"
CONTROLLED = """(patience) => new Promise((ready, fail) => {
  setTimeout(() => fail(new Error("no service worker controls the page")), patience);
  navigator.serviceWorker.addEventListener("controllerchange", () => ready(true));
  if (navigator.serviceWorker.controller) ready(true);
})"""
"""Waits until the service worker controls the page."""
LIVE = "() => document.querySelector('#live')._htmx?.sse?.reader"
"""The stream has been answered: from now on it brings notifications."""
HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
LISTEN = """() => {
  const { showNotification } = ServiceWorkerRegistration.prototype;
  globalThis.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    shown.push(options.body);
    return showNotification.call(this, title, options);
  };
}"""
"""Keeps what the page asks the browser to show. Once in three runs of all tests, Chromium's own list stayed empty."""


def install(visitor: Visitor) -> None:
    """Open the lobby, and wait for the service worker there: a page that is still loading when it starts is not controlled."""
    visitor.go("/")
    assert visitor.page.evaluate(CONTROLLED, PATIENCE)


def test_shell_and_rules_open_without_a_network(arrive: Arrive) -> None:
    visitor = arrive(service_workers="allow")
    install(visitor)
    visitor.forgives(UNREACHABLE)
    visitor.context.set_offline(True)
    visitor.page.goto(f"{visitor.address}/rules/patrician")
    visitor.see("#rules h1", re.compile("Patrician"))
    loaded = visitor.page.evaluate("getComputedStyle(document.querySelector('header.top')).display")
    assert loaded != "block", "the style sheet is missing"
    visitor.page.goto(f"{visitor.address}/tables/new")
    visitor.see("#offline #says", re.compile("did not arrive"))
    visitor.page.get_by_role("link", name=re.compile("Rules of Il Principe")).last.click()
    visitor.see("#rules h1", re.compile("Il Principe"))
    visitor.context.set_offline(False)
    visitor.go("/")
    visitor.see("#lobby")


def test_move_made_offline_is_refused_and_can_be_made_later(arrive: Arrive) -> None:
    visitor = arrive(service_workers="allow")
    install(visitor)
    visitor.page.locator("form.patrician button.main").click()
    visitor.see("#table")
    expect(visitor.page.locator("#table.my-turn")).to_have_count(1, timeout=PATIENCE)
    n = visitor.n
    visitor.forgives(UNREACHABLE)
    visitor.context.set_offline(True)
    visitor.page.locator(f"#steps {POSSIBLE}:visible").first.click()
    expect(visitor.page.locator("#connection")).to_contain_text("no move was made", timeout=PATIENCE)
    assert visitor.n == n
    visitor.context.set_offline(False)
    visitor.step(random.Random(1))
    assert visitor.n > n


def test_background_page_shows_a_notification_and_the_icon_says_whose_turn_it_is(arrive_notified: Arrive) -> None:
    host, guest = arrive_notified(permissions=["notifications"], service_workers="allow"), arrive_notified()
    install(host)
    host.open_table("patrician", "me", "open")
    host.see("#waiting")
    host.page.evaluate("localStorage.setItem('signoria.notify', JSON.stringify(['seat', 'turn', 'chat']))")
    host.page.wait_for_function(LIVE)
    host.page.evaluate(LISTEN)
    host.page.evaluate(HIDE)
    guest.go(f"/tables/{host.table_id}")
    guest.page.get_by_role("button", name="Sit here").first.click()
    host.page.wait_for_function("() => shown.length", timeout=PATIENCE)
    [body] = host.page.evaluate("shown")
    assert body.endswith("sits down at your table of Patrician.")
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing")
    for visitor in (host, guest):
        name = "favicon-turn" if visitor.page.locator("#table.my-turn").count() else "favicon"
        expect(visitor.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile(rf"/{name}\.svg"))
