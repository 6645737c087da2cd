"""A visit to a live page: counted while it lasts, and over when its person may no longer be who they were."""

import asyncio
from collections.abc import Iterator
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


class Visit(NamedTuple):
    """What a live page waits for."""

    changed: asyncio.Event
    """Set when there may be something new to show."""
    ended: asyncio.Event
    """Set when it has to end: the house closes, or the person signed out, changed or went."""


@contextmanager
def visit(request: Request) -> Iterator[Visit]:
    """A visit for as long as the context lasts; raises `TooMany`."""
    house: House = request.app.state.house
    holds: Holds = request.app.state.holds
    user, here = who_of(request).user, Visit(asyncio.Event(), asyncio.Event())
    user_id = user.id if user else None
    if house.closing.is_set():
        here.ended.set()
    topics = [f"user:{user_id or ''}"]
    with (
        holds.hold(user_id, address(request.scope)),
        house.metrics.streams.track_inprogress(),
        house.watch(here.changed, topics),
        house.watch(here.ended, topics),
    ):
        yield here


async def is_still_known(request: Request, here: Visit) -> bool:
    """Whether the cookie or token that opened a live page still stands for the same person; ends the visit otherwise.

    A change is told to every process, but a process may miss it while it cannot reach the database. Asking again, at
    most twice a minute, also notes that a token is in use for as long as a program listens.
    """
    before = who_of(request).user
    if before is None:
        return True
    people: People = request.app.state.people
    try:
        now = (await people.ask(request.headers)).who.user
    except SignInFirst:
        now = None
    except (SQLAlchemyError, OSError):
        return True  # the database does not answer: the visit goes on until it does
    if now is not None and (now.id, now.blocked) == (before.id, before.blocked):
        return True
    here.ended.set()
    here.changed.set()
    return False
