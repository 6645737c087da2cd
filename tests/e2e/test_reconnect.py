"""After a lost connection the page says so and reconnects automatically, and nothing is lost."""

import random

from tests.e2e.conftest import Arrive
from tests.e2e.servers import ServerProcess
from tests.e2e.visitors import POSSIBLE, Visitor

LISTEN = """() => {
  const banner = document.querySelector("#connection");
  window.said = [];
  new MutationObserver(() => said.push(banner.textContent)).observe(banner, { childList: true });
}"""
"""Records the text of the banner, which disappears after a while. Reloading the page clears the record."""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Simulates a tab that is hidden by another."""
UNREACHABLE = r"net::ERR_|Failed to fetch|status of 503|htmx"
"""Console messages of the browser about missing responses."""


def test_game_continues_after_the_server_was_killed(arrive_at_own: Arrive, own_server: ServerProcess) -> None:
    host, guest = _two_playing(arrive_at_own)
    dice = random.Random(3)
    for _ in range(4):
        _go_on(host, guest, dice)
    n = host.n
    asked = host if host.page.locator("#table.my-turn").count() else guest

    host.forgives(UNREACHABLE)
    guest.forgives(UNREACHABLE)
    own_server.kill()
    for visitor in (host, guest):
        _says(visitor, "Connection lost")
    asked.page.locator(
        f"#steps {POSSIBLE}:visible"
    ).first.click()  # the request does not arrive, and repeating it loses nothing
    own_server.open()
    for visitor in (host, guest):
        _says(visitor, "Reconnected")
    for visitor in (host, guest):
        assert visitor.n == n
    for _ in range(4):
        _go_on(host, guest, dice)
    _not_loaded_again(host, guest)


def test_page_catches_up_after_a_network_failure(arrive: Arrive) -> None:
    host, guest = _two_playing(arrive)
    dice = random.Random(4)
    while host.page.locator("#table.my-turn").count() == 0:
        _go_on(host, guest, dice)
    guest.forgives(UNREACHABLE)
    guest.context.set_offline(True)
    _says(guest, "Connection lost")
    n = host.step(dice)
    guest.context.set_offline(False)
    guest.follows(n)
    _says(guest, "Reconnected")
    for _ in range(3):
        _go_on(host, guest, dice)
    _not_loaded_again(host, guest)


def test_move_that_did_not_arrive_can_be_clicked_again(arrive: Arrive) -> None:
    host, guest = _two_playing(arrive)
    asked = host if host.page.locator("#table.my-turn").count() else guest
    n = asked.n
    asked.forgives(UNREACHABLE)
    asked.page.route("**/steps", lambda route: route.abort())
    asked.page.locator(f"#steps {POSSIBLE}:visible").first.click()
    _says(asked, "Could not reach the server")
    asked.page.unroute("**/steps")
    asked.page.locator(f"#steps {POSSIBLE}:visible").first.click()
    for visitor in (host, guest):
        visitor.follows(n + 1)
    _says(asked, "Reconnected")
    _not_loaded_again(host, guest)


def test_many_tabs_do_not_block_each_other(arrive: Arrive) -> None:
    host = arrive()
    host.open_table("patrician", "me", "open")
    tabs = [host.page]
    for _ in range(7):  # browsers open at most six connections to a server
        tabs[-1].evaluate(HIDE, True)
        tabs.append(host.context.new_page())
        tabs[-1].goto(host.page.url)
    tabs[-1].evaluate(HIDE, True)
    tabs[0].evaluate(HIDE, False)
    tabs[0].locator("button", has_text="Leave seat").click()
    tabs[0].locator("button", has_text="Sit here").first.wait_for()
    tabs[-2].locator("button", has_text="Sit here").first.wait_for()  # hidden, but not long enough to be suspended


def _two_playing(arrive: Arrive) -> tuple[Visitor, Visitor]:
    host, guest = arrive(), arrive()
    guest.go(f"/tables/{host.open_table('patrician', 'me', 'open')}")
    guest.press("Sit here")
    host.press("Start the game")
    for visitor in (host, guest):
        visitor.see("#table.is-playing #hand")
        visitor.page.evaluate(LISTEN)
    return host, guest


def _go_on(host: Visitor, guest: Visitor, dice: random.Random) -> None:
    """One step by the player whose turn it is, shown on both pages."""
    asked, waits = (host, guest) if host.page.locator("#table.my-turn").count() else (guest, host)
    waits.follows(asked.step(dice))


def _says(visitor: Visitor, words: str) -> None:
    visitor.page.wait_for_function("words => said.some(one => one.startsWith(words))", arg=words)


def _not_loaded_again(*visitors: Visitor) -> None:
    for visitor in visitors:
        assert visitor.page.evaluate("Array.isArray(window.said)")
