"""axe finds no accessibility errors on any page, on desktop and phone, in light and dark mode.

A language changes texts, not the structure of a page: tests/language/test_crawl.py looks at every page in all of them.
"""

import random
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

from signoria.games import GAMES
from tests.e2e.conftest import Arrive
from tests.e2e.screens import DESKTOP, PHONE, STILL
from tests.e2e.test_replay import finished
from tests.e2e.visitors import Visitor

RULES = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
}
MORE: dict[str, dict[str, str | bool]] = {
    "patrician": {"messengers": True, "ambassadors": True},
    "il-principe": {"variant": True},
}
AXE = Axe()
LOOKS: list[tuple[Literal["light", "dark"], dict[str, Any]]] = [("light", DESKTOP), ("dark", PHONE)]
"""Colours do not depend on the size of the screen, so each mode is checked once."""
OPEN = "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"


def _looked_at(page: Page) -> Iterator[str]:
    """Errors that axe finds on the current page, in every mode, with all foldable parts open."""
    page.evaluate(OPEN)
    for scheme, screen in LOOKS:
        page.set_viewport_size(screen["viewport"])
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found: dict[str, Any] = AXE.run(page, options=RULES).response
        assert len(found["passes"]) > 8  # axe did run
        for violation in found["violations"]:
            for node in violation["nodes"]:
                yield f"{page.url} {scheme} {screen['viewport']}: {node['html']}: {node['failureSummary']}"


def _fine(visitor: Visitor, *paths: str) -> None:
    for path in paths:
        visitor.go(path)
        assert list(_looked_at(visitor.page)) == []


def test_general_pages_are_accessible(arrive: Arrive) -> None:
    visitor = arrive(**STILL)
    visitor.forgives("status of 404")
    _fine(visitor, "/", "/sign-in", "/ratings", "/rules/patrician", "/rules/il-principe", "/nowhere")
    _fine(visitor, *(f"/rules/{game}/{part}" for game in GAMES for part in ("full", "rulings", "search?q=crest")))
    visitor.open_table("patrician", "me", "open")  # from now on the visitor is a guest
    _fine(visitor, "/", "/account", "/account/notifications", "/tables?of=mine", "/programs", "/offline")


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_open_table_and_shared_device_are_accessible(arrive: Arrive, game: str) -> None:
    host, guest = arrive(**STILL), arrive(**STILL)
    _fine(host, f"/tables/new?game={game}")
    waiting = host.open_table(game, "me", "open", "garzone", access="invited", **MORE[game])
    _fine(guest, host.page.locator("#invitation").input_value())
    _fine(host, f"/tables/{waiting}")
    host.open_table(game, "me", "device", **{"name-1": "Bianca"})
    host.see("#hand-over")
    assert list(_looked_at(host.page)) == []


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
def test_game_and_its_replay_are_accessible(arrive: Arrive, game: str) -> None:
    player, watcher, dice = arrive(**STILL), arrive(**STILL), random.Random(3)
    table_id = player.open_table(game, "me", *["garzone"] * 4, **MORE[game])
    for _ in range(12):
        player.see("#table.my-turn")
        player.step(dice)
    player.see("#table.my-turn")
    assert list(_looked_at(player.page)) == []
    player.page.locator("#ask-help").evaluate("(one) => one.click()")  # open menus lie above it
    player.see("#help-beside .topics details")
    assert list(_looked_at(player.page)) == []
    _fine(watcher, f"/tables/{table_id}", f"/tables/{table_id}/log", f"/tables/{table_id}/help")
    table_id = finished(player, game)
    _fine(
        player, *(f"/tables/{table_id}{path}" for path in ("", "/check", "/replay/40?seat=0", "/replay/60?seat=open"))
    )
    name = player.page.locator("header a[href='/account']").inner_text()
    for visitor in (player, watcher):
        _fine(visitor, f"/people/{quote(name)}")
    _fine(watcher, f"/embed/{table_id}/40")
