"""All links on pages work."""

import re
from collections import deque
from html import unescape

from signoria.web.board import boards
from signoria.web.files import static_url
from tests.databases import in_loop
from tests.server.application import arrive, open_app
from tests.server.people.test_account_deletion import game_against_bots, until_over

LINK = re.compile(r'(?:href|src)="(/[^"#]*)')
MANY = re.compile(r"(/replay/|/clause/[A-Z])\d+")
"""Only one position and one clause are checked."""


@in_loop
async def test_every_link_works(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna = await arrive(app, "Anna")
        finished = await game_against_bots(anna)
        await anna.send(f"/tables/{finished}/resign")
        await until_over(service, finished)
        await anna.send("/tables", game="il-principe", seats=2, clock=0, **{"seat-0": "me"}, access="invited")
        to_see, seen = deque(["/"]), set[str]()
        while to_see:
            path = to_see.popleft()
            answer = await anna.client.get(path, follow_redirects=True)
            assert answer.status_code == 200, path
            for found in map(unescape, LINK.findall(answer.text)):
                kind = MANY.sub(r"\1", found)
                if kind not in seen:
                    seen.add(kind)
                    to_see.append(found)
        assert {"/programs", "/api/v1/openapi.json", "/account", f"/tables/{finished}/record"} <= seen


@in_loop
async def test_static_files_of_games_are_cached_like_all_others(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, _):
        client = (await arrive(app, "Anna")).client
        for name in ("app.css", *(style for board in boards().values() for style in board.styles)):
            answer = await client.get(static_url(name))
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/css")
            assert "immutable" in answer.headers["cache-control"]
        for path in ("games/patrician/../__init__.py", "games/patrician/%2e%2e/__init__.py", "games/chess/board.css"):
            assert (await client.get(f"/static/{path}")).status_code == 404
