"""A bounded queue that shares time fairly: between kinds of work, then between addresses, then between persons.

The owner that has used least is served next, and a new owner starts level with the one served last. So a hundred tables
of one person or address delay others by about one decision, or not at all if an address cannot use all threads at once.
The queue knows no clocks or threads: the caller says how long something took.
"""

from collections import Counter, deque
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

EXPECTED = 1.0
"""Seconds that work is assumed to need until its real time is known."""
MANY = 256
"""Owners that are remembered before idle ones without debt are forgotten."""
MOST = 10_000
"""The most idle owners that are remembered."""


class Owner(NamedTuple):
    """The owner whose share a piece of work counts against."""

    kind: str
    address: str
    person: str


class Limit(NamedTuple):
    """How a kind of work is treated."""

    waiting: int
    """The most pieces that may wait."""
    weight: float = 1.0
    """Its share of the time, relative to the other kinds."""


class _Share:
    """What a kind, an address or a person has used, and what it waits for."""

    __slots__ = ("floor", "forget_at", "members", "queue", "ready", "running", "used", "waiting", "weight")

    def __init__(self, used: float = 0.0, weight: float = 1.0) -> None:
        self.used, self.weight = used, weight
        self.floor = 0.0
        """The usage of the member served last: new members start from here."""
        self.members: dict[str, _Share] = {}
        self.ready: dict[str, _Share] = {}
        """The members that wait for something."""
        self.forget_at = MANY
        self.queue: deque[Any] = deque()
        self.waiting = self.running = 0

    @property
    def idle(self) -> bool:
        return not self.waiting and not self.running

    def member(self, key: str, weight: float) -> "_Share":
        """The member with this name. A returning member keeps its usage, but starts at least at the current level."""
        found = self.members.get(key)
        if found is None:
            found = self.members[key] = _Share(self.floor, weight)
        elif found.idle:
            found.used = max(found.used, self.floor)
        return found

    def forget_idle(self) -> None:
        """Forget idle members: first those without debt, and all of them if there are too many.

        This runs only when their number has doubled, so that it costs next to nothing.
        """
        if len(self.members) <= self.forget_at:
            return
        for floor in (self.floor, float("inf")):
            self.members = {key: one for key, one in self.members.items() if not one.idle or one.used > floor}
            if len(self.members) <= MOST // 2:
                break
        self.forget_at = max(MANY, 2 * len(self.members))


class FairQueue:
    """Waiting work. The least served owner comes first; a full kind drops the last work of its greediest owner."""

    def __init__(self, limits: Mapping[str, Limit], most_at_once: float = float("inf")) -> None:
        self._limits = dict(limits)
        self._most_at_once = most_at_once
        """How many pieces of one address may run at the same time."""
        self._root = _Share()
        self._running: Counter[str] = Counter()
        """Running work by address."""

    def __len__(self) -> int:
        return self._root.waiting

    def put(self, owner: Owner, work: Any) -> Any | None:
        """Add work. Returns the work that must leave the queue for it, perhaps this work; None if there is room."""
        path = self._path(owner)
        path[-1].queue.append(work)
        _count(path, owner, 1)
        return self._give_up(owner) if path[1].waiting > self._limits[owner.kind].waiting else None

    def next(self, without: Collection[str] = ()) -> tuple[Owner, Any] | None:
        """Take out the next work of any kind except these; call `done` when it is finished."""
        kinds = {key: kind for key, kind in self._root.ready.items() if key not in without}
        while kinds:
            kind = _least_served(kinds)
            addresses = {key: one for key, one in kinds[kind].ready.items() if self._running[key] < self._most_at_once}
            if addresses:
                break
            del kinds[kind]
        else:
            return None
        address = _least_served(addresses)
        owner = Owner(kind, address, _least_served(addresses[address].ready))
        path = self._path(owner)
        work = path[-1].queue.popleft()
        for above, share in pairwise(path):
            above.floor = max(above.floor, share.used)
        self._running[address] += 1
        _count(path, owner, -1)
        for one in path:
            one.running += 1
            one.used += EXPECTED / one.weight
        return owner, work

    def done(self, owner: Owner, seconds: float) -> None:
        """Work of this owner is finished and took this long."""
        path = self._path(owner)
        self._running[owner.address] -= 1
        if not self._running[owner.address]:
            del self._running[owner.address]
        for share in path:
            share.running -= 1
            share.used += (seconds - EXPECTED) / share.weight
        _forget_idle(path)

    def remove(self, owner: Owner, work: Any) -> bool:
        """Remove work that is no longer wanted; False if it is not waiting."""
        path = self._path(owner)
        if work not in path[-1].queue:
            return False
        path[-1].queue.remove(work)
        _count(path, owner, -1)
        _forget_idle(path)
        return True

    def waiting(self, kind: str, address: str | None = None, person: str | None = None) -> int:
        """How much waits: of a kind, of an address, of a person there."""
        share: _Share | None = self._root
        for key in (kind, address, person):
            if key is None or share is None:
                break
            share = share.ready.get(key)
        return share.waiting if share else 0

    def _path(self, owner: Owner) -> list[_Share]:
        path = [self._root]
        for level, key in enumerate(owner):
            path.append(path[-1].member(key, 1.0 if level else self._limits[key].weight))
        return path

    def _give_up(self, newest: Owner) -> Any:
        """The last work of the owner with the most waiting; of the newest if several are tied."""
        address = _greediest(self._root.ready[newest.kind], newest.address)
        person = _greediest(self._root.ready[newest.kind].ready[address], newest.person)
        owner = Owner(newest.kind, address, person)
        path = self._path(owner)
        work = path[-1].queue.pop()
        _count(path, owner, -1)
        return work


def _least_served(shares: Mapping[str, _Share]) -> str:
    return min(shares, key=lambda key: shares[key].used)


def _greediest(share: _Share, newest: str) -> str:
    return max(share.ready, key=lambda key: (share.ready[key].waiting, key == newest))


def _count(path: list[_Share], owner: Owner, more: int) -> None:
    """Count waiting work, from everything down to its owner."""
    path[0].waiting += more
    for above, key, share in zip(path, owner, path[1:], strict=False):
        share.waiting += more
        if share.waiting:
            above.ready[key] = share
        else:
            above.ready.pop(key, None)


def _forget_idle(path: list[_Share]) -> None:
    for share in path[:-1]:
        share.forget_idle()
