"""Limits: how often things may be done, and how many streams and tables may be open at the same time."""

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import lru_cache

import msgspec
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from signoria.kernel.language import say, say_count, to_say
from signoria.server.errors import TooMany
from signoria.server.settings import Rate, Rates
from signoria.store import tables
from signoria.store.database import Database
from signoria.store.people import User

MOST_KEYS = 50_000
"""The most buckets of each kind; those unused for longest are dropped first, and would be full again."""
Clock = Callable[[], float]


class TokenBuckets:
    """Token buckets for one kind of action: each fills steadily, and every action takes one token."""

    def __init__(self, rate: Rate, clock: Clock, most_keys: int = MOST_KEYS) -> None:
        self._rate = rate
        self._clock = clock
        self._most_keys = most_keys
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # by key: tokens left, and when

    def take(self, key: str) -> float | None:
        """Take a token. None if there was one, otherwise the seconds until there will be."""
        if math.isinf(self._rate.burst):
            return None
        now = self._clock()
        left, then = self._left.pop(key, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - then) * self._rate.per_second)
        enough = left >= 1
        self._left[key] = (left - 1 if enough else left, now)
        if len(self._left) > self._most_keys:
            self._left.popitem(last=False)
        return None if enough else (1 - left) / self._rate.per_second

    def __len__(self) -> int:
        return len(self._left)


TOO_MANY = {
    "requests": to_say("Too many requests in a short time. Try again in {wait}."),
    "moves": to_say("Too many moves in a short time. Try again in {wait}."),
    "messages": to_say("Too many messages in a short time. Try again in {wait}."),
    "announcements": to_say("Too many announcements in a short time. Try again in {wait}."),
    "hints": to_say("Too many hints in a short time. Try again in {wait}."),
    "hints from your address": to_say("Too many hints from your address in a short time. Try again in {wait}."),
    "new tables": to_say("Too many new tables in a short time. Try again in {wait}."),
    "new tables from your address": to_say(
        "Too many new tables from your address in a short time. Try again in {wait}."
    ),
    "new guests from your address": to_say(
        "Too many new guests from your address in a short time. Try again in {wait}."
    ),
    "sign-in attempts from your address": to_say(
        "Too many sign-in attempts from your address in a short time. Try again in {wait}."
    ),
    "sign-in attempts for that name": to_say(
        "Too many sign-in attempts for that name in a short time. Try again in {wait}."
    ),
    "invitations": to_say("Too many invitations in a short time. Try again in {wait}."),
    "reports from your address": to_say("Too many reports from your address in a short time. Try again in {wait}."),
    "e-mails from your address": to_say("Too many e-mails from your address in a short time. Try again in {wait}."),
    "e-mails to this address": to_say("Too many e-mails to this address in a short time. Try again in {wait}."),
}
"""What is told to people who do something too often."""


class RateLimiter:
    """How often each kind of action is allowed."""

    def __init__(self, rates: Rates, clock: Clock = time.monotonic) -> None:
        self._kinds = {kind: TokenBuckets(rate, clock) for kind, rate in msgspec.structs.asdict(rates).items()}

    def allow(self, kind: str, key: str) -> float | None:
        """Count one action of this kind. None if it is allowed, otherwise the seconds to wait."""
        return self._kinds[kind].take(key)

    def check(self, kind: str, key: str, what: str) -> None:
        """Count one action of this kind; raises `TooMany`. `what` names the message in `TOO_MANY`: `moves`."""
        wait = self.allow(kind, key)
        if wait is not None:
            raise TooMany(
                say(TOO_MANY.get(what, TOO_MANY["requests"]), wait=wait_in_words(wait)),
                wait,
            )


