"""Tells every route who is asking, and prolongs the session of whoever keeps coming."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.server.gate.addresses import Addresses
from signoria.server.gate.people import People
from signoria.server.gate.rate import address

ANYBODY = ("/static/", "/healthz", "/metrics")
"""Paths where it does not matter who asks."""


class Asking:
    """Notes in the request's state who is asking; `who_of` reads it."""

    def __init__(self, app: ASGIApp, *, people: People, addresses: Addresses | None = None) -> None:
        self.app = app
        self.people = people
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find out, and let it pass."""
        if scope["type"] != "http" or scope["path"].startswith(ANYBODY):
            await self.app(scope, receive, send)
            return
        who, cookie = await self.people.ask(Headers(scope=scope))
        scope.setdefault("state", {})["who"] = who
        if who.user is not None and self.addresses is not None:
            self.addresses.note(who.user.id, address(scope))

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and cookie:
                headers = MutableHeaders(scope=message)
                if "set-cookie" not in headers:
                    headers.append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie if cookie else send)
