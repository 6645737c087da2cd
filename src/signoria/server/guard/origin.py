"""Middleware against cross-site requests: only pages of this server, and programs with a token, may write."""

from collections.abc import Collection
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from signoria.server.errors import NotAllowed, NotFound
from signoria.server.people.cookies import carries_session
from signoria.server.settings import origin_of

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
LONGEST = 300
"""Letters of an origin that can be ours: a host name has 253. Longer ones are not kept in memory."""
FROM_HERE = frozenset({"same-origin", "none"})
"""What a browser says in Sec-Fetch-Site of a page of ours, and of what somebody typed."""


class OriginMiddleware:
    """Lets a request that writes pass only when it comes from here; raises `NotAllowed`."""

    def __init__(self, app: ASGIApp, *, public_origin: str | None = None, hosts: Collection[str] = ()) -> None:
        self.app = app
        self.public_origin = public_origin
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it pass, or say why not."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            self._check_host(headers.get("host", ""))
            if scope["method"] not in SAFE and (refusal := self._refusal(scope["scheme"], headers)):
                raise NotAllowed(refusal)
        await self.app(scope, receive, send)

    def _check_host(self, host: str) -> None:
        name = host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()
        if self.hosts and name not in self.hosts:
            raise NotFound("No house of that name is kept here.")

    def _refusal(self, scheme: str, headers: Headers) -> str | None:
        """Why this request may not write; None where it may."""
        own = {f"{scheme}://{headers.get('host', '').lower()}", self.public_origin}
        origins = headers.getlist("origin")
        if origins:
            if len(origins) == 1 and _plain(origins[0]) in {_plain(one) for one in own if one}:
                return None
            return f"This was sent from a page of {' '.join(origins)[:200]}; only pages of this house may do that."
        if headers.get("sec-fetch-site") in FROM_HERE:
            return None
        if "sec-fetch-site" in headers:
            return "This was sent from a page elsewhere; only pages of this house may do that."
        if headers.get("authorization", "").lower().startswith("bearer ") and not carries_session(headers):
            return None
        return (
            "Nothing in this request says that it comes from a page of this house. A browser sends Origin by itself; "
            "a program shows its token (Authorization: Bearer ...) and no cookie."
        )


def _plain(origin: str) -> str:
    """An origin with the port left out where it is the usual one; itself where it is none, such as null."""
    return _known_plain(origin) if len(origin) <= LONGEST else origin


@lru_cache(1024)
def _known_plain(origin: str) -> str:
    try:
        return origin_of(origin)
    except Exception:  # whatever it is, it is not ours
        return origin
