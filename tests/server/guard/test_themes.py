"""Light or dark pages: the account's choice, the cookie's, or what the browser prefers."""

import pytest
from starlette.datastructures import Headers

from signoria.server.guard.themes import theme_cookie, theme_in_cookie
from tests.databases import in_loop
from tests.server.application import arrive, open_app

AUTOMATIC = '<meta name="color-scheme" content="light dark">'


@pytest.mark.parametrize(("cookie", "theme"), [("a=b; theme=dark", "dark"), ("theme=", None), ("a=b", None)])
def test_cookie_names_a_theme(cookie: str, theme: str | None) -> None:
    assert theme_in_cookie(Headers({"cookie": cookie})) == theme


def test_cookie_is_kept_for_a_year() -> None:
    assert theme_cookie("dark", secure=True).startswith("theme=dark; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax")


@in_loop
async def test_theme_is_chosen_without_scripts_and_kept_on_the_account(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        first = (await anna.look("/ratings")).text
        assert AUTOMATIC in first
        assert "data-theme" not in first
        chosen = await anna.client.post(
            "/theme", data={"theme": "dark"}, headers={"referer": "http://house.test/ratings?x=1"}
        )
        assert chosen.headers["location"] == "/ratings?x=1"
        assert "theme=dark" in chosen.headers["set-cookie"]
        for path in ("/ratings", "/nowhere", "/"):
            page = (await anna.client.get(path, headers={"cookie": f"{anna.headers['cookie']}; theme=light"})).text
            assert 'data-theme="dark"' in page, "the account comes before an older cookie"
        await anna.client.post("/theme", data={"theme": "auto"})
        again = await anna.client.get("/ratings", headers={"cookie": f"{anna.headers['cookie']}; theme=light"})
        assert AUTOMATIC in again.text


@in_loop
async def test_new_visitor_keeps_the_theme_in_a_cookie(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        page = await anna.client.get("/ratings", headers={"cookie": "theme=light"})
        assert '<html lang="en" data-theme="light">' in page.text
        assert '<meta name="color-scheme" content="light">' in page.text
        assert "data-theme" not in (await anna.client.get("/ratings", headers={"cookie": "theme=pink"})).text
        script = await anna.client.get("/service-worker.js", headers={"cookie": "theme=dark"})
        assert script.text == (await anna.client.get("/service-worker.js", headers={"cookie": ""})).text


@in_loop
async def test_unknown_theme_is_refused(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        refused = await anna.client.post("/theme", data={"theme": "pink"})
        assert refused.status_code == 422
        assert "auto, light, dark" in refused.text
