"""The user is determined when the whole request has arrived, and a new guest always gets the cookie."""

import asyncio
from typing import Any

import msgspec

from signoria.server.people.cookies import hashed
from signoria.server.people.sessions import DAY, SESSION, now_ms
from signoria.server.settings import rate
from signoria.store.people import end_sessions, prolong_session
from tests.databases import in_loop
from tests.server.application import UNLIMITED, Person, arrive, open_app


async def slowly(person: Person, path: str, first: bytes, rest: bytes, between: Any) -> int:
    """Send a form in two parts with an action in between; return the status."""
    headers = [(name.encode(), value.encode()) for name, value in person.headers.items()]
    headers += [(b"host", b"house.test"), (b"content-type", b"application/x-www-form-urlencoded")]
    parts, statuses = iter((first, rest)), list[int]()
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("house.test", 80), "state": {},
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        part = next(parts, None)
        if part is None:
            await asyncio.Event().wait()
        if part == rest:
            await between()
        return {"type": "http.request", "body": part, "more_body": part == first}

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    await person.app(scope, receive, send)
    return statuses[0]


@in_loop
async def test_session_that_ends_while_a_request_arrives_is_invalid(sqlite_url: str) -> None:
    async with open_app(sqlite_url) as (app, service):
        anna = await arrive(app, "Anna")
        assert anna.user is not None
        user_id = anna.user.id

        async def end() -> None:
            async with service.database.write() as w:
                await end_sessions(w.db, user_id)
                w.tell(f"user:{user_id}")

        async def nothing() -> None:
            pass

        assert await slowly(anna, "/account/tokens", b"name=", b"one", nothing) == 200
        assert await slowly(anna, "/account/tokens", b"name=", b"two", end) == 401
        assert await slowly(anna, "/account/name", b"name=", b"Stolen", nothing) == 401


@in_loop
async def test_new_guest_keeps_the_name_if_the_first_form_fails(sqlite_url: str) -> None:
    rates = msgspec.structs.replace(UNLIMITED, tables_here=rate("1/h"))
    async with open_app(sqlite_url, rates=rates) as (app, _):
        assert (await (await arrive(app, "Anna")).send("/play-now", game="patrician")).status_code == 303
        newcomer = Person(app, None, None)
        refused = await newcomer.send("/play-now", game="patrician", name="Zoe")
        assert refused.status_code == 429
        assert "set-cookie" in refused.headers
        again = Person(app, None, refused.headers["set-cookie"])
        assert "Zoe" in (await again.look("/account")).text


@in_loop
async def test_no_cache_keeps_a_response_that_renews_a_session(sqlite_url: str) -> None:
    """Pictures and documents are public, and a shared cache could give the cookie to everyone."""
    async with open_app(sqlite_url) as (app, _):
        anna = await arrive(app, "Anna")
        opened = await anna.send("/tables", game="patrician", seats=2, clock=0, **{"seat-0": "me", "seat-1": "open"})
        for path in (f"{opened.headers['location']}/picture.svg", "/app.webmanifest"):
            usual = await anna.look(path)
            assert usual.headers["cache-control"].startswith("public") and "set-cookie" not in usual.headers
            app.state.sessions._remembered.clear()
            app.state.sessions._now = lambda: now_ms() + 8 * DAY
            renewing = await anna.look(path)
            app.state.sessions._now = now_ms
            assert (renewing.headers["cache-control"], "set-cookie" in renewing.headers) == ("no-store", True)
            async with app.state.service.database.write() as w:
                await prolong_session(w.db, hashed(anna.headers["cookie"].partition("=")[2]), now_ms() + SESSION)
