"""No form or request about people, however it is filled in, makes the server fail or lead away from itself."""

from collections.abc import Iterator
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.routing import Route

from signoria.store import moderation
from tests.databases import in_loop
from tests.server.application import BASE, arrive, open_app
from tests.server.people.notifications.post_office import mail_server

ABOUT_PEOPLE = ("/account", "/people/", "/moderation", "/mail/", "/recover", "/sign-in", "/language")
FIELDS = (
    "name", "new", "text", "table", "message", "report", "why", "how_long", "game", "days", "address", "password", "old",
    "back", "shown_to", "zone", "quiet_from", "quiet_until", "digest", "turn-push", "language", "unasked",
)  # fmt: skip
VALUES = (
    "",
    "//evil.example",
    "/\\evil.example",
    "999999999999",
    "-1",
    "\u202e\u0000",
    "x" * 1500,
    "a\r\nBcc: b@example.org",
)


def forms(app: Starlette) -> Iterator[str]:
    """The paths of all forms about people, apart from those that end the session."""
    left_out = {"/account/delete", "/account/tokens/delete", "/account/password"}
    filled = {"name": "Bruno", "token": "t", "block": "b", "browser": "b", "secret": "s"}
    for route in app.routes:
        if isinstance(route, Route) and "POST" in (route.methods or ()) and route.path not in left_out:
            path = route.path.format_map(filled) if route.path.startswith(ABOUT_PEOPLE) else ""
            yield from (path,) if path else ()


@in_loop
async def test_hostile_fields_are_refused_or_harmless(database_url: str) -> None:
    with mail_server() as (_, settings):
        async with open_app(database_url, **settings | {"secure": False}) as (app, service):
            anna, _bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
            assert anna.user
            async with service.database.write() as w:
                await moderation.set_moderator(w.db, anna.user.id, moderator=True)
            paths = sorted(set(forms(app)))
            assert len(paths) > 25
            for path in paths:
                for value in VALUES:
                    for fields in (
                        [(name, value) for name in FIELDS],
                        [(name, value) for name in FIELDS for _ in (1, 2)],
                    ):
                        answer = await anna.client.post(
                            path,
                            content=urlencode(fields),
                            headers={
                                "content-type": "application/x-www-form-urlencoded",
                                "referer": f"{BASE}//evil.example/",
                            },
                        )
                        assert answer.status_code < 500, (path, value)
                        location = answer.headers.get("location", "/")
                        assert location.startswith("/") and not location.startswith(("//", "/\\")), (
                            path,
                            value,
                            location,
                        )


@in_loop
async def test_null_characters_in_addresses_and_json_are_refused_or_harmless(database_url: str) -> None:
    """PostgreSQL cannot store them, and refuses to compare with them."""
    async with open_app(database_url) as (app, service):
        anna, _bruno = await arrive(app, "Anna"), await arrive(app, "Bruno")
        assert anna.user
        async with service.database.write() as w:
            await moderation.set_moderator(w.db, anna.user.id, moderator=True)
        null = "\0"
        for path in (
            "/tables?of=finished&player=%00",
            "/people/Bruno?table=%00&message=1",
            "/moderation?name=%00",
            "/api/v1/tables?state=over&player=%00",
        ):
            assert (await anna.look(path)).status_code < 500, path
        for path, fields in (
            ("/api/v1/blocks", {"name": null}),
            ("/api/v1/ties/follow", {"name": null}),
            ("/api/v1/ties/mute", {"name": null}),
            ("/api/v1/people/Bruno/report", {"text": f"rude{null}", "table": null}),
            ("/api/v1/people/Bruno/report", {"text": f"rude{null}"}),
            ("/api/v1/moderation/people/Bruno/mute", {"how_long": "1", "why": null}),
        ):
            assert (await anna.call(path, **fields)).status_code < 500, (path, fields)
        async with service.database.read() as db:
            assert [one.text for one in await moderation.open_reports(db, 5)] == ["rude"]
