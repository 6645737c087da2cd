"""`signoria serve`: opens the house, to play in the browser."""

import os
from functools import partial
from typing import Annotated

import typer

from signoria.cli.output import compiling_beside, console
from signoria.server.settings import PORT, read_settings

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL|FILE", help="Where games are kept: a file, or postgresql://...; your data folder without."
    ),
]


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen at; 0.0.0.0 for every one.")] = None,
    port: Annotated[int | None, typer.Option(help=f"The port; {PORT} or the next free one without, 0 for any.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; more than one on PostgreSQL only.")] = None,
    database: Database = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in the browser once it is ready.")] = False,
    proxy: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS[,ADDRESS...]", help="The proxies in front, whose X-Forwarded-For is believed."),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="How people reach it through the proxy: https://games.example.org."),
    ] = None,
    hosts: Annotated[str | None, typer.Option(metavar="NAME[,NAME...]", help="The names it answers to.")] = None,
    log_format: Annotated[str | None, typer.Option(metavar="auto|text|json", help="How it logs, on stderr.")] = None,
    log_level: Annotated[str | None, typer.Option(metavar="debug|info|warning|error", help="From where on.")] = None,
) -> int:
    """Open the house: play both games in the browser, with friends and bots. Ctrl-C closes it.

    Everything else is set in the environment (SIGNORIA_...); docs/hosting.md has the table.
    """
    from signoria.server.app import create_app  # here, so that other commands start without it
    from signoria.server.run.serve import serve as serve_house

    given = {
        "host": host,
        "port": port,
        "workers": workers,
        "database": database,
        "proxy": proxy,
        "public_url": public_url,
        "hosts": hosts,
        "log_format": log_format,
        "log_level": log_level,
    }
    return serve_house(
        read_settings(given, os.environ),
        create_app,
        say=partial(console.print, soft_wrap=True),
        port_given=port is not None or "SIGNORIA_PORT" in os.environ,
        open_browser=open_browser,
        while_compiling=compiling_beside,
    )
