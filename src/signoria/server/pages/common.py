"""What pages share: who is asking, what a form says, and how it is answered with and without a script."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from signoria.server.errors import BadField
from signoria.server.gate.accounts import Accounts, Arrived
from signoria.server.gate.rate import Limits, address
from signoria.server.gate.who import who_of
from signoria.server.house import House
from signoria.server.packing import Pack, takes_packed
from signoria.server.room import Room
from signoria.store.people import NameTaken, User

PLAIN_FORM = "application/x-www-form-urlencoded"
"""How browsers send a form without files."""
MOST_FIELDS = 60

Made = TypeVar("Made")
Handler = Callable[["Asked"], Awaitable[Response]]
Page = Callable[[Request], Awaitable[Response]]
UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""Signs that no store keeps and no page shows."""


def _text(name: str, value: object, most: int) -> str:
    if not isinstance(value, str):
        raise BadField(name, f"{name}: a text is expected, not a file.")
    if len(value) > most:
        raise BadField(name, f"{name}: {len(value)} letters are too many; {most} are possible.")
    return value


class Asked(NamedTuple):
    """A form that somebody sent: by now everybody who does something has a name here."""

    request: Request
    house: House
    user: User
    form: FormData

    def text(self, name: str, most: int = 200) -> str:
        """A field; empty where it was not sent. Raises `BadField` where it is too long."""
        return _text(name, self.form.get(name, ""), most)

    def texts(self, name: str, most: int = 200) -> list[str]:
        """A field that may be sent several times. Raises `BadField` where one is too long, or there is none."""
        values = [_text(name, value, most) for value in self.form.getlist(name)]
        if not values:
            raise BadField(name, "Nothing was chosen: tick a card first.")
        return values

    def whole(self, name: str) -> int:
        """A field that is a whole number; raises `BadField`."""
        text = self.text(name, 12).strip()
        try:
            return int(text)
        except ValueError:
            raise BadField(name, f"{name}: {text!r} is no whole number.") from None

    async def room(self) -> Room:
        """The table that the address names."""
        room = await self.house.room(self.request.path_params["id"])
        self.house.attend(room, self.user.id)
        return room

    def limit(self, kind: str, what: str) -> None:
        """Count one act of this person; raises `TooMany`."""
        self.limits.check(kind, self.user.id, what)

    @property
    def limits(self) -> Limits:
        """How often things may be done."""
        limits: Limits = self.request.app.state.limits
        return limits


def house_of(request: Request) -> House:
    """The house that answers."""
    house: House = request.app.state.house
    return house


def user_of(request: Request) -> User | None:
    """Whoever asks; None for somebody who has not done anything here yet."""
    return who_of(request).user


def accounts_of(request: Request) -> Accounts:
    """Where people come and go."""
    accounts: Accounts = request.app.state.accounts
    return accounts


def scripted(request: Request) -> bool:
    """Whether the page's script asks, and wants a part of the page instead of another page."""
    return request.headers.get("hx-request") == "true"


def html(page: str | bytes, status: int = 200) -> HTMLResponse:
    """A page, or a part of one."""
    return HTMLResponse(page, status)


def packed(request: Request, fragment: Pack) -> Response:
    """A part of a page that others may get too."""
    if not takes_packed(request.headers):
        return HTMLResponse(fragment.plain)
    return HTMLResponse(fragment.whole, headers={"content-encoding": "gzip", "vary": "accept-encoding"})


def see(path: str) -> RedirectResponse:
    """Go on to another page."""
    return RedirectResponse(path, 303)


@asynccontextmanager
async def read_form(request: Request) -> AsyncIterator[FormData]:
    """The fields that were sent; raises `BadField` where one cannot be written down.

    They are counted before they are read. `Size` has already refused a body that is too large.
    """
    if request.headers.get("content-type", "").lower().startswith(PLAIN_FORM):
        body = await request.body()
        if body.count(b"&") >= MOST_FIELDS or not body.isascii():
            raise BadField("form", f"A form has at most {MOST_FIELDS} fields, percent-encoded in UTF-8.")
    async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
        for name, value in form.multi_items():
            if isinstance(value, str) and UNWRITABLE.search(value):
                raise BadField(name, f"{name[:40]}: there is a sign in it that cannot be written down.")
        yield form


def acting(handler: Handler, *, welcome: bool) -> Page:
    """A form's answer. Whoever is not known here yet becomes a guest on the way, or is refused (`SignInFirst`)."""

    async def page(request: Request) -> Response:
        async with read_form(request) as form:
            who, new = who_of(request), False
            if who.user is None and welcome:
                arrived = await _welcome(request, form.get("name"))
                who, new = arrived.who, True
                request.scope.setdefault("state", {}).update(who=who, cookie=arrived.cookie)  # also where it fails
            response = await handler(Asked(request, house_of(request), who.somebody(), form))
        if new and scripted(request):
            response.headers["HX-Refresh"] = "true"  # the live page was opened by nobody, and would go on so
        return response

    return page


async def _welcome(request: Request, name: object) -> Arrived:
    """A guest of that name; of a made-up one where it is taken, since at a table one may be called as one likes."""
    accounts, where = accounts_of(request), address(request.scope)
    try:
        return await accounts.welcome(where, name if isinstance(name, str) else None)
    except NameTaken:
        return await accounts.welcome(where)


async def unless_gone(request: Request, work: Coroutine[Any, Any, Made]) -> Made:
    """Do what takes a while for somebody who waits; stop when they hang up, and raise `ClientDisconnect`."""

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


def query_whole(request: Request, name: str) -> int | None:
    """A whole number out of the address; None where there is none. Raises `BadField`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise BadField(name, f"{name}: {text[:20]!r} is no whole number.") from None
