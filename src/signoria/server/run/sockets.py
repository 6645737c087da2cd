"""The socket that the server listens on."""

import errno
import socket

from signoria.kernel.errors import BadOption
from signoria.kernel.language import say
from signoria.kernel.os_errors import tell_reason

BACKLOG = 2048
TRIES = 50
"""How many ports are tried if none was given."""
GONE_AFTER = 30_000
"""Milliseconds after which a client that does not receive data counts as gone."""
ANYWHERE = {"0.0.0.0", "::", ""}


def listen(host: str, port: int, *, strict: bool) -> socket.socket:
    """A listening socket; unless `strict`, on the next free port if this one is in use.

    Raises `BadOption` with advice.
    """
    for number in range(port, port + 1 if strict or port == 0 else min(port + TRIES, 65536)):
        try:
            return _listen(host, number)
        except socket.gaierror:
            raise BadOption(
                say(
                    "--host: unknown address {host!r}; use 127.0.0.1 for this machine only or 0.0.0.0 for all networks.",
                    host=host,
                )
            ) from None
        except OSError as error:
            match error.errno:
                case errno.EADDRINUSE:
                    continue
                case errno.EACCES:
                    raise BadOption(
                        say("--port: {number} is reserved for the system; use 1024 to 65535.", number=number)
                    ) from None
                case errno.EADDRNOTAVAIL:
                    raise BadOption(say("--host: {host} is not an address of this machine.", host=host)) from None
                case _:
                    raise BadOption(
                        say("{host}, port {number}: {strerror}.", host=host, number=number, strerror=tell_reason(error))
                    ) from None
    if strict:
        raise BadOption(
            say("--port: {port} is in use by another program; choose another, or 0 for any free port.", port=port)
        )
    raise BadOption(
        say("Ports {port} and the next ones are in use; choose another, or 0 for any free port.", port=port)
    )


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or "0.0.0.0", port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER)
        listening.bind(address)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def port_of(listening: socket.socket) -> int:
    """The port of the socket."""
    port: int = listening.getsockname()[1]
    return port


def address_of(host: str, port: int) -> str:
    """The address for a browser on this machine."""
    name = "localhost" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"
