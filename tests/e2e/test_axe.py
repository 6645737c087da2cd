"""axe finds no accessibility errors on any page, in any language, on desktop and phone, in light and dark mode."""

import random
import re
import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from functools import partial
from typing import get_args
from urllib.parse import quote

import pytest
from playwright.sync_api import Route
from starlette import routing

from signoria.kernel.language import ENGLISH, LANGUAGES, speaking
from signoria.server.app import page_routes
from signoria.server.people.notifications.kinds import KINDS
from signoria.web import pages
from signoria.web.models import BrowserModel, KindModel, MailPage, NotificationsPage
from tests.e2e.axe import CONTRAST, NIGHT, OTHERS, QUIET, SHOW, check, check_translations, errors_on, read_in
from tests.e2e.conftest import Arrive
from tests.e2e.screens import STILL
from tests.e2e.servers import SLOW, ServerProcess
from tests.e2e.test_replay import finished
from tests.e2e.visitors import Visitor

MORE: dict[str, dict[str, str | bool]] = {
    "patrician": {"messengers": True, "ambassadors": True},
    "il-principe": {"variant": True},
}
EACH_GAME = pytest.mark.parametrize("game", ["patrician", "il-principe"])
FOR_STRANGERS = ("/", "/sign-in", "/ratings", "/nowhere", "/tables")
RULES = ("", "/full", "/rulings", "/search?q=crest", "/calculator?count=1")
FOR_GUESTS = ("/", "/account", "/account/notifications", "/tables?of=mine", "/programs", "/offline")
LINKS = ("/recover", "/recover/{secret}", "/mail/confirm/{secret}", "/mail/stop/{secret}")
SEEN = {
    *(path.partition("?")[0] for path in (*FOR_STRANGERS, *FOR_GUESTS, *LINKS)),
    *("/rules/{game}" + part.partition("?")[0] for part in RULES),
    *("/tables/{id}", "/tables/{id}/log", "/tables/{id}/help", "/tables/{id}/check"),
    *("/tables/{id}/replay/{n:int}", "/tables/{id}/replay/{n:int}/help", "/tables/new"),
    *("/embed/{id}/{n:int}", "/invited/{secret}", "/people/{name}", "/moderation"),
}
NOT_PAGES = {
    *("/lobby/stream", "/tables/{id}/stream", "/app.webmanifest", "/service-worker.js"),
    *("/tables/{id}/record", "/account/data", "/rules/{game}/{kind}-{language}.pdf"),
    *("/tables/{id}/picture.{format}", "/tables/{id}/replay/{n:int}/picture.{format}"),
    *("/tables/{id}/moments/{n:int}", "/rules/{game}/clauses", "/cards/{game}/{card}"),  # parts of pages
    *("/rules/clause/{clause}", "/account/{part:path}"),  # redirects
}


def test_every_page_is_looked_at() -> None:
    routes = [one for one in page_routes() if isinstance(one, routing.Route)]
    paths = {one.path for one in routes if "GET" in (one.methods or ())}
    assert SEEN - {"/nowhere"} == paths - NOT_PAGES


def _as_it_is(visitor: Visitor) -> None:
    """Check the page of a table in its current state, in every language."""
    assert list(errors_on(visitor.page)) == []
    check_translations(visitor, visitor.page.url)


def _languages_of_pages_alike_in_all_games(game: str) -> Collection[str]:
    """Pages that have the same words for every game are read in every language for one game only."""
    return LANGUAGES if game == "patrician" else [ENGLISH]


def test_general_pages_are_accessible(arrive: Arrive) -> None:
    visitor = arrive(**STILL)
    visitor.forgives("status of 404", "status of 422")
    check(visitor, *FOR_STRANGERS)
    visitor.open_table("patrician", "me", "open")  # from now on the visitor is a guest
    check(visitor, *FOR_GUESTS)


@EACH_GAME
def test_rules_are_accessible(arrive: Arrive, game: str) -> None:
    visitor = arrive(**STILL)
    visitor.forgives("status of 422")
    check(visitor, *(f"/rules/{game}{part}" for part in RULES))


@EACH_GAME
def test_open_table_and_shared_device_are_accessible(arrive: Arrive, game: str) -> None:
    host, guest = arrive(**STILL), arrive(**STILL)
    check(host, f"/tables/new?game={game}")
    waiting = host.open_table(game, "me", "open", "garzone", access="invited", **MORE[game])
    languages = _languages_of_pages_alike_in_all_games(game)
    check(guest, host.page.locator("#invitation").input_value(), languages=languages)
    check(host, f"/tables/{waiting}", languages=languages)
    host.open_table(game, "me", "device", **{"name-1": "Bianca"})
    host.see("#hand-over")
    _as_it_is(host)


