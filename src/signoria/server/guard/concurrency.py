"""Limits how many requests of one address run at the same time.

Further requests of that address wait, so that an address that sends many at once does not delay others. The rate limit
for requests limits how many can wait.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.server.guard.limits import client_address
from signoria.server.guard.origin import SAFE
from signoria.server.guard.size import whole_request


def give_back_turn(scope: Scope) -> None:
    """Let the next request of this address pass, because from now on this one only waits."""
    give_back = scope.get("state", {}).get("give_back_turn")
    if give_back:
        give_back()


class ConcurrencyLimitMiddleware:
    """Lets requests pass in order, with a limited number per address at a time.

    A request takes its turn once it has fully arrived, and gives it back when its response begins or when it waits for a
    bot (`give_back_turn`). So neither a slow client nor a live page nor a hint keeps a turn.
    """

    def __init__(self, app: ASGIApp, *, most: int, free: Collection[str] = ("/healthz", "/metrics")) -> None:
        self.app = app
        self.most = most
        self.free = frozenset(free)
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def __len__(self) -> int:
        """How many requests are running or waiting."""
        return self._running.total() + sum(map(len, self._waiting.values()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for a turn, then pass the request on."""
        if scope["type"] != "http" or scope["path"] in self.free:
            await self.app(scope, receive, send)
            return
        if scope["method"] not in SAFE:
            receive = await whole_request(receive)
        key, running = client_address(scope), True
        await self._take(key)

        def give_back() -> None:
            nonlocal running
            if running:
                running = False
                self._give_back(key)

        scope.setdefault("state", {})["give_back_turn"] = give_back

        async def send_and_give_back(message: Message) -> None:
            if message["type"] == "http.response.start":
                give_back()
            await send(message)

        try:
            await self.app(scope, receive, send_and_give_back)
        finally:
            give_back()

    async def _take(self, key: str) -> None:
        if self._running[key] < self.most:
            self._running[key] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(key, deque())
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(key)  # the turn was given in the same moment
            elif turn in waiting:
                waiting.remove(turn)
                if not waiting:
                    self._waiting.pop(key, None)
            raise

    def _give_back(self, key: str) -> None:
        """Pass the turn to the request that has waited longest."""
        waiting = self._waiting.get(key)
        while waiting:
            turn = waiting.popleft()
            if not waiting:
                del self._waiting[key]
            if not turn.done():  # otherwise its request was cancelled, and has not run since
                turn.set_result(None)
                return
        self._running[key] -= 1
        if not self._running[key]:
            del self._running[key]
