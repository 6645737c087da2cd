"""Pages of real positions in a browser, without a server: bots play a game, and the page of the player to move is shown."""

import mimetypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, Route

from signoria.bots import FREE, find_bot
from signoria.games import AnyTable
from signoria.server.bench.rooms import rooms, seen
from signoria.web import pages
from signoria.web.files import static_file
from signoria.web.models import TablePage
from tests.e2e.visitors import PATIENCE

ADDRESS = "http://signoria.test"


class Moment:
    """A position as the player to move sees it. Its pages are drawn when they are asked for, in the language of then."""

    def __init__(self, shown: TablePage) -> None:
        self._shown = shown

    @property
    def view(self) -> Any:
        """What the player sees of the game."""
        return self._shown.view

    @property
    def page(self) -> str:
        """The whole page."""
        return pages.table(self._shown)

    @property
    def fragment(self) -> str:
        """The part of the page that changes."""
        return pages.table_fragment(self._shown)


def moments(game: str, options: dict[str, Any], seed: str) -> Iterator[Moment]:
    """A whole game of greedy bots, position by position, up to the last decision."""
    bot, luck = find_bot("greedy"), Random(seed)

    def decide(table: AnyTable) -> Any:
        return bot.decide(table.view(table.turn), luck, FREE)

    for room in rooms(game, options, seed * 32, decide):
        if room.position and not room.position.table.over:
            yield Moment(seen(room))


@contextmanager
def opened(browser: Browser, first: str, answer: Callable[[], str] = str, **screen: Any) -> Iterator[Page]:
    """A browser with this page. Steps are answered with `answer`; live requests get no answer."""
    live: list[Route] = []

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
        if path == "/":
            route.fulfill(body=first, content_type="text/html; charset=utf-8")
        elif path.endswith("/steps"):
            route.fulfill(body=answer(), content_type="text/html; charset=utf-8")
        elif path.startswith("/static/") and (file := static_file(path.removeprefix("/static/"))):
            route.fulfill(path=file, content_type=mimetypes.guess_type(path)[0] or "application/octet-stream")
        else:
            live.append(route)

    context = browser.new_context(**{"reduced_motion": "reduce", **screen})
    context.set_default_timeout(PATIENCE)
    context.route("**/*", serve)
    page = context.new_page()
    page.goto(f"{ADDRESS}/")
    page.evaluate("async () => void (await document.fonts.ready)")  # letters have their width
    yield page
    for route in live:
        route.abort()
    context.close()
