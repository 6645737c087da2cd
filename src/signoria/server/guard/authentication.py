"""Middleware that identifies the sender of a request and renews sessions in use."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.kernel.language import is_known, speak
from signoria.server.guard.limits import LastAddresses, client_address
from signoria.server.guard.origin import SAFE
from signoria.server.guard.size import whole_request
from signoria.server.people.sessions import Sessions
from signoria.web.theme import choose_theme

ANYBODY = ("/static/", "/healthz", "/metrics")
"""Paths that need no identity."""


class AuthenticationMiddleware:
    """Stores the sender's identity in the request's state; `identity_of` reads it.

    The identity is checked when the whole request has arrived, so a session or token that ends before that is not
    accepted. A cookie for the response, even for an error response, may be put in the state as `cookie`.
    """

    def __init__(self, app: ASGIApp, *, sessions: Sessions, addresses: LastAddresses | None = None) -> None:
        self.app = app
        self.sessions = sessions
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Identify the sender, then pass the request on."""
        if scope["type"] != "http" or scope["path"].startswith(ANYBODY):
            await self.app(scope, receive, send)
            return
        if scope["method"] not in SAFE:
            receive = await whole_request(receive)
        identity, cookie = await self.sessions.authenticate(Headers(scope=scope))
        state = scope.setdefault("state", {})
        state["identity"] = identity
        if identity.user is not None and not identity.token and is_known(identity.user.language or ""):
            speak(identity.user.language or "")
        if identity.user is not None and identity.user.theme is not None:
            choose_theme(identity.user.theme)
        if identity.user is not None and self.addresses is not None:
            self.addresses.note(identity.user.id, client_address(scope))

        async def send_with_cookie(message: Message) -> None:
            to_set = state.get("cookie") or cookie
            if message["type"] == "http.response.start" and to_set:
                headers = MutableHeaders(scope=message)
                if "set-cookie" not in headers:
                    headers.append("Set-Cookie", to_set)
                    headers["Cache-Control"] = "no-store"  # a shared cache must not give the cookie to others
            await send(message)

        await self.app(scope, receive, send_with_cookie)
