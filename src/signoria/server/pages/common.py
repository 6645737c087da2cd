"""Tools for pages: submitted forms, redirects, fragments for htmx."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from signoria.games import GAMES, AnyGame
from signoria.kernel.language import say
from signoria.server.errors import BadField, NotFound
from signoria.server.guard.concurrency import give_back_turn
from signoria.server.guard.limits import RateLimiter, client_address
from signoria.server.live.compression import Payload, accepts_gzip
from signoria.server.people.accounts import Accounts, NewSession
from signoria.server.people.sessions import identity_of
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.server.settings import Settings
from signoria.store.people import NameTaken, User

PLAIN_FORM = "application/x-www-form-urlencoded"
"""The content type of a form without files."""
MOST_FIELDS = 60

Made = TypeVar("Made")
Handler = Callable[["SubmittedForm"], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]
UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that cannot be stored or shown."""


def _text(name: str, value: object, most: int) -> str:
    if not isinstance(value, str):
        raise BadField(name, say("{name}: must be text, not a file.", name=name))
    if len(value) > most:
        raise BadField(
            name,
            say(
                "{name}: {count} characters are too many; at most {most} are allowed.",
                name=name,
                count=len(value),
                most=most,
            ),
        )
    return value


class SubmittedForm(NamedTuple):
    """A submitted form. Its sender is signed in, at least as a guest."""

    request: Request
    service: TableService
    user: User
    fields: FormData

    def text(self, name: str, most: int = 200) -> str:
        """A field; empty if it was not sent. Raises `BadField` if it is too long."""
        return _text(name, self.fields.get(name, ""), most)

    def texts(self, name: str, most: int = 200) -> list[str]:
        """A field that may be sent several times. Raises `BadField` if one is too long, or there is none."""
        values = [_text(name, value, most) for value in self.fields.getlist(name)]
        if not values:
            raise BadField(name, say("Select a card first."))
        return values

    def integer(self, name: str) -> int:
        """A field that is a whole number; raises `BadField`."""
        text = self.text(name, 12).strip()
        try:
            return int(text)
        except ValueError:
            raise BadField(name, say("{name}: {text!r} is not a whole number.", name=name, text=text)) from None

    async def room(self) -> Room:
        """The table in the path."""
        room = await self.service.room(self.request.path_params["id"])
        self.service.note_activity(room, self.user.id)
        return room

    def limit(self, kind: str, what: str) -> None:
        """Count one action of this person; raises `TooMany`."""
        self.limits.check(kind, self.user.id, what)

    @property
    def limits(self) -> RateLimiter:
        """The rate limits."""
        limits: RateLimiter = self.request.app.state.rate_limiter
        return limits


def service_of(request: Request) -> TableService:
    """The table service."""
    service: TableService = request.app.state.service
    return service


def user_of(request: Request) -> User | None:
    """The sender; None for a new visitor."""
    return identity_of(request).user


def game_of(request: Request) -> AnyGame:
    """The game in the path; raises `NotFound`."""
    name = request.path_params["game"]
    if name not in GAMES:
        raise NotFound(say("There is no game of that name. Games: {games}.", games=", ".join(GAMES)))
    return GAMES[name]


def base_of(request: Request) -> str:
    """The address at which people reach the server."""
    settings: Settings = request.app.state.settings
    return settings.public_origin or f"{request.scope['scheme']}://{request.headers.get('host', '')}"


def accounts_of(request: Request) -> Accounts:
    """The accounts."""
    accounts: Accounts = request.app.state.accounts
    return accounts


def is_htmx(request: Request) -> bool:
    """Whether htmx asks for a fragment instead of a page."""
    return request.headers.get("hx-request") == "true"


def html(page: str | bytes, status: int = 200) -> HTMLResponse:
    """A page, or a part of one."""
    return HTMLResponse(page, status)


def compressed(request: Request, fragment: Payload) -> Response:
    """A fragment that can be shared between viewers."""
    if not accepts_gzip(request.headers):
        return HTMLResponse(fragment.plain)
    return HTMLResponse(fragment.whole, headers={"content-encoding": "gzip", "vary": "accept-encoding"})


def redirect(path: str) -> RedirectResponse:
    """Redirect to another page."""
    return RedirectResponse(path, 303)


@asynccontextmanager
async def read_form(request: Request) -> AsyncIterator[FormData]:
    """The submitted fields; raises `BadField` for invalid characters.

    They are counted before they are parsed. `SizeLimitMiddleware` has already refused bodies that are too large.
    """
    if request.headers.get("content-type", "").lower().startswith(PLAIN_FORM):
        body = await request.body()
        if body.count(b"&") >= MOST_FIELDS or not body.isascii():
            raise BadField(
                "form",
                say(
                    "A form must have at most {most_fields} fields, percent-encoded in UTF-8.", most_fields=MOST_FIELDS
                ),
            )
    async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
        for name, value in form.multi_items():
            if isinstance(value, str) and UNWRITABLE.search(value):
                raise BadField(name, say("{name}: contains an invalid character.", name=name[:40]))
        yield form


def form_endpoint(handler: Handler, *, allow_guests: bool) -> Endpoint:
    """The endpoint of a form. A new visitor becomes a guest, or the request is refused (`SignInFirst`)."""

    async def page(request: Request) -> Response:
        async with read_form(request) as form:
            identity, new = identity_of(request), False
            if identity.user is None and allow_guests:
                session = await _new_guest(request, form.get("name"))
                identity, new = session.identity, True
                request.scope.setdefault("state", {}).update(
                    identity=identity, cookie=session.cookie
                )  # also if it fails
            response = await handler(SubmittedForm(request, service_of(request), identity.require_user(), form))
        if new and is_htmx(request):
            response.headers["HX-Refresh"] = "true"  # the live page was opened without an identity, and would stay so
        return response

    return page


async def _new_guest(request: Request, name: object) -> NewSession:
    """A guest with this name, or with a random one if it is taken, since players can use any name at a table."""
    accounts, where = accounts_of(request), client_address(request.scope)
    try:
        return await accounts.create_guest(where, name if isinstance(name, str) else None)
    except NameTaken:
        return await accounts.create_guest(where)


async def cancel_on_disconnect(request: Request, work: Coroutine[Any, Any, Made]) -> Made:
    """Do slow work for a waiting client; stop when it disconnects, and raise `ClientDisconnect`.

    Other requests of the same address do not wait for it.
    """
    give_back_turn(request.scope)

    async def hang_up() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, gone = asyncio.create_task(work), asyncio.create_task(hang_up())
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, gone):
            task.cancel()
        await asyncio.wait((working, gone))


def query_int(request: Request, name: str) -> int | None:
    """A whole number from the address; None if there is none. Raises `BadField`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise BadField(name, say("{name}: {text!r} is not a whole number.", name=name, text=text[:20])) from None
