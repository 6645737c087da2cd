"""The page of a table, and its stream. Its forms are in `table_forms`."""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import language, say
from signoria.server.errors import NotFound
from signoria.server.live.compression import Payload
from signoria.server.live.connections import live_connection
from signoria.server.live.streams import KEEP_ALIVE_EVENT, EventStream, ServerSentEvent, note_events
from signoria.server.pages.common import base_of, html, query_int, redirect, service_of, user_of
from signoria.server.pages.sharing import share_of
from signoria.server.play.page_models import page_version, table_page
from signoria.server.play.past_positions import past_table_page
from signoria.server.play.room import Room
from signoria.server.play.service import TableService
from signoria.store import people, tables
from signoria.store.people import User
from signoria.web import pages

FRESH = 1000
"""Milliseconds for which a rendered table is reused for viewers who see the same."""
MOST_DRAWN = 100
"""Rendered pages of a table that are cached at the same time."""
WATCHER = User(id="", name="", guest=True, created_at=0, seen_at=0)
"""Spectators: the page is rendered once for all of them."""


def drawn(service: TableService, room: Room, user: User | None, seat: int | None, base: str) -> Payload:
    """A table for one viewer; viewers who see the same share the rendered page.

    Address parameters that do not matter do not create extra cache entries, so nobody can fill the cache.
    """
    mine = room.seats_of(user.id if user else None)
    if user and room.row.state != "open" and user.id != room.row.host_id and not mine and not _is_known(room, user):
        user = WATCHER
    seat = seat if len(mine) > 1 and seat in mine else None
    base = base if room.row.state == "open" and room.row.invitation else ""
    key, now = (user.id if user else None, seat, base, language()), service.now()
    version, at, fragment = room.drawn.get(key, ("", 0, None))
    if now - at > FRESH or version != page_version(service, room, user):
        page = table_page(service, room, user, seat, base)
        fragment = Payload(pages.table_fragment(page))
        for other in [other for other, (_, then, _) in room.drawn.items() if now - then > FRESH]:
            del room.drawn[other]  # nobody uses it any more, and a page takes a tenth of a megabyte
        if len(room.drawn) >= MOST_DRAWN:
            room.drawn.clear()
        room.drawn[key] = page.version, now, fragment
    return fragment  # type: ignore[no-any-return]


def _is_known(room: Room, user: User) -> bool:
    """Whether the chat looks different to a person: they wrote some of it, or have blocked or muted people."""
    return bool(user.unheard) or any(message.user_id == user.id for message in room.messages)


async def table(request: Request) -> Response:
    """The page of a table."""
    service, user = service_of(request), user_of(request)
    room = await service.room(request.path_params["id"])
    service.note_activity(room, user.id if user else None)
    await service.notifier.seen(service.database, user.id if user else None, room.row.id)
    page = table_page(service, room, user, query_int(request, "seat"), base_of(request))
    return html(pages.table(msgspec.structs.replace(page, share=share_of(request, room))))


async def table_moment(request: Request) -> Response:
    """A table after some of its steps: a part of its page."""
    service, room = service_of(request), await service_of(request).room(request.path_params["id"])
    page = past_table_page(service, room, user_of(request), query_int(request, "seat"), request.path_params["n"])
    return html(pages.table_fragment(page))


class TableStream:
    """The live page of a table."""

    def __init__(self, request: Request, room: Room) -> None:
        self._request, self._service, self._user, self._room = request, service_of(request), user_of(request), room
        self._seat, self._base = query_int(request, "seat"), base_of(request)
        self._user_id = self._user.id if self._user else None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it whenever something has changed."""
        last = self._request.headers.get("last-event-id", "")
        with (
            live_connection(self._request) as here,
            self._room.viewing(here.changed),
            self._service.notifier.pages.open(self._user_id, self._room.row.id, here.changed) as self._page,
        ):
            await EventStream(self._fetch, *here, last, keep_alive=KEEP_ALIVE_EVENT)(scope, receive, send)

    async def _fetch(self, last: str) -> list[ServerSentEvent]:
        version = page_version(self._service, self._room, self._user)
        if version == last:
            return note_events(version, self._page)
        await self._service.notifier.seen(self._service.database, self._user_id, self._room.row.id)
        page = ServerSentEvent(version, drawn(self._service, self._room, self._user, self._seat, self._base))
        return [page, *note_events(version, self._page)]  # taken last, so that a failure before keeps them


async def table_stream(request: Request) -> Response:
    """The live page of a table."""
    return TableStream(request, await service_of(request).room(request.path_params["id"]))  # type: ignore[return-value]


async def invited(request: Request) -> Response:
    """The page of an invite link."""
    service, secret = service_of(request), request.path_params["secret"]
    async with service.database.read() as db:
        row = await tables.find_by_invitation(db, secret)
    if row is None:
        raise NotFound(say("This invite link does not work. It may be mistyped, or the table was closed."))
    user = user_of(request)
    if row.state != "open" or (user and any(seat.user_id == user.id for seat in row.seats)):
        return redirect(f"/tables/{row.id}")
    room = await service.room(row.id)
    page = table_page(service, room, user, None)
    if page.removed:
        return redirect(f"/tables/{row.id}")
    async with service.database.read() as db:
        hosts = await people.names_of(db, {row.host_id} if row.host_id else ())
    host = hosts.get(row.host_id or "", "")
    share = share_of(request, room)
    if host:
        share = msgspec.structs.replace(share, says=say("{name} invites you to a game.", name=host))
    share = msgspec.structs.replace(share, url=f"{base_of(request)}/invited/{secret}")
    return html(pages.invited(msgspec.structs.replace(page, share=share), secret, host))
