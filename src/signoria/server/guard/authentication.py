"""Middleware that finds out who sent a request, and renews sessions that are in use."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.server.guard.limits import LastAddresses, client_address
from signoria.server.guard.origin import SAFE
from signoria.server.guard.size import whole_request
from signoria.server.people.sessions import Sessions

ANYBODY = ("/static/", "/healthz", "/metrics")
"""Paths where it does not matter who asks."""


class AuthenticationMiddleware:
    """Notes in the request's state who is asking; `identity_of` reads it.

    That is found out when the whole request has arrived: a session or token that ends while the rest of a request is on
    its way is worth nothing any more. A cookie that the answer is to set, even if it is an error, may be left in the
    state as `cookie`.
    """

    def __init__(self, app: ASGIApp, *, sessions: Sessions, addresses: LastAddresses | None = None) -> None:
        self.app = app
        self.sessions = sessions
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find out, and let it pass."""
        if scope["type"] != "http" or scope["path"].startswith(ANYBODY):
            await self.app(scope, receive, send)
            return
        if scope["method"] not in SAFE:
            receive = await whole_request(receive)
        identity, cookie = await self.sessions.authenticate(Headers(scope=scope))
        state = scope.setdefault("state", {})
        state["identity"] = identity
        if identity.user is not None and self.addresses is not None:
            self.addresses.note(identity.user.id, client_address(scope))

        async def send_with_cookie(message: Message) -> None:
            to_set = state.get("cookie") or cookie
            if message["type"] == "http.response.start" and to_set:
                headers = MutableHeaders(scope=message)
                if "set-cookie" not in headers:
                    headers.append("Set-Cookie", to_set)
            await send(message)

        await self.app(scope, receive, send_with_cookie)
