"""Metrics for Prometheus (`/metrics`), and the health check (`/healthz`)."""

import asyncio
import hmac
import ipaddress
import os
import time
from collections.abc import Awaitable, Callable
from importlib import metadata

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.requests import Request
from starlette.responses import Response

from signoria.kernel.language import say
from signoria.server.errors import NotAllowed
from signoria.server.people.cookies import bearer
from signoria.server.settings import Settings

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Set if several processes count together; see prometheus_client."""
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SAMPLE_EVERY = 0.5
PATIENCE = 2.0
"""Seconds that the database may take before the server counts as unhealthy."""
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")

Ping = Callable[[], Awaitable[object]]


class Metrics:
    """All metrics, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "signoria_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self.request_seconds = self._seconds(
            "signoria_request_seconds", "Time from a request to the start of its response.", "route"
        )
        self.steps = Counter("signoria_steps", "Steps accepted.", ("game", "by"), registry=self.registry)
        self.commit_seconds = self._seconds("signoria_step_commit_seconds", "Time from a step to its commit.")
        self.streams = self._gauge("signoria_streams", "Live pages open.")
        self.rooms = self._gauge("signoria_rooms", "Games in memory.")
        self.bot_turns = Counter("signoria_bot_turns", "Steps made by bots.", ("level",), registry=self.registry)
        self.bot_seconds = self._seconds("signoria_bot_seconds", "How long a bot thought about a step.", "level")
        self.bot_wait = self._seconds("signoria_bot_wait_seconds", "How long bots waited for a thread.", "kind")
        self.bots_waiting = self._gauge("signoria_bots_waiting", "Decisions waiting for a thread.", "kind")
        self.bot_threads_stuck = self._gauge("signoria_bot_threads_stuck", "Threads whose bot does not answer.")
        self.bot_failures = Counter(
            "signoria_bot_failures", "Decisions that failed.", ("level", "why"), registry=self.registry
        )
        self.tables_paused = Counter(
            "signoria_tables_paused",
            "Games paused because the server crashed again and again while handling them.",
            registry=self.registry,
        )
        self.clocks = Counter("signoria_clocks", "Clocks that ran out.", registry=self.registry)
        self.notifications = Counter(
            "signoria_notifications",
            "Messages by push and e-mail, by what became of them.",
            ("channel", "outcome"),
            registry=self.registry,
        )
        self.outbox_waiting = self._latest("signoria_outbox_waiting", "Messages in the outbox, up to 1000.")
        self.outbox_dead = self._latest("signoria_outbox_dead", "Messages that could not be sent, up to 1000.")
        self.loop_lag = self._seconds("signoria_loop_lag_seconds", "How late the event loop was.")

    def _gauge(self, name: str, says: str, *labels: str) -> Gauge:
        return Gauge(name, says, labels, registry=self.registry, multiprocess_mode="livesum")

    def _latest(self, name: str, says: str) -> Gauge:
        """A figure that is the same for all processes."""
        return Gauge(name, says, registry=self.registry, multiprocess_mode="mostrecent")

    def _seconds(self, name: str, says: str, *labels: str) -> Histogram:
        return Histogram(name, says, labels, buckets=QUICK, registry=self.registry)

    def text(self) -> bytes:
        """All metrics in Prometheus format; of all processes if several count together."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)

    async def watch_loop(self) -> None:
        """Measure forever how late the event loop is."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(SAMPLE_EVERY)
            self.loop_lag.observe(max(0.0, time.monotonic() - before - SAMPLE_EVERY))


def metrics_page(metrics: Metrics, settings: Settings) -> Callable[[Request], Awaitable[Response]]:
    """`/metrics`, only for this machine unless the settings say otherwise."""

    async def page(request: Request) -> Response:
        if not (settings.metrics_open or _shows_token(request, settings.metrics_token) or _from_this_machine(request)):
            raise NotAllowed(say("Metrics are private: ask from the server's own machine, or send the metrics token."))
        return Response(metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    return page


def health_page(
    ping: Ping, closing: asyncio.Event, can_write: Callable[[], Awaitable[bool]] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """`/healthz`: 200 while the server works. `ping` queries the database and raises if that fails."""

    async def page(_request: Request) -> Response:
        try:
            await asyncio.wait_for(ping(), PATIENCE)
            writable = can_write is None or await asyncio.wait_for(can_write(), PATIENCE)
            database = "ok" if writable else "cannot be written"
        except Exception:  # any error here means that the database is not available
            database = "unreachable"
        well = database == "ok" and not closing.is_set()
        body = {
            "status": "ok" if well else "closing" if closing.is_set() else "unwell",
            "database": database,
            "version": metadata.version("signoria"),
        }
        return Response(msgspec.json.encode(body), 200 if well else 503, media_type="application/json")

    return page


def _shows_token(request: Request, wanted: str | None) -> bool:
    shown = bearer(request.headers)
    return bool(wanted and shown) and hmac.compare_digest(str(shown).encode(), str(wanted).encode())


def _from_this_machine(request: Request) -> bool:
    """Whether the request came from this machine, and not through a proxy."""
    if request.client is None or any(header in request.headers for header in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
