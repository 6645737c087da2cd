"""How often: a bucket for each person or address, which fills steadily and out of which every act takes one."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from functools import lru_cache

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from signoria.kernel.words import counted
from signoria.server.errors import TooMany
from signoria.server.settings import Rate, Rates

MOST_KEYS = 50_000
"""Buckets of a kind that are kept; the ones not used for longest are forgotten first, and would be full again."""
Clock = Callable[[], float]


class Buckets:
    """The buckets of one kind of act."""

    def __init__(self, rate: Rate, clock: Clock, most_keys: int = MOST_KEYS) -> None:
        self._rate = rate
        self._clock = clock
        self._most_keys = most_keys
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # by key: what was left, and when

    def take(self, key: str) -> float | None:
        """Take one out. None when there was one, else the seconds until there will be."""
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


class Limits:
    """How often each kind of act may be done; routes ask it, and so does the gate."""

    def __init__(self, rates: Rates, clock: Clock = time.monotonic) -> None:
        self._kinds = {kind: Buckets(rate, clock) for kind, rate in msgspec.structs.asdict(rates).items()}

    def allow(self, kind: str, key: str) -> float | None:
        """Count one act of this kind. None when it may be done, else the seconds to wait first."""
        return self._kinds[kind].take(key)

    def check(self, kind: str, key: str, what: str) -> None:
        """Count one act of this kind; raises `TooMany` when there were too many. `what` says of what: "steps"."""
        wait = self.allow(kind, key)
        if wait is not None:
            raise TooMany(f"That were too many {what} in a short time; try again in {in_words(wait)}.", wait)


class Rated:
    """Counts every request of an address; raises `TooMany`."""

    def __init__(self, app: ASGIApp, *, limits: Limits, free: Collection[str] = ("/healthz", "/metrics")) -> None:
        self.app = app
        self.limits = limits
        self.free = frozenset(free)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it pass, or say when to come again."""
        if scope["type"] == "http" and scope["path"] not in self.free:
            self.limits.check("requests", address(scope), "requests")
        await self.app(scope, receive, send)


def address(scope: Scope) -> str:
    """Where a request comes from, as it is counted: an address, or the /64 that an IPv6 address is one of."""
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


def in_words(seconds: float) -> str:
    """A wait as people say it, never too short."""
    whole = max(1, math.ceil(seconds))
    return counted(whole, "second") if whole < 90 else counted(math.ceil(whole / 60), "minute")
