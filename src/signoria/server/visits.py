"""A visit to a live page: counted while it lasts, and over when its person may no longer be who they were."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from starlette.requests import Request

from signoria.server.gate.holds import Holds
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
