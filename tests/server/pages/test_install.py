"""The site can be installed as an app: what browsers and Lighthouse look for."""

import re
import struct

import msgspec
import pytest

from signoria.games import GAMES
from signoria.server.pages.install import offline_files
from signoria.web.files import STATIC
from signoria.web.kit.emblem import emblem
from tests.databases import in_loop
from tests.server.application import Person, arrive, open_app


def size_of(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


@in_loop
async def test_manifest_has_everything_that_makes_the_site_installable(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        visitor = Person(app, None, None)
        page = (await visitor.look("/")).text
        [address] = re.findall(r'<link rel="manifest" href="([^"]+)">', page)
        answer = await visitor.look(address)
        assert answer.headers["content-type"].startswith("application/manifest+json")
        manifest = msgspec.json.decode(answer.content)
        assert manifest["name"] and len(manifest["short_name"]) <= 12
        assert (manifest["start_url"], manifest["scope"], manifest["id"]) == ("/", "/", "/")
        assert manifest["display"] == "standalone"
        assert f'<meta name="theme-color" content="{manifest["theme_color"]}">' in page
        sizes = set()
        for icon in manifest["icons"]:
            picture = await visitor.look(icon["src"])
            assert picture.status_code == 200
            assert picture.headers["content-type"] == "image/png"
            width, height = size_of(picture.content)
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add((width, icon["purpose"]))
        assert {(192, "any"), (512, "any"), (512, "maskable")} <= sizes
        for shortcut in manifest["shortcuts"]:
            assert (await visitor.look(shortcut["url"])).status_code == 200


@in_loop
async def test_pages_have_what_phones_and_search_engines_look_for(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        visitor = Person(app, None, None)
        for path in ("/", "/offline", "/ratings", *(f"/rules/{game}" for game in GAMES)):
            page = (await visitor.look(path)).text
            assert '<html lang="en">' in page
            assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
            assert re.search(r'<meta name="description" content="[^"]{20,160}">', page)
            assert re.search(r"<title>[^<]+</title>", page)
            [touch] = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
            assert size_of((await visitor.look(touch)).content) == (180, 180)


@in_loop
async def test_service_worker_may_control_the_whole_site_under_the_strict_policy(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        answer = await Person(app, None, None).look("/service-worker.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "worker-src 'self'" in policy and "manifest-src 'self'" in policy
        assert re.match(r'self.VERSION = "[0-9a-f]{12}";\nself.LANGUAGE = "en";\nself.KEPT = \[', answer.text)


@in_loop
async def test_everything_kept_for_reading_without_a_network_exists_and_is_nobodys(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        kept = offline_files()
        rules = [f"/rules/{game}{part}" for game in GAMES for part in ("", "/full", "/rulings", "/clauses")]
        assert {"/offline", *rules} <= set(kept)
        assert any(name.endswith(".woff2?v=1") for name in kept)
        visitor = Person(app, None, None)
        for path in kept:
            answer = await visitor.look(path)
            assert answer.status_code == 200, path
            for named in re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text) if "/static/" not in path else ():
                assert named in kept, path
        assert "Anna" not in (await anna.look("/offline")).text


@pytest.mark.parametrize(("name", "drawing"), [("favicon.svg", emblem()), ("favicon-turn.svg", emblem(spot=True))])
def test_icons_are_drawn_with_the_kit(name: str, drawing: str) -> None:
    assert (STATIC / name).read_text() == drawing + "\n"  # `make icons` writes them
