"""A visit to a live page: counted while it lasts, and over when its person may no longer be who they were."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from signoria.server.errors import SignInFirst
from signoria.server.gate.holds import Holds
from signoria.server.gate.people import People
from signoria.server.gate.rate import address
from signoria.server.gate.who import who_of
from signoria.server.house import House
from signoria.store.database import Database

RETRY_AFTER = 1.0
"""Seconds until the store is asked again where it did not answer."""

log = logging.getLogger(__name__)


class Visit(NamedTuple):
    """What a live page waits for."""

    changed: asyncio.Event
    """Set when there may be something new to show."""
    ended: asyncio.Event
    """Set when it has to end: the house closes, or the person signed out, changed or went."""

    def end(self) -> None:
        """Let the live page end."""
        self.ended.set()
        self.changed.set()


class Visits:
    """The live pages of signed-in people that are open in this process.

    A page ends when the store tells that its person has changed (topic `user:ID`). After a gap in which this process may
    have missed that, every page is checked.
    """

    def __init__(self, database: Database) -> None:
        self._open: dict[Visit, Request] = {}
        self._checking: set[asyncio.Task[None]] = set()
        database.listen(self._told)

    @contextmanager
    def registered(self, visit: Visit, request: Request) -> Iterator[None]:
        """Know a visit for as long as the context lasts."""
        self._open[visit] = request
        try:
            yield
        finally:
            del self._open[visit]

    def _told(self, topic: str) -> None:
        if topic == "*" and self._open:
            task = asyncio.ensure_future(self._check_all())
            self._checking.add(task)
            task.add_done_callback(self._checking.discard)

    async def _check_all(self) -> None:
        for visit in list(self._open):
            while (request := self._open.get(visit)) and not visit.ended.is_set():
                try:
                    if not await _is_same_person(request):
                        visit.end()
                    break
                except Exception:
                    log.warning("The sessions of live pages cannot be checked; trying again.", exc_info=True)
                    await asyncio.sleep(RETRY_AFTER)

    async def check(self, wanted: Callable[[str], bool]) -> None:
        """End those pages of wanted users, by their ids, that are no longer theirs; raises where the store fails."""
        for visit, request in list(self._open.items()):
            user = who_of(request).user
            if user is not None and wanted(user.id) and not visit.ended.is_set() and not await _is_same_person(request):
                visit.end()

    async def stop(self) -> None:
        """Stop checking, before the store closes."""
        for task in self._checking:
            task.cancel()
        await asyncio.gather(*self._checking, return_exceptions=True)


@contextmanager
def visit(request: Request) -> Iterator[Visit]:
    """A visit for as long as the context lasts; raises `TooMany`."""
    house: House = request.app.state.house
    holds: Holds = request.app.state.holds
    visits: Visits = request.app.state.visits
    user, here = who_of(request).user, Visit(asyncio.Event(), asyncio.Event())
    user_id = user.id if user else None
    if house.closing.is_set():
        here.ended.set()
    topics = [f"user:{user_id or ''}"]
    with (
        holds.hold(user_id, address(request.scope)),
        house.metrics.streams.track_inprogress(),
        visits.registered(here, request),
        house.watch(here.changed, topics),
        house.watch(here.ended, topics),
    ):
        yield here


async def has_valid_token(request: Request, here: Visit) -> bool:
    """Whether the token that opened a stream still stands for the same person; ends the visit otherwise.

    Asked at most twice a minute. It also notes that the token is in use for as long as a program listens. Browsers have
    no token: `Visits` ends their pages.
    """
    if not who_of(request).token:
        return True
    try:
        if await _is_same_person(request):
            return True
    except (SQLAlchemyError, OSError):
        return True  # the database does not answer: the visit goes on until it does
    here.end()
    return False


async def _is_same_person(request: Request) -> bool:
    """Whether what a request carries stands for the same person, with the same people blocked, as when it came."""
    before = who_of(request).user
    if before is None:
        return True
    people: People = request.app.state.people
    try:
        now = (await people.ask(request.headers, renew=False)).who.user
    except SignInFirst:  # a token that was revoked
        return False
    return now is not None and (now.id, now.blocked) == (before.id, before.blocked)
