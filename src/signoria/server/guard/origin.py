"""Middleware against cross-site requests: only pages of this server, and programs with a token, may write."""

from collections.abc import Collection
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from signoria.kernel.language import say
from signoria.server.errors import NotAllowed, NotFound
from signoria.server.people.cookies import carries_session
from signoria.server.settings import origin_of

OPEN = ("/mail/stop/",)
"""Addresses with a secret that mail programs send requests to (RFC 8058). They use no session."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
LONGEST = 300
"""Maximum length of an origin that can be ours: a host name has up to 253 characters. Longer ones are not cached."""
FROM_HERE = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site for our own pages and for typed addresses."""


class OriginMiddleware:
    """Lets writing requests pass only if they come from this site; raises `NotAllowed`."""

    def __init__(self, app: ASGIApp, *, public_origin: str | None = None, hosts: Collection[str] = ()) -> None:
        self.app = app
        self.public_origin = public_origin
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say why not."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            self._check_host(headers.get("host", ""))
            writes = scope["method"] not in SAFE and not scope["path"].startswith(OPEN)
            if writes and (refusal := self._refusal(scope["scheme"], headers)):
                raise NotAllowed(refusal)
        await self.app(scope, receive, send)

    def _check_host(self, host: str) -> None:
        name = host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()
        if self.hosts and name not in self.hosts:
            raise NotFound(say("This server does not answer to that host name."))

    def _refusal(self, scheme: str, headers: Headers) -> str | None:
        """Why this request may not write; None if it may."""
        own = {f"{scheme}://{headers.get('host', '').lower()}", self.public_origin}
        origins = headers.getlist("origin")
        if origins:
            if len(origins) == 1 and _plain(origins[0]) in {_plain(one) for one in own if one}:
                return None
            came_from = " ".join(origins)[:200]
            return say(
                "This request came from a page of {origin}. Only pages of this server may send it.", origin=came_from
            )
        if headers.get("sec-fetch-site") in FROM_HERE:
            return None
        if "sec-fetch-site" in headers:
            return say("This request came from another site. Only pages of this server may send it.")
        if headers.get("authorization", "").lower().startswith("bearer ") and not carries_session(headers):
            return None
        return say(
            "This request does not say that it comes from a page of this server. Browsers send an Origin header; "
            "programs must send a token (Authorization: Bearer ...) and no cookie."
        )


def _plain(origin: str) -> str:
    """An origin without the default port; unchanged if it is not an origin, such as null."""
    return known_plain(origin) if len(origin) <= LONGEST else origin


@lru_cache(1024)
def known_plain(origin: str) -> str:
    """The same for origins that are short enough to be kept in memory."""
    try:
        return origin_of(origin)
    except Exception:  # an origin that cannot be read is not ours
        return origin
