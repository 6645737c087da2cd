"""A bounded queue that shares time fairly: between kinds of work, then between addresses, then between persons.

Whoever has used least is served next, and whoever comes anew starts level with the one served last. So a hundred tables
of one person, or of one address, delay somebody else by about one decision, and by none where an address may not have
everything done at the same time. Nothing here knows a clock or a thread: the caller says how long something took.
"""

from collections import Counter, deque
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

EXPECTED = 1.0
"""Seconds that work is taken to need until it is done and its real time is known."""
MANY = 256
"""Owners that are remembered before those without work who owe nothing are forgotten."""
MOST = 10_000
"""Owners without work that are remembered at all."""


class Owner(NamedTuple):
    """Whose share a piece of work is counted against."""

    kind: str
    address: str
    person: str


class Limit(NamedTuple):
    """How a kind of work is treated."""

    waiting: int
    """Pieces that may wait."""
    weight: float = 1.0
    """Its share of the time, compared with the other kinds."""


class _Share:
    """What a kind, an address or a person has used, and what it waits for."""

    __slots__ = ("floor", "forget_at", "members", "queue", "ready", "running", "used", "waiting", "weight")

    def __init__(self, used: float = 0.0, weight: float = 1.0) -> None:
        self.used, self.weight = used, weight
        self.floor = 0.0
        """What the member that was served last had used: others start from here."""
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
        """The member of this name. One that comes back starts no further behind than where it left."""
        found = self.members.get(key)
        if found is None:
            found = self.members[key] = _Share(self.floor, weight)
        elif found.idle:
            found.used = max(found.used, self.floor)
        return found

    def forget_idle(self) -> None:
        """Forget members without work: first those who owe nothing, and all of them where they are too many.

        That is done only when they have doubled since, so that it costs next to nothing each time.
        """
        if len(self.members) <= self.forget_at:
            return
        for floor in (self.floor, float("inf")):
            self.members = {key: one for key, one in self.members.items() if not one.idle or one.used > floor}
            if len(self.members) <= MOST // 2:
                break
        self.forget_at = max(MANY, 2 * len(self.members))


class FairQueue:
    """Work that waits. The least served owner comes first; a full kind gives up the last of its greediest owner."""

    def __init__(self, limits: Mapping[str, Limit], most_at_once: float = float("inf")) -> None:
        self._limits = dict(limits)
        self._most_at_once = most_at_once
        """Pieces of one address that may be done at the same time."""
        self._root = _Share()
        self._running: Counter[str] = Counter()
        """By address: what is being done."""

    def __len__(self) -> int:
        return self._root.waiting

    def put(self, owner: Owner, work: Any) -> Any | None:
        """Let work wait. What has to leave the queue for it, which may be this very work; None where there is room."""
        path = self._path(owner)
        path[-1].queue.append(work)
        _count(path, owner, 1)
        return self._give_up(owner) if path[1].waiting > self._limits[owner.kind].waiting else None

    def next(self, without: Collection[str] = ()) -> tuple[Owner, Any] | None:
        """Take out what is to be done next, of any kind but these; `done` is to be told of it."""
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
        """Work of this owner is done, and took so long."""
        path = self._path(owner)
        self._running[owner.address] -= 1
        if not self._running[owner.address]:
            del self._running[owner.address]
        for share in path:
            share.running -= 1
            share.used += (seconds - EXPECTED) / share.weight
        _forget_idle(path)

    def remove(self, owner: Owner, work: Any) -> bool:
        """Take work out that nobody wants any more; False where it does not wait."""
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
        """The last work of whoever waits for most; of the newest where several do."""
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
    """Count what waits, from everything down to its owner."""
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
