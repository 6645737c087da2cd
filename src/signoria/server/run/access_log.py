"""Middleware that logs, counts and times every request, by route and never by address."""

import logging
import time
from collections.abc import Callable

from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoria.server.run.metrics import Metrics

logger = logging.getLogger(__name__)

NO_ROUTE = "(none)"
QUIET = frozenset({"/healthz", "/metrics", "/static"})
"""Frequent routes that are only logged at debug level."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BROKEN_OFF = 499
"""The status that is logged if the client left before a response."""


class AccessLogMiddleware:
    """The outermost middleware, so that it sees every response as the client gets it."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, clock: Callable[[], float] = time.perf_counter) -> None:
        self.app = app
        self.metrics = metrics
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = self.clock()
        first = None
        status = BROKEN_OFF
        root = scope.get("root_path", "")

        async def send_noticed(message: Message) -> None:
            nonlocal status, first
            if message["type"] == "http.response.start":
                status, first = message["status"], self.clock()
            await send(message)

        try:
            await self.app(scope, receive, send_noticed)
        finally:
            ended = self.clock()
            route = route_of(scope, root)
            method = scope["method"] if scope["method"] in METHODS else "OTHER"
            self.metrics.requests.labels(method, route, str(status)).inc()
            if first is not None:
                self.metrics.request_seconds.labels(route).observe(first - began)
            identity = scope.get("state", {}).get("identity")
            fields = {
                "method": method,
                "route": route,
                "status": status,
                "ms": round((ended - began) * 1000, 1),
                "user": identity.user.id if identity is not None and identity.user is not None else None,
            }
            level = logging.DEBUG if route in QUIET and status < 400 else logging.INFO
            logger.log(level, "request", extra=fields)


def route_of(scope: Scope, root: str = "") -> str:
    """The route pattern of a request, such as `/tables/{id}`, without its values."""
    route = scope.get("route")
    if route is None:
        return NO_ROUTE
    path: str = getattr(route, "path", NO_ROUTE)
    if isinstance(route, Mount):
        return path
    return str(scope.get("root_path", "")).removeprefix(root) + path
