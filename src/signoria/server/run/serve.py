"""Starting the server: migrates the database, listens, compiles the rules if needed, and serves until it is told to stop."""

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Thread

from signoria.kernel.errors import BadOption
from signoria.kernel.language import say as translate
from signoria.server.run.lock import single_server
from signoria.server.run.logs import start_logging
from signoria.server.run.process import AppFactory, run_process
from signoria.server.run.sockets import address_of, listen, port_of
from signoria.server.run.warm_up import all_compiled, compile_first
from signoria.server.run.workers import Supervisor
from signoria.server.settings import Settings
from signoria.store.database import Database, database_url

Say = Callable[[str], None]


def serve(
    settings: Settings,
    build: AppFactory,
    *,
    say: Say = print,
    port_given: bool = True,
    open_browser: bool = False,
    while_compiling: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> int:
    """Serve until SIGTERM or Ctrl-C; returns the exit status. Raises `SignoriaError` if the server cannot start.

    `say` prints to the terminal. Without `port_given` the next free port is used.
    """
    url = database_url(settings.database)
    database = Database(url)
    if settings.workers > 1 and not database.is_postgres:
        raise BadOption(
            translate(
                "--workers: {workers} processes need PostgreSQL (--database postgresql://...); with SQLite only one is possible.",
                workers=settings.workers,
            )
        )
    listening = listen(settings.host, settings.port, strict=port_given)
    with listening:
        port = port_of(listening)
        if settings.port not in (0, port):
            say(translate("Port {wanted} is in use, so port {port} is used.", wanted=settings.port, port=port))
        address = settings.public_url or address_of(settings.host, port)

        def ready() -> None:
            say(
                translate(
                    "Signoria is running at {address} (Ctrl-C stops it). Games are saved in {database}.",
                    address=address,
                    database=database.shown,
                )
            )
            if open_browser and _has_screen():
                Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        with single_server(None if database.is_postgres else database.shown, address):
            asyncio.run(_migrate(url))
            if not all_compiled():
                with while_compiling():
                    compile_first()
            if settings.workers == 1:
                return run_process(settings, build, listening, ready)
            start_logging(settings.log_format, settings.log_level)
            return Supervisor(settings, build, listening, ready).run()


async def _migrate(url: str) -> None:
    """Migrate the database to the newest schema. Raises `StoreError` if it is not available."""
    database = Database(url)
    await database.start()
    await database.stop()


def _has_screen() -> bool:
    """Whether a browser would open a window and not take over the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
