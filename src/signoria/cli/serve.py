"""`signoria serve`: starts the web server."""

import gc
import os
from functools import partial
from typing import Annotated

import typer

from signoria.cli.output import compiling_beside, console
from signoria.kernel.language import to_say, to_say_docstring
from signoria.server.settings import read_settings

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL|FILE",
        help=to_say("The database: a SQLite file or postgresql://...; default: a file in your data folder."),
    ),
]


@to_say_docstring
def serve(
    host: Annotated[
        str | None, typer.Option(help=to_say("The address to listen on; 0.0.0.0 means all addresses."))
    ] = None,
    port: Annotated[
        int | None, typer.Option(help=to_say("The port; default: {port} or the next free one; 0 means any free port."))
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help=to_say("Number of processes; more than one requires PostgreSQL."))
    ] = None,
    database: Database = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help=to_say("Open the browser when the server is ready."))
    ] = False,
    proxy: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS[,ADDRESS...]",
            help=to_say("Addresses of proxies whose X-Forwarded-For header the server trusts."),
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help=to_say("The public address, such as https://games.example.org.")),
    ] = None,
    hosts: Annotated[
        str | None, typer.Option(metavar="NAME[,NAME...]", help=to_say("The host names that the server accepts."))
    ] = None,
    smtp: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help=to_say("The mail server: smtps://..., smtp+starttls://... or smtp://HOST:25.")
        ),
    ] = None,
    mail_from: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help=to_say("The sender of e-mail: Signoria <games@example.org>."))
    ] = None,
    vapid_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help=to_say("The key for push messages, from `signoria admin vapid-keys`.")),
    ] = None,
    vapid_contact: Annotated[
        str | None,
        typer.Option(metavar="URL", help=to_say("Where push services can reach you: mailto:you@example.org.")),
    ] = None,
    log_format: Annotated[
        str | None, typer.Option(metavar="auto|text|json", help=to_say("Format of the log on standard error."))
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="debug|info|warning|error", help=to_say("The lowest level to log."))
    ] = None,
) -> int:
    """Start the web server, to play in the browser with friends and bots. Press Ctrl-C to stop it.

    More settings are environment variables (SIGNORIA_...); docs/hosting.md lists them.
    """
    gc.disable()  # modules stay: there is nothing to collect
    from signoria.server.app import create_app  # here, so that other commands start without it
    from signoria.server.run.serve import serve as serve_house

    gc.enable()

    given = {
        "host": host,
        "port": port,
        "workers": workers,
        "database": database,
        "proxy": proxy,
        "public_url": public_url,
        "hosts": hosts,
        "smtp": smtp,
        "mail_from": mail_from,
        "vapid_key": vapid_key,
        "vapid_contact": vapid_contact,
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
