"""Clients that disconnect at any moment do not harm the server."""

import asyncio
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import httpx
import pytest

from signoria.server.run.http_protocol import SafeTransport
from tests.server.processes import start_server

pytestmark = pytest.mark.slow

CLIENTS = 8
CONNECTIONS = 25
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
REQUESTS = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8,
    b"GET /lobby/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"POST /play-now HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\ngame=",
    b"GET / HT",
)


def hang_up(port: int, seed: int) -> None:
    """Send requests and close each connection at a different moment, with and without a reset."""
    rng = Random(seed)
    for _ in range(CONNECTIONS):
        with socket.create_connection(("127.0.0.1", port)) as client:
            if rng.random() < 0.5:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            client.sendall(rng.choice(REQUESTS))
            time.sleep(rng.choice((0.0, 0.001, 0.005)))


def test_reset_connection_is_noticed_while_writing() -> None:
    """Uvloop raises an error before it says that the connection is lost."""

    class Closed(asyncio.Transport):
        def write(self, data: object) -> None:
            raise RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed")

        def is_closing(self) -> bool:
            return True

    noticed: list[bool] = []
    transport = SafeTransport(Closed(), lambda: noticed.append(True))
    transport.write(b"an answer")
    assert noticed == [True]
    assert transport.is_closing()


def test_server_survives_clients_that_hang_up(tmp_path: Path) -> None:
    server = start_server(str(tmp_path / "signoria.db"), tmp_path)
    try:
        port = int(server.address.rpartition(":")[2])
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(hang_up, [port] * CLIENTS, range(CLIENTS)))
        assert httpx.get(f"{server.address}/healthz").status_code == 200
        assert server.process.poll() is None
        assert server.stop() == 0
        assert server.log.read_text() == "", "a client that hangs up is nothing to complain about"
    finally:
        server.end()
