"""Open streams: counted while they last, and ended when their person signs out or changes."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from signoria.server.errors import SignInFirst
from signoria.server.guard.limits import StreamLimiter, client_address
from signoria.server.people.sessions import Sessions, identity_of
from signoria.server.play.service import TableService
from signoria.store.database import Database

RETRY_AFTER = 1.0
"""Seconds until the database is asked again if it did not answer."""

log = logging.getLogger(__name__)


class LiveConnection(NamedTuple):
    """An open stream: what it waits for."""

    changed: asyncio.Event
    """Set when there may be something new to show."""
    ended: asyncio.Event
    """Set when it must end: the server stops, or the person signed out, changed or was deleted."""

    def end(self) -> None:
        """End the live page."""
        self.ended.set()
        self.changed.set()


class LiveConnections:
    """The open live pages of signed-in people in this process.

    A page ends when the database notifies that its person has changed (topic `user:ID`). After a gap in notifications,
    every page is checked.
    """

    def __init__(self, database: Database) -> None:
        self._open: dict[LiveConnection, Request] = {}
        self._checking: set[asyncio.Task[None]] = set()
        database.listen(self._on_notification)

    @contextmanager
    def registered(self, live_connection: LiveConnection, request: Request) -> Iterator[None]:
        """Register a visit while the context lasts."""
        self._open[live_connection] = request
        try:
            yield
        finally:
            del self._open[live_connection]

    def _on_notification(self, topic: str) -> None:
        if topic == "*" and self._open:
            task = asyncio.ensure_future(self._check_all())
            self._checking.add(task)
            task.add_done_callback(self._checking.discard)

    async def _check_all(self) -> None:
        for live_connection in list(self._open):
            while (request := self._open.get(live_connection)) and not live_connection.ended.is_set():
                try:
                    if not await _is_same_person(request):
                        live_connection.end()
                    break
                except Exception:
                    log.warning("Could not check the sessions of live pages; trying again.", exc_info=True)
                    await asyncio.sleep(RETRY_AFTER)

    async def check(self, wanted: Callable[[str], bool]) -> None:
        """End pages of these users that are no longer theirs; raises if the database fails."""
        for live_connection, request in list(self._open.items()):
            user = identity_of(request).user
            if (
                user is not None
                and wanted(user.id)
                and not live_connection.ended.is_set()
                and not await _is_same_person(request)
            ):
                live_connection.end()

    async def stop(self) -> None:
        """Stop checking, before the database is closed."""
        for task in self._checking:
            task.cancel()
        await asyncio.gather(*self._checking, return_exceptions=True)


@contextmanager
def live_connection(request: Request) -> Iterator[LiveConnection]:
    """A connection while the context lasts; raises `TooMany`."""
    service: TableService = request.app.state.service
    stream_limiter: StreamLimiter = request.app.state.stream_limiter
    connections: LiveConnections = request.app.state.connections
    user, connection = identity_of(request).user, LiveConnection(asyncio.Event(), asyncio.Event())
    user_id = user.id if user else None
    if service.closing.is_set():
        connection.ended.set()
    topics = [f"user:{user_id or ''}"]
    with (
        stream_limiter.hold(user_id, client_address(request.scope)),
        service.metrics.streams.track_inprogress(),
        connections.registered(connection, request),
        service.watch(connection.changed, topics),
        service.watch(connection.ended, topics),
    ):
        yield connection


async def has_valid_token(request: Request, connection: LiveConnection) -> bool:
    """Whether the token that opened a stream still belongs to the same person; ends the visit otherwise.

    Checked at most twice a minute. This also marks the token as used while a program listens. Browsers have no token:
    `LiveConnections` ends their pages.
    """
    if not identity_of(request).token:
        return True
    try:
        if await _is_same_person(request):
            return True
    except (SQLAlchemyError, OSError):
        return True  # the database does not answer: the visit continues until it does
    connection.end()
    return False


async def _is_same_person(request: Request) -> bool:
    """Whether a request's cookie or token still belongs to the same person who has blocked, muted and follows the same people."""
    before = identity_of(request).user
    if before is None:
        return True
    sessions: Sessions = request.app.state.sessions
    try:
        now = (await sessions.authenticate(request.headers, renew=False)).identity.user
    except SignInFirst:  # a token that was revoked
        return False
    return now is not None and (now.id, now.unheard, now.followed) == (before.id, before.unheard, before.followed)