@EACH_GAME
def test_game_and_its_replay_are_accessible(arrive: Arrive, game: str) -> None:
    player, watcher, dice = arrive(**STILL), arrive(**STILL), random.Random(3)
    table_id = player.open_table(game, "me", *["garzone"] * 4, **MORE[game])
    for _ in range(12):
        player.see("#table.my-turn")
        player.step(dice)
    player.see("#table.my-turn")
    _as_it_is(player)
    player.go(f"/tables/{table_id}")
    player.page.locator("#ask-help").click()
    player.see("#help-beside .topics details")
    assert list(errors_on(player.page)) == []  # the page of help has the same words
    check(watcher, f"/tables/{table_id}/log", f"/tables/{table_id}/help")
    check(watcher, f"/tables/{table_id}", languages=[ENGLISH])  # the words are those of the player's page


@EACH_GAME
def test_finished_game_is_accessible(arrive: Arrive, game: str) -> None:
    player, watcher = arrive(**STILL), arrive(**STILL)
    table_id = finished(player, game)
    table, profile = f"/tables/{table_id}", f"/people/{quote(player.name)}"
    check(player, table, f"{table}/replay/40?seat=0", f"{table}/replay/40/help")
    check(player, f"{table}/check", profile, languages=_languages_of_pages_alike_in_all_games(game))
    check(watcher, f"/embed/{table_id}/40")
    # The same pages in another state, with no other words.
    check(player, f"{table}/replay/60?seat=open", languages=[ENGLISH])
    check(watcher, profile, languages=[ENGLISH])


def test_pages_of_links_in_e_mails_are_accessible(arrive: Arrive) -> None:
    """They are drawn here, because this server sends no e-mail."""
    steps = get_args(MailPage.__annotations__["step"])
    all_pages = [MailPage(viewer=None, step=step, secret="x", name="Anna", address="a@x.org") for step in steps]
    _drawn(arrive(**STILL), *(partial(pages.mail, page) for page in all_pages))


def test_notification_settings_are_accessible(arrive: Arrive) -> None:
    page = NotificationsPage(
        viewer=None,
        channels=(("push", "Push message"), ("email", "E-mail")),
        kinds=tuple(KindModel(id=name, title=kind.title, on=kind.on) for name, kind in KINDS.items()),
        zone="UTC",
        zones=("UTC",),
        quiet_from="22:00",
        quiet_until="07:00",
        digest=60,
        digests=((60, "every hour"),),
        address="anna@example.org",
        push_key="",
        browsers=(BrowserModel(id="1", since="an hour ago"),),
    )
    _drawn(arrive(**STILL), partial(pages.notifications, page))


def _drawn(visitor: Visitor, *draw: Callable[[], str]) -> None:
    """Check pages that this server would not send."""

    def send(route: Route) -> None:
        language = re.search("language=([a-z]+)", route.request.all_headers().get("cookie", ""))
        with speaking(language[1] if language else ENGLISH):
            body = draw[int(route.request.url.rpartition("/")[2])]()
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    visitor.page.route("**/drawn/*", send)
    check(visitor, *(f"/drawn/{number}" for number in range(len(draw))))


@pytest.mark.parametrize(("rule", "colours"), [(CONTRAST, "#eee, white"), (NIGHT, "#111, #111")], ids=["day", "night"])
def test_words_that_cannot_be_read_in_one_theme_are_found(arrive: Arrive, rule: str, colours: str) -> None:
    visitor, language = arrive(**STILL), OTHERS[0]
    visitor.go(QUIET)
    read_in(visitor, language)
    visitor.page.evaluate(SHOW, "/sign-in")
    assert list(errors_on(visitor.page, language)) == []
    visitor.page.locator("main label").first.evaluate(
        "(label, colours) => { label.style.background = 'light-dark(white, black)'; label.style.color = colours; }",
        f"light-dark({colours})",
    )
    (error,) = errors_on(visitor.page, language)
    assert f": {rule}: <label " in error


def test_moderation_is_accessible(server: ServerProcess, arrive: Arrive) -> None:
    anna, bruno = arrive(**STILL), arrive(**STILL)
    for visitor in (anna, bruno):
        visitor.open_table("patrician", "me", "open")
    bruno.go(f"/people/{quote(anna.name)}")
    bruno.page.locator("form[action$='/report']").evaluate(
        "(form) => ((form.text.value = 'Rude words'), form.submit())"
    )
    bruno.see("#notice.good")
    with closing(sqlite3.connect(server.database, timeout=SLOW)) as db, db:
        db.execute("UPDATE users SET moderator = 1 WHERE name = ?", (anna.name,))
    check(anna, f"/moderation?name={quote(bruno.name)}")
