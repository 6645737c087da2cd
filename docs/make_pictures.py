"""Takes the screenshots for the README and docs/server.md in a real browser, always of the same games and positions.

make pictures
"""

import mimetypes
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Route, sync_playwright

from signoria.bots import FREE, find_bot
from signoria.games import AnyTable
from signoria.server.bench.rooms import rooms, seen
from signoria.web import pages
from signoria.web.files import static_file

PICTURES = Path(__file__).parent / "pictures"
ADDRESS = "http://signoria.test"
DESK = {"viewport": {"width": 1440, "height": 1000}}
LAPTOP = {"viewport": {"width": 1280, "height": 830}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "device_scale_factor": 1.5}
NIGHT = {"color_scheme": "dark"}
BOTH = {"messengers": True, "ambassadors": True}
Moment = Callable[[AnyTable], bool]


def asked(what: str, turn: int) -> Moment:
    """The first time that a player is asked this, in this turn or round or later."""
    return lambda table: _turn(table) >= turn and table.view(table.turn).asked == what


def scored(cities: int) -> Moment:
    """When this many cities are scored, the last one by the previous step."""

    def now(table: AnyTable) -> bool:
        full = sum(city.scored for city in table.view(None).cities)
        return full >= cities and any(event.clause == "P20" for event in table.events)

    return now


def bid(ducats: int, turn: int) -> Moment:
    """The first time that a player is asked to bid more than this, in this round or later."""

    def now(table: AnyTable) -> bool:
        auction = table.view(None).auction if _turn(table) >= turn else None
        return auction is not None and auction.bid >= ducats and len(auction.bidding) > 1

    return now


def founded(cities: int) -> Moment:
    """When this many cities of Il Principe are founded, the last one by the previous step."""

    def now(table: AnyTable) -> bool:
        return len(table.view(None).founded) >= cities and any(event.clause == "I19" for event in table.events)

    return now


def over(table: AnyTable) -> bool:
    """When the game is over."""
    return table.over


def _turn(table: AnyTable) -> int:
    return int(table.chapter.split()[1].rstrip(",")) if table.chapter else 0


class Picture(NamedTuple):
    """A game, the moment to show, and the screen to show it on."""

    game: str
    options: dict[str, Any]
    seed: str
    until: Moment
    screen: dict[str, Any]
    whole: bool = False
    """Include what one would have to scroll to."""


WANTED = {
    "table": Picture("patrician", {"players": 4, **BOTH}, "08", asked("build", 26), DESK),
    "opening": Picture("patrician", {"players": 2, **BOTH}, "02", asked("play", 1), DESK),
    "scored": Picture("patrician", {"players": 3, **BOTH}, "05", scored(3), DESK),
    "night": Picture("patrician", {"players": 5, **BOTH}, "03", asked("take", 33), DESK | NIGHT),
    "end": Picture("patrician", {"players": 5, **BOTH}, "03", over, DESK),
    "phone": Picture("patrician", {"players": 3, **BOTH}, "05", asked("play", 24), PHONE),
    "phone-scored": Picture("patrician", {"players": 2, **BOTH}, "02", scored(3), PHONE | NIGHT),
    "phone-end": Picture("patrician", {"players": 2, **BOTH}, "02", over, PHONE),
    "principe-opening": Picture("il-principe", {"players": 2}, "02", asked("offer", 1), LAPTOP),
    "principe-auction": Picture("il-principe", {"players": 4}, "03", bid(4, 3), LAPTOP),
    "principe-map": Picture("il-principe", {"players": 5}, "05", founded(8), LAPTOP),
    "principe-night": Picture("il-principe", {"players": 4}, "03", asked("act", 5), LAPTOP | NIGHT),
    "principe-end": Picture("il-principe", {"players": 4}, "03", over, LAPTOP),
    "principe-phone": Picture("il-principe", {"players": 3}, "05", founded(4), PHONE),
}


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, picture in WANTED.items():
            take(browser, name, picture)
        browser.close()


def take(browser: Browser, name: str, picture: Picture) -> None:
    """Take a screenshot of the page. All files come from this program, animations are off, and live requests get no answer."""
    page, live = drawn(picture), list[Route]()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
        if path == "/":
            route.fulfill(body=page, content_type="text/html; charset=utf-8")
        elif path.startswith("/static/"):
            file, kind = static_file(path.removeprefix("/static/")), mimetypes.guess_type(path)[0]
            if file:
                route.fulfill(path=file, content_type=kind or "application/octet-stream")
            else:
                route.abort()
        else:
            live.append(route)

    context = browser.new_context(reduced_motion="reduce", **picture.screen)
    context.add_init_script("localStorage.setItem('signoria.hints', 'off')")  # hints for new players appear only once
    context.route("**/*", answer)
    shown = context.new_page()
    shown.goto(f"{ADDRESS}/")
    shown.evaluate("document.fonts.ready")
    shown.screenshot(path=PICTURES / f"{name}.png", full_page=picture.whole)
    for route in live:
        route.abort()
    context.close()


def drawn(picture: Picture) -> str:
    """The page of the player to move, after greedy bots have played until that moment."""
    bot, luck = find_bot("greedy"), Random(picture.seed)
    game = rooms(
        picture.game, picture.options, picture.seed * 32, lambda table: bot.decide(table.view(table.turn), luck, FREE)
    )
    return pages.table(next(seen(room) for room in game if room.position and picture.until(room.position.table)))


if __name__ == "__main__":
    main()