class RateLimitMiddleware:
    """Counts the requests of each address; raises `TooMany`."""

    def __init__(self, app: ASGIApp, *, limits: RateLimiter, free: Collection[str] = ("/healthz", "/metrics")) -> None:
        self.app = app
        self.limits = limits
        self.free = frozenset(free)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say when to try again."""
        if scope["type"] == "http" and scope["path"] not in self.free:
            self.limits.check("requests", client_address(scope), "requests")
        await self.app(scope, receive, send)


def client_address(scope: Scope) -> str:
    """The address of a request for counting: an IPv4 address, or the /64 network of an IPv6 address."""
    return _counted_as(scope["client"][0] if scope.get("client") else "")


@lru_cache(4096)
def _counted_as(host: str) -> str:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


def wait_in_words(seconds: float) -> str:
    """A waiting time in words, rounded up."""
    whole = max(1, math.ceil(seconds))
    if whole < 90:
        return say_count("{n} second", "{n} seconds", whole)
    return say_count("{n} minute", "{n} minutes", math.ceil(whole / 60))


AT_AN_ADDRESS = 50
"""How many times more an address may have than a person: a whole school may share one address."""


class StreamLimiter:
    """Counts open streams per person, per address and in total."""

    def __init__(self, most_each: int, most_in_all: int) -> None:
        self._most_each = most_each
        self._most_in_all = most_in_all
        self._held: Counter[tuple[str, str]] = Counter()
        self._in_all = 0

    def __len__(self) -> int:
        return self._in_all

    @contextmanager
    def hold(self, person: str | None, address: str) -> Iterator[None]:
        """Count an open stream while the context lasts; raises `TooMany`. An unnamed visitor counts by address."""
        most = {("address", address): self._most_each * AT_AN_ADDRESS} if person else {}
        most["person", person or address] = self._most_each
        for key, number in most.items():
            if self._held[key] >= number:
                raise TooMany(
                    say("At most {number} live pages can be open at the same time. Close some of them.", number=number)
                )
        if self._in_all >= self._most_in_all:
            raise TooMany(say("The server is full. Try again in a minute."), 60)
        self._held.update(most.keys())
        self._in_all += 1
        try:
            yield
        finally:
            self._in_all -= 1
            self._held.subtract(most.keys())
            for key in most:
                if not self._held[key]:
                    del self._held[key]


Opened = Callable[[str], str]


class TableLimiter:
    """Counts tables by the address that opened them. This is kept in memory only, without names."""

    def __init__(self, database: Database, limits: RateLimiter, most: int) -> None:
        self._database, self._limits, self._most = database, limits, most
        self._opened: OrderedDict[str, set[str]] = OrderedDict()  # ids by address

    async def check(self, user_id: str, here: str) -> None:
        """Count one more table of a person at an address; raises `TooMany`."""
        self._limits.check("tables", user_id, "new tables")
        self._limits.check("tables_here", here, "new tables from your address")
        known = self._opened.get(here, set())
        if len(known) < self._most:
            return
        asked = known.copy()  # others may open tables in the meantime
        async with self._database.read() as db:
            known -= asked - await tables.still_going_on(db, asked)
        if len(known) >= self._most:
            raise TooMany(
                say(
                    "{count} tables from your address are still open or in play. Finish some of them first.",
                    count=len(known),
                )
            )

    def note(self, here: str, table_id: str) -> str:
        """Note that this address opened a table; returns the table's id."""
        self._opened.setdefault(here, set()).add(table_id)
        self._opened.move_to_end(here)
        if len(self._opened) > MOST_KEYS:
            self._opened.popitem(last=False)
        return table_id


async def may_open(request: Request, user: User) -> Opened:
    """Returns a function to call with the id of the new table; raises `TooMany` if the person may not open one."""
    opening: TableLimiter = request.app.state.table_limiter
    here = client_address(request.scope)
    await opening.check(user.id, here)
    return lambda table_id: opening.note(here, table_id)


class LastAddresses:
    """The last address of each person. It is kept in memory only, so that each address gets one share of the bots."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._seen: OrderedDict[str, str] = OrderedDict()

    def note(self, user_id: str, address: str) -> None:
        """Note a request from this address."""
        self._seen[user_id] = address
        self._seen.move_to_end(user_id)
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)

    def of(self, user_id: str) -> str | None:
        """A person's last address; None if unknown."""
        return self._seen.get(user_id)
