"""Installing the site as an app: the manifest, the service worker, and the page shown without a network."""

import asyncio
import hashlib
import re

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.games import GAMES
from signoria.kernel.language import language, per_language, say
from signoria.server.lobby.catalogue import game_model
from signoria.server.pages.common import html
from signoria.server.pages.rules import prepare_rules, rule_pages
from signoria.web import pages
from signoria.web.files import STATIC, static_file, static_url
from signoria.web.models import Page
from signoria.web.theme import choose_theme

OFFLINE = "/offline"
NAMED = re.compile(r'"(/static/[^"]+)"')
"""Static files that a page names."""
IN_STYLES = re.compile(r"url\(\"(/static/[^\"]+)\"\)")
"""Fonts that a style sheet names."""
ICONS = (
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
)
SHORT = "public, max-age=3600"


@per_language()
def _manifest() -> bytes:
    return msgspec.json.encode(
        {
            "id": "/",
            "name": "Signoria",
            "short_name": "Signoria",
            "description": say("Board games in your browser, with friends and bots."),
            "lang": language(),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f7edd6",
            "theme_color": "#8a241c",
            "categories": ["games"],
            "icons": [
                {"src": static_url(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
                for name, sizes, purpose in ICONS
            ],
            "shortcuts": [
                {"name": say("Open a table: {game}", game=game.title), "url": f"/tables/new?game={game.name}"}
                for game in (game_model(name) for name in GAMES)
            ],
        }
    )


async def manifest(_request: Request) -> Response:
    """The manifest of the app."""
    return Response(_manifest(), headers={"Cache-Control": SHORT}, media_type="application/manifest+json")


def _offline() -> str:
    return pages.offline(Page(viewer=None))


async def offline(_request: Request) -> Response:
    """The page that the service worker shows without a network. It is the same for everyone who reads a language."""
    return html(_offline())


@per_language()
def offline_files() -> tuple[str, ...]:
    """Addresses that the service worker keeps for reading without a network: pages, and the files that they name."""
    drawn = _kept_pages()
    files = dict.fromkeys(name for page in drawn.values() for name in NAMED.findall(page))
    for name in list(files):
        plain = name.removeprefix("/static/").partition("?")[0]
        found = static_file(plain)
        if plain.endswith(".css") and found is not None:
            files |= dict.fromkeys(IN_STYLES.findall(found.read_text()))
    return (*drawn, *files)


@per_language()
def _service_worker() -> str:
    kept = msgspec.json.encode(offline_files()).decode()
    script = (STATIC / "service-worker.js").read_text()
    version = hashlib.sha256((kept + script + "".join(_kept_pages().values())).encode()).hexdigest()[:12]
    return f'self.VERSION = "{version}";\nself.LANGUAGE = "{language()}";\nself.KEPT = {kept};\n{script}'


def _kept_pages() -> dict[str, str]:
    """The pages that can be read without a network, by address: all rules."""
    return {OFFLINE: _offline(), **rule_pages()}


async def service_worker(request: Request) -> Response:
    """The service worker, with the list of what it keeps. Browsers ask for it again at every visit."""
    await prepare_rules(request)
    choose_theme(None)  # its version must not depend on the first reader's theme
    return Response(
        await asyncio.to_thread(_service_worker), headers={"Cache-Control": "no-cache"}, media_type="text/javascript"
    )
