"""One server process: uvicorn around the application, until it is told to stop."""

import asyncio
import gc
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from signoria.server.run.http_protocol import HttpProtocol
from signoria.server.run.logs import start_logging
from signoria.server.run.warm_up import warm_up
from signoria.server.settings import Settings

logger = logging.getLogger(__name__)

GRACE = 2
"""Seconds for running requests to finish."""
PATIENCE = 4.5
"""Seconds after which the process stops in any case."""
STARTUP_FAILED = 3
SPARE_CONNECTIONS = 2000
SELDOM = (20_000, 20, 50)
"""Thresholds of the garbage collector."""

AppFactory = Callable[[Settings], Starlette]
"""Creates the application. Its `state.closing` is an asyncio.Event that is set when the server stops."""
OnReady = Callable[[], None]


class UvicornServer(uvicorn.Server):
    """Uvicorn's server, which also reports when it is ready and tells the application at once to stop."""

    def __init__(self, config: uvicorn.Config, closing: asyncio.Event, ready: OnReady, deaf_to: set[int]) -> None:
        super().__init__(config)
        self._closing = closing
        self._ready = ready
        self._deaf_to = deaf_to
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report it."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop: no new requests, streams end, running steps finish, and after a while stop in any case."""
        if sig in self._deaf_to:
            return
        if not self.should_exit:
            force_exit_after(PATIENCE)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
        super().handle_exit(sig, frame)


def run_process(
    settings: Settings, build: AppFactory, listening: socket.socket, ready: OnReady, *, deaf_to: set[int] | None = None
) -> int:
    """Serve until a signal; returns the exit status."""
    start_logging(settings.log_format, settings.log_level)
    raise_file_limit()
    gc.disable()  # starting makes little garbage; with the collector it takes a tenth longer
    warm_up()
    app = build(settings)
    tune_garbage_collector()
    config = uvicorn.Config(
        app,
        http=HttpProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.proxy is not None,
        forwarded_allow_ips=settings.proxy,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=settings.most_streams_in_all + SPARE_CONNECTIONS,
        workers=1,
    )
    server = UvicornServer(config, app.state.closing, ready, deaf_to or set())
    for sig in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sig, server.handle_exit)  # uvicorn raises the signal again at the end; by then all is done
    try:
        server.run([listening])
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else STARTUP_FAILED
    return 0 if server.started else STARTUP_FAILED


def force_exit_after(seconds: float) -> None:
    """End this process after this time in any case. Acknowledged steps are safe in the database."""

    def stop() -> None:
        time.sleep(seconds)
        logger.warning("Stopped with work unfinished, after %s seconds.", seconds)
        os._exit(1)

    threading.Thread(target=stop, name="last resort", daemon=True).start()


def tune_garbage_collector() -> None:
    """Make the garbage collector skip permanent objects, and check the rest a twentieth as often."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


def raise_file_limit() -> None:
    """Let this process hold as many connections as the system allows; many systems allow few by default."""
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
